"""What a message says, in so many lines: its blocks one after the other, hits marked."""

from __future__ import annotations

from visualizer.app.needle import occurrences
from visualizer.app.view import View
from visualizer.describe import call_line, label_of, result_line
from visualizer.describe.phrases import safe
from visualizer.messages import Block, Message
from visualizer.text import cells, wrap
from visualizer.tui.draw.segments import Seg, fit


def content(view: View, message: Message, width: int, most: int) -> list[list[Seg]]:
    """What a message says, in at most ``most`` lines: its blocks one after the other."""
    found: list[list[Seg]] = []
    blocks = message.blocks[: most * 4]
    if most == 1:
        parts: list[Seg] = []
        for number, item in enumerate(blocks):
            gap = [Seg("   ")] if number else []
            parts += [*gap, *_block(view, item, width)[0]]
        return [list(fit(parts, width))] if parts else [[Seg(_nothing(view), "dim")]]
    for item in blocks:
        room = most - len(found)
        if room <= 0:
            break
        found += _block(view, item, width, room)
    return found or [[Seg(_nothing(view), "dim")]]


def _nothing(view: View) -> str:
    return view.texts("screen.messages.empty")


def _block(view: View, item: Block, width: int, most: int = 1) -> list[list[Seg]]:
    """One block as lines: its label apart from its text, hits of a search marked."""
    label, text = _label_and_text(view, item, width * most + 1)
    text = _from_hit(item, text, view.settings.query, width * most)
    room = width - cells(label)
    parts = wrap(text, room, most) if most > 1 else [text]
    role = "request" if item.type == "tool_use" else "result"
    lines: list[list[Seg]] = []
    for number, part in enumerate(parts or [""]):
        head = label if number == 0 else " " * cells(label)
        body = hits(part, view.settings.query)
        lines.append([Seg(head, role), *body] if label else body)
    return lines


def _label_and_text(view: View, item: Block, width: int) -> tuple[str, str]:
    run = view.run
    if item.type == "text":
        return "", safe(item.text, width)
    if item.type == "tool_use":
        line = call_line(item, label_of(run, item.id), width)
    elif item.type == "tool_result":
        line = result_line(item, label_of(run, item.tool_use_id), view.texts, width)
    else:
        said = item.data.get(item.type) or item.data.get("value") or ""
        return f"({safe(item.type, 20)}) ", safe(said if isinstance(said, str) else "", width)
    label, _, text = line.partition(" ")
    return label + " ", text


def _from_hit(item: Block, shown: str, query: str, width: int) -> str:
    """The text from shortly before a hit on, where the hit is not in what is shown."""
    if not query or occurrences(shown, query):
        return shown
    whole = item.text or item.result_text
    found = occurrences(whole, query)
    return f"... {safe(whole[max(found[0][0] - 12, 0) :], width)}" if found else shown


def hits(text: str, query: str) -> list[Seg]:
    """``text`` with every occurrence of what is searched marked."""
    segments: list[Seg] = []
    position = 0
    for start, end in occurrences(text, query):
        if start > position:
            segments.append(Seg(text[position:start]))
        segments.append(Seg(text[start:end], "hit"))
        position = end
    return [*segments, Seg(text[position:])]
