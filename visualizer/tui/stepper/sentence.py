"""What has just happened, in words: the first thing to read. At the end, what came of it."""

from __future__ import annotations

from visualizer.app.view import View
from visualizer.describe import Description, describe, stop_reason_text, value_text
from visualizer.describe.phrases import join, safe
from visualizer.text import cells, display_safe, wrap
from visualizer.tui.draw.recorded import end_row, flag_note, remarks
from visualizer.tui.draw.segments import Line, Seg, block, fit, plain

NOTE = 4
"""The most lines of an author's note; it is for a sentence or two."""
_FLAGS = ("tool_use", "end_turn", "max_tokens", "refusal", "pause_turn", "stop_sequence")


def sentence(view: View, width: int, height: int) -> list[Line]:
    """The phase and what happened, what comes next, the author's note where there is room."""
    if view.settings.hidden:
        return covered(view, width, height)
    if view.at_end:
        return ending(view, width, height)
    said = _said(view)
    indent = cells(said.phase) + 4
    lines = _happened(said, width, indent, 2 if height > 2 else 1)
    left = height - len(lines)
    whole = len(note(view, said.note, width, NOTE))
    room = left if whole == left else max(left - (height > 3), 0)
    remark = note(view, said.note, width, room)
    rows = max(left - len(remark), 0)
    for text in wrap(said.next, width - indent - 1, rows) if said.next and rows else []:
        lines.append((Seg(" " * indent), Seg(text, "text", "next")))
    return block([*lines, *remark], width, height)


def height_of(view: View, width: int, least: int) -> int:
    """How many lines the sentence needs: ``least``, or more so that a note is not cut."""
    if view.settings.hidden or view.at_end:
        return least
    said = _said(view)
    happened = len(_happened(said, width, cells(said.phase) + 4, 2))
    return max(least, happened + len(note(view, said.note, width, NOTE)))


def _said(view: View) -> Description:
    said = describe(view.run, view.index, view.texts, view.session.scenario.notes)
    return said._replace(happened=join([said.happened, *remarks(view)], view.texts))


def covered(view: View, width: int, height: int) -> list[Line]:
    """The phase alone, at the end what came of the run; what it means waits to be revealed."""
    said = describe(view.run, view.index, view.texts)
    head = _headline(view, said) if view.at_end else (Seg(" "), Seg(f" {said.phase} ", "phase"))
    key = "screen.veiled" if view.lens.state == "class" else "screen.veiled_elsewhere"
    return block([head, (Seg(" "), Seg(view.texts(key), "dim", "reveal"))], width, height)


def note(view: View, text: str, width: int, rows: int) -> list[Line]:
    """A remark of the scenario's author, labelled as such."""
    if rows <= 0 or not text:
        return []
    label = view.texts("screen.note")
    parts = wrap(text, width - cells(label) - 5, rows)
    lines: list[Line] = []
    for number, part in enumerate(parts):
        head = label if number == 0 else " " * cells(label)
        lines.append((Seg(f" {head}  ", "note"), Seg(part, "note")))
    return lines


def ending_height(view: View, width: int, most: int) -> int:
    """How many lines the end of the run needs, ``most`` at most."""
    return min(most, len(_ending(view, width)))


def ending(view: View, width: int, height: int) -> list[Line]:
    """RETURNED "1974", RAISED …, or STOPPED, and who ended the run: model, loop or we."""
    lines = _ending(view, width)
    if len(lines) > height:
        lines = [item for item in lines if plain(item).strip()]
    if len(lines) > height:
        lines = _ending(view, width, tight=True)
    return block(lines, width, height)


def _ending(view: View, width: int, tight: bool = False) -> list[Line]:
    """All there is to say; ``tight`` puts the last of it beside the headline."""
    said = describe(view.run, view.index, view.texts, view.session.scenario.notes)
    head, who = _headline(view, said), _who(view)
    told: list[Line] = [(Seg(" "), Seg(text)) for text in wrap(said.happened, width - 2)]
    if tight:
        return [fit([*head, Seg("   "), *who[-1]], width), *told, *who[:-1]]
    lines = [head, *told, fit([], width), *who]
    return [*lines, *note(view, said.note, width, NOTE)]


def _headline(view: View, said: Description) -> Line:
    run = view.run
    head = (Seg(" "), Seg(f" {said.phase} ", view.stamp), Seg("  "))
    if run.stop:
        return (*head, Seg(view.texts("screen.ended.by_visualizer"), "bad"))
    if run.raised:
        return (*head, Seg(safe(run.raised.type, 60), "bad"))
    role = "answer" if run.terminal_reason == "completed" else "bad"
    return (*head, Seg(value_text(run.result), role))


def _who(view: View) -> list[Line]:
    """The model's own last word beside the reason for which the run ended."""
    texts, run = view.texts, view.run
    reason = run.terminal_reason
    rows: list[tuple[str, str, str]] = []
    call = run.call_at(view.index)
    if call is not None and call.stop_reason is not None:
        flag = call.stop_reason if call.stop_reason in _FLAGS else "other"
        rows.append(
            (
                texts("screen.ended.model"),
                f"stop_reason {stop_reason_text(call.stop_reason)}",
                f"{flag_note(view)} {texts(f'screen.flag.{flag}')}".strip(),
            )
        )
    if (said := end_row(view)) is not None:
        rows.append(said)
    by = "screen.ended.visualizer" if run.stop else "screen.ended.loop"
    rows.append(
        (texts(by), f"terminal_reason {display_safe(reason)}", texts(f"screen.reason.{reason}"))
    )
    first = max(cells(row[0]) for row in rows) + 3
    second = max(cells(row[1]) for row in rows) + 3
    return [
        (
            Seg("   "),
            Seg(who + " " * (first - cells(who)), "label"),
            Seg(what + " " * (second - cells(what)), "strong"),
            Seg(meaning, "dim"),
        )
        for who, what, meaning in rows
    ]


def _happened(said: Description, width: int, indent: int, rows: int) -> list[Line]:
    parts = wrap(said.happened, width - indent - 1, rows) or [""]
    first: Line = (Seg(" "), Seg(f" {said.phase} ", "phase"), Seg(" "), Seg(parts[0], "strong"))
    rest: list[Line] = [(Seg(" " * indent), Seg(part, "strong")) for part in parts[1:]]
    return [first, *rest]
