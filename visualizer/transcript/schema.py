"""The validator of transcript files, and their JSON Schema.

pydantic builds a validator from the classes in ``transcript``. Importing it and building cost
more than everything else at the start of the program, so what it comes to, a core schema, is
kept in ``core_schema.json`` and given to pydantic's core as it is. After a change of the
classes write it anew (a test compares)::

    python -c "from visualizer.transcript import schema; schema.store()"

It says which pydantic_core it was made with; under a newer one it is built after all.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic_core import SchemaError, SchemaValidator
from pydantic_core import __version__ as core_version

from visualizer.transcript import records as transcript
from visualizer.transcript import settings

if TYPE_CHECKING:
    from pydantic import TypeAdapter

STORED = Path(__file__).parent / "core_schema.json"
OLDEST_CORE = (2, 33)
"""The pydantic_core of pydantic 2.11: the stored schema has been the same ever since."""

_CLASS = "$class"
_NAMES = ("ref", "schema_ref")
"""Keys whose values name a definition: ``module.Class:address``, new in every process."""

_BUILTINS: dict[str, type] = {"list": list, "dict": dict}


@cache
def validator() -> SchemaValidator:
    """The validator of a transcript: its ``validate_json`` gives a ``Transcript``."""
    try:
        stored = json.loads(STORED.read_text(encoding="utf-8"))
        if OLDEST_CORE <= _minor(core_version) <= _minor(stored["pydantic_core"]):
            return SchemaValidator(_thaw(stored["schema"]))
    except (OSError, ValueError, SchemaError, AttributeError, KeyError, TypeError):
        pass
    return cast(SchemaValidator, adapter().validator)


@cache
def adapter() -> TypeAdapter[transcript.Transcript]:
    """pydantic's view of a transcript, built from the classes (slow to import)."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - see above

    return TypeAdapter(transcript.Transcript)


def json_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a transcript file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **adapter().json_schema(),
    }


def to_json(value: transcript.Transcript) -> str:
    """The text of a transcript file; what has its default is left out."""
    data = adapter().dump_python(value, exclude_defaults=True)
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def frozen() -> Any:
    """The core schema as data: a class is an object with its name."""
    return {"pydantic_core": core_version, "schema": _freeze(adapter().core_schema)}


def store() -> None:
    """Write ``core_schema.json``."""
    STORED.write_text(json.dumps(frozen(), separators=(",", ":")) + "\n", encoding="utf-8")


def _minor(version: str) -> tuple[int, int]:
    """The first two numbers of a version. Raises ``ValueError``."""
    major, minor, *_ = version.split(".")
    return int(major), int(minor)


def _freeze(value: Any) -> Any:
    if isinstance(value, type):
        return {_CLASS: value.__name__}
    if isinstance(value, dict):
        return {
            key: item.partition(":")[0] if key in _NAMES else _freeze(item)
            for key, item in value.items()
            if key != "metadata"
        }
    if isinstance(value, (list, tuple)):
        return [_freeze(item) for item in value]
    return value


def _thaw(value: Any) -> Any:
    if isinstance(value, list):
        return [_thaw(item) for item in value]
    if not isinstance(value, dict):
        return value
    if _CLASS in value:
        name = value[_CLASS]
        return _BUILTINS.get(name) or getattr(transcript, name, None) or getattr(settings, name)
    return {key: _thaw(item) for key, item in value.items()}
