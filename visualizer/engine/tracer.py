"""Drives a loop and observes it: probes around its collaborators, a tracer on its lines.

The probes (the model, the tools, the reply's properties) say what happens. The line tracer
says where, reads what the loop's list of messages holds after each line, and ends a loop
that runs on without doing anything. One mechanism serves all Python versions.
"""

from __future__ import annotations

import inspect
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from visualizer.engine.ledger import Depth
from visualizer.engine.parts import Parts, see_values
from visualizer.engine.recorded import RunStopped
from visualizer.engine.recorder import Recorder
from visualizer.engine.reply import Reply, ToolCall
from visualizer.engine.slips import asked_call, sent_messages
from visualizer.engine.sources import is_users, statement_lines
from visualizer.engine.state import Where
from visualizer.messages import Block, copy_json
from visualizer.run.limits import Caps
from visualizer.run.timeline import LoopSource, Saw, Stop


class Tracer:
    """One drive of a loop. ``run`` may be called once."""

    def __init__(
        self, function: Callable[..., Any], source: LoopSource, recorder: Recorder, caps: Caps
    ) -> None:
        self.name = source.name
        self._function = function
        self._source = source
        self._recorder = recorder
        self._caps = caps
        self._code: CodeType = inspect.unwrap(function).__code__
        self._messages_name = self._code.co_varnames[2]
        self._mapped = statement_lines(source.file)
        self._frame: FrameType | None = None
        self._thread = threading.get_ident()
        self._held: list[Any] = []
        self._line = source.first_line
        self._asked_line = source.first_line
        self._lines_since_step = 0
        self._steps_before = 0
        self._values: dict[str, object] = {}
        self._parts = Parts(recorder, self._mapped)
        self._requested: list[str] = []
        self._waiting: list[tuple[ToolCall, Block]] = []
        self._lock = threading.Lock()

    def run(self, messages: list[Any], keywords: dict[str, Any]) -> Any:
        """What the loop returns. Raises what it raises, ``RunStopped`` where it was stopped."""
        self._held = messages
        self._recorder.begin(self._here(), messages)
        before = sys.gettrace()
        sys.settrace(self._trace_call)
        try:
            return self._function(self._model, self._tools, messages, **keywords)
        finally:
            sys.settrace(before)
            self._frame = None

    def finish(self, returned: Saw | None) -> None:
        """Read the list a last time and close the run. Raises ``EditMissed``."""
        self._flush()
        if self._recorder.stop is None:
            self._read_list({}, Depth.ALL)
        self._recorder.end(self._here(), returned)

    # probes

    @contextmanager
    def probe(self) -> Iterator[Where | None]:
        """Around what a further collaborator does: where that is; None in another thread."""
        own = self._enter_probe()
        try:
            if own:
                self._before_probe()
            yield self._here() if own else None
        finally:
            self._leave_probe(own)

    def _model(self, *given: Any, **parameters: Any) -> Reply:
        own = self._enter_probe()
        try:
            return self._call(sent_messages(given, parameters), parameters)
        finally:
            self._leave_probe(own)

    def _tools(self, *given: Any, **named: Any) -> dict[str, Any]:
        own = self._enter_probe()
        try:
            result = self._execute(asked_call(given, named))
            return {**result.data, "content": copy_json(result.data.get("content"))}
        finally:
            self._leave_probe(own)

    def _flag_read(self, reply: Reply, value: str | None) -> None:
        own = self._enter_probe()
        try:
            if own:
                self._before_probe()
                self._recorder.flag(reply, value, self._here())
        finally:
            self._leave_probe(own)

    def _calls_read(self, _reply: Reply) -> None:
        own = self._enter_probe()
        try:
            if own:
                self._before_probe()
                self._asked_line = self._line
                self._recorder.asked(self._requested)
        finally:
            self._leave_probe(own)

    def _enter_probe(self) -> bool:
        """Whether this is the loop's own thread. While it is in a probe nothing is traced.

        Only a matter of speed: the loop's frame keeps its trace function meanwhile.
        """
        own = threading.get_ident() == self._thread
        if own:
            sys.settrace(None)
        return own

    def _leave_probe(self, own: bool) -> None:
        if own:
            sys.settrace(self._trace_call)

    def _call(self, messages: Any, parameters: dict[str, Any]) -> Reply:
        self._before_probe(self._recorder.depth_before_call)
        if type(messages) is not list:
            messages = list(messages)
        held = messages is self._held or self._follow(messages)
        held = held or self._recorder.ledger.holds(messages)
        answer = self._recorder.call(messages, held, copy_json(parameters), self._here())
        self._requested = [block.id for block in answer.message.tool_calls]
        return Reply(answer.message, answer.response, self._flag_read, self._calls_read)

    def _execute(self, call: Any) -> Block:
        if threading.get_ident() != self._thread:
            with self._lock:
                result = self._recorder.run_tool(call)
                self._waiting.append((call, result))
            return result
        self._before_probe()
        return self._recorder.execute(call, self._here())

    def _before_probe(self, depth: Depth = Depth.END) -> None:
        if self._recorder.stop is not None:
            # The stop was swallowed, and with it the tracer was taken off the loop's frame.
            if self._frame is not None:
                self._frame.f_trace = self._trace_loop
            raise RunStopped(self._recorder.stop)
        self._flush()
        self._read_list(self._frame.f_locals if self._frame is not None else {}, depth)

    def _flush(self) -> None:
        """Calls that other threads made, in the order they were asked for."""
        if not self._waiting:
            return
        with self._lock:
            waiting, self._waiting = self._waiting, []
        order = {call_id: number for number, call_id in enumerate(self._requested)}
        waiting.sort(key=lambda pair: order.get(pair[0].id, len(order)))
        where = Where(self._asked_line, ((self._source.function, self._asked_line),))
        for call, result in waiting:
            self._recorder.execute(call, where, result)

    # the line tracer

    def _trace_call(self, frame: FrameType, event: str, _arg: Any) -> Any:
        code = frame.f_code
        if code is self._code and self._frame is None:
            self._frame = frame
            self._values = dict(frame.f_locals)
            return self._trace_loop
        if code.co_filename == self._source.file and code.co_name.isidentifier():
            self._parts.enter(frame)
            return self._trace_part
        return self._trace_helper if is_users(code.co_filename) else None

    def _trace_loop(self, frame: FrameType, event: str, _arg: Any) -> Any:
        if event == "line":
            self._count_line()
            self._after_line(frame.f_locals)
            raw = frame.f_lineno
            line = self._mapped.get(raw, raw)
            if line == raw or line != self._line:
                self._recorder.log.lines.append(line)
            self._line = line
        elif event == "return":
            self._after_line(frame.f_locals)
        return self._trace_loop

    def _trace_helper(self, frame: FrameType, event: str, _arg: Any) -> Any:
        if event == "line":
            self._count_line()
        return self._trace_helper

    def _trace_part(self, frame: FrameType, event: str, _arg: Any) -> Any:
        """A helper that stands in the loop's file is shown, so its lines are kept as well."""
        if event == "line":
            self._count_line()
            self._parts.line(frame)
        elif event == "return":
            self._parts.leave(frame, self._line)
        return self._trace_part

    def _count_line(self) -> None:
        """Called for every line; a stop that was swallowed is raised again here."""
        recorder = self._recorder
        if recorder.stop is not None:
            raise RunStopped(recorder.stop)
        if len(recorder.steps) != self._steps_before:
            self._steps_before = len(recorder.steps)
            self._lines_since_step = 0
        self._lines_since_step += 1
        if self._lines_since_step > self._caps.lines:
            recorder.stop_run(Stop("step_cap", "lines", cap=self._caps.lines))

    def _after_line(self, values: dict[str, Any]) -> None:
        if self._waiting:
            self._flush()
        see_values(self._recorder, values, self._values)
        self._read_list(values)

    def _read_list(self, values: dict[str, Any], depth: Depth = Depth.END) -> None:
        held = values.get(self._messages_name)
        if type(held) is list:
            self._held = held
        change = self._recorder.ledger.look(self._held, depth)
        if change is not None:
            self._recorder.changed(change, self._here())

    def _follow(self, sent: list[Any]) -> bool:
        """The loop sends another list than it seems to hold: whether that is the list now on.

        It is where a variable holds it, or where it goes on from what was seen with the
        reply that has come since: then the loop keeps its list where no variable shows.
        """
        values = self._frame.f_locals if self._frame is not None else {}
        name = next((name for name, value in values.items() if value is sent), "")
        if not name and not self._recorder.ledger.continued_by(sent):
            return False
        self._messages_name = name
        self._held = sent
        self._read_list(values)
        return True

    def _here(self) -> Where:
        """Where the loop's thread is: its line, and the helpers it has gone into."""
        parts: list[tuple[str, int]] = []
        line = self._line
        frame = sys._getframe() if threading.get_ident() == self._thread else None
        while frame is not None and self._frame is not None and frame is not self._frame:
            code = frame.f_code
            if is_users(code.co_filename) and not code.co_name.startswith("<"):
                mapped = statement_lines(code.co_filename)
                at = mapped.get(frame.f_lineno, frame.f_lineno)
                if not parts and code.co_filename == self._source.file:
                    line = at
                parts.append((code.co_name, at))
            frame = frame.f_back
        return Where(line, ((self._source.function, self._line), *reversed(parts)))
