"""Which lines of the Claude Code client make up one reply of the model.

The client writes mostly one block a line. The lines of one reply have its ``message.id``, need
not stand together, and results may come in between. An id is not always what it should be:
gateways give all replies the same one, or none. So it is trusted only while nothing that the
lines say contradicts it; then what a line follows decides.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from visualizer.formats.blocks import blocks_of, with_stop_reason
from visualizer.formats.claude.lines import count, sent_blocks, string
from visualizer.transcript.records import ApiObject

Gap = Literal["none", "results", "other"]
"""What stands between a line and the reply before it: nothing, only results of that reply, or
something else (a prompt, a notice of the host, another reply).
"""

_SENT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_ORDER = {"thinking": 0, "redacted_thinking": 0, "text": 1}
_ASKS = 2


class Words(NamedTuple):
    """What a line says of the reply that it is part of. ``first`` and ``last`` rank its blocks:
    thoughts, then text, then requests.
    """

    name: str | None
    request: str | None
    number: int | None
    sent: int
    flag: str | None
    first: int
    last: int


def words_of(line: dict[str, Any], message: dict[str, Any], blocks: list[ApiObject]) -> Words:
    """What a line says of its reply."""
    usage = message.get("usage")
    numbers = [usage.get(name) for name in _SENT] if isinstance(usage, dict) else []
    ends = (blocks[0], blocks[-1]) if blocks else ({"type": ""}, {"type": ""})
    return Words(
        string(message.get("id")),
        string(line.get("requestRef")) or string(line.get("requestId")),
        count(line.get("apiBlockIndex")),
        sum(count(one) or 0 for one in numbers),
        string(message.get("stop_reason")),
        _ORDER.get(ends[0]["type"], _ASKS),
        _ORDER.get(ends[1]["type"], _ASKS),
    )


def _begins_anew(said: Words, words: Words) -> bool:
    """Whether the numbers of the blocks do not go on."""
    return said.number is not None and words.number is not None and words.number <= said.number


def _differs(said: Words, words: Words, gap: Gap) -> bool:
    """Whether two lines tell of different replies, in what a reply has once.

    Counts are compared where the first line has the last word, or results stand between them.
    """
    if said.flag and words.flag and said.flag != words.flag:
        return True
    counted = said.flag is not None or gap == "results"
    if counted and said.sent and words.sent and said.sent != words.sent:
        return True
    return gap == "results" and words.first != _ASKS


class Reply:
    """One reply of the model, put together from its lines."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {}
        self.content: list[ApiObject] = []
        self.requests: set[str] = set()
        self.answered: set[str] = set()
        self.said: Words | None = None
        self.ended = False
        self._lines: set[str] = set()

    def add(self, line: dict[str, Any], message: dict[str, Any], said: Words) -> bool:
        """Take in a line; false where it only says again what was there."""
        self.said = said
        kept = {key: value for key, value in message.items() if value is not None}
        self.message |= kept  # the last word on usage and stop_reason holds
        self.ended = self.ended or said.flag is not None
        before = len(self.content)
        uuid = line.get("uuid")
        again = isinstance(uuid, str) and uuid in self._lines
        blocks = blocks_of(message.get("content"))
        for block in blocks:
            name = block.get("id") if block["type"] == "tool_use" else None
            if isinstance(name, str):
                if name in self.requests:
                    continue
                self.requests.add(name)
            elif again and block in self.content:
                continue
            self.content.append(block)
        if isinstance(uuid, str):
            self._lines.add(uuid)
        return len(self.content) > before or not blocks

    def end(self, flag: Any, usage: Any) -> None:
        """How the reply ended, where that is told apart from its blocks."""
        if isinstance(flag, str):
            self.message["stop_reason"] = flag
            self.ended = True
        if isinstance(usage, dict):
            before = self.message.get("usage")
            self.message["usage"] = {**(before if isinstance(before, dict) else {}), **usage}

    def contradicts(self, words: Words, gap: Gap) -> bool:
        """Whether a line of the same id can't be part of this reply."""
        said = self.said
        if said is None:
            return False
        if said.request and words.request and said.request != words.request:
            return True
        if _begins_anew(said, words) or gap == "other":
            return True
        return not self.same_request(words) and _differs(said, words, gap)

    def takes(self, words: Words, gap: Gap) -> bool:
        """Whether a line is part of this reply, where the id does not tell."""
        said = self.said
        if said is None or said.name != words.name or self.contradicts(words, gap):
            return False
        if said.request and said.request == words.request:
            return True
        if gap == "results":
            return not self.requests <= self.answered
        return words.first > said.last or words.first == said.last == _ASKS

    def same_request(self, words: Words) -> bool:
        """Whether the client names the same request for both."""
        return self.said is not None and bool(words.request) and words.request == self.said.request

    @property
    def blanks(self) -> int:
        """Texts of nothing but space that the client took out before it sent the reply back."""
        return len(self.content) - len(sent_blocks(self.content))

    @property
    def partial(self) -> bool:
        """Whether the file has a count of output tokens that is not the last one."""
        usage = self.message.get("usage")
        return (
            not self.ended and isinstance(usage, dict) and bool(count(usage.get("output_tokens")))
        )

    def response(self) -> tuple[ApiObject, list[str]]:
        """The whole Message object as it was sent back, and pointers to what is inferred in it."""
        content = sent_blocks(self.content)
        return with_stop_reason(
            {**self.message, "type": "message", "role": "assistant", "content": content}
        )
