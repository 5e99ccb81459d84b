"""Searching in messages: those on the screen first, then those that are still to come."""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.messages import Block, Message
from visualizer.timeline import Run
from visualizer.tui.session import Session


def find(
    session: Session, query: str, selected: int | None, direction: int
) -> tuple[int, int | None] | None:
    """(message, step to go to or None) of the next hit, going round; None without any.

    A message that is not there yet is found at the step that brings it. Linear in the run.
    """
    run, index = session.run, session.index
    history = run.histories[run.step(index).history]
    here = run.step(index).messages
    count = len(history)
    start = selected if selected is not None else (-1 if direction > 0 else here)
    wanted = query.casefold()
    for offset in range(1, count + 1):
        position = (start + offset * direction) % count
        if any(wanted in text.casefold() for text in words(history[position])):
            return position, None if position < here else first_step_with(run, index, position)
    return None


def words(message: Message) -> Iterator[str]:
    """Every text in a message: what was said, asked for and found."""
    for block in message.blocks:
        yield from _words(block)


def _words(block: Block) -> Iterator[str]:
    if block.type == "text":
        yield block.text
    elif block.type == "tool_result":
        yield block.result_text
    elif block.type == "tool_use":
        yield block.name
        yield from _strings(block.input)
    else:
        yield from _strings(dict(block.data))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _strings(item)
    elif value is not None:
        yield str(value)


def first_step_with(run: Run, index: int, position: int) -> int:
    """The first step after ``index`` at which message ``position`` is there."""
    for step in run.steps[index:]:
        if step.messages > position:
            return step.index
    return index
