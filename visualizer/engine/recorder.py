"""Turns what is observed of a loop into steps.

The tracer says which line runs; the probes say what happened. A step stays open until the
next one begins: what its lines still do (store the reply, start a list) belongs to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from visualizer.engine.ledger import Change, Depth, Ledger
from visualizer.engine.observed import ObservedTools, place_of
from visualizer.engine.recorded import Answer, RecordedModel, RunStopped
from visualizer.engine.reply import Reply
from visualizer.engine.slips import not_messages, same_as_first
from visualizer.engine.state import Counts, Open, Where
from visualizer.loops import RequestFailed
from visualizer.messages import Block
from visualizer.run.limits import Caps
from visualizer.run.timeline import Call, LineLog, Phase, RequestError, Saw, Step, Stop


class Recorder:
    """Steps, calls and the line log of one run while it goes on."""

    def __init__(
        self, model: RecordedModel, tools: ObservedTools, caps: Caps, strict: bool = False
    ) -> None:
        self.ledger = Ledger(model.context, strict)
        self.steps: list[Step] = []
        self.calls: list[Call] = []
        self.log = LineLog()
        self.stop: Stop | None = None
        self._model = model
        self._tools = tools
        self._caps = caps
        self._counts = Counts()
        self._open: Open | None = None
        self._turn: int | None = None
        self._flag: str | None = None
        self._visible = 0
        self._history = 0
        self._checked: Reply | None = None
        self._effect = self.log.size()

    def begin(self, where: Where, messages: list[Any]) -> None:
        """The loop is entered with its first messages."""
        self.ledger.begin(messages, self._model.first, self._model.start.copy())
        self._visible = len(self.ledger.messages)
        self._start_step("start", where)

    def saw(self, what: Saw) -> None:
        """Note something on the line that is running.

        All but a variable's new value is an effect. A step's lines end with its last effect:
        what runs after it (the loop's next round begins, say) belongs to the next step.
        """
        self.log.saws.append((len(self.log.lines) - 1, what))
        if what.kind != "set":
            self._effect = self.log.size()

    def changed(self, change: Change, where: Where) -> None:
        """The loop's list was found changed after a line ran."""
        compacting = self._open is not None and self._open.phase == "compact"
        if change.rewrite and compacting and self._open is not None:
            self._visible, self._history = len(self.ledger.messages), self.ledger.history
            self._open.last_line = where.line
        elif change.rewrite:
            self._close()
            self._visible, self._history = len(self.ledger.messages), self.ledger.history
            self._open_step("rewrite", where)
        else:
            self._added(change, where)
        self.saw(Saw("messages", stop=len(self.ledger.messages)))

    def call(self, sent: list[Any], held: bool, parameters: dict[str, Any], where: Where) -> Answer:
        """The model is called. Raises ``RunStopped`` and ``RequestFailed``."""
        self._raise_stop()
        if self._counts.model_calls >= self._caps.calls:
            self.stop_run(Stop("step_cap", "calls", cap=self._caps.calls))
        self._turn = self._counts.model_calls
        self._start_step("call", where)
        ledger = self.ledger
        history, context, checker = ledger.history, ledger.context, ledger.checker
        if not held:
            history, context, checker = ledger.sent_elsewhere(sent)
        count = len(ledger.histories[history])
        self._counts.sent = count
        self.saw(Saw("sent", stop=count))
        violations = self._model.stated(context.digest(), checker.violations())
        if violations:
            recorded = same_as_first(self._model.first, ledger.histories[history])
            violations = not_messages(sent, violations, recorded) or violations
        step = len(self.steps) + 1
        made = Call(self._turn, step, history, count, None, None, None, parameters)
        made = made._replace(violations=violations)
        try:
            answer = self._model.ask(
                context.digest(), ledger.histories[history], parameters, violations
            )
        except RequestFailed as failure:
            self.calls.append(made._replace(error=_error_of(failure)))
            raise
        except BaseException as error:
            self.calls.append(made)
            if isinstance(error, RunStopped):
                self.stop = error.stop
            raise
        self._answered(made, answer)
        return answer

    def flag(self, reply: Reply, value: str | None, where: Where) -> None:
        """``stop_reason`` was read; only the first time is a check."""
        self._raise_stop()
        if reply is not self._checked:
            self._checked = reply
            self._start_step("check", where)
        self.saw(Saw("flag", value=value))

    def asked(self, ids: Sequence[str]) -> None:
        """``tool_calls`` was read."""
        self.saw(Saw("asked", ids=tuple(ids)))

    def execute(self, call: Any, where: Where, result: Block | None = None) -> Block:
        """A tool call is executed (or was, in another thread, with ``result``)."""
        self._raise_stop()
        request = Block({"type": "tool_use", "id": call.id, "name": call.name, "input": call.input})
        opened = self._start_step("execute", where)
        opened.request = request
        if result is None:
            result = self.run_tool(call, opened.place)
        opened.result = result
        opened.about = self._tools.changed(call)
        self._counts.tool_calls += 1
        self.ledger.expect(result)
        self.saw(Saw("ran", ids=(str(call.id),)))
        return result

    def host(self, phase: Phase, where: Where) -> Open:
        """A further collaborator acts: its step, to be filled in."""
        self._raise_stop()
        return self._start_step(phase, where)

    def summary(self, messages: Sequence[Any]) -> list[dict[str, Any]]:
        """What was recorded in place of a history. Raises ``RunStopped``."""
        try:
            return self._model.summary(messages)
        except RunStopped as error:
            self.stop = error.stop
            raise

    @property
    def seen_now(self) -> tuple[int, int]:
        """The history and how many of its messages were seen."""
        return self._history, self._visible

    def run_tool(self, call: Any, place: str = "") -> Block:
        """The result of a call; one of another thread has no place yet. Raises ``RunStopped``."""
        try:
            return self._tools.run(call, place or place_of(call, self.calls))
        except RunStopped as error:
            self.stop = error.stop
            raise

    def end(self, where: Where, returned: Saw | None = None) -> None:
        """The loop has returned (what), raised or been stopped."""
        self._close()
        self._turn = None
        self._open_step("end", where)
        if returned is not None:
            self.saw(returned)
        self._effect = self.log.size()
        self._close()

    def end_now(self) -> None:
        """End where the loop is, from another thread: its own thread does not come back."""
        where = self._open.where if self._open is not None else Where(self.steps[-1].line, ())
        self.end(where)

    def stop_run(self, stop: Stop) -> None:
        """End the run from outside the loop."""
        if self.stop is None:
            self.stop = stop
        self._raise_stop()

    @property
    def flag_now(self) -> str | None:
        """The stop_reason of the latest reply."""
        return self._flag

    @property
    def depth_before_call(self) -> Depth:
        """How closely to look before a call: at everything before calls 1, 2, 3, 5, 9 …"""
        calls = self._counts.model_calls
        return Depth.WINDOW if calls & (calls - 1) else Depth.ALL

    def _raise_stop(self) -> None:
        """A stop that a loop swallowed is raised again at whatever it does next."""
        if self.stop is not None:
            raise RunStopped(self.stop)

    def _answered(self, made: Call, answer: Answer) -> None:
        self._flag = answer.response.get("stop_reason")
        self._counts.model_calls += 1
        self._counts.round_is_open = bool(answer.message.tool_calls)
        if self._open is not None:
            self._open.stop_reason = self._flag
        self.ledger.forget_expected()
        self.ledger.expect(*answer.message.blocks)
        usage = answer.response.get("usage")
        self.calls.append(
            made._replace(
                reply=answer.message,
                stop_reason=self._flag,
                usage=usage if isinstance(usage, dict) else None,
                take=answer.take,
                repeated=answer.repeated,
                recorded=answer.request or None,
            )
        )

    def _added(self, change: Change, where: Where) -> None:
        """The assistant's own message folds into the step that is open; others are an append."""
        own = 0
        while own < len(change.added) and change.added[own].role == "assistant":
            own += 1
        self._visible += own
        if own and self._open is not None:
            self._open.last_line = where.line
        rest = change.added[own:]
        if not rest:
            return
        self._start_step("append", where)
        self._visible += len(rest)
        if self._counts.round_is_open and any(message.results for message in rest):
            self._counts.tool_rounds += 1
            self._counts.round_is_open = False

    def _start_step(self, phase: Phase, where: Where) -> Open:
        self._close()
        if len(self.steps) >= self._caps.steps:
            self.stop_run(Stop("step_cap", "steps", cap=self._caps.steps))
        return self._open_step(phase, where)

    def _open_step(self, phase: Phase, where: Where) -> Open:
        if phase == "call" and (not self.steps or self.steps[-1].turn != self._turn):
            self._counts.in_turn = {}
        place = self._place(phase)
        self._open = Open(phase, self._turn, place, where, where.line, self._flag)
        return self._open

    def _place(self, phase: Phase) -> str:
        if self._turn is None:
            return phase
        number = self._counts.in_turn.get(phase, 0) + 1
        self._counts.in_turn[phase] = number
        return f"t{self._turn}.{phase}" + (f".{number}" if number > 1 else "")

    def _close(self) -> None:
        now = self._open
        if now is None:
            return
        self._open = None
        counts = self._counts
        self.steps.append(
            Step(
                index=len(self.steps) + 1,
                turn=now.turn,
                phase=now.phase,
                place=now.place,
                line=now.where.line,
                last_line=now.last_line,
                parts=now.where.parts,
                stop_reason=now.stop_reason,
                messages=self._visible,
                history=self._history,
                model_calls=counts.model_calls,
                tool_rounds=counts.tool_rounds,
                tool_calls=counts.tool_calls,
                sent=counts.sent,
                log_end=self._effect[0],
                saw_end=self._effect[1],
                request=now.request,
                result=now.result,
                about=now.about,
            )
        )


def _error_of(failure: RequestFailed) -> RequestError:
    """What a failed request said, as far as it said anything."""
    said = failure.error.get("error", failure.error)
    found = said if isinstance(said, Mapping) else {}
    kind, message = (str(found.get(name) or "") for name in ("type", "message"))
    return RequestError(failure.status, kind, message, failure.retry_after)
