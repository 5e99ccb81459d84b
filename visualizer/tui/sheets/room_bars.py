"""What takes room in each call, as bars: a letter a part, small where it was sent before.

Capitals are new, small letters are the unchanged beginning: what a server can keep. A colour
a part comes on top; the letters say it without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from visualizer.app.session import Session
from visualizer.app.view import View
from visualizer.describe.room import PARTS, Part, Room, room_of
from visualizer.i18n import Texts
from visualizer.run.timeline import Call, Run
from visualizer.text import cells, pad, wrap
from visualizer.tui.draw.segments import Line, Seg, block, fit

LETTERS: dict[Part, str] = {"tools": "T", "system": "S", "history": "H", "results": "R"}
ROLES: dict[Part, str] = {
    "tools": "request",
    "system": "note",
    "history": "role.assistant",
    "results": "result",
}
WIDEST = 72
LEAST = 10
FEW = 4
"""The lines from which the call that may come has one, too."""
HIDING = frozenset({"room", "same"})
"""What a question asks for that a bar would show."""


@dataclass
class Rooms:
    """The last calls so far, with their numbers; what each sends is worked out when asked for.

    ``following`` is the number of the call that may come next, None at the end of the run.
    With ``secret`` nothing is said of the last one: a question asks for it.
    """

    run: Run
    calls: tuple[tuple[int, Call], ...]
    following: int | None
    secret: bool = False

    def room(self, at: int) -> Room:
        """What one of the calls sends."""
        return room_of(self.run, self.calls[at][1])

    def hides(self, at: int) -> bool:
        """Whether nothing is said of one of the calls."""
        return self.secret and at == len(self.calls) - 1

    @cached_property
    def most(self) -> int:
        """The largest of those that are told: a list only grows, so its last call sends most."""
        told = self.calls[:-1] if self.secret else self.calls
        last = {call.history: at for at, (_, call) in enumerate(told)}
        return max((self.room(at).total for at in last.values()), default=1)


def rooms_of(session: Session, last: int | None = None, secret: bool = False) -> Rooms:
    """The calls up to the session's step; ``last`` bounds their number."""
    run = session.run
    made = [call for call in run.calls if call.step <= session.index]
    step = run.step(session.index)
    shown = made[-last:] if last is not None else made
    numbered = tuple(
        (run.step(call.step).model_calls + (call.reply is None), call) for call in shown
    )
    following = None if step.phase == "end" else step.model_calls + 1
    return Rooms(run, numbered, following, secret)


def inline_height(view: View) -> int:
    """The lines of the bars below a page: one a call, one to come, the legend."""
    calls = sum(call.step <= view.index for call in view.run.calls)
    return calls + (not view.at_end) + 1


def inline(view: View, width: int, height: int) -> tuple[str, list[Line]]:
    """The bars in the place of messages, the legend below them."""
    texts = view.texts
    more = not view.at_end and height >= FEW
    last = max(height - 1 - more, 1)
    rooms = rooms_of(view.session, last, bool(view.lens.hidden & HIDING))
    lines = [bar(rooms, at, texts, width) for at in range(len(rooms.calls))]
    if more:
        lines.append(_coming(rooms, texts, width))
    lines.append(legend(rooms, texts, width))
    return texts("window.title"), block(lines[-height:], width, height)


def bar(rooms: Rooms, at: int, texts: Texts, width: int) -> Line:
    """One call: its number, its bar, its size and how much of that is unchanged."""
    name = _name(rooms, rooms.calls[at][0], texts)
    widest = cells(texts("window.size", n=f"{rooms.most:,}", share=99))
    free = width - cells(name) - widest - 3
    marks = _marks(rooms, at, max(LEAST, min(free, WIDEST)))
    return fit([Seg(name, "label"), *marks, Seg(f"  {_size(rooms, at, texts)}", "strong")], width)


def legend(rooms: Rooms | None, texts: Texts, width: int) -> Line:
    """What the letters mean, with the sizes of the last call."""
    told = rooms is not None and rooms.calls and not rooms.secret
    last = rooms.room(len(rooms.calls) - 1) if rooms is not None and told else None
    parts: list[Seg] = [Seg(" ")]
    for part in PARTS:
        size = f" {last.size(part):,}" if last is not None else ""
        parts.append(Seg(LETTERS[part], ROLES[part]))
        parts.append(Seg(f" {texts(f'window.part.{part}')}{size}  ", "dim"))
    parts.append(Seg(texts("window.small"), "dim"))
    return fit(parts, width)


