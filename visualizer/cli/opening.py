"""What ``open`` opens: a scenario by name, a file, the first part of a big file, a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from visualizer.cli.piped import say_at_once
from visualizer.files.standard_input import STANDARD_INPUT
from visualizer.i18n import Texts
from visualizer.text import display_safe

if TYPE_CHECKING:
    from visualizer.app.arriving import Arriving
    from visualizer.loading import Scenario
    from visualizer.locator import Locator

MB = 1_000_000


class Opened(NamedTuple):
    """A scenario or its name, and where more of it is to come: its file."""

    what: Scenario | str
    arriving: Arriving | None = None


def to_open(
    texts: Texts, name: str, run: str | None, place: str | None, follow: bool = False
) -> Opened:
    """What to open in the stepper under a name.

    Of a big file that comes in lines only the first part is read here, unless a run or a place
    is asked for, which may be anywhere in it.
    """
    path = Path(name)
    if not _is_file(path):
        if follow:
            raise click.UsageError(texts("format.follow_file", name=display_safe(name)))
        if run is None:
            return Opened(name)
        from visualizer.loading import load_transcript  # noqa: PLC0415

        return Opened(_ready(texts, load_transcript(name), name, run))
    from visualizer.app.arriving import Arriving, first_part  # noqa: PLC0415

    most = first_part(path) if run is None and place is None else None
    if most is None:
        _announce(texts, path)
    scenario, arriving = Arriving.begin(path, name, follow, most)
    more = arriving if follow or arriving.reading else None
    return Opened(_ready(texts, scenario, name, run), more)


def changed_by(given: Locator, what: Scenario | str) -> Scenario | str:
    """What is opened, as a reader decided and changed it. Raises ``PlaceError``."""
    if not given.changes:
        return what
    from visualizer.engine import replay  # noqa: PLC0415
    from visualizer.loading import load_transcript  # noqa: PLC0415

    changed = given.applied(load_transcript(what))
    if given.observations:
        given.checked(replay(changed, loop=given.loop, max_turns=given.max_turns))
    return changed


def piped_to_open(texts: Texts, scenario: Scenario, run: str | None) -> Scenario:
    """The same for what came through standard input."""
    return _ready(texts, scenario, str(STANDARD_INPUT), run)


def folder_to_open(texts: Texts, name: str, run: str | None, at: str | None) -> Path:
    """A folder whose recordings are to be listed; a run or a place of none of them yet."""
    if run is not None or at is not None:
        raise click.UsageError(texts("format.folder_place", folder=display_safe(name)))
    return Path(name)


def _ready(texts: Texts, scenario: Scenario, name: str, run: str | None) -> Scenario:
    """The run that is asked for in front; what takes long to compute is announced."""
    from visualizer.app.session import LONG, turns_in  # noqa: PLC0415

    if run is not None:
        scenario = scenario.on_run(run)
    if (turns := turns_in(scenario)) > LONG:
        say_at_once(texts("format.computing", file=display_safe(name), n=f"{turns:,}"))
    return scenario


def _announce(texts: Texts, path: Path) -> None:
    from visualizer.app.arriving import is_big  # noqa: PLC0415

    if is_big(path):
        size = f"{path.stat().st_size / MB:,.0f}"
        say_at_once(texts("format.reading", file=display_safe(str(path)), size=size))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
