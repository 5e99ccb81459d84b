"""Makes events of the lines of a Codex session: what the client and the model did, in order."""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import NOT_RECORDED
from visualizer.formats.codex.forks import is_without_its_copy
from visualizer.formats.codex.items import items_in, prompt_in, source_of
from visualizer.formats.codex.lines import ANOTHER, Line, meta_of
from visualizer.formats.codex.repeated import RECORD, Prompts, Tokens
from visualizer.formats.codex.results import with_failure
from visualizer.formats.codex.teller import Reply, asks
from visualizer.formats.openai.items import blocks_of, is_output, messages_of, role_of, type_of
from visualizer.formats.openai.words import parts_of
from visualizer.formats.outside import Findings
from visualizer.transcript.records import ApiObject

_NO_ITEMS = ("ghost_snapshot", "other")
_BEGINS = ("task_started", "turn_started")
_ENDS = ("task_complete", "turn_complete")


class Reader:
    """Makes events of lines; replies are whole only when all lines are in.

    ``copied`` are lines of another session, which this one goes on with.
    """

    def __init__(self, findings: Findings, copied: list[Line], lines: list[Line]) -> None:
        self.findings = findings
        self.events: list[tuple[str, Any]] = []
        self.session: Any = None
        self._model: str | None = None
        self._system: list[ApiObject] = []
        self._tokens = Tokens([*copied, *lines])
        self._prompts = Prompts([*copied, *lines])
        self._source = source_of([*copied, *lines])
        self._open: Reply | None = None
        self._answered = self._begun = False
        self._turn: Any = None
        self._turns: set[Any] = set()
        self._began_at = 0
        self._stop: ApiObject | None = None
        if copied:
            lines = [*lines]
            self._line(lines.pop(0))
            self._copied(copied)
        for line in lines:
            self._line(line)
        if lines and lines[0].kind == "session_meta":
            self._without_its_copy(meta_of(lines[0]), copied)
        self._settle()

    def _copied(self, lines: list[Line]) -> None:
        """What another session told already; what is odd in it is a finding there."""
        findings, self.findings = self.findings, Findings()
        for line in lines:
            self._line(line)
        self._settle()
        self._close()
        self.findings = findings
        self.findings.count("format.copied_lines", len(lines))
        told, self.events = self.events, []
        self._begun, self._turn = False, None
        if any(kind in ("user", "reply", "compacted") for kind, _ in told):
            self.events.append(("forked", told))

    def _without_its_copy(self, head: dict[str, Any], copied: list[Line]) -> None:
        if is_without_its_copy(head, copied):
            self.findings.count("format.not_recorded")
            self.events.insert(0, ("forked", [("compacted", [NOT_RECORDED])]))

    def _line(self, line: Line) -> None:
        kind, what, _ = line
        if kind == "response_item":
            self._item(what)
        elif kind == "event_msg":
            self._event(what)
        elif kind == "turn_context":
            self._close()
            self._turn_is(what.get("turn_id"))
            self._model = model if isinstance(model := what.get("model"), str) else self._model
        elif kind == "session_meta":
            self._meta(what)
        elif kind == "compacted":
            self._say("compacted", self._after_compaction(what))
        elif kind == RECORD and self._tokens.told_by == RECORD:
            self._count(what.get("usage"), what.get("thread_token_usage"))
        elif kind == ANOTHER:
            self.findings.count("format.other_format")
        else:
            self.findings.count("format.other_line", kind=kind)

    def _say(self, kind: str, what: Any) -> None:
        """Something that ends what went before it."""
        self._settle()
        self._close()
        self._tokens.next = None
        self.events.append((kind, what))

    def _settle(self) -> None:
        """No more comes of a turn that was stopped, and no item for a prompt that an event told."""
        stopped, self._stop = self._stop, None
        if stopped is not None:
            self._close()
            self.events.append(("ended", stopped))
        for item in self._prompts.left():
            self.events.append(("user", (blocks_of(item), asks(item))))

    def _close(self) -> None:
        """The reply is whole."""
        self._open = None

    def _item(self, item: dict[str, Any]) -> None:
        role = role_of(item)
        kind = type_of(item)
        if role is None or kind in _NO_ITEMS:
            self.findings.count("format.other_line", kind=f"response_item/{kind[:40]}")
        elif kind == "agent_message":
            self.events.append(("agent", parts_of(item.get("content"))))
        elif is_output(item):
            self._answered = self._open is not None
            self.events.append(("results", with_failure(blocks_of(item))))
        elif role == "assistant":
            self._said(item, kind)
        elif role == "system" and not self._begun:
            self._system += blocks_of(item)
        elif role == "system":
            self.events.append(("developer", blocks_of(item)))
        else:
            self._user(item)

    def _user(self, item: dict[str, Any]) -> None:
        if self._stop is not None:
            self._settle()
        self._close()
        self._tokens.next = None
        asking = asks(item)
        if asking:
            self._prompts.came(item)
        self.events.append(("user", (blocks_of(item), asking)))

    def _said(self, item: dict[str, Any], kind: str) -> None:
        """An item of the model: of the reply that is going on, or of a new one."""
        if self._stop is None:
            self._settle()
        if self._answered and (kind == "reasoning" or not self._tokens.told_by):
            self._close()
        if self._open is None:
            self._open = Reply(self._model, self._system, self._tokens.next)
            self._tokens.next, self._answered, self._begun = None, False, True
            self.events.append(("reply", self._open))
        self._open.add(item)
        if kind == "reasoning" and not blocks_of(item)[0]["thinking"]:
            self.findings.count("format.thoughts_left_out")

    def _event(self, what: dict[str, Any]) -> None:
        kind = type_of(what)
        items = items_in(what, self._source)
        if kind == "token_count":
            self._token_count(what.get("info"))
        elif kind in _BEGINS:
            self._begins(what.get("turn_id"))
        elif kind in _ENDS:
            self._say("ended", {"end": kind})
        elif kind == "turn_aborted":
            self._aborted(what)
        elif kind == "thread_rolled_back":
            self._say("rolled_back", what.get("num_turns"))
        elif kind in ("error", "stream_error"):
            self._say(kind, what.get("message"))
        elif (prompt := prompt_in(what)) is not None and asks(prompt):
            if not self._prompts.heard(prompt, kind):
                self.findings.count("format.other_line", kind=f"event_msg/{kind[:40]}")
        elif items:
            for item in items:
                self._item(item)
        else:
            self.findings.count("format.other_line", kind=f"event_msg/{kind[:40]}")

    def _begins(self, turn: Any) -> None:
        if self._stop is not None:
            self._settle()
        self._close()
        self._tokens.next = None
        self._turn_is(turn)
        self._began_at = len(self.events)
        self.events.append(("begins", None))

    def _turn_is(self, turn: Any) -> None:
        """The turn that lines belong to from here on, where they say."""
        if isinstance(turn, str):
            if self._stop is not None and turn != self._turn:
                self._settle()
            self._turn = turn
            self._turns.add(turn)

    def _aborted(self, what: dict[str, Any]) -> None:
        """A turn was stopped: the one before, or this one, of which more may be written yet."""
        said = {"interrupted": True, "end": str(what.get("reason", "turn_aborted"))[:80]}
        turn = what.get("turn_id")
        if isinstance(turn, str) and turn != self._turn and turn in self._turns:
            self.events.insert(self._began_at, ("ended", said))
            self._began_at += 1
        else:
            self._stop = said

    def _token_count(self, info: Any) -> None:
        if isinstance(info, dict):
            self._count(info.get("last_token_usage"), info.get("total_token_usage"))

    def _count(self, last: Any, total: Any) -> None:
        """A token count: it ends the reply before it, or comes before its own reply's items."""
        usage = self._tokens.of(last, total)
        if usage is None:
            return
        if self._open is not None and self._open.usage is None:
            self._open.usage = usage
        else:
            self._tokens.next = usage
        self._close()

    def _meta(self, what: dict[str, Any]) -> None:
        """The head of a session; the same one again where it was resumed."""
        meta = what["meta"] if isinstance(what.get("meta"), dict) else what
        if self.session is not None:
            if meta.get("id") == self.session:
                self._say("resumed", None)
            else:
                self.findings.count("format.other_line", kind="session_meta")
            return
        self.session = meta.get("id")
        said = meta.get("base_instructions", meta.get("instructions"))
        text = said.get("text") if isinstance(said, dict) else said
        if isinstance(text, str) and text:
            self._system.append({"type": "text", "text": text})

    def _after_compaction(self, what: dict[str, Any]) -> list[ApiObject]:
        """The messages that a compaction left; the client may keep only its summary."""
        kept = what.get("replacement_history")
        if isinstance(kept, list):
            return messages_of(kept, {})[1]
        text = what.get("message")
        if not isinstance(text, str) or not text:
            return []
        return [NOT_RECORDED, {"role": "user", "content": text}]
