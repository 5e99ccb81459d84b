"""How a scenario is driven unless the reader asks otherwise: the loop, the caps, the host.

These records are a part of the transcript file, see ``transcript``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from visualizer.fields import CLOSED, AtLeastOne, Constraint, Name

if TYPE_CHECKING:
    from pydantic import ConfigDict

Price = Annotated[float, Constraint(ge=0)]


@dataclass(slots=True, eq=False, repr=False)
class Limits:
    """Limits beside max_turns. Absent means no limit.

    ``max_budget_usd`` (at the scenario's prices) and ``max_total_tokens`` (in and out, of all
    calls together) are budgets of a run. ``context_tokens`` is how much a request and its
    reply may hold before the history is summarised, ``max_result_chars`` how long a tool's
    result may be before it is cut.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    max_budget_usd: Annotated[float, Constraint(gt=0)] | None = None
    max_total_tokens: AtLeastOne | None = None
    context_tokens: AtLeastOne | None = None
    max_result_chars: AtLeastOne | None = None


@dataclass(slots=True, eq=False, repr=False)
class Prices:
    """US dollars for a million tokens. What is cached costs as other input unless said."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    input: Price
    output: Price
    cache_write: Price | None = None
    cache_read: Price | None = None


@dataclass(slots=True, eq=False, repr=False)
class Settings:
    """How a scenario is driven unless the reader asks otherwise."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    max_turns: AtLeastOne | None = None
    limits: Limits = field(default_factory=Limits)
    prices: Prices | None = None
    loop: Name | None = None
    run: str | None = None
    take: Name | None = None
    decisions: dict[str, Any] = field(default_factory=dict)
