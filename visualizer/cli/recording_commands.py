"""What commands do with recordings of other programs: ``run`` and ``convert``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from visualizer.cli import printing
from visualizer.cli.help_text import Command
from visualizer.cli.options import lang, one_run_option, scenario_name
from visualizer.cli.piped import scenario_from
from visualizer.describe import plain
from visualizer.i18n import Texts
from visualizer.locator import Locator

if TYPE_CHECKING:
    from visualizer.loading import Scenario


def run_outside(
    texts: Texts, scenario: Scenario, given: Locator, run: str | None, as_json: bool
) -> None:
    """Print the runs of an outside recording; a place is looked up in one of them."""
    from visualizer.collection import recordings  # noqa: PLC0415

    one = run is not None or given.place is not None or bool(given.observations)
    runs = [scenario.run(run)] if one else list(scenario.runs)
    how = {"loop": given.loop, "max_turns": given.max_turns, "place": given.place}
    assert scenario.outside is not None
    if given.observations:
        from visualizer.engine import replay  # noqa: PLC0415

        given.checked(replay(scenario, loop=given.loop, max_turns=given.max_turns, run=run))
    if as_json:
        data = recordings.json_of(scenario, scenario.outside, runs, texts, **how)
        printing.document(plain.json_lines(data))
    else:
        printing.write(recordings.text_of(scenario, scenario.outside, runs, texts, **how))


def convert_command(texts: Texts) -> Command:
    """``convert``: a recording as a transcript file."""

    def act(name: str, output: str | None, force: bool, run: str | None, redact: bool) -> None:
        from visualizer.collection import recordings  # noqa: PLC0415
        from visualizer.transcript import schema  # noqa: PLC0415

        transcript = recordings.converted(scenario_from(texts, name, "convert"), run)
        said: list[str] = []
        if redact:
            from visualizer.redact import redacted  # noqa: PLC0415

            transcript, counts = redacted(transcript)
            said = _redaction_lines(texts, counts)
        made = schema.to_json(transcript)
        if output is None:
            printing.document([made.rstrip("\n")])
        else:
            recordings.write_new(Path(output), made, force)
        printing.write(said, sys.stderr)

    redact = click.Option(["--redact"], is_flag=True, help=texts("redact.option"))
    output = click.Option(["-o", "--output"], metavar="OUT", help=texts("format.option.output"))
    force = click.Option(["--force"], is_flag=True, help=texts("format.option.force"))
    params = [scenario_name(), output, redact, force, one_run_option(texts), lang(texts)]
    help_text, short = texts("format.help.convert"), texts("format.short.convert")
    return Command("convert", callback=act, params=params, help=help_text, short_help=short)


def _redaction_lines(texts: Texts, counts: dict[str, int]) -> list[str]:
    """What was taken out, by kind, and that nobody can promise that it was everything."""
    found = ", ".join(f"{kind} {number}" for kind, number in counts.items())
    said = texts("redact.found", found=found) if found else texts("redact.nothing")
    return [said, texts("redact.look")]
