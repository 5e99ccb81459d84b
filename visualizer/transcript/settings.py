"""How a scenario is driven unless the reader asks otherwise: the loop, the caps, the host.

These records are a part of the transcript file, see ``transcript``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from visualizer.transcript.fields import CLOSED, AtLeastOne, Constraint, Name, NonEmpty

if TYPE_CHECKING:
    from pydantic import ConfigDict

Verdict = Literal["allow", "deny", "ask"]
Choice = Literal["allow", "deny"]
DECIDED = re.compile(r"t\d{1,9}\.approve(?:\.\d{1,9})?", re.ASCII)
"""A place at which a call waits for a person's decision."""
OBSERVED = re.compile(r"t\d{1,9}\.execute(?:\.\d{1,9})?", re.ASCII)
"""A place at which a tool gives a result: an observation, which a reader may change."""

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
class Policy:
    """Which tools run by themselves, which never, and for which a person is asked.

    Patterns of tool names (``*`` and ``?``). What stands in several lists is denied rather
    than asked for, and asked for rather than allowed; what stands in none is asked for.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    allow: list[NonEmpty] = field(default_factory=list)
    deny: list[NonEmpty] = field(default_factory=list)
    ask: list[NonEmpty] = field(default_factory=list)

    def verdict(self, tool: str) -> tuple[Verdict, str]:
        """What holds for a tool, and the pattern that says so (``""``: no list has it)."""
        lists: tuple[tuple[Verdict, list[str]], ...] = (
            ("deny", self.deny),
            ("ask", self.ask),
            ("allow", self.allow),
        )
        for verdict, patterns in lists:
            for pattern in patterns:
                if fnmatchcase(tool, pattern):
                    return verdict, pattern
        return "ask", ""


@dataclass(slots=True, eq=False, repr=False)
class Settings:
    """How a scenario is driven unless the reader asks otherwise.

    ``decisions`` answer, by place (``t1.approve``), what the policy asks a person for.
    """

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    max_turns: AtLeastOne | None = None
    limits: Limits = field(default_factory=Limits)
    prices: Prices | None = None
    loop: Name | None = None
    run: str | None = None
    take: Name | None = None
    policy: Policy | None = None
    decisions: dict[str, Choice] = field(default_factory=dict)
