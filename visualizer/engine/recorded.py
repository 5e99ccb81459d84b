"""The recorded model and the recorded tools: they give what was recorded, or stop the run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple, NoReturn

from visualizer.engine.context import Context, first_difference, is_prefix, parameter_difference
from visualizer.loops import DENIED_BY_POLICY, DENIED_BY_USER, NOT_EXECUTED, RequestFailed
from visualizer.messages import Block, Message, kept_block
from visualizer.protocol import Checker, Violation
from visualizer.run.timeline import Difference, Stop
from visualizer.transcript.history import SharedRequest
from visualizer.transcript.records import RecordedRun, Request, Take, Turn, World
from visualizer.transcript.takes import Branch, branches, heads, leaves
from visualizer.transcript.world import WorldTools

_EVERYWHERE = frozenset(
    (
        *("no_messages", "missing_result", "orphan_result", "double_result"),
        *("result_in_assistant", "request_in_user", "unknown_role"),
    )
)
"""The rules that endpoints of other APIs have as well."""


class RunStopped(BaseException):
    """The visualizer ends the run. Not an ``Exception``: a loop's handler must not get it."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
        super().__init__(stop.reason)


class Answer(NamedTuple):
    """A recorded reply: the response, its message, the take, how often it was given before.

    ``request`` are the parameters that were recorded for this call alone.
    """

    response: dict[str, Any]
    message: Message
    take: str
    repeated: int
    request: dict[str, Any]


class _Recorded(NamedTuple):
    take: str
    turn: Turn
    message: Message


class RecordedModel:
    """Answers a context with the reply that was recorded in it, and no other.

    Where an endpoint ``answered`` the recorded requests, no rule is stated that they break.
    """

    def __init__(self, run: RecordedRun, take: str | None, answered: bool = False) -> None:
        self._run = run
        self._take = next((one for one in run.takes if one.name == take), None)
        self._wanted = set(map(id, run.turns_of(self._take))) if self._take else set()
        self._answered = answered
        self.aliases: dict[bytes, bytes] = {}
        self.ids: dict[str, str] = {}
        self._replies: dict[bytes, list[_Recorded]] = {}
        self._asked: dict[int, int] = {}
        self.requests: dict[str, Block] = {}
        self.results: dict[str, Block] = {}
        self._summaries: dict[bytes, list[dict[str, Any]]] = {}
        self._parameters = {
            name: value
            for name in ("model", "system", "tools", "max_tokens")
            if (value := getattr(run.request, name)) is not None
        }
        self.first = _first(run.request)
        self.start = self._context_of(self.first)
        self._known: set[tuple[bytes, int]] = set()
        tree = branches(run)
        self._left: dict[tuple[int, int], Context] = {
            (id(one.base), one.start): self.start for one in tree
        }
        for branch in tree:
            self._index(branch)

    def context(self) -> Context:
        """A new context to feed with what is sent."""
        return Context(self.aliases, self.ids)

    def stated(self, context: bytes, found: tuple[Violation, ...]) -> tuple[Violation, ...]:
        """Of the rules that a request breaks, those for which an endpoint would refuse it."""
        if not self._answered or not found:
            return found
        if context in self._replies:
            return ()
        known = {code for take in self._run.takes for code in self._broken(take)}
        return tuple(one for one in found if one.code in _EVERYWHERE and one.code not in known)

    def _broken(self, take: Take) -> Iterator[str]:
        """The rules that the recorded requests break."""
        checker = Checker()
        for message in self._path(take):
            if message.role == "assistant":
                yield from (one.code for one in checker.violations())
            checker.feed(message)

    def ask(
        self,
        context: bytes,
        messages: Sequence[Message],
        parameters: dict[str, Any],
        violations: tuple[Violation, ...],
    ) -> Answer:
        """The reply to a context. Raises ``RunStopped`` where none was recorded, and
        ``RequestFailed`` for each failed attempt that came before it.
        """
        known = self._replies.get(context)
        if known is None:
            self._unknown(messages, violations)
        recorded = self._choose(known, parameters)
        asked = self._asked.get(id(recorded.turn), 0)
        self._asked[id(recorded.turn)] = asked + 1
        attempts = [one for one in recorded.turn.attempts if not one.handled]
        if asked < len(attempts):
            failed = attempts[asked]
            raise RequestFailed(failed.status, deepcopy(failed.error), failed.retry_after)
        if recorded.turn.response is None:
            raise RunStopped(Stop("recording_ended", "no_more_calls"))
        repeated = asked - len(attempts)
        message = recorded.message
        if repeated and recorded.turn.repeats:
            message = self._repetition(message, repeated)
        turn = recorded.turn
        return Answer(turn.response or {}, message, recorded.take, repeated, turn.request)

    def summary(self, messages: Sequence[Any]) -> list[dict[str, Any]]:
        """What a history was replaced by when it was summarised. Raises ``RunStopped``."""
        found = self._summaries.get(self._context_of(map(Message.of, messages)).digest())
        if found is None:
            raise RunStopped(Stop("recording_ended", "no_summary"))
        return deepcopy(found)

    @property
    def has_summaries(self) -> bool:
        """Whether any history was summarised."""
        return bool(self._summaries)

    def _context_of(self, messages: Iterable[Message]) -> Context:
        context = self.context()
        for message in messages:
            context.feed(message)
        return context

    def _choose(self, known: list[_Recorded], parameters: dict[str, Any]) -> _Recorded:
        """Of what was recorded in a context: what was sent with these parameters, the take's."""
        differences = [
            parameter_difference({**self._parameters, **one.turn.request}, parameters)
            for one in known
        ]
        fitting = [one for one, differs in zip(known, differences, strict=True) if not differs]
        if not fitting:
            raise RunStopped(Stop("diverged", difference=differences[0]))
        for one in fitting:
            if self._take is not None and id(one.turn) in self._wanted:
                return one._replace(take=self._take.name)
        return fitting[0]

    def _unknown(self, messages: Sequence[Message], violations: tuple[Violation, ...]) -> NoReturn:
        if violations:
            raise RunStopped(Stop("request_refused", violations=violations))
        if any(is_prefix(self._path(take), messages) for take in heads(self._run)):
            raise RunStopped(Stop("recording_ended", "no_more_calls"))
        ends = map(self._path, leaves(self._run))
        differences = [first_difference(path, messages) for path in ends]
        nearest = max(differences, key=_position)
        raise RunStopped(Stop("diverged", difference=nearest))

    def _index(self, branch: Branch) -> None:
        """Take in a take's own turns, from where it leaves its base."""
        take = branch.take
        context = self._left[id(branch.base), branch.start].copy()
        for number, turn in enumerate(take.turns, branch.start + 1):
            if turn.history is not None:
                if turn.compacted:
                    self._summaries.setdefault(context.digest(), turn.history)
                context = self._context_of(map(Message.of, turn.history))
            before = context.digest()
            reply = _reply_message(turn)
            known = self._replies.setdefault(before, [])
            if (before, id(turn)) not in self._known:
                self._known.add((before, id(turn)))
                known.append(_Recorded(take.name, turn, reply))
            context.feed(reply)
            self.requests.update((block.id, block) for block in reply.tool_calls)
            if turn.results is not None:
                results = _results_message(turn.results)
                context.feed(results)
                for block in results.results:
                    if not _is_denial(block):
                        self.results.setdefault(block.tool_use_id, block)
            if turn.repeats:
                self.aliases[context.digest()] = before
            if (id(branch), number) in self._left:  # another take begins with the turns so far
                self._left[id(branch), number] = context.copy()

    def _path(self, take: Take) -> list[Message]:
        messages = list(self.first)
        for turn in self._run.turns_of(take):
            if turn.history is not None:
                messages = [Message.of(message) for message in turn.history]
            messages.append(_reply_message(turn))
            if turn.results is not None:
                messages.append(_results_message(turn.results))
        return messages

    def _repetition(self, message: Message, number: int) -> Message:
        """The reply once more: request ids must be new, or the request would be refused."""
        blocks = []
        for block in message.blocks:
            if block.type == "tool_use":
                new = f"{block.id}_{number + 1}"
                self.ids[new] = block.id
                block = Block({**block.data, "id": new})  # noqa: PLW2901
            blocks.append(block)
        return Message(message.role, tuple(blocks))


