"""A run's stream as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from visualizer.describe import phase_label, plain
from visualizer.i18n import Texts
from visualizer.sdk.ending import CLIENT, differences
from visualizer.sdk.stream import Row, Stream
from visualizer.sdk.words import counts_text, explained, kind_text, name_text, result_text, summary
from visualizer.text import cells, pad

if TYPE_CHECKING:
    from visualizer.loading import Scenario

NO_LINE = "-"


def text_lines(stream: Stream, scenario: Scenario, texts: Texts) -> Iterator[str]:
    """The steps of the loop, each beside its lines of the stream; then the counts."""
    run = stream.run
    yield plain.title_line(scenario, texts)
    yield plain.loop_line(run, texts)
    yield texts("sdk.inferred", client=CLIENT)
    yield ""
    rows = [_cells(stream, row, texts) for row in stream.rows]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    before = 0
    for row, parts in zip(stream.rows, rows, strict=True):
        shown = ["" if row.step == before and at < 2 else part for at, part in enumerate(parts)]
        columns = [pad(part, width) for part, width in zip(shown, widths[:-1], strict=False)]
        yield "  ".join([*columns, shown[-1]]).rstrip()
        before = row.step
    yield ""
    if counts := counts_text(stream, texts):
        yield counts
    if stream.result is not None:
        yield explained(stream, stream.rows_of(stream.result), texts)
    elif run.steps[-1].phase == "end":
        yield result_text(stream, texts)


def to_json(stream: Stream, scenario: Scenario) -> dict[str, Any]:
    """The stream as plain data: counts, then the lines, each with its place in the run."""
    run = stream.run
    return {
        "scenario": scenario.name,
        "run": run.recorded_run,
        "loop": run.loop.name,
        "inferred": True,
        "client": CLIENT,
        "num_turns": stream.num_turns,
        "model_calls": run.model_calls,
        "max_turns": run.max_turns,
        "assistant_lines": stream.count("assistant"),
        "message_ids": stream.message_ids,
        "user_lines": stream.count("user"),
        "recorded_result": None if stream.said is None else plain.plain_data(stream.said),
        "differences": _differences(stream),
        "events": [
            {
                "step": event.step,
                "place": run.step(event.step).place,
                "recorded": event.recorded,
                "line": plain.plain_data(event.line),
            }
            for event in stream.events
        ],
    }


def _differences(stream: Stream) -> list[str]:
    if stream.said is None or stream.result is None:
        return []
    return [name for name, _, _ in differences(stream.result.line, stream.said)]


def _cells(stream: Stream, row: Row, texts: Texts) -> list[str]:
    run, event = stream.run, row.event
    label = phase_label(run, row.step, texts)
    place = run.step(row.step).place
    if event is None:
        return [place, label, NO_LINE, "", ""]
    mark = f" {texts('sdk.recorded_mark')}" if event.recorded else ""
    return [place, label, kind_text(event), name_text(event) + mark, summary(run, event, texts)]
