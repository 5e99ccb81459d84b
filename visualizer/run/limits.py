"""Caps and budgets: what is configured, used and left.

``Caps`` are the visualizer's own: they end what does not end by itself, are no part of a
loop, and a run that meets one ends in ``step_cap``. ``Budget`` is what a host gives its loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from visualizer.transcript.settings import Limits, Prices

BILLION = 1_000_000_000
"""Money is counted in billionths of a dollar, so that what is used and left adds up exactly."""

_INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass(frozen=True, slots=True)
class Caps:
    """How much one run may do.

    ``calls``: model calls; ``steps``: steps in all; ``lines``: lines run since the last step;
    ``seconds``: wall-clock time, only for loops that run in a process of their own.
    """

    calls: int
    steps: int
    lines: int = 100_000
    seconds: float = 10.0

    @classmethod
    def for_recording(cls, turns: int, tool_calls: int) -> Caps:
        """Enough for any loop that gets through a recording of this size, and to repeat it."""
        calls = max(50, 2 * turns)
        return cls(calls=calls, steps=max(1_000, 10 * calls + 4 * tool_calls))


class LimitUse(NamedTuple):
    """One limit: its name in the settings, what was configured, and how much of it is used.

    Money is in billionths of a dollar.
    """

    name: str
    configured: int
    used: int

    @property
    def left(self) -> int:
        """What is left; below zero for what was used beyond the limit."""
        return self.configured - self.used


class Budget:
    """What a run may cost, counted reply by reply.

    Of the limits, turns are only counted: the loop itself bounds them.
    """

    def __init__(
        self, limits: Limits, prices: Prices | None = None, max_turns: int | None = None
    ) -> None:
        usd = limits.max_budget_usd
        configured = {
            "max_budget_usd": None if usd is None else round(usd * BILLION),
            "max_total_tokens": limits.max_total_tokens,
            "max_turns": max_turns,
        }
        self._limits = [(name, most) for name, most in configured.items() if most is not None]
        self._used = dict.fromkeys(configured, 0)
        self._prices = _per_token(prices)
        self._full = limits.context_tokens
        self._held = 0
        self._hit: str | None = None

    @property
    def bounds(self) -> bool:
        """Whether there is anything but turns to run out of."""
        return any(name != "max_turns" for name, _ in self._limits)

    @property
    def uses(self) -> tuple[LimitUse, ...]:
        """All limits as they are now."""
        return tuple(LimitUse(name, most, self._used[name]) for name, most in self._limits)

    def hit(self, usage: Mapping[str, Any] | None) -> str | None:
        """Count one more reply. The name of the limit that was used up first, None for none."""
        counts = [_count(usage, name) for name in (*_INPUTS, "output_tokens")]
        self._held = sum(counts)
        self._used["max_turns"] += 1
        self._used["max_total_tokens"] += self._held
        pairs = zip(counts, self._prices, strict=True)
        self._used["max_budget_usd"] += sum(count * price for count, price in pairs)
        if self._hit is None:
            budgets = (one for one in self.uses if one.name != "max_turns")
            self._hit = next((one.name for one in budgets if one.left <= 0), None)
        return self._hit

    @property
    def held(self) -> int:
        """The tokens of the latest request and its reply together."""
        return self._held

    def context_is_full(self, share: float = 1) -> bool:
        """Whether the latest request and its reply hold that share of what a context may."""
        return self._full is not None and self._held >= share * self._full


def cut_text(text: str, most: int) -> str:
    """The beginning and the end of a text, ``most`` characters of it, and what is missing."""
    if len(text) <= most:
        return text
    end = most // 2
    gap = f"\n[... {len(text) - most:,} characters left out by the host ...]\n"
    return text[: most - end] + gap + (text[-end:] if end else "")


def _per_token(prices: Prices | None) -> tuple[int, int, int, int]:
    """Billionths of a dollar for one token: input, newly cached, cached, output."""
    if prices is None:
        return (0, 0, 0, 0)
    write = prices.input if prices.cache_write is None else prices.cache_write
    read = prices.input if prices.cache_read is None else prices.cache_read
    first, second, third, last = (
        round(price * BILLION / 1_000_000) for price in (prices.input, write, read, prices.output)
    )
    return first, second, third, last


def _count(usage: Mapping[str, Any] | None, name: str) -> int:
    value = (usage or {}).get(name)
    return value if type(value) is int and value > 0 else 0
