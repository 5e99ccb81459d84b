"""Cuts what an outside recording holds into runs, one drive of a loop each.

Every format says what it found as events, in the order in which they happened: a prompt, a
reply, results, blocks that the host put in, a failed request, an interruption, a rewritten
history, the end. The cutting is the same for all of them:

- A run begins at a prompt, a resume, a compaction, a fork, or where the recorded host went on
  although the loop would have returned or could not have gone on (``continued``).
- Results are paired with requests by id, and where ids come again or are missing, by their
  place. What answers nothing, or answers twice, is counted and kept as a block that the host
  put in.
- Blocks of the host belong to one request, not to the loop's list. Where they are all that a
  request was made of, they are its messages.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import NOT_RECORDED, STOP, blocks_of, pauses, returns
from visualizer.formats.outside import Outside
from visualizer.formats.telling.put_in import PutIn
from visualizer.formats.telling.tool_ids import AllToolIds, answered
from visualizer.transcript.history import History, SharedRequest
from visualizer.transcript.records import ApiObject, Attempt, RecordedRun, Take, Turn

TAKE = "recorded"


class Stretches:
    """All runs of one recording. Conversations that go on side by side are threads."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside
        self.threads: list[Thread] = []
        self.ids = AllToolIds()

    def thread(
        self,
        started_by: str | None = None,
        history: History | None = None,
        side: bool = False,
        starter: str | None = None,
    ) -> Thread:
        """A new conversation, over the messages in ``history``.

        ``starter`` is the id of the tool request that a subagent's conversation works on.
        """
        made = Thread(self, History() if history is None else history, started_by, side, starter)
        self.threads.append(made)
        return made

    def finish(self) -> None:
        """All events are in."""
        for thread in self.threads:
            thread.finish()

    def next_id(self) -> str:
        """The id of the run that begins now."""
        return str(len(self.outside.runs) + 1)


