"""The messages at a step: requests with their results, and how far the model has read."""

from __future__ import annotations

from dataclasses import dataclass

from visualizer.app.view import View
from visualizer.describe.endings import never_sent
from visualizer.describe.host import compaction_of, lost
from visualizer.describe.phrases import safe, span
from visualizer.describe.rewritten import replaced
from visualizer.messages import Message
from visualizer.text import cells
from visualizer.tui.draw import recorded
from visualizer.tui.draw.content import content
from visualizer.tui.draw.point import POINTED, look_here
from visualizer.tui.draw.segments import Line, Seg, block, fit, spread, surface

ROLE = 11
MOST = 6
"""The most lines of one message; ``e`` shows it whole."""


def heading(view: View) -> tuple[str, str]:
    """The title of the pane, and what the column at its right edge says."""
    title = view.texts("screen.messages.title", n=view.step.messages)
    return title, view.texts("screen.messages.read_in") if view.at_end else ""


def messages(view: View, width: int, height: int) -> list[Line]:
    """The end of the list, or the part around the selected message."""
    if height <= 0:
        return []
    painter = _Rows(view, width, height)
    selected = view.settings.selected
    if selected is None:
        selected = view.lens.message
    count = view.step.messages
    lines = painter.upwards(count - 1, height)
    if selected is not None and selected < count and selected < painter.top:
        lines = painter.downwards(selected, height)
    return block(lines, width, height)


def read_by_model(view: View) -> int:
    """How many messages the model has read: those of the last call that got a reply."""
    call = view.run.call_at(view.index)
    while call is not None and call.reply is None:
        call = view.run.call_at(call.step - 1) if call.step > 1 else None
    return call.sent if call is not None and call.history == view.step.history else 0


def is_new(view: View, position: int) -> bool:
    """Whether a message came in, or changed, with this step."""
    if view.index == 1 or "new" in view.lens.hidden:
        return False
    before, step = view.run.step(view.index - 1), view.step
    if position >= before.messages:
        return True
    if before.history == step.history:
        return False
    one, other = (view.run.histories[each.history][position] for each in (before, step))
    return one is not other and one != other


def result_state(view: View, position: int) -> str:
    """What is still missing of a message's tool calls: nothing, ``in_hand`` or ``none_yet``."""
    message = view.run.message(view.index, position)
    waiting = {call.id for call in message.tool_calls}
    for later in range(position + 1, view.step.messages):
        following = view.run.message(view.index, later)
        if not waiting or following.role == "assistant":
            break
        waiting -= {result.tool_use_id for result in following.results}
    if not waiting:
        return ""
    if position < read_by_model(view):
        return "none"
    hand = {step.request.id for step in view.run.in_hand(view.index) if step.request}
    return "in_hand" if waiting <= hand else "none_yet"


