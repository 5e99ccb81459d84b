"""Recorded calls put into the conversations that they continue.

Requests say exactly what was sent, so that which call continues which is seen from them (see
``chains``), and what a client changed on the way (see ``talks``). Where the server keeps the
conversation, a request names what it continues instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from visualizer.formats.blocks import CUT_OFF, NOT_RECORDED, blocks_of, with_stop_reason
from visualizer.formats.decoding.exchanges import Exchange
from visualizer.formats.outside import Outside
from visualizer.formats.telling.chains import Chains
from visualizer.formats.telling.echoes import mark_of
from visualizer.formats.telling.requests import Sent, named, sent_of
from visualizer.formats.telling.stretches import Stretches, Thread
from visualizer.formats.telling.talks import Talk, own_blocks, own_mark
from visualizer.formats.telling.tool_ids import told_apart
from visualizer.transcript.history import History
from visualizer.transcript.records import OUTPUT_TOKENS, ApiObject, RecordedRun, Turn

_PARAMETERS = ("model", "system", "tools", "max_tokens")

Finish = Callable[[ApiObject], tuple[ApiObject, list[str]]]
"""Gives a Message object its stop reason, and pointers to what is inferred in it."""


class Conversations:
    """Says exchanges as events, each in the conversation that it continues."""

    def __init__(self, outside: Outside, finish: Finish = with_stop_reason) -> None:
        self.stretches = Stretches(outside)
        self.findings = outside.findings
        self.finish = finish
        self.talks: dict[int, Talk] = {}
        self.named: dict[bytes, Talk] = {}
        self.lengths: dict[bytes, tuple[History, int]] = {}
        self.firsts: set[bytes] = set()
        self.retried: dict[bytes, list[Exchange]] = {}
        self.unanswered: list[tuple[Thread, ApiObject]] = []

    def read(self, exchanges: list[Exchange]) -> None:
        """All of them, in their order."""
        known: dict[bytes, bytes] = {}
        asked = [sent_of(one, known) for one in exchanges]
        last = {sent.chain[-1]: at for at, sent in enumerate(asked) if exchanges[at].body}
        again = {
            at
            for at, one in enumerate(exchanges)
            if one.error is not None and last.get(asked[at].chain[-1], -1) > at
        }
        chains = Chains()
        for at, (one, sent) in enumerate(zip(exchanges, asked, strict=True)):
            reply = one.response if one.error is None else None
            blocks = None if reply is None else blocks_of(reply["content"])
            chains.add(sent, blocks, at not in again and one.continues is None)
        for at, (one, sent) in enumerate(zip(exchanges, asked, strict=True)):
            if at in again:
                self.retried.setdefault(sent.chain[-1], []).append(one)
            else:
                self._take(at, one, sent)
        self.stretches.finish()
        for thread, body in self.unanswered:
            if thread.latest is not None:
                parameters(thread.latest, None, body)

    def _take(self, number: int, one: Exchange, sent: Sent) -> None:
        talk = self._talk(one, sent)
        thread = talk.thread
        for failed in self.retried.pop(sent.chain[-1], []):
            thread.failed(failed.status, failed.error or {}, handled=True)
        if one.error is not None:
            thread.failed(one.status, one.error)
        elif one.response is not None:
            turn = self._reply(talk, one.response)
            turn.changed = talk.changed
            if one.response.get("status") == CUT_OFF:
                turn.inferred.append(OUTPUT_TOKENS)
            if thread.run is not None:
                parameters(thread.run, turn, one.body or {})
            if one.body is not None:
                self.talks[number] = talk
            for name in one.names:
                self.named[named(name)] = talk
                self.lengths[named(name)] = thread.history, len(thread.history)
        elif one.body is not None:
            self.unanswered.append((thread, one.body))

    def _talk(self, one: Exchange, sent: Sent) -> Talk:
        """The conversation that an exchange continues, with what is new in it said."""
        known = sent.known
        if sent.before is not None:
            talk = self.talks.pop(sent.before)
            if sent.origins is not None:
                talk.goes_on(sent, sent.origins)
        elif one.body is None or one.continues is not None:
            talk = self._named_talk(one, sent.chain[0])
            talk.forget()
        elif one.compacted:
            known = one.compacted
            talk = self._rewritten(sent, known, "compaction")
        elif sent.begins in self.firsts and sent.goes_on:
            known = len(sent.messages)
            talk = self._rewritten(sent, known, "rewritten")
        else:
            talk = self._new(self.stretches.thread())
        if sent.begins is not None:
            self.firsts.add(sent.begins)
        for at in range(known, len(sent.messages)):
            self._say(talk, sent, at, one.response is not None)
        return talk

    def _new(self, thread: Thread) -> Talk:
        return Talk(thread, self.findings)

    def _named_talk(self, one: Exchange, mark: bytes) -> Talk:
        """The conversation that goes by a name: further on, from there anew, or unknown."""
        talk = self.named.pop(mark, None)
        if talk is not None and (
            mark not in self.lengths or len(talk.thread.history) == self.lengths[mark][1]
        ):
            if one.continues is None:
                self.named[mark] = talk
            return talk
        if mark in self.lengths:
            return self._new(self.stretches.thread("fork", History(*self.lengths[mark])))
        made = self._new(self.stretches.thread())
        if one.continues is None:
            self.named[mark] = made
        elif not one.begins:
            self.findings.count("format.not_recorded")
            made.thread.history.append(NOT_RECORDED)
        return made

    def _rewritten(self, sent: Sent, count: int, started_by: str) -> Talk:
        history = History()
        talk = self._new(self.stretches.thread())
        for at, message in enumerate(told_apart(map(_message, sent.messages[:count]))):
            history.append(message)
            talk.put(sent.marks[at], at)
        talk.thread.rewritten(history, started_by)
        return talk

    def _say(self, talk: Talk, sent: Sent, at: int, answered: bool) -> None:
        """One message of a request as an event; ``answered`` where a reply came to that."""
        thread, message, blocks = talk.thread, sent.messages[at], sent.blocks(at)
        length = len(thread.history)
        place: int | None = None
        if at in sent.hosts:
            self.findings.count("format.synthetic", int(message["role"] == "assistant"))
            thread.prompt(_message(message), sent.hosts[at], asks=False)
            talk.put(sent.marks[at], length)
            return
        if message["role"] == "assistant" and not (answered and at >= sent.tail):
            self._reply(talk, {**message, "content": blocks})
            return
        if message["role"] == "assistant":
            place = length if thread.prefilled(_message(message)) else None
        elif message["role"] == "system":
            thread.insert(blocks, "system")
        elif any(block["type"] == "tool_result" for block in blocks):
            taken = thread.results([talk.named(block) for block in blocks])
            place = len(thread.history) - 1 if taken else None
        elif not sent.own[at]:
            self.findings.count("format.not_kept")
            thread.insert(blocks, "not_kept")
        else:
            place = length
            self._prompt(thread, sent, at, answered)
        talk.put(own_mark(sent, at), place)

    def _prompt(self, thread: Thread, sent: Sent, at: int, answered: bool) -> None:
        """What a user sent. Several messages in a row that got a reply are one prompt."""
        kept = own_blocks(sent, at)
        behind = at > sent.known and sent.is_text(at - 1) and sent.own[at - 1]
        message = _message(sent.messages[at])
        if kept is not None:
            message = {**message, "content": kept}
        thread.prompt(message, asks=not (answered and behind))
        if kept is not None:
            self.findings.count("format.not_kept")
            blocks = sent.blocks(at)
            gone = [blocks[number] for number in sent.unkept[at]]
            thread.insert(gone, "not_kept", (len(thread.history) - 1, len(kept)))

    def _reply(self, talk: Talk, message: ApiObject) -> Turn:
        before = len(talk.thread.history)
        blocks = blocks_of(message["content"])
        whole = {**message, "type": "message", "role": "assistant"}
        turn = talk.thread.reply(*self.finish({**whole, "content": blocks}))
        talk.replied(mark_of("assistant", blocks), before)
        return turn


def _message(message: ApiObject) -> ApiObject:
    content = message["content"]
    kept = content if isinstance(content, str) else blocks_of(content)
    return {"role": message["role"], "content": kept}


def parameters(run: RecordedRun, turn: Turn | None, body: ApiObject) -> None:
    """What a call sent beside the messages: of the run, or where it differs, of the turn.

    A request without a reply has no turn.
    """
    said = {name: body[name] for name in _PARAMETERS if _is_parameter(name, body.get(name))}
    request = run.request
    if all(getattr(request, name) is None for name in _PARAMETERS):
        for name, value in said.items():
            setattr(request, name, value)
    elif turn is not None:
        turn.request = {
            name: value for name, value in said.items() if getattr(request, name) != value
        }


def _is_parameter(name: str, value: Any) -> bool:
    match name:
        case "max_tokens":
            return isinstance(value, int) and not isinstance(value, bool) and value > 0
        case "tools":
            return isinstance(value, list) and all(isinstance(one, dict) for one in value)
        case "system" if isinstance(value, list):
            return all(isinstance(one, dict) for one in value)
    return isinstance(value, str)