class RecordedTools:
    """Executes calls: a look-up in the transcript's world, else the recorded result by id."""

    def __init__(self, world: World | None, model: RecordedModel) -> None:
        self._world = WorldTools(world) if world else None
        self._model = model

    def run(self, call: Any) -> Block:
        """The result block of a call. Raises ``RunStopped`` where none was recorded."""
        call_id, name, arguments = call.id, call.name, call.input
        if self._world is not None:
            text, is_error = self._world.look_up(name, arguments)
            result = {"type": "tool_result", "tool_use_id": call_id, "content": text}
            return Block({**result, "is_error": True} if is_error else result)
        recorded_id = self._model.ids.get(call_id, call_id)
        recorded = self._model.requests.get(recorded_id)
        if recorded is None or (recorded.name, recorded.input) != (name, arguments):
            ours = None if recorded is None else {"name": recorded.name, "input": recorded.input}
            theirs = {"name": name, "input": arguments}
            difference = Difference("tool", None, "", ours, theirs)
            raise RunStopped(Stop("diverged", difference=difference))
        found = self._model.results.get(recorded_id)
        if found is None:
            raise RunStopped(Stop("recording_ended", "no_result"))
        return found if recorded_id == call_id else Block({**found.data, "tool_use_id": call_id})


def _first(request: Request) -> list[Message]:
    """The messages that a run begins with."""
    if isinstance(request, SharedRequest):
        return request.frozen()
    return [Message.of(message, kept_block) for message in request.messages]


_DENIALS = frozenset(NOT_EXECUTED + reason for reason in (DENIED_BY_POLICY, DENIED_BY_USER))


def _is_denial(block: Block) -> bool:
    """Whether a recorded result says that the call was not run: no tool ever gave it."""
    return block.is_error and block.result_text in _DENIALS


def _reply_message(turn: Turn) -> Message:
    content = (turn.response or {}).get("content", [])
    return Message("assistant", tuple(Block(block) for block in content))


def _results_message(results: list[dict[str, Any]]) -> Message:
    return Message("user", tuple(Block(block) for block in results))


def _position(difference: Difference) -> tuple[int, str]:
    return (difference.message or 0, difference.field)
