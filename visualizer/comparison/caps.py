"""What loops do at a cap: one recording, driven by each, in a table.

Every cell is read off a run. Nothing here knows what a loop is said to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from visualizer.describe import plain
from visualizer.describe.phrases import safe, scalar, value_text
from visualizer.engine import replay
from visualizer.i18n import Texts
from visualizer.loading import Scenario, load_transcript
from visualizer.loops.registry import cap_families
from visualizer.run.timeline import Run
from visualizer.text import cells, display_safe, pad

COLUMNS = ("loop", "cap", "calls", "tools", "sent", "gets")
GAP = "  "
LONG = 400
"""Cells of what the caller gets where there is room for all of it."""
_SHORT = 64
_NUMBERS = frozenset({"cap", "calls", "tools", "sent"})


@dataclass(frozen=True, slots=True)
class CapRow:
    """One run as the table has it.

    ``results_sent`` counts the results of tools that ran which then went to the model in a
    call that got a reply: a result that no call has sent was never read.
    """

    run: Run
    results_sent: int

    @classmethod
    def of(cls, run: Run) -> CapRow:
        """The row of a run."""
        ran = {step.request.id for step in run.steps if step.request is not None}
        answered = [call for call in run.calls if call.reply is not None]
        reach: dict[int, int] = {}
        for call in answered:
            reach[call.history] = max(reach.get(call.history, 0), call.sent)
        sent = {
            block.tool_use_id
            for history, count in reach.items()
            for message in run.histories[history][:count]
            for block in message.results
        }
        return cls(run, len(sent & ran))

    def cells(self, texts: Texts, width: int = LONG) -> dict[str, str]:
        """The texts of the columns, safe for a terminal; ``width`` cells for the last."""
        run = self.run
        return {
            "loop": display_safe(run.loop.name),
            "cap": "-" if run.max_turns is None else str(run.max_turns),
            "calls": str(run.model_calls),
            "tools": str(run.tool_calls),
            "sent": str(self.results_sent),
            "gets": gets_text(run, texts, width),
        }


def gets_text(run: Run, texts: Texts, width: int = LONG) -> str:
    """What the caller of a loop gets: a value, an exception; or that the run was stopped."""
    if run.stop is not None:
        return safe(texts("compare.caps.stopped", reason=run.stop.reason), width)
    if run.raised is None:
        return value_text(run.result, width)
    kind, text = run.raised.type, run.raised.text
    return safe(texts("compare.caps.raises", error=f"{kind}: {text}" if text else kind), width)


def family_text(loop: str, texts: Texts) -> str:
    """What a loop does at the cap and who does so; ``""`` where that is not known."""
    try:
        return texts(f"compare.caps.of.{loop}")
    except KeyError:
        return ""


def cap_rows(
    scenario: Scenario, loops: Sequence[str] = (), caps: Sequence[int] = ()
) -> list[CapRow]:
    """A row for each loop (by default the cap families) under each cap (the scenario's).

    Raises ``LoopError`` for a loop that is not there or takes no cap where one is given.
    """
    return [
        CapRow.of(replay(scenario, loop=loop, max_turns=cap))
        for loop in loops or cap_families()
        for cap in caps or (None,)
    ]


def heads(texts: Texts) -> list[dict[str, str]]:
    """The lines of the table's head, by column."""
    split = {name: texts(f"compare.caps.{name}").split("\n") for name in COLUMNS}
    most = max(map(len, split.values()))
    filled = {name: [""] * (most - len(parts)) + parts for name, parts in split.items()}
    return [{name: parts[at] for name, parts in filled.items()} for at in range(most)]


def table(rows: Sequence[dict[str, str]]) -> Iterator[list[str]]:
    """Texts of columns, made equally wide where they stand below each other, but the last."""
    widths = {name: max((cells(row[name]) for row in rows), default=0) for name in COLUMNS}
    for row in rows:
        found = []
        for name in COLUMNS[:-1]:
            text, gap = row[name], " " * (widths[name] - cells(row[name]))
            found.append(gap + text if name in _NUMBERS else pad(text, widths[name]))
        yield [*found, row[COLUMNS[-1]]]


def lines(
    name: str | Scenario,
    loops: Sequence[str],
    caps: Sequence[int],
    texts: Texts,
    as_json: bool = False,
) -> Iterator[str]:
    """The table that a command asks for, as text or JSON."""
    scenario = load_transcript(name)
    rows = cap_rows(scenario, loops, caps)
    if as_json:
        return plain.json_lines(to_json(rows, scenario, texts))
    return text_lines(rows, scenario, texts)


def text_lines(rows: Sequence[CapRow], scenario: Scenario, texts: Texts) -> Iterator[str]:
    """The table in lines of text; below it what each loop stands for."""
    yield plain.title_line(scenario, texts)
    yield texts("compare.caps.intro")
    yield ""
    for line in table([*heads(texts), *(row.cells(texts, _SHORT) for row in rows)]):
        yield GAP.join(line).rstrip()
    names = dict.fromkeys(row.run.loop.name for row in rows)
    told = {name: text for name in names if (text := family_text(name, texts))}
    if told:
        yield ""
    width = max(map(len, told), default=0)
    for name, text in told.items():
        yield f"{pad(name, width)}  {text}"


def to_json(rows: Sequence[CapRow], scenario: Scenario, texts: Texts) -> dict[str, Any]:
    """The table as plain data."""
    return {"scenario": scenario.name, "rows": [_row_json(row, texts) for row in rows]}


def _row_json(row: CapRow, texts: Texts) -> dict[str, Any]:
    run = row.run
    return {
        "loop": run.loop.name,
        "max_turns": run.max_turns,
        "model_calls": run.model_calls,
        "tools_run": run.tool_calls,
        "results_sent": row.results_sent,
        "caller_gets": gets_text(run, texts),
        "result": scalar(run.result),
        "raised": {"type": run.raised.type, "text": run.raised.text} if run.raised else None,
        "terminal_reason": run.terminal_reason,
    }
