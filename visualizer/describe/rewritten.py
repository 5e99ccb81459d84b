"""Messages that a loop rewrote, in words: how many, which of them, and what is gone."""

from __future__ import annotations

from visualizer.i18n import Texts
from visualizer.messages import Message
from visualizer.run.timeline import Run, Step

MOST_NAMED = 6
"""How many messages are named one by one."""


def replaced(run: Run, step: Step) -> tuple[int, ...]:
    """The messages in whose place a rewrite put others; none where the list got another length."""
    if step.phase != "rewrite":
        return ()
    old, new = _lists(run, step)
    if len(old) != len(new):
        return ()
    pairs = enumerate(zip(old, new, strict=True))
    return tuple(at for at, (one, other) in pairs if one is not other and one != other)


def rewrite_sentences(run: Run, step: Step, texts: Texts) -> list[str]:
    """What a loop did to its messages that is no append."""
    old, new = _lists(run, step)
    sentences = [texts("step.rewrite.sizes", before=len(old), after=len(new))]
    if changed := replaced(run, step):
        gone = sum(_results_size(old[at]) - _results_size(new[at]) for at in changed)
        key = "window.rewrite.cleared" if gone > 0 else "window.rewrite.replaced"
        which = ", ".join(map(str, changed[:MOST_NAMED]))
        which += ", ..." if len(changed) > MOST_NAMED else ""
        return [*sentences, texts.count(key, len(changed), messages=which, gone=f"{gone:,}")]
    pairs = enumerate(zip(old, new, strict=False))
    first = next((at for at, (a, b) in pairs if a is not b and a != b), min(len(old), len(new)))
    if first < max(len(old), len(new)):
        sentences.append(texts("step.rewrite.first", message=first))
    return sentences


def _lists(run: Run, step: Step) -> tuple[list[Message], list[Message]]:
    """The messages before a rewrite and behind it."""
    before = run.step(step.index - 1)
    old = run.histories[before.history][: before.messages]
    new = run.histories[step.history][: step.messages]
    return list(old), list(new)


def _results_size(message: Message) -> int:
    return sum(len(block.result_text) for block in message.results)
