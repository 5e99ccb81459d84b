"""What a Codex session holds, said as events of one conversation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from visualizer.formats.blocks import entry
from visualizer.formats.openai.items import blocks_of, refuses
from visualizer.formats.openai.words import finish, parts_of, system_of
from visualizer.formats.outside import Outside
from visualizer.formats.telling.conversations import parameters
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.history import History
from visualizer.transcript.records import ApiObject

_HOSTS = (
    "<environment_context",
    "<user_instructions",
    "<INSTRUCTIONS",
    "# AGENTS.md instructions",
    "<turn_aborted",
    "<skill",
    "<user_shell_command",
    "<subagent_notification",
    "<recommended_plugins",
    "<codex_internal_context",
    "<goal_context",
    "<hook_prompt",
    "<external_",
    "Warning: The maximum number of unified exec processes",
)
"""How texts begin that the client writes in the user's name."""

_KINDS = ("internal_chat_message_metadata_passthrough", "content_item_kinds")
"""Where newer clients say of each part of a message who wrote it."""


def asks(item: ApiObject) -> bool:
    """Whether a user wrote a message, or at least a part of it."""
    kinds = entry(item.get(_KINDS[0])).get(_KINDS[1])
    if isinstance(kinds, list) and kinds:
        return any(str(kind).startswith("user") for kind in kinds)
    texts = [
        str(part["text"]).lstrip()
        for part in parts_of(item.get("content"))
        if part["type"] == "text" and str(part.get("text")).strip()
    ]
    return not texts or not all(text.startswith(_HOSTS) for text in texts)


class Reply:
    """One reply of the model, put together from its items."""

    def __init__(self, model: str | None, system: list[ApiObject], usage: ApiObject | None) -> None:
        self.model = model
        self.system = system
        self.usage = usage
        self.content: list[ApiObject] = []
        self.refused = False

    def add(self, item: dict[str, Any]) -> None:
        """One more item of it."""
        self.content += blocks_of(item)
        self.refused = self.refused or refuses(item)

    def response(self) -> tuple[ApiObject, list[str]]:
        """The Message object; rollouts never say why the model stopped."""
        made: ApiObject = {"type": "message", "role": "assistant", "content": self.content}
        told = {"model": self.model, "usage": self.usage}
        made |= {name: value for name, value in told.items() if value is not None}
        return finish({**made, "stop_reason": "refusal"} if self.refused else made)


class Teller:
    """Tells events to the builder, and remembers where the user's turns began.

    ``starter`` is the call that started a subagent, whose session is a ``side`` one.
    """

    def __init__(self, stretches: Stretches, side: bool, starter: str | None) -> None:
        self.stretches = stretches
        self.findings = stretches.outside.findings
        self.thread = stretches.thread(side=side, starter=starter)
        self._turns: list[tuple[History, int]] = []
        self._resumes = False
        self._in_round = False
        self._held: list[list[ApiObject]] = []

    def tell(self, events: list[tuple[str, Any]]) -> None:
        """All of them, in their order."""
        telling: dict[str, Callable[[Any], None]] = {
            "reply": self._reply,
            "results": self._results,
            "developer": self._developer,
            "user": self._user,
            "agent": self._agent,
            "begins": self._begins,
            "resumed": self._resumed,
            "ended": self._ended,
            "forked": self._forked,
            "compacted": self._compacted,
            "rolled_back": self._rolled_back,
            "error": self._error,
            "stream_error": self._stream_error,
        }
        for kind, what in events:
            if kind != "user":
                self._let_go()
            telling[kind](what)
        self._let_go()

    def _let_go(self) -> None:
        """What the client wrote in a round goes into the next request, beside the results."""
        for blocks in self._held:
            self.thread.insert(blocks, "client")
        self._held = []

    def _reply(self, reply: Reply) -> None:
        turn = self.thread.reply(*reply.response())
        self._in_round = any(block["type"] == "tool_use" for block in reply.content)
        if self.thread.run is not None:
            said = {"model": reply.model, "system": system_of(reply.system)}
            parameters(self.thread.run, turn, said)

    def _results(self, blocks: list[ApiObject]) -> None:
        self.thread.results(blocks)

    def _developer(self, blocks: list[ApiObject]) -> None:
        self.thread.insert(blocks, "developer")

    def _user(self, said: tuple[list[ApiObject], bool]) -> None:
        blocks, asks = said
        if self._in_round and not asks:
            self._held.append(blocks)
            return
        for held in self._held:  # it was the beginning of what the user asks
            self.thread.prompt({"role": "user", "content": held}, asks=False)
        self._held = []
        if asks:
            self._turns.append((self.thread.history, len(self.thread.history)))
        started_by = "resume" if self._resumes else "prompt"
        self.thread.prompt({"role": "user", "content": blocks}, started_by, asks)
        self._resumes = self._resumes and not asks
        self._in_round = False

    def _agent(self, blocks: list[ApiObject]) -> None:
        """What another agent sent: into the next request, or it begins what comes next."""
        if self._in_round:
            self.thread.insert(blocks, "agent")
        else:
            self.thread.prompt({"role": "user", "content": blocks}, asks=False)

    def _begins(self, _: None) -> None:
        self.thread.anew()

    def _resumed(self, _: None) -> None:
        self._resumes, self._in_round = True, False

    def _ended(self, said: ApiObject) -> None:
        self.thread.ended(said)
        self._in_round = False

    def _forked(self, copied: list[tuple[str, Any]]) -> None:
        """The session goes on with another one's conversation, which ``copied`` tells again."""
        other = Teller(Stretches(Outside(self.stretches.outside.format)), False, None)
        other.tell(copied)
        self.thread.rewritten(other.thread.history, "fork")
        self._turns = other._turns

    def _compacted(self, messages: list[ApiObject]) -> None:
        history = History()
        for message in messages:
            history.append(message)
        self.thread.rewritten(history, "compaction")
        self._turns, self._in_round = [], False

    def _rolled_back(self, turns: Any) -> None:
        """The user took turns back: what comes next follows what was before them."""
        known = isinstance(turns, int) and 0 < turns <= len(self._turns)
        if not known:
            self.findings.count("format.other_line", kind="event_msg/thread_rolled_back")
            return
        self.thread.rewritten(History(*self._turns[-turns]), "fork")
        del self._turns[-turns:]
        self._in_round = False

    def _error(self, message: Any, handled: bool = False) -> None:
        said = message if isinstance(message, str) else ""
        error = {"type": "error", "error": {"type": "api_error", "message": said}}
        self.thread.failed(None, error, handled)
        self._in_round = self._in_round and handled

    def _stream_error(self, message: Any) -> None:
        self._error(message, handled=True)
