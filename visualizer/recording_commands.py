"""What commands do with recordings of other programs: ``open``, ``run`` and ``convert``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from visualizer import plain
from visualizer.help_text import Command
from visualizer.i18n import Texts
from visualizer.locator import Locator
from visualizer.options import lang, one_run_option, scenario_name
from visualizer.piped import say_at_once, scenario_from
from visualizer.standard_input import STANDARD_INPUT
from visualizer.text import display_safe

if TYPE_CHECKING:
    from visualizer.loading import Scenario

MB = 1_000_000
BIG = 8 * MB
"""Bytes from which reading a file takes so long that it is announced."""


def to_open(texts: Texts, what: str | Scenario, run: str | None) -> Scenario | str:
    """What to open in the stepper: a file is read first, and says so where that takes long."""
    path = Path(what) if isinstance(what, str) else STANDARD_INPUT
    if isinstance(what, str) and run is None and not _is_file(path):
        return what
    from visualizer.loading import load_transcript  # noqa: PLC0415
    from visualizer.tui.session import LONG, turns_in  # noqa: PLC0415

    shown = display_safe(str(path))
    if isinstance(what, str) and _is_file(path) and (size := path.stat().st_size) > BIG:
        say_at_once(texts("format.reading", file=shown, size=f"{size / MB:,.0f}"))
    scenario = load_transcript(what)
    if run is not None:
        scenario = scenario.on_run(run)
    if (turns := turns_in(scenario)) > LONG:
        say_at_once(texts("format.computing", file=shown, n=f"{turns:,}"))
    return scenario


def folder_to_open(texts: Texts, name: str, run: str | None, at: str | None) -> Path:
    """A folder whose recordings are to be listed; a run or a place of none of them yet."""
    if run is not None or at is not None:
        raise click.UsageError(texts("format.folder_place", folder=display_safe(name)))
    return Path(name)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def run_outside(
    texts: Texts, scenario: Scenario, given: Locator, run: str | None, as_json: bool
) -> None:
    """Print the runs of an outside recording; a place is looked up in one of them."""
    from visualizer import recordings  # noqa: PLC0415

    one = run is not None or given.place is not None
    runs = [scenario.run(run)] if one else list(scenario.runs)
    how = {"loop": given.loop, "max_turns": given.max_turns, "place": given.place}
    assert scenario.outside is not None
    if as_json:
        data = recordings.json_of(scenario, scenario.outside, runs, texts, **how)
        plain.write(plain.json_lines(data))
    else:
        plain.write(recordings.text_of(scenario, scenario.outside, runs, texts, **how))


def convert_command(texts: Texts) -> Command:
    """``convert``: a recording as a transcript file."""

    def act(name: str, output: str | None, force: bool, run: str | None) -> None:
        from visualizer import recordings, schema  # noqa: PLC0415

        scenario = scenario_from(texts, name, "convert")
        made = schema.to_json(recordings.converted(scenario, run))
        if output is None:
            plain.write([made.rstrip("\n")])
        else:
            recordings.write_new(Path(output), made, force)

    output = click.Option(["-o", "--output"], metavar="OUT", help=texts("format.option.output"))
    force = click.Option(["--force"], is_flag=True, help=texts("format.option.force"))
    params = [scenario_name(), output, force, one_run_option(texts), lang(texts)]
    help_text, short = texts("format.help.convert"), texts("format.short.convert")
    return Command("convert", callback=act, params=params, help=help_text, short_help=short)
