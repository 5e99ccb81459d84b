"""A fingerprint of a run: short, and the same wherever the same happens again.

It is a chain over the steps, so two runs have the same fingerprints up to where they part.
Lines of code do not count: a comment more in a loop's file changes nothing that happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from visualizer.describe.phrases import kept, scalar
from visualizer.messages import Block, Message
from visualizer.run.timeline import Run, Step

SIZE = 4
"""Bytes: eight hexadecimal digits can be compared by eye."""


def fingerprint(run: Run, index: int | None = None) -> str:
    """The fingerprint of the steps up to one (1-based); of the whole run without it."""
    chain = kept(run, "_fingerprints", lambda one: tuple(_chain(one)))
    return chain[-1] if index is None else chain[index - 1]


def _chain(run: Run) -> Iterator[str]:
    value = b""
    seen, history = 0, 0
    for step in run.steps:
        if step.history != history:
            seen, history = 0, step.history
        messages = run.histories[step.history][seen : step.messages]
        seen = max(seen, step.messages)
        said = "\n".join([*_told(run, step), *map(_message, messages)])
        value = blake2b(value + said.encode("utf-8", "replace"), digest_size=SIZE).digest()
        yield value.hex()


def _told(run: Run, step: Step) -> Iterator[str]:
    """What happened in a step, apart from its messages."""
    yield f"{step.place} {step.stop_reason} {step.messages} {step.sent}"
    yield f"{step.model_calls} {step.tool_rounds} {step.tool_calls}"
    yield from (_block(block) for block in (step.request, step.result) if block is not None)
    if step.phase == "end":
        yield f"{run.terminal_reason} {scalar(run.result)!r}"


def _message(message: Message) -> str:
    return " ".join([message.role, *map(_block, message.blocks)])


def _block(block: Block) -> str:
    return block.key.hex()
