"""The runs of a recording: a list of them, and the way down into subagents and up again."""

from __future__ import annotations

from collections.abc import Callable

from visualizer.history import SharedRequest
from visualizer.tui.recorded import children, number_of
from visualizer.tui.screens.finding import FindingScreen
from visualizer.tui.session import LONG, Session, runs_apart, step_of_request, turns_in


class SwitchingScreen(FindingScreen):
    """A screen with a run that is one of several in its recording."""

    def do_runs(self, run_id: str = "") -> None:
        """Another run of the recording: chosen, or given."""
        from visualizer.tui.screens.runs import runs  # noqa: PLC0415

        self._stop()
        if run_id:
            self._switch(run_id)
        elif len(self.session.scenario.runs) < 2:
            self.status = self.texts("screen.runs.only")
        else:
            self.app.push_screen(runs(self.session, self._switch))

    def do_file(self) -> None:
        """What was found in the file, and what it holds."""
        from visualizer.tui.screens.file import FileScreen  # noqa: PLC0415

        self._stop()
        self.app.push_screen(FileScreen(self.session.scenario))

    def do_into(self) -> None:
        """The run of the subagent that a call of this turn started; chosen where it is several."""
        from visualizer.tui.screens.runs import runs  # noqa: PLC0415

        self._stop()
        session = self.session
        found = children(session.scenario, session.run.recorded_run)
        here = session.requests_here()
        started = [found[one] for one in here if one in found]
        if len(started) == 1:
            self._switch(started[0])
        elif started:
            self.app.push_screen(runs(session, self._switch, started))
        elif found:
            self.status = self.texts("screen.runs.elsewhere", n=len(found))
        else:
            self.status = self.texts("screen.runs.no_subagent")

    def do_out(self) -> None:
        """From the run of a subagent to the call that started it."""
        self._stop()
        parent = self.session.scenario.run(self.session.run.recorded_run).parent
        if parent is None:
            self.status = self.texts("screen.runs.no_parent")
        else:
            self._switch(parent.run, parent.tool_use_id)

    def change_run(self, run_id: str, then: Callable[[], object]) -> None:
        """Change to another run of the recording, and go on when it is there."""

        def switched(other: Session) -> None:
            self._switched(other, None)
            then()

        self._change(run_id, switched)

    def _switch(self, run_id: str, request: str | None = None) -> None:
        if run_id != self.session.run.recorded_run:
            self._change(run_id, lambda other: self._switched(other, request))

    def _change(self, run_id: str, done: Callable[[Session], object]) -> None:
        session = self.session
        run = session.scenario.run(run_id)
        before = run.request.history[1] if isinstance(run.request, SharedRequest) else 0
        takes = turns_in(session.scenario, run_id) + before // 2
        self._later(lambda: session.on_run(run_id), done, takes > LONG or runs_apart(session.loop))

    def _switched(self, other: Session, request: str | None) -> None:
        if request is not None:
            other.index = step_of_request(other.run, request) or other.index
        predicting = self.prediction is not None
        self.show(other)
        if predicting:
            self.do_predict()
        run_id, scenario = other.run.recorded_run, other.scenario
        number, count = number_of(scenario, run_id), len(scenario.runs)
        self.status = self.texts("screen.runs.now", number=number, n=count)

    def show(self, session: Session) -> None:
        """Change to another session."""
        raise NotImplementedError
