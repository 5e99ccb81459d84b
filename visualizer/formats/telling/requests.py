"""The messages of one recorded request, marked so that those of others are found in them."""

from __future__ import annotations

from dataclasses import dataclass, field

from visualizer.formats.blocks import blocks_of
from visualizer.formats.decoding.exchanges import Exchange
from visualizer.formats.telling.echoes import after, likeness, mark_of
from visualizer.transcript.records import ApiObject

_ROOT = b""


@dataclass(slots=True, eq=False)
class Sent:
    """The messages of a request, and what other requests tell about them.

    ``before`` is the number of the exchange that it goes on with; its first ``known`` messages
    are that one's and its reply. Where those are not simply the same, ``origins`` has for each
    of them which it stands for (None: none of them). ``own`` says which messages belong to the
    conversation; the others were in this request only. ``unkept`` are blocks of a message that
    later requests don't have. ``reminds`` is true where messages of a conversation come and go.
    ``hosts`` are those that the client wrote, with how a run begins there.
    """

    messages: list[ApiObject]
    marks: list[bytes]
    chain: list[bytes]
    before: int | None = None
    known: int = 0
    origins: list[int | None] | None = None
    own: list[bool] = field(default_factory=list)
    unkept: dict[int, list[int]] = field(default_factory=dict)
    reminds: bool = False
    doubtful: list[int] = field(default_factory=list)
    hosts: dict[int, str] = field(default_factory=dict)

    def blocks(self, place: int) -> list[ApiObject]:
        """The blocks of a message."""
        return blocks_of(self.messages[place]["content"])

    def role(self, place: int) -> str:
        """Whose message it is."""
        return str(self.messages[place]["role"])

    def like(self, place: int) -> bytes:
        """What stays of a message that is changed."""
        return likeness(self.role(place), self.blocks(place))

    def is_text(self, place: int) -> bool:
        """Whether a message is words of the user's side, and nothing else."""
        kinds = {block["type"] for block in self.blocks(place)}
        return self.role(place) == "user" and kinds <= {"text"}

    @property
    def goes_on(self) -> bool:
        """Whether it holds more than what a user sent first."""
        said = (at for at in range(self.tail) if at not in self.hosts)
        return any(self.role(at) == "assistant" for at in said)

    @property
    def begins(self) -> bytes | None:
        """The mark of what it begins with, but for what the client puts there."""
        first = next((at for at in range(len(self.messages)) if at not in self.hosts), None)
        return None if first is None else after(self.chain[0], self.marks[first])

    @property
    def tail(self) -> int:
        """Where the assistant's messages at the end begin."""
        return self.run_before(len(self.messages))

    def run_before(self, end: int) -> int:
        """Where the assistant's messages that end at a place begin."""
        while end and self.role(end - 1) == "assistant":
            end -= 1
        return end


def sent_of(one: Exchange, known: dict[bytes, bytes]) -> Sent:
    """A request with its marks; equal ones are kept once, in ``known``."""
    messages = one.body["messages"] if one.body is not None else []
    chain = [_ROOT if one.continues is None else named(one.continues)]
    marks = []
    for message in messages:
        mark = mark_of(message["role"], blocks_of(message["content"]))
        marks.append(known.setdefault(mark, mark))
        following = after(chain[-1], mark)
        chain.append(known.setdefault(following, following))
    own = [message["role"] != "system" for message in messages]
    return Sent(messages, marks, chain, own=own, hosts=one.hosts)


def named(name: str) -> bytes:
    """The mark of a conversation that goes by a name."""
    return b"name " + name.encode("utf-8", "replace")
