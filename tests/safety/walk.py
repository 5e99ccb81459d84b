"""A walk through all ways into the program, over a folder of hostile files, being watched.

``python -P -m tests.safety.walk FOLDER STATE`` runs in the folder and writes ``walk.json``
into STATE, the only folder that the program may write to.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.safety.watch import Watch

if TYPE_CHECKING:
    from visualizer.tui.app import VisualizerApp

COMMANDS = (("run", "--json"), ("check",))
MORE = (
    *(("run",), ("run", "--events"), ("convert",), ("compare", "--caps")),
    ("compare", "--loop", "agent_loop", "--loop", "hard_coded"),
)
KEYS = ("right", "end", "r", "escape", "u", "escape", "m", "escape", "v", "escape", "f", "p")


class Walk:
    """What was done, by way, and in which formats."""

    def __init__(self, folder: Path, state: Path) -> None:
        self.folder, self.progress = folder, state / "progress.json"
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.formats: set[str] = set()

    def tried(self, way: str, act: Callable[[], object]) -> None:
        """One thing done, or refused."""
        try:
            act()
        except (Exception, SystemExit):
            self.refused[way] += 1  # whether that is a clear line is asked elsewhere
        else:
            self.done[way] += 1

    async def driven(self, way: str, act: Any) -> None:
        """One screen."""
        try:
            await act()
        except Exception:
            self.refused[way] += 1
        else:
            self.done[way] += 1

    @staticmethod
    def is_first(path: Path) -> bool:
        """Whether a file is the first of its kind: more is done with it."""
        return path.stem.endswith("-0") or path.stem in ("session", "linked", "archive")

    def files(self, *endings: str) -> Iterator[Path]:
        """The recordings."""
        for path in sorted(self.folder.iterdir()):
            if (
                path.is_file()
                and not path.is_symlink()
                and path.suffix in (endings or (".json", ".jsonl", ".yaml", ".eval"))
            ):
                yield path


def commands(walk: Walk) -> None:
    """The command line."""
    from visualizer.cli import main as cli
    from visualizer.i18n import texts

    def call(*arguments: str) -> None:
        if cli.run(list(arguments), texts("en")) == cli.UNUSABLE:
            raise SystemExit

    for path in walk.files():
        first = walk.is_first(path)
        for name, *options in COMMANDS + (MORE if first else ()):
            walk.tried(f"command {name}", partial(call, name, str(path), *options))
        if first:
            kept = sys.stdin
            sys.stdin = io.TextIOWrapper(io.BytesIO(path.read_bytes()))
            walk.tried("command run -", partial(call, "run", "-"))
            sys.stdin = kept
    walk.tried("command list", partial(call, "list", str(walk.folder)))
    walk.tried("command list", partial(call, "list"))
    for lesson in sorted(walk.folder.glob("lesson-*")):
        walk.tried("command check lesson", partial(call, "check", str(lesson)))
        walk.tried("command handout", partial(call, "handout", str(lesson)))
        walk.tried("command handout", partial(call, "handout", str(lesson), "--key"))


def library(walk: Walk) -> None:
    """The Python library."""
    from visualizer import compare, load_transcript, replay

    def use(path: Path) -> None:
        scenario = load_transcript(path)
        walk.formats.add(scenario.outside.format if scenario.outside else "own")
        for run in scenario.runs:
            compare(replay(scenario, run=run.id), replay(scenario, run=run.id, loop="forgets"))

    for path in walk.files():
        walk.tried("library", partial(use, path))


async def press(app: VisualizerApp, *keys: str) -> None:
    """Open a screen, and press keys."""
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        for key in keys:
            await pilot.press(key)
        await app.workers.wait_for_complete()
        await pilot.pause()


async def recordings(walk: Walk) -> None:
    """The stepper, over a file and over one that is followed; the folder, the home screen."""
    from visualizer.app.arriving import Arriving
    from visualizer.app.kept_progress import KeptProgress
    from visualizer.app.session import Session
    from visualizer.loading import load_transcript
    from visualizer.tui.app import VisualizerApp
    from visualizer.tui.folder.screen import FolderScreen
    from visualizer.tui.home.screen import LibraryScreen

    async def step(path: Path) -> None:
        await press(VisualizerApp(Session.open(load_transcript(path))), *KEYS)

    async def follow(path: Path) -> None:
        scenario, arriving = Arriving.begin(path, path.name, True)
        await press(VisualizerApp(Session.open(scenario), arriving=arriving), "end", "u")

    async def pick(number: int) -> None:
        app = VisualizerApp(
            first=lambda: FolderScreen(walk.folder), progress=KeptProgress(walk.progress)
        )
        await press(app, *["down"] * number, "enter", "end", "escape")

    async def home(number: int) -> None:
        app = VisualizerApp(first=LibraryScreen, progress=KeptProgress(walk.progress))
        await press(app, "end", *["up"] * number, "enter", "end", "s", "escape")

    for path in walk.files():
        if walk.is_first(path):
            await walk.driven("screen", partial(step, path))
            await walk.driven("following", partial(follow, path))
    for number in range(0, 60, 12):
        await walk.driven("folder", partial(pick, number))
        await walk.driven("home", partial(home, number))


async def classes(walk: Walk) -> None:
    """Agendas, lessons, quizzes, and a file of progress."""
    from visualizer.app.agenda import read_agenda
    from visualizer.app.classroom import Classroom
    from visualizer.app.kept_progress import KeptProgress
    from visualizer.app.lesson_session import LessonSession
    from visualizer.app.quiz_session import QuizSession
    from visualizer.learner.progress import Progress
    from visualizer.lessons.files import load_lesson
    from visualizer.tui.app import VisualizerApp
    from visualizer.tui.lesson.screen import LessonScreen

    async def agenda(path: Path) -> None:
        found = Classroom(True, read_agenda(path))
        app = VisualizerApp(classroom=found, progress=KeptProgress(walk.progress))
        await press(app, "1", "a", "escape", "2")

    async def lesson(folder: Path) -> None:
        loaded, kept = load_lesson(folder), Progress.load(walk.progress)
        opened = LessonSession.open(loaded, kept)
        await press(VisualizerApp(first=lambda: LessonScreen(opened)), "1", "S", "escape", "p")
        QuizSession.begin(loaded, kept)

    for path in walk.files(".txt"):
        await walk.driven("agenda", partial(agenda, path))
    for folder in sorted(walk.folder.glob("lesson-*")):
        await walk.driven("lesson", partial(lesson, folder))
    walk.progress.write_bytes((walk.folder / "progress.json").read_bytes())
    await walk.driven(
        "progress", partial(press, VisualizerApp(progress=KeptProgress(walk.progress)), "enter")
    )


def main() -> None:
    """Watch, walk, and write down what was seen."""
    folder, state = map(Path, sys.argv[1:])
    sys.dont_write_bytecode = True
    os.chdir(folder)
    watch = Watch(str(state), str(folder.parent / "outside"))
    walk = Walk(folder, state)
    sys.addaudithook(watch.hook)
    with suppress(KeyboardInterrupt):
        commands(walk)
        library(walk)
        asyncio.run(recordings(walk))
        asyncio.run(classes(walk))
    told = {
        "seen": watch.seen,
        "done": walk.done,
        "refused": walk.refused,
        "formats": sorted(walk.formats),
    }
    (state / "walk.json").write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main()
