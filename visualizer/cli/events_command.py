"""What ``run --events`` prints: the run, or each run of a recording, as a stream of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from visualizer.cli import printing
from visualizer.describe import plain
from visualizer.i18n import Texts
from visualizer.locator import Locator

if TYPE_CHECKING:
    from visualizer.loading import Scenario


def print_events(
    texts: Texts,
    scenario: Scenario,
    given: Locator,
    run: str | None,
    as_json: bool,
    partial: bool,
) -> None:
    """Print the stream of the run asked for, or of each run that an outside recording holds."""
    from visualizer.engine import replay  # noqa: PLC0415
    from visualizer.sdk import report, stream_of  # noqa: PLC0415

    if given.place is not None:
        raise click.UsageError(texts("sdk.error.at"))
    every = scenario.outside is not None and run is None and not given.observations
    ids = [one.id for one in scenario.runs] if every else [run]
    runs = (replay(scenario, loop=given.loop, max_turns=given.max_turns, run=one) for one in ids)
    streams = (stream_of(given.checked(one), scenario, partial) for one in runs)
    if not as_json:
        for number, stream in enumerate(streams):
            printing.write([""] if number else [])
            printing.write(report.text_lines(stream, scenario, texts))
    elif every:
        data = [report.to_json(stream, scenario) for stream in streams]
        printing.document(plain.json_lines({"streams": data}))
    else:
        printing.document(plain.json_lines(report.to_json(next(streams), scenario)))


def events_options(texts: Texts) -> list[click.Parameter]:
    """``--events``, and ``--partial`` with it."""
    return [
        click.Option(["--events"], is_flag=True, help=texts("sdk.option.events")),
        click.Option(["--partial"], is_flag=True, help=texts("sdk.option.partial")),
    ]
