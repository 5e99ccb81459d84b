"""``list``: scenarios, recordings in a folder, recordings that clients keep; ``open --recent``."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from visualizer import plain
from visualizer.errors import VisualizerError
from visualizer.help_text import Command
from visualizer.i18n import Texts
from visualizer.options import command, json_option, lang, no_terminal, on_a_terminal, recent_option
from visualizer.text import display_safe
from visualizer.ticker import Ticker

if TYPE_CHECKING:
    from visualizer.places import Recent


def recent_to_open(texts: Texts, name: str | None, place: bool, in_class: bool) -> Recent:
    """The recordings that clients keep, for a screen.

    Raises ``click.UsageError`` beside a name, a place in a recording, in a class, or where
    there is no screen; ``VisualizerError`` where there are none.
    """
    from visualizer.places import recent  # noqa: PLC0415

    if in_class:
        raise click.UsageError(texts("folder.recent_private"))
    if name is not None or place:
        raise click.UsageError(texts("folder.recent_alone"))
    if not on_a_terminal():
        raise no_terminal(texts, "list", "--recent")
    return recent()


def list_command(texts: Texts) -> Command:
    """``list``: the scenarios, the recordings in a folder, or those that clients keep."""

    def act(folder: str | None, recent: bool, as_json: bool) -> None:
        if recent and folder is not None:
            raise click.UsageError(texts("folder.recent_alone"))
        if recent:
            _list_recent(texts, as_json)
        elif folder is not None:
            _list_folder(texts, Path(folder), as_json)
        else:
            _list_scenarios(texts, as_json)

    folder = click.Argument(
        ["folder"], metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False)
    )
    params = [folder, recent_option(texts), json_option(texts), lang(texts)]
    return command("list", texts, act, params)


def _list_scenarios(texts: Texts, as_json: bool) -> None:
    """Print the scenarios by what they show; what can't be used goes to standard error."""
    from visualizer.groups import scenario_groups  # noqa: PLC0415
    from visualizer.loading import load_listed  # noqa: PLC0415
    from visualizer.loops.registry import DEFAULT  # noqa: PLC0415

    groups = scenario_groups()
    entries = []
    for number, group in enumerate(groups):
        if not as_json:
            heading = texts("command.list.group", title=group.heading(texts))
            plain.write([*([""] if number else []), heading])
        for name in group.names:
            scenario = load_listed(name)
            if isinstance(scenario, VisualizerError):
                plain.write([f"visualizer: {scenario.text(texts)}"], sys.stderr)
                continue
            if as_json:
                entries.append(plain.scenario_json(scenario, DEFAULT, texts) | {"group": group.id})
            else:
                plain.write(plain.scenario_lines(scenario, texts))
    if as_json:
        named = [{"id": group.id, "title": group.heading(texts)} for group in groups]
        plain.write(plain.json_lines({"groups": named, "scenarios": entries}))


def _list_folder(texts: Texts, folder: Path, as_json: bool) -> None:
    """Print a line a recording of a folder."""
    from visualizer.recordings import files_in  # noqa: PLC0415

    files = [(path, str(path.relative_to(folder))) for path in files_in(folder)]
    entries = _list_files(texts, files, as_json)
    if as_json:
        plain.write(plain.json_lines({"folder": str(folder), "recordings": entries}))


def _list_recent(texts: Texts, as_json: bool) -> None:
    """Print a line a recording that clients keep, the newest first, and how many more there are."""
    from visualizer.places import at_home, recent  # noqa: PLC0415

    kept = recent()
    for place in kept.barred:
        plain.write([f"visualizer: {display_safe(place)}"], sys.stderr)
    files = [(one.path, at_home(one.path)) for one in kept.found]
    entries = _list_files(texts, files, as_json)
    if as_json:
        data = {"places": kept.places, "recordings": entries, "more": kept.more}
        plain.write(plain.json_lines(data))
    elif kept.more:
        plain.write([texts.count("folder.more_recent", kept.more)])


def _list_files(
    texts: Texts, files: list[tuple[Path, str]], as_json: bool
) -> list[dict[str, object]]:
    """Print a line a file, or give its data; what can't be read goes to standard error."""
    from visualizer import recordings  # noqa: PLC0415
    from visualizer.loops.registry import DEFAULT  # noqa: PLC0415

    entries = []
    with Ticker(sys.stderr) as ticker:
        numbers = count(1)

        def watch(shown: str) -> None:
            values = {"at": next(numbers), "of": len(files), "file": display_safe(shown)}
            ticker.show(texts("folder.listing", **values))

        for scenario, line in recordings.listed(files, texts, watch):
            ticker.clear()
            if scenario is None:
                plain.write([f"visualizer: {line}"], sys.stderr)
            elif not as_json:
                plain.write([line])
            elif scenario.outside is not None:
                entries.append(recordings.file_json(scenario, scenario.outside))
            else:
                entries.append(plain.scenario_json(scenario, DEFAULT, texts))
    return entries
