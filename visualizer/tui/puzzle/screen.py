"""Shuffled lines: put a loop's lines in order, run them, and see what they do."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import work

from visualizer.app.session import Session, Shown
from visualizer.app.shuffle import Result, Shuffle
from visualizer.loading import load_transcript
from visualizer.run.timeline import Run
from visualizer.tui.commands import COMPARE, DIGITS, LEAVE, STEP_RIGHT, command
from visualizer.tui.common import Look, Program
from visualizer.tui.draw.footer import footer
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Painted
from visualizer.tui.painted_screen import PaintedScreen, Part
from visualizer.tui.puzzle.painter import shuffle_screen

LOOP = "agent_loop"


class ShuffleScreen(PaintedScreen):
    """The lines of a loop. ``solved`` is called with the order that does what the loop does."""

    WHERE: ClassVar[Where] = "shuffle"
    PARTS: ClassVar[tuple[type[Part], ...]] = (Look, Program)

    def __init__(
        self, loop: str = LOOP, solved: Callable[[tuple[str, ...]], object] | None = None
    ) -> None:
        super().__init__()
        self.shuffle = Shuffle(loop)
        self._solved = solved
        self._order = 0
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def paint(self, width: int, height: int) -> Painted:
        """The order and its results at a size."""
        foot = footer("shuffle", self.texts, self.glyphs, width, 1, self.status)
        return shuffle_screen(self.shuffle, self.texts, self.glyphs, foot, width, height)

    def wheel(self, area: str, direction: int) -> None:
        """The wheel chooses a line."""
        self.act("below" if direction > 0 else "above")

    def on_unmount(self) -> None:
        """What was written for the stepper goes."""
        self._order += 1
        if self._folder is not None:
            self._folder.cleanup()

    # The order

    @command("above", "up", "k", group="learn", palette=False)
    def above(self) -> None:
        """The line above; a line that is held moves up."""
        self._moved(lambda: self.shuffle.choose(self.shuffle.at - 1))

    @command("below", "down", "j", group="learn", palette=False)
    def below(self) -> None:
        """The line below; a line that is held moves down."""
        self._moved(lambda: self.shuffle.choose(self.shuffle.at + 1))

    @command("take")
    def take(self, at: str) -> None:
        """A click: on the chosen line takes it or puts it down, elsewhere chooses or moves."""
        if int(at) == self.shuffle.at:
            self.hold()
        else:
            self._moved(lambda: self.shuffle.choose(int(at)))
            self.shuffle.held = False

    @command("hold", "space", group="learn")
    def hold(self) -> None:
        """Take the line, or put it down."""
        self.shuffle.held = not self.shuffle.held

    @command("put", *DIGITS, "0", group="learn", palette=False, numbered=True)
    def put(self, number: str) -> None:
        """Move the chosen line to the place with this number; 0 is 10."""
        self._moved(lambda: self.shuffle.put((int(number) or 10) - 1))

    @command("again", "x", group="learn")
    def again(self) -> None:
        """The disorder of the beginning."""
        self._order += 1
        self.shuffle.running = False
        self.shuffle.again()

    @command("first_wrong", "f", group="learn")
    def first_wrong(self) -> None:
        """Say how far the order is that of the loop."""
        wrong = self.shuffle.first_wrong()
        if wrong is None:
            self.status = self.texts("screen.shuffle.in_order")
        else:
            self.status = self.texts("screen.shuffle.first_wrong", line=wrong + 1)

    def _moved(self, change: Callable[[], None]) -> None:
        """Another order makes what is being run of no interest."""
        before = list(self.shuffle.lines)
        change()
        if self.shuffle.lines != before:
            self._order += 1
            self.shuffle.running = False

    # Running it

    @command("run_lines", "enter", "r", group="learn")
    def run_lines(self) -> None:
        """Run the order over the recordings, in the background; solved for a lesson, go back."""
        if self.shuffle.solved and self._solved is not None:
            self.leave()
            return
        self.shuffle.held, self.shuffle.tried = False, True
        if self.shuffle.running or self.shuffle.problem() is not None:
            return
        self._order += 1
        self.shuffle.results, self.shuffle.chosen = [], 0
        self.shuffle.running = True
        copied = Shuffle(self.shuffle.loop, list(self.shuffle.lines))
        self._run(copied, self._order, self.texts("screen.shuffle.name"))

    @work(thread=True, exclusive=True, exit_on_error=True)
    def _run(self, copied: Shuffle, order: int, name: str) -> None:
        for result in copied.judged(name):
            if order != self._order:
                return
            self.app.call_from_thread(self._ran, result, order)

    def _ran(self, result: Result, order: int) -> None:
        if order != self._order:
            return
        shuffle = self.shuffle
        shuffle.results.append(result)
        if shuffle.complete:
            shuffle.running = False
            wrong = (at for at, one in enumerate(shuffle.results) if not one.verdict.right)
            shuffle.chosen = next(wrong, 0)
            if shuffle.solved and self._solved is not None:
                self.status = self.texts("screen.shuffle.back")
            if shuffle.solved:
                self._keep()
        self.pane.repaint()

    def _keep(self) -> None:
        """Tell whoever asked for the order that it is found, or write it down."""
        if self._solved is not None:
            self._solved(tuple(self.shuffle.lines))
            return
        page = self.shuffle.page()
        if page is not None:
            self.visualizer.progress.solve(*page)
            self.visualizer.keep_progress()

    @command("result")
    def result(self, at: str) -> None:
        """Choose a recording; when it is chosen already, compare."""
        if int(at) == self.shuffle.chosen:
            self.compare()
        self.shuffle.chosen = int(at)

    @command("result_before", "left", "h", group="learn", palette=False)
    def result_before(self) -> None:
        """The recording above."""
        self.shuffle.chosen = max(0, self.shuffle.chosen - 1)

    @command("result_after", "right", "l", group="learn", palette=False)
    def result_after(self) -> None:
        """The recording below."""
        self.shuffle.chosen = max(0, min(len(self.shuffle.results) - 1, self.shuffle.chosen + 1))

    @COMPARE
    def compare(self) -> None:
        """The right loop beside this order, on the chosen recording."""
        from visualizer.app.beside import Beside  # noqa: PLC0415

        made = self._made()
        if made is not None:
            right = Session.open(made.scenario, self.shuffle.loop)
            beside = Beside.of(right, made)
            beside.move(beside.parting or 0)
            self.visualizer.open_comparison(beside)

    @STEP_RIGHT
    def step_right(self) -> None:
        """This order in the stepper, on the chosen recording."""
        made = self._made()
        if made is not None:
            self.visualizer.open_beside(made)

    def _made(self) -> Session | None:
        """A session over what the order made of the chosen recording."""
        results, at = self.shuffle.results, self.shuffle.chosen
        run = results[at].verdict.made if at < len(results) else None
        if run is None:
            self.status = self.texts("screen.shuffle.run")
            return None
        scenario = load_transcript(results[at].verdict.scenario)
        return Session(scenario, Shown(scenario, run).settle(), 1, self._file(run))

    def _file(self, run: Run) -> str:
        """The order in a file, for the stepper to run under another cap."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name) / f"order_{self._order}.py"
        file.write_text("\n".join(run.loop.file_lines) + "\n", encoding="utf-8")
        return f"{file}:{run.loop.function}"

    # The screen

    @LEAVE
    def leave(self) -> None:
        """Back to the screen below; where there is none, to the library."""
        if len(self.app.screen_stack) > 1:
            self.app.pop_screen()
        else:
            self.visualizer.open_library("")