@dataclass
class _Rows:
    """Builds the rows of a window, message by message."""

    view: View
    width: int
    height: int

    def __post_init__(self) -> None:
        self.numbers = len(str(max(self.view.step.messages - 1, 0)))
        self.indent = self.numbers + ROLE + 3
        self.top = 0
        self.read = read_by_model(self.view)
        unread = never_sent(self.view.run, self.view.step) if self.view.cut_off else range(0)
        self.never = unread.start if unread else -1
        self.replaced = replaced(self.view.run, self.view.step)
        self.most = self._room()

    def upwards(self, last: int, height: int) -> list[Line]:
        """The rows that end with message ``last``."""
        found: list[list[Line]] = [self._line_before(last + 1)]
        used = len(found[0])
        position = last
        while position >= 0 and used < height:
            rows = [*self._line_before(position), *self._message(position)]
            found.append(rows)
            used += len(rows)
            position -= 1
        self.top = position + 1 if used <= height else position + 2
        flat = [item for rows in reversed(found) for item in rows]
        return flat[-height:]

    def downwards(self, first: int, height: int) -> list[Line]:
        """The rows that begin with message ``first``."""
        flat: list[Line] = []
        for position in range(first, self.view.step.messages):
            if len(flat) >= height:
                break
            flat += [*(self._line_before(position) if flat else []), *self._message(position)]
        return flat[:height]

    def _room(self) -> int:
        """The most lines a message may take so that all are seen; 1 where that can't be."""
        count = self.view.step.messages
        if count > self.height:
            return 1
        lines = 1 if self.never >= 0 or self.read > 0 else 0
        lines += len(self.replaced)
        for most in (MOST, 3, 2):
            self.most = most
            if lines + sum(len(self._message(at)) for at in range(count)) <= self.height:
                return most
        return 1

    def _line_before(self, position: int) -> list[Line]:
        """The lines before a message: what was lost there, how far the model has read."""
        return [*self._lost(position), *self._read_line(position), *self._before(position)]

    def _before(self, position: int) -> list[Line]:
        """What stood in the place of a message that this step replaced, where there is room."""
        room = self.height - self.view.step.messages - 2
        if position not in self.replaced or room < len(self.replaced):
            return []
        return [self._gone(self.view.index - 1, position)]

    def _lost(self, position: int) -> list[Line]:
        """Where a summary stands, what it took the place of; message by message where it did."""
        view = self.view
        step = compaction_of(view.run, view.step.history)
        gone = lost(view.run, step) if step is not None else range(0)
        if step is None or not gone or position != gone.start:
            return []
        which = span(gone.start, gone.stop - 1)
        text = view.texts.count("screen.messages.replaced", len(gone), messages=which)
        line = _across(text, self.width, "x ", "never")
        room = self.height - view.step.messages - 2
        if step.index != view.index or room < len(gone):
            return [line]
        before = step.index - 1
        rows = [self._gone(before, at) for at in gone]
        return [*rows, line]

    def _gone(self, before: int, position: int) -> Line:
        message = self.view.run.message(before, position)
        told = content(self.view, message, max(self.width - self.indent - 1, 10), 1)[0]
        name = safe(message.role, ROLE - 1) or "?"
        head = f"x{position:>{self.numbers}} {name + ' ' * (ROLE - cells(name))} "
        dim = (seg._replace(role="dim") for seg in told)
        return fit([Seg(head, "never"), *dim], self.width)

    def _read_line(self, position: int) -> list[Line]:
        """The line between what the model has read and what it has not, where it is."""
        texts = self.view.texts
        if position == self.never:
            return [_across(texts("screen.messages.never_sent"), self.width, "=", "never")]
        if position == self.read > 0 and self.never < 0:
            call = self.view.run.call_at(self.view.index)
            number = self.view.step.model_calls
            if call is not None and call.reply is None:
                number = max(number, 1)
            shown = "?" if "calls" in self.view.lens.hidden else number
            text = texts("screen.messages.read_line", call=shown)
            if position == self.view.step.messages and not self.view.at_end:
                return []
            return [_across(text, self.width, "- ", "read")]
        return []

    def _message(self, position: int) -> list[Line]:
        message = self.view.run.message(self.view.index, position)
        chosen = position == self.view.settings.selected
        last = position == self.view.step.messages - 1
        most = max(self.most, 3) if chosen or (last and self.height > 5) else self.most
        tags = self._tags(message, position)
        taken = sum(cells(tag.text) for tag in tags)
        room = self.width - self.indent - 1 - (max(12, taken + 1) if tags else 0)
        texts = content(self.view, message, max(room, 10), most)
        lines: list[Line] = []
        for number, parts in enumerate(texts):
            head = self._head(position, message) if number == 0 else [Seg(" " * self.indent)]
            right = tags if number == 0 else []
            click = f"select:{position}"
            item = spread([*head, *parts], [*right, Seg(" ")], self.width)
            item = tuple(seg if seg.click else seg._replace(click=click) for seg in item)
            lines.append(surface(item, "chosen") if chosen else item)
        return [*lines, *self._asides(position)]

    def _asides(self, position: int) -> list[Line]:
        """What went with requests beside a message: put in by the host, or failed."""
        view = self.view
        found = view.shown.asides.at(view.step.history, position, view.index)
        return recorded.rows(view.texts, found, self.indent, self.width) if found else []

    def _head(self, position: int, message: Message) -> list[Seg]:
        role = "role.assistant" if message.role == "assistant" else "role.user"
        name = safe(message.role, ROLE - 1) or "?"
        mark = ">" if position == self.view.settings.selected else " "
        edge = Seg(mark, "dim")
        if position == self.view.lens.message:
            edge = Seg(POINTED, "point")
        number = f"{position:>{self.numbers}} "
        return [edge, Seg(number, "dim"), Seg(name + " " * (ROLE - cells(name)) + " ", role)]

    def _tags(self, message: Message, position: int) -> list[Seg]:
        texts, view = self.view.texts, self.view
        changed = _is_changed(view, message)
        tags = [Seg(" " + texts("screen.observe.mark"), "bad")] if changed else []
        if view.at_end:
            return [*tags, Seg(("  " if tags else "") + self._readers(message, position), "read")]
        if position == view.lens.message:
            tags.append(Seg(f" {look_here(view)}", "point"))
        state = result_state(view, position) if message.tool_calls else ""
        if state in ("in_hand", "none_yet"):
            tags.append(Seg(" " + texts(f"screen.messages.{state}"), "read"))
        if is_new(view, position):
            key = "window.replaced" if position in self.replaced else "screen.new"
            tags.append(Seg(" " + texts(key), "new"))
        return tags

    def _readers(self, message: Message, position: int) -> str:
        """The calls that sent a message: ``calls 1, 2``, ``its reply``, ``no call``."""
        texts = self.view.texts
        run = self.view.run
        answered = len(run.calls) - (1 if run.calls and run.calls[-1].reply is None else 0)
        sent = run.readers(self.view.index, position)
        numbers = range(sent.start, min(sent.stop, answered + 1))
        if not numbers:
            reply = message.role == "assistant" and position == self.read
            return texts("screen.messages.its_reply" if reply else "screen.messages.no_call")
        if len(numbers) > 2:
            return texts("screen.messages.calls_span", first=numbers[0], last=numbers[-1])
        return texts.count(
            "screen.messages.calls", len(numbers), calls=", ".join(map(str, numbers))
        )


def _is_changed(view: View, message: Message) -> bool:
    """Whether a reader changed a result in a message."""
    changed = view.shown.changed
    return bool(changed) and any(one.tool_use_id in changed for one in message.results)


def _across(text: str, width: int, mark: str, role: str) -> Line:
    side = (width - cells(text) - 4) // 2
    left = (mark * width)[: max(side, 0)]
    rest = (mark * width)[: max(width - 4 - cells(text) - len(left), 0)]
    return fit([Seg(" "), Seg(left, role), Seg(f" {text} ", role), Seg(rest, role)], width)
