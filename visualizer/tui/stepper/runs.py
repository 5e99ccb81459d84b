"""The runs of a recording: a list of them, and the way down into subagents and up again."""

from __future__ import annotations

from collections.abc import Callable

from visualizer.app.recorded import children, number_of
from visualizer.app.session import LONG, Session, runs_apart, step_of_request, turns_in
from visualizer.transcript.history import SharedRequest
from visualizer.tui.commands import command
from visualizer.tui.run_screen import RunPart
from visualizer.tui.stepper.predicting import Predicting


class Runs(RunPart):
    """The run that is shown, as one of several in its recording."""

    @command("runs", "u", group="screen")
    def runs(self, run_id: str = "") -> None:
        """Another run of the recording: chosen, or given."""
        from visualizer.tui.lists.runs import runs  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        if run_id:
            self._switch(run_id)
        elif len(screen.session.scenario.runs) < 2:
            screen.status = screen.texts("screen.runs.only")
        else:
            screen.app.push_screen(runs(screen.session, self._switch))

    @command("into", "f", group="move")
    def into(self) -> None:
        """The run of the subagent that a call of this turn started; chosen where it is several."""
        from visualizer.tui.lists.runs import runs  # noqa: PLC0415

        screen = self.screen
        screen.pause()
        session = screen.session
        found = children(session.scenario, session.run.recorded_run)
        here = session.requests_here()
        started = [found[one] for one in here if one in found]
        if len(started) == 1:
            self._switch(started[0])
        elif started:
            screen.app.push_screen(runs(session, self._switch, started))
        elif found:
            screen.status = screen.texts("screen.runs.elsewhere", n=len(found))
        else:
            screen.status = screen.texts("screen.runs.no_subagent")

    @command("out", "F", group="move")
    def out(self) -> None:
        """From the run of a subagent to the call that started it."""
        session = self.screen.session
        self.screen.pause()
        parent = session.scenario.run(session.run.recorded_run).parent
        if parent is None:
            self.screen.status = self.screen.texts("screen.runs.no_parent")
        else:
            self._switch(parent.run, parent.tool_use_id)

    def change(self, run_id: str, then: Callable[[], object]) -> None:
        """Change to another run of the recording, and go on when it is there."""

        def switched(other: Session) -> None:
            self._switched(other, None)
            then()

        self._change(run_id, switched)

    def _switch(self, run_id: str, request: str | None = None) -> None:
        if run_id != self.screen.session.run.recorded_run:
            self._change(run_id, lambda other: self._switched(other, request))

    def _change(self, run_id: str, done: Callable[[Session], object]) -> None:
        session = self.screen.session
        run = session.scenario.run(run_id)
        before = run.request.history[1] if isinstance(run.request, SharedRequest) else 0
        takes = turns_in(session.scenario, run_id) + before // 2
        long = takes > LONG or runs_apart(session.loop)
        self.screen.later(lambda: session.on_run(run_id), done, long)

    def _switched(self, other: Session, request: str | None) -> None:
        screen = self.screen
        if request is not None:
            other.index = step_of_request(other.run, request) or other.index
        screen.show(other)
        if screen.has(Predicting):
            screen.part(Predicting).leave()
        run_id, scenario = other.run.recorded_run, other.scenario
        number, count = number_of(scenario, run_id), len(scenario.runs)
        screen.status = screen.texts("screen.runs.now", number=number, n=count)


class File(RunPart):
    """The file that the run comes from."""

    @command("file", "!", group="screen")
    def file(self) -> None:
        """What was found in the file, and what it holds."""
        from visualizer.tui.sheets.file import FileScreen  # noqa: PLC0415

        self.screen.pause()
        self.screen.app.push_screen(FileScreen(self.screen.session.scenario))