class Thread:
    """One conversation: the messages so far, and the run that is going on in it."""

    def __init__(
        self,
        stretches: Stretches,
        history: History,
        started_by: str | None,
        side: bool = False,
        starter: str | None = None,
    ) -> None:
        self.history = history
        self.starter = starter
        self.run: RecordedRun | None = None
        self.latest: RecordedRun | None = None
        self._all = stretches
        self._side = side
        self._set = started_by
        self._kind = "prompt"
        self._open = False
        self._asks = False
        self._woken = False
        self._results: list[ApiObject] | None = None
        self._turn: Turn | None = None
        self._due: dict[str, str] = {}
        self.calls = 0
        self._put_in = PutIn()
        self._attempts: list[Attempt] = []

    def prompt(self, message: ApiObject, started_by: str = "prompt", asks: bool = True) -> None:
        """What a user sent. ``asks`` is false for what alone would not begin a run."""
        if asks and not self._side:
            self._all.outside.prompts += 1
        self._asks = asks or (self._open and self._asks)
        if not self._open or self._woken or started_by != "prompt":
            self._kind = started_by
        self._woken = False
        self._close()
        self._open = True
        self.calls = 0
        self.history.append(message)

    def woken(self, message: ApiObject) -> None:
        """What the host sent as a user's message: it begins a run where none is going on."""
        if self._open or (self._turn is not None and not returns(self._turn)):
            self.insert(blocks_of(message["content"]), "host")
            return
        self._close()
        self._open = self._woken = True
        self._kind = "continued"
        self.history.append(message)

    def rewritten(self, history: History, started_by: str = "compaction") -> None:
        """What is sent from now on begins anew, with the messages in ``history``."""
        self._close()
        self.history = history
        self._set = started_by
        self._open = len(history) > 0

    def anew(self) -> None:
        """The host says that a prompt begins something new, which the file does not hold."""
        if not self._open:
            self._kind = "prompt"

    def reply(self, response: ApiObject, inferred: list[str] | None = None) -> Turn:
        """A reply of the model, as a Message object with everything that belongs to it."""
        asked = self._all.ids.of(self.history).asked(response["content"])
        if asked.made:
            response = {**response, "content": asked.content}
        turn = self._new_turn(response)
        turn.inferred = [*(inferred or []), *(f"/response/content/{at}/id" for at in asked.made)]
        self.history.append({"role": "assistant", "content": asked.content})
        self._all.outside.findings.count("format.double_request", asked.again)
        self._due = asked.ids
        self._all.ids.remember(asked, self.run.id if self.run else "")
        self.calls += 1
        return turn

    def results(self, blocks: list[ApiObject]) -> int:
        """Results of tools, and whatever else stood beside them in the message.

        Gives how many of them answer a request that waited.
        """
        taken = 0
        beside: list[ApiObject] = []
        for block in blocks:
            if block.get("type") != "tool_result":
                beside.append(block)
                continue
            answers = block.get("tool_use_id")
            name = answered(answers, self._due) if self._turn else None
            if name is not None and self._turn is not None:
                self._all.ids.answered.add(self._due.pop(name))
                self._take_result(self._turn, block, name)
                taken += 1
            else:
                self._stray(answers, block)
        if beside:
            self.insert(beside, "beside_results")
        return taken

    def insert(
        self, blocks: list[ApiObject], origin: str, place: tuple[int, int] | None = None
    ) -> None:
        """Blocks that the host put into the next request.

        They stood behind all the rest, or at a ``place``: the message, the block in it.
        """
        self._all.outside.findings.count("format.inserted", len(blocks))
        self._put_in.add(blocks, origin, place)

    def prefilled(self, message: ApiObject) -> bool:
        """Words put into the model's mouth, at the end of a request.

        Gives whether they are in the loop's list: only where a run begins with them.
        """
        if self._open:
            self.history.append(message)
        else:
            self.insert(blocks_of(message["content"]), "prefill")
        return self._open

    def failed(self, status: int | None, error: ApiObject, handled: bool = False) -> None:
        """A request that failed; ``handled`` where it was tried again below the loop."""
        self._attempts.append(Attempt(status, error, handled))
        if handled:
            self._all.outside.findings.count("format.retried")
        else:
            self._new_turn(None)
            self._end_query()

    def interrupted(self, message: ApiObject) -> None:
        """The user stopped the run; the message that says so is part of what is sent next."""
        self._note({"interrupted": True})
        self._close()
        self.history.append(message)

    def cap(self, max_turns: int, inferred: bool = False) -> None:
        """The host's cap ended the run: as much of it as earlier stretches left."""
        run = self.run or self.latest
        if run is None:
            return
        turns = sum(turn.response is not None for turn in run.takes[0].turns)
        run.max_turns = max(1, max_turns - (self.calls - turns))
        run.uncapped = False
        if inferred:
            self._all.outside.findings.count("format.cap_inferred")
        else:
            self._note({"max_turns": max_turns})

    def ended(self, said: ApiObject, stop_reason: str | None = None) -> None:
        """The end as the file reports it; ``stop_reason`` is that of the last reply."""
        turn = self._turn
        if turn is not None and turn.response is not None and stop_reason and STOP in turn.inferred:
            turn.response["stop_reason"] = stop_reason
            turn.inferred.remove(STOP)
        if self._attempts:
            self._new_turn(None)
        elif self._open and self._asks:
            self._begin()
        self._note(said)
        self._end_query()

    def finish(self) -> None:
        """Nothing more comes: a prompt without a reply, or failed requests, are a run too."""
        if self._attempts:
            self._new_turn(None)
        elif self._open and self._asks:
            self._begin()
        elif self.latest is None and self._put_in:
            self._go_on()
        if self._due:
            self._all.outside.findings.count("format.unanswered", len(self._due))
            self._due = {}

    def _new_turn(self, response: ApiObject | None) -> Turn:
        turn = self._turn
        if turn is not None and (returns(turn) or self._due):
            self._go_on()
        run = self.run or self._begin()
        made = Turn(
            response, attempts=self._attempts, inserted=self._put_in.taken(self.history, self._turn)
        )
        self._attempts = []
        run.takes[0].turns.append(made)
        self._turn = made
        self._results = None
        return made

    def _go_on(self) -> None:
        """The host went on where the loop would have stopped."""
        pausing = self._turn is not None and pauses(self._turn)
        self._close()
        for blocks in self._put_in.said():
            self.history.append({"role": "user", "content": blocks})
        self._kind = "continued"
        self._begin(pausing)

    def _begin(self, resumes: bool = False) -> RecordedRun:
        last = self.history.last()
        if not resumes and not self._open and (last is None or last.get("role") == "assistant"):
            self.history.append(NOT_RECORDED)
            self._all.outside.findings.count("format.not_recorded")
        started_by = self._set or self._kind
        if started_by == "prompt" and not self._asks and not self._side:
            self._all.outside.prompts += 1
        run = RecordedRun(
            self._all.next_id(),
            SharedRequest(self.history),
            [Take(TAKE, [])],
            self._all.ids.parent(self.starter),
            started_by,
            uncapped=True,
        )
        self._all.outside.runs.append(run)
        self.run = self.latest = run
        self._open = self._asks = self._woken = False
        self._set, self._kind = None, "continued"
        return run

    def _close(self) -> None:
        if self._due:
            self._all.outside.findings.count("format.unanswered", len(self._due))
        self.run, self._turn, self._due = None, None, {}

    def _end_query(self) -> None:
        self._close()
        self._kind = "continued"
        self._open = False

    def _note(self, said: ApiObject) -> None:
        run = self.run or self.latest
        if run is not None:
            run.recorded = {**(run.recorded or {}), **said}

    def _take_result(self, turn: Turn, block: ApiObject, name: str) -> None:
        if self._results is None:
            self._results = []
            self.history.append({"role": "user", "content": self._results})
        answered_by_host = returns(turn)  # the loop runs nothing here
        if block.get("tool_use_id") != name:
            block = {**block, "tool_use_id": name}
            if not answered_by_host:
                turn.inferred.append(f"/results/{len(self._results)}/tool_use_id")
        self._results.append(block)
        if answered_by_host:
            self._all.outside.findings.count("format.answered_by_host")
        else:
            turn.results = self._results

    def _stray(self, answers: Any, block: ApiObject) -> None:
        """A result that answers no request that waits for one."""
        kind = self._all.ids.stray(answers)
        self._all.outside.findings.count(f"format.{kind}")
        self.insert([block], kind)
