"""A request as it would be on a thread that the server keeps: what is sent, what is only read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from visualizer.describe.phrases import safe
from visualizer.i18n import Texts
from visualizer.sdk import Link
from visualizer.text import cells, pad, wrap
from visualizer.tui.draw.segments import Line, Seg, block, fit
from visualizer.tui.sheets.request_text import Sent, head_lines, json_lines, json_message, readable


def chained_lines(
    sent: Sent, link: Link, item: int, texts: Texts, width: int, as_json: bool
) -> Sequence[Line]:
    """One item of the sheet: the head, a message, the end."""
    if item == 0:
        return _json_head(sent, link, width) if as_json else _head(sent, link, texts, width)
    if item == link.read + 1:
        return json_lines("  ]\n}", width, Seg("   ")) if as_json else [fit([], width)]
    position = item - 1
    if position < link.first:
        return [] if as_json else [_held(sent, position, texts, width)]
    new = link.call > 0
    if as_json:
        return json_message(sent, position, new, texts, width)
    lead = [fit([], width)] if position == link.first and position else []
    return [*lead, *readable(sent, position, new, texts, width)]


def why(link: Link, texts: Texts) -> str:
    """What a call sends, and why no more."""
    if link.previous is not None:
        return texts("sdk.chain.goes_on", previous=safe(link.previous, 24))
    return texts("sdk.chain.create" if link.call == 0 else "sdk.chain.anew")


def table(
    links: Sequence[Link], current: int, texts: Texts, width: int, height: int, hides: bool = False
) -> list[Line]:
    """What each call sends in both forms, and what the model reads; the sums below.

    ``hides`` leaves out what is sent on a thread, since it is asked for.
    """
    heads = [texts(f"sdk.chain.head.{name}") for name in ("call", "stateless", "chained", "read")]
    sums = [sum(one.read for one in links), sum(one.sent for one in links)]
    widths = [max(cells(head), 4) + 2 for head in heads]
    lines = [_row([heads[0], *heads[1:]], widths, "label", width)]
    room = max(height - 3, 1)
    for link in links[max(0, min(current - room // 2, len(links) - room)) :][:room]:
        numbers = [
            str(link.call + 1),
            str(link.read),
            "?" if hides else str(link.sent),
            str(link.read),
        ]
        lines.append(_row(numbers, widths, "strong" if link.call == current else "text", width))
    total = [texts("sdk.chain.in_all"), str(sums[0]), "?" if hides else str(sums[1]), str(sums[0])]
    lines.append(_row(total, widths, "strong", width))
    told = wrap(texts("sdk.chain.inferred"), width - 4, 1)
    lines += [fit([Seg("   "), Seg(part, "note")], width) for part in told]
    return block(lines, width, height)


def _row(parts: Sequence[str], widths: Sequence[int], role: str, width: int) -> Line:
    first, *rest = parts
    said = pad(first, widths[0])
    for part, room in zip(rest, widths[1:], strict=True):
        said += " " * (room - cells(part)) + part
    return fit([Seg("   "), Seg(said, role)], width)


def _head(sent: Sent, link: Link, texts: Texts, width: int) -> list[Line]:
    thread = json.dumps(link.thread, ensure_ascii=False)
    lines = [fit([Seg("   "), Seg("thread  ", "label"), Seg(safe(thread, 200), "code")], width)]
    for said in (why(link, texts), texts("sdk.chain.inferred")):
        lines += [(Seg("   "), Seg(part, "note")) for part in wrap(said, width - 5)]
    return [*lines, *head_lines(sent, texts, width)]


def _held(sent: Sent, position: int, texts: Texts, width: int) -> Line:
    message = sent.message(position)
    tag = f"   {texts('sdk.chain.held')}"
    return fit(
        [
            Seg("   "),
            Seg(f"{position} ", "dim"),
            Seg(safe(message.role, 20), "dim"),
            Seg(tag, "read"),
        ],
        width,
    )


def _json_head(sent: Sent, link: Link, width: int) -> list[Line]:
    values = {"thread": link.thread, **sent.parameters}
    text = json.dumps(values, ensure_ascii=False, indent=2, default=repr)
    return json_lines(f'{text[:-1].rstrip()},\n  "messages": [', width, Seg("   "))
