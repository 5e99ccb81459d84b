"""``list``: scenarios, recordings in a folder, recordings that clients keep; ``open --recent``."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from visualizer.cli import printing
from visualizer.cli.help_text import Command
from visualizer.cli.options import (
    command,
    json_option,
    lang,
    no_terminal,
    on_a_terminal,
    recent_option,
)
from visualizer.cli.status_line import Ticker
from visualizer.describe import plain
from visualizer.errors import VisualizerError
from visualizer.i18n import Texts
from visualizer.text import clip, display_safe

if TYPE_CHECKING:
    from visualizer.collection.folders import LeftOut
    from visualizer.collection.places import Recent
    from visualizer.loading import Scenario

MOST_NAMED = 200
"""Cells that the names of folders which were left out may take."""


def recent_to_open(texts: Texts, name: str | None, place: bool, in_class: bool) -> Recent:
    """The recordings that clients keep, for a screen.

    Raises ``click.UsageError`` beside a name, a place in a recording, in a class, or where
    there is no screen; ``VisualizerError`` where there are none.
    """
    from visualizer.collection.places import recent  # noqa: PLC0415

    if in_class:
        raise click.UsageError(texts("folder.recent_private"))
    if name is not None or place:
        raise click.UsageError(texts("folder.recent_alone"))
    if not on_a_terminal():
        raise no_terminal(texts, "list", "--recent")
    return recent()


def list_command(texts: Texts) -> Command:
    """``list``: the scenarios, the recordings in a folder, or those that clients keep."""

    def act(path: str | None, recent: bool, as_json: bool) -> None:
        if recent and path is not None:
            raise click.UsageError(texts("folder.recent_alone"))
        if recent:
            _list_recent(texts, as_json)
        elif path is None:
            _list_scenarios(texts, as_json)
        elif Path(path).is_dir():
            _list_folder(texts, Path(path), as_json)
        else:
            _list_file(texts, Path(path), as_json)

    path = click.Argument(
        ["path"], metavar="[DIR|FILE]", required=False, type=click.Path(exists=True)
    )
    params = [path, recent_option(texts), json_option(texts), lang(texts)]
    return command("list", texts, act, params)


def _list_scenarios(texts: Texts, as_json: bool) -> None:
    """Print the scenarios by what they show; what can't be used goes to standard error."""
    from visualizer.collection.groups import scenario_groups  # noqa: PLC0415
    from visualizer.loading import load_listed  # noqa: PLC0415
    from visualizer.loops.registry import DEFAULT  # noqa: PLC0415

    groups = scenario_groups()
    entries = []
    for number, group in enumerate(groups):
        if not as_json:
            heading = texts("command.list.group", title=group.heading(texts))
            printing.write([*([""] if number else []), heading])
        for name in group.names:
            scenario = load_listed(name)
            if isinstance(scenario, VisualizerError):
                printing.write([f"visualizer: {scenario.text(texts)}"], sys.stderr)
                continue
            if as_json:
                entries.append(plain.scenario_json(scenario, DEFAULT, texts) | {"group": group.id})
            else:
                printing.write(plain.scenario_lines(scenario, texts))
    if as_json:
        named = [{"id": group.id, "title": group.heading(texts)} for group in groups]
        printing.document(plain.json_lines({"groups": named, "scenarios": entries}))


def _list_folder(texts: Texts, folder: Path, as_json: bool) -> None:
    """Print a line a recording of a folder, and one for all that was left out."""
    from visualizer.collection.folders import LeftOut, files_in  # noqa: PLC0415

    left = LeftOut()
    files = [(path, str(path.relative_to(folder))) for path in files_in(folder, left)]
    entries = _list_files(texts, files, as_json, left)
    folders = sorted(str(path.relative_to(folder)) for path in left.folders)
    if as_json:
        data = {"folder": str(folder), "recordings": entries}
        left_out = {"files": left.files, "folders": folders}
        printing.document(plain.json_lines({**data, "left_out": left_out}))
    printing.write((f"visualizer: {display_safe(one)}" for one in left.barred), sys.stderr)
    told = [texts.count("folder.other_files", left.files)] if left.files else []
    if folders:
        names = clip(display_safe(texts("folder.comma").join(folders)), MOST_NAMED)
        told.append(texts.count("folder.other_folders", len(folders), names=names))
    if told:
        what = texts("folder.comma").join(told)
        printing.write([f"visualizer: {texts('folder.left_out', what=what)}"], sys.stderr)


def _list_file(texts: Texts, path: Path, as_json: bool) -> None:
    """Print the line of one recording. Raises ``TranscriptError`` where it can't be read."""
    from visualizer.collection.folders import entry_of  # noqa: PLC0415
    from visualizer.loading import load_file  # noqa: PLC0415

    scenario, line = entry_of(load_file(path), str(path), texts)
    if as_json:
        data = {"folder": str(path.parent), "recordings": [_entry_json(scenario, texts)]}
        printing.document(plain.json_lines(data))
    else:
        printing.write([line])


def _list_recent(texts: Texts, as_json: bool) -> None:
    """Print a line a recording that clients keep, the newest first, and how many more there are."""
    from visualizer.collection.places import at_home, recent  # noqa: PLC0415

    kept = recent()
    for place in kept.barred:
        printing.write([f"visualizer: {display_safe(place)}"], sys.stderr)
    files = [(one.path, at_home(one.path)) for one in kept.found]
    entries = _list_files(texts, files, as_json)
    if as_json:
        data = {"places": kept.places, "recordings": entries, "more": kept.more}
        printing.document(plain.json_lines(data))
    elif kept.more:
        printing.write([texts.count("folder.more_recent", kept.more)])


def _list_files(
    texts: Texts, files: list[tuple[Path, str]], as_json: bool, left: LeftOut | None = None
) -> list[dict[str, object]]:
    """Print a line a file, or give its data; what can't be read goes to standard error.

    What plainly is no recording is only counted, where there is ``left``.
    """
    from visualizer.collection.folders import listed  # noqa: PLC0415

    entries = []
    with Ticker(sys.stderr) as ticker:
        numbers = count(1)

        def watch(shown: str) -> None:
            values = {"at": next(numbers), "of": len(files), "file": display_safe(shown)}
            ticker.show(texts("folder.listing", **values))

        for scenario, line in listed(files, texts, watch, left):
            ticker.clear()
            if scenario is None:
                printing.write([f"visualizer: {line}"], sys.stderr)
            elif as_json:
                entries.append(_entry_json(scenario, texts))
            else:
                printing.write([line])
    return entries


def _entry_json(scenario: Scenario, texts: Texts) -> dict[str, object]:
    from visualizer.collection.recordings import file_json  # noqa: PLC0415
    from visualizer.loops.registry import DEFAULT  # noqa: PLC0415

    if scenario.outside is not None:
        return file_json(scenario, scenario.outside)
    return plain.scenario_json(scenario, DEFAULT, texts)
