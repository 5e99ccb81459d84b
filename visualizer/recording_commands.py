"""The commands about recordings of other programs, and ``list``, which knows both kinds."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from visualizer import plain
from visualizer.errors import TranscriptError
from visualizer.help_text import Command
from visualizer.i18n import Texts
from visualizer.locator import Locator
from visualizer.options import command, json_option, lang, one_run_option, scenario_name
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


def list_command(texts: Texts) -> Command:
    """``list``: the scenarios, or the recordings in a folder."""

    def act(folder: str | None, as_json: bool) -> None:
        from visualizer.loading import load_transcript, scenario_names  # noqa: PLC0415
        from visualizer.loops.registry import DEFAULT  # noqa: PLC0415

        if folder is not None:
            _list_folder(texts, folder, as_json)
            return
        scenarios = []
        for name in scenario_names():
            try:
                scenarios.append(load_transcript(name))
            except TranscriptError as error:
                plain.write([f"visualizer: {error.text(texts)}"], sys.stderr)
        if as_json:
            entries = [plain.scenario_json(one, DEFAULT, texts) for one in scenarios]
            plain.write(plain.json_lines({"scenarios": entries}))
        else:
            for one in scenarios:
                plain.write(plain.scenario_lines(one, texts))

    folder = click.Argument(
        ["folder"], metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False)
    )
    return command("list", texts, act, [folder, json_option(texts), lang(texts)])


def _list_folder(texts: Texts, folder: str, as_json: bool) -> None:
    """Print a line a recording of a folder; what can't be read goes to standard error."""
    from visualizer import recordings  # noqa: PLC0415
    from visualizer.loops.registry import DEFAULT  # noqa: PLC0415

    entries = []
    for scenario, line in recordings.listed(Path(folder), texts):
        if scenario is None:
            plain.write([f"visualizer: {line}"], sys.stderr)
        elif not as_json:
            plain.write([line])
        elif scenario.outside is not None:
            entries.append(recordings.file_json(scenario, scenario.outside))
        else:
            entries.append(plain.scenario_json(scenario, DEFAULT, texts))
    if as_json:
        plain.write(plain.json_lines({"folder": folder, "recordings": entries}))


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