def key(texts: Texts) -> Line:
    """What the letters mean, without numbers, for narrow places."""
    parts = [Seg(" ")]
    for part in PARTS:
        parts.append(Seg(LETTERS[part], ROLES[part]))
        parts.append(Seg(f" {texts(f'window.part.{part}')}  ", "dim"))
    return tuple(parts)


def sheet_lines(rooms: Rooms, item: int, texts: Texts, width: int) -> Sequence[Line]:
    """The screen of its own, item by item: what it is, each call in full, what is to come."""
    if item == 0:
        told = [(Seg(f" {part}", "dim"),) for part in wrap(texts("window.about"), width - 2)]
        return [*told, legend(None, texts, width), fit([], width)]
    if item > len(rooms.calls):
        return [fit([], width) if rooms.following is None else _coming(rooms, texts, width)]
    lines = [bar(rooms, item - 1, texts, width), *_details(rooms, item - 1, texts, width)]
    return [*lines, fit([], width)]


def _details(rooms: Rooms, at: int, texts: Texts, width: int) -> list[Line]:
    """The sizes of the parts, and what the recording itself says of this call."""
    number, call = rooms.calls[at]
    room = rooms.room(at)
    indent = " " * cells(_name(rooms, number, texts))
    sizes = [f"{texts(f'window.part.{part}')} {room.size(part):,}" for part in PARTS]
    told = ["  ".join(sizes)]
    if rooms.hides(at):
        return []
    if at:
        told.append(texts.count("window.same", room.same, of=call.sent))
    told.append(_recorded(call, texts))
    return [
        fit([Seg(indent), Seg(part, "dim")], width)
        for text in filter(None, told)
        for part in wrap(text, max(width - cells(indent) - 1, 20))
    ]


def _recorded(call: Call, texts: Texts) -> str:
    """What was recorded of the tokens: all that went in, and what came from a cache."""
    usage = call.usage or {}
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    counts = [usage.get(name) for name in names]
    known = [count if type(count) is int and count >= 0 else 0 for count in counts]
    if not any(known):
        return ""
    key = "window.recorded_cached" if known[2] else "window.recorded"
    return texts(key, n=f"{sum(known):,}", cached=f"{known[2]:,}")


def _size(rooms: Rooms, at: int, texts: Texts) -> str:
    """The size of a request, and how much of it is unchanged."""
    room = rooms.room(at)
    if rooms.hides(at):
        return ""
    if rooms.calls[at][0] == 1:
        return texts("window.size_first", n=f"{room.total:,}")
    share = round(100 * room.unchanged / room.total) if room.total else 0
    return texts("window.size", n=f"{room.total:,}", share=share)


def _marks(rooms: Rooms, at: int, width: int) -> list[Seg]:
    """The bar: a cell shows what stands in its middle."""
    room = rooms.room(at)
    if not room.total or rooms.hides(at):
        return [Seg("?", "dim")]
    per_cell = max(rooms.most / width, 1)
    return letters(room, max(1, round(room.total / per_cell)))


def letters(room: Room, count: int) -> list[Seg]:
    """A request as that many letters: each says what stands in its middle."""
    segs: list[Seg] = []
    for cell in range(count):
        position = (cell + 0.5) / count * room.total
        part = room.part_at(position)
        shown = LETTERS[part].lower() if position < room.unchanged else LETTERS[part]
        if segs and segs[-1].role == ROLES[part]:
            segs[-1] = segs[-1]._replace(text=segs[-1].text + shown)
        else:
            segs.append(Seg(shown, ROLES[part]))
    return segs


def _coming(rooms: Rooms, texts: Texts, width: int) -> Line:
    """The line of a call that may come."""
    number = rooms.following or 0
    return fit([Seg(_name(rooms, number, texts), "label"), Seg("?", "dim")], width)


def _name(rooms: Rooms, number: int, texts: Texts) -> str:
    """A call's number, as wide as the widest of them."""
    ends = [one for one, _ in rooms.calls[-1:]] + [rooms.following or 1]
    widest = max(cells(texts("screen.plot.call", n=one)) for one in ends)
    return f" {pad(texts('screen.plot.call', n=number), widest)}  "
