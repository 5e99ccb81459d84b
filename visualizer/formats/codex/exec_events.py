"""What the Codex client prints with ``codex exec --json``: threads, turns and items.

An item's lines share its id, from its start to its end. The prompt is not there, and nothing
says which items came in one reply: here a reply ends where the result of one of its calls is
followed by something else of the model. Programs that start the client may write its lines
inside of their own.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import entry
from visualizer.formats.codex.results import is_bad_code
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.decoding.json_text import parse_text
from visualizer.formats.openai.words import finish, parts_of, usage_of
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.records import ApiObject

_ITEM = ("item.started", "item.updated", "item.completed")
_CALLS = ("command_execution", "file_change", "mcp_tool_call", "collab_tool_call")
GIVEN_BACK = ("id", "type", "status", "aggregated_output", "exit_code", "result", "error")
"""What an item says of a call's result; the rest is what the model asked for."""

_BAD = ("failed", "declined")
_DEEPEST = 3
"""How many lines of other programs may be around one of the client."""

_LINES = ("thread.started", "turn.started", "turn.completed", "turn.failed", "error", *_ITEM)


def claims(sample: Sample) -> bool:
    """Whether the client's lines are among the first ones."""
    return any(_is_line(_client_line(one)) for one in sample.items)


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in what was printed."""
    reader = _Reader(outside)
    for _, line in decoded.items:
        reader.take(_client_line(line))
    reader.tell()


def _client_line(line: dict[str, Any], depth: int = _DEEPEST) -> dict[str, Any]:
    """A line of the client, out of those that other programs wrote around it."""
    if line.get("type") in _LINES or not depth:
        return line
    found = (_client_line(inner, depth - 1) for inner in map(_inner, line.values()) if inner)
    return next((one for one in found if one.get("type") in _LINES), line)


def _inner(value: Any) -> dict[str, Any]:
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = parse_text(value)
        except ValueError:
            return {}
    return entry(value)


def _is_line(line: dict[str, Any]) -> bool:
    if line.get("type") == "thread.started":
        return isinstance(line.get("thread_id"), str)
    item = line.get("item")
    return line.get("type") in _ITEM and isinstance(item, dict) and "type" in item


class _Reader:
    """Takes the lines in, then says them as events: replies are whole only at the end."""

    def __init__(self, outside: Outside) -> None:
        self.findings = outside.findings
        self.stretches = Stretches(outside)
        self.events: list[tuple[str, Any]] = []
        self._reply: list[ApiObject] | None = None
        self._answered = False
        self._started: set[str] = set()
        self._threads = 0
        self._thread: Any = None
        self._spent: dict[str, int] = {}

    def take(self, line: dict[str, Any]) -> None:
        """One line."""
        kind, item = line.get("type"), line.get("item")
        if kind in _ITEM and isinstance(item, dict):
            self._item(item, done=kind == "item.completed")
        elif kind == "turn.started":
            self._event("begins", None)
        elif kind == "turn.completed":
            usage = self._usage(line.get("usage"))
            self._event("ended", {"end": kind, **({"usage": usage} if usage else {})})
        elif kind in ("turn.failed", "error"):
            self._event(str(kind), line.get("error", line.get("message")))
        elif kind == "thread.started":
            self._threads += 1
            if line.get("thread_id") != self._thread:
                self._thread, self._spent = line.get("thread_id"), {}
        else:
            shown = kind if isinstance(kind, str) else "?"
            self.findings.count("format.other_line", kind=shown[:40])

    def tell(self) -> None:
        """Everything, to the builder."""
        thread = self.stretches.thread()
        for kind, what in self.events:
            match kind:
                case "reply":
                    thread.reply(*finish({"type": "message", "role": "assistant", "content": what}))
                case "results":
                    thread.results(what)
                case "begins":
                    thread.anew()
                case "ended":
                    thread.ended(what)
                case _:
                    thread.failed(None, _error(what), handled=kind == "error")
        self.stretches.finish()

    def _usage(self, said: Any) -> ApiObject | None:
        """The tokens of a turn; the client says those of all turns of the thread so far."""
        whole = {
            name: number
            for name, number in entry(said).items()
            if isinstance(number, int) and not isinstance(number, bool)
        }
        before, self._spent = self._spent, whole
        if any(whole.get(name, 0) < number for name, number in before.items()):
            before = {}
        own = {name: number - before.get(name, 0) for name, number in whole.items()}
        return usage_of(own) if own else None

    def _event(self, kind: str, what: Any) -> None:
        self.events.append((kind, what))
        self._reply = None

    def _item(self, item: dict[str, Any], done: bool) -> None:
        kind = item.get("type")
        if kind in _CALLS:
            self._call(item, str(kind), done)
        elif kind in ("reasoning", "agent_message", "web_search") and done:
            text = item.get("text") if isinstance(item.get("text"), str) else ""
            if kind == "reasoning":
                self._say({"type": "thinking", "thinking": text})
            else:
                self._say({"type": "text", "text": text} if kind == "agent_message" else item)
        elif done:
            shown = kind if isinstance(kind, str) else "?"
            self.findings.count("format.other_line", kind=f"item/{shown[:40]}")

    def _say(self, block: ApiObject) -> None:
        """A block of the reply that is going on, or of a new one."""
        if self._reply is None or self._answered:
            self._reply, self._answered = [], False
            self.events.append(("reply", self._reply))
        self._reply.append(block)

    def _call(self, item: dict[str, Any], kind: str, done: bool) -> None:
        name = str(item.get("id"))
        if self._threads > 1:  # ids begin anew with each start of the client
            name = f"{name}.{self._threads}"
        if name not in self._started:
            self._started.add(name)
            given = {key: value for key, value in item.items() if key not in GIVEN_BACK}
            self._say({"type": "tool_use", "id": name, "name": kind, "input": given})
        if done:
            made = {"type": "tool_result", "tool_use_id": name, "content": content_of(item)}
            failed = {"is_error": True} if has_failed(item) else {}
            self.events.append(("results", [{**made, **failed}]))
            self._answered = True


def has_failed(item: dict[str, Any]) -> bool:
    """Whether a call went wrong."""
    if item.get("status") in _BAD or is_bad_code(item.get("exit_code")):
        return True
    return bool(entry(item.get("error"))) or entry(item.get("result")).get("isError") is True


def content_of(item: dict[str, Any]) -> str | list[ApiObject]:
    """What a call gave, as far as the client prints it."""
    output, result, error = (item.get(at) for at in ("aggregated_output", "result", "error"))
    if isinstance(output, str):
        return output
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    if isinstance(result, dict) and isinstance(result.get("content"), list):
        return parts_of(result["content"])
    status = item.get("status")
    return status if isinstance(status, str) else ""


def _error(said: Any) -> ApiObject:
    text = said.get("message") if isinstance(said, dict) else said
    message = text if isinstance(text, str) else ""
    return {"type": "error", "error": {"type": "api_error", "message": message}}


FORMAT = Format("codex-exec", 42, claims, read, by_line=True)
