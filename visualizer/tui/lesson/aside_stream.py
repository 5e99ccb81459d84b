"""What a page can show in the place of messages: the stream, or calls on a kept thread."""

from __future__ import annotations

from visualizer.app.view import View
from visualizer.describe.phrases import kept
from visualizer.sdk import Link, Stream, chain_of, stream_of
from visualizer.tui.draw.segments import Line
from visualizer.tui.events.painter import EventsView, rows_around
from visualizer.tui.sheets.chained import table


def events_height(view: View) -> int:
    """The lines that the stream takes, as far as the run has been seen."""
    return len(_stream(view).rows)


def events(view: View, width: int, height: int) -> tuple[str, list[Line]]:
    """The stream around the step, its last row of that step chosen."""
    stream = _stream(view)
    rows = stream.rows
    at = max(number for number, row in enumerate(rows) if row.step <= view.index)
    shown = EventsView(stream, "", "", at, view.index, view.texts, view.glyphs, to_step=True)
    return view.texts("sdk.title"), rows_around(shown, width, height)


def chained_height(view: View) -> int:
    """The lines that the table takes."""
    return len(view.run.calls) + 3


def chained(view: View, width: int, height: int) -> tuple[str, list[Line]]:
    """What each call so far sends, stateless and on a thread."""
    links = _links(view)
    here = view.run.call_at(view.index)
    current = view.run.calls.index(here) if here is not None else -1
    hides = "thread" in view.lens.hidden
    lines = table(links, current, view.texts, width, height, hides)
    return view.texts("sdk.chain.plot"), lines


def _stream(view: View) -> Stream:
    scenario = view.session.scenario
    return kept(view.run, "_stream", lambda run: stream_of(run, scenario))


def _links(view: View) -> tuple[Link, ...]:
    return chain_of(view.run, view.shown.asides.turns)
