"""What fields of our own files are made of: closed records, bounded numbers, names.

The records are plain slotted dataclasses; pydantic is asked only where a file is validated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

if TYPE_CHECKING:
    from pydantic import ConfigDict, GetCoreSchemaHandler


class Constraint:
    """A bound for a field's schema: ``ge``, ``gt``, ``min_length``, ``pattern``.

    In place of ``pydantic.Field``, so that this module does not import pydantic.
    """

    def __init__(self, **bounds: float | str) -> None:
        self.bounds = bounds

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        return {**handler(source), **self.bounds}


Count = Annotated[int, Constraint(ge=0)]
AtLeastOne = Annotated[int, Constraint(ge=1)]
NonEmpty = Annotated[str, Constraint(min_length=1)]
Name = Annotated[str, Constraint(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
Pointer = Annotated[str, Constraint(pattern=r"^(/[^/]*)*$")]
CLOSED: Final[ConfigDict] = {"extra": "forbid", "strict": True}
"""Keys that a record does not know are refused, and types are not bent."""
