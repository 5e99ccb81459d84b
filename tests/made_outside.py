"""Small recordings of other programs, made in the tests: a client's session, its stream."""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.made import jsonl, text_block, tool_result, tool_use
from visualizer.formats import Outside, read

QUESTION = "Which harbour did the Petrel leave from?"


class Session:
    """Lines of a session file; each follows the one before unless ``parent`` says otherwise."""

    def __init__(self, session: str = "session-1") -> None:
        self.lines: list[dict[str, Any]] = []
        self.session = session
        self._numbers = count(1)
        self._last: str | None = None

    def line(self, kind: str, **more: Any) -> str:
        """Any line with a place in the tree; gives its uuid."""
        uuid = more.pop("uuid", f"u{next(self._numbers)}")
        parent = more.pop("parent", self._last)
        common = {
            "uuid": uuid,
            "parentUuid": parent,
            "sessionId": self.session,
            "isSidechain": False,
        }
        self.lines.append({"type": kind, **common, **more})
        if not more.get("isSidechain"):
            self._last = uuid
        return str(uuid)

    def bare(self, kind: str, **more: Any) -> None:
        """A line outside the tree."""
        self.lines.append({"type": kind, "sessionId": self.session, **more})

    def user(self, content: Any, **more: Any) -> str:
        """A line with a user message."""
        return self.line("user", message={"role": "user", "content": content}, **more)

    def reply(
        self, name: str, *blocks: dict[str, Any], flag: str | None = None, **more: Any
    ) -> str:
        """A reply, one block a line as the client writes it; gives the last line's uuid."""
        usage = more.pop("usage", {"input_tokens": 10, "output_tokens": 5})
        uuid = ""
        for block in blocks:
            message = {
                "id": name,
                "type": "message",
                "role": "assistant",
                "model": "model-x",
                "content": [block],
                "stop_reason": flag,
                "usage": usage,
            }
            uuid = self.line("assistant", message=message, **more)
            more.pop("parent", None)
        return uuid

    def result(
        self, name: str, content: Any = "found", parent: str | None = None, **more: Any
    ) -> str:
        """A line with one tool result."""
        where = {} if parent is None else {"parent": parent}
        return self.user([tool_result(name, content)], **where, **more)

    def text(self) -> bytes:
        """The file."""
        return jsonl(self.lines)

    def read(self) -> Outside:
        """What is found in it."""
        return read(self.text())


class Stream(Session):
    """Lines of a stream: as the client prints them, without a tree."""

    def line(self, kind: str, **more: Any) -> str:
        """Any line of the stream."""
        uuid = str(more.pop("uuid", f"u{next(self._numbers)}"))
        more.pop("parent", None)
        common = {"session_id": self.session, "uuid": uuid, "parent_tool_use_id": None}
        self.lines.append({"type": kind, **common, **more})
        return uuid

    def init(self) -> None:
        """The client has started."""
        self.line("system", subtype="init", model="model-x")

    def end(self, subtype: str = "success", **more: Any) -> None:
        """The client's last word."""
        self.line("result", subtype=subtype, is_error=subtype != "success", **more)


def small_session() -> Session:
    """A prompt, two parallel calls, their results the other way round, and an answer."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", text_block("I look it up."))
    first = made.reply("m1", tool_use("a", place="log"))
    second = made.reply("m1", tool_use("b", place="chart"))
    made.result("b", "chart 7", parent=second)
    made.result("a", "log 3", parent=first)
    made.reply("m2", text_block("Whitby."), flag="end_turn")
    return made


def small_stream() -> Stream:
    """The same as a stream."""
    made = Stream()
    made.init()
    made.reply("m1", text_block("I look it up."), tool_use("a", place="log"))
    made.reply("m1", tool_use("b", place="chart"))
    made.result("b", "chart 7")
    made.result("a", "log 3")
    made.reply("m2", text_block("Whitby."))
    made.end(stop_reason="end_turn", num_turns=3, result="Whitby.")
    return made


def calls_of(outside: Outside) -> list[int]:
    """Model calls of each run."""
    return [sum(turn.response is not None for turn in run.takes[0].turns) for run in outside.runs]


def started(outside: Outside) -> list[str]:
    """How each run began."""
    return [run.started_by for run in outside.runs]


def flags(outside: Outside) -> list[list[str]]:
    """The stop reasons of each run's replies."""
    return [
        [str(turn.response["stop_reason"]) for turn in run.takes[0].turns if turn.response]
        for run in outside.runs
    ]
