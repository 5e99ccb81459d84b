"""Which recorded turn answered which call of a run."""

from __future__ import annotations

from collections.abc import Iterator

from visualizer.run.timeline import Call, Run
from visualizer.transcript.records import RecordedRun, Turn


def matched(recorded: RecordedRun, run: Run) -> Iterator[tuple[int, Turn]]:
    """(number of a call, the turn that was recorded for it), as far as they go together."""
    taken = next((call.take for call in run.calls if call.take), None)
    take = next((one for one in recorded.takes if one.name == taken), recorded.takes[0])
    turns = list(recorded.turns_of(take))
    at = 0
    for number, call in enumerate(run.calls):
        if at >= len(turns):
            return
        turn = turns[at]
        if call.reply is None:
            if turn.attempts:
                yield number, turn
            continue
        if _answers(turn, call):
            yield number, turn
            at += 1


def _answers(turn: Turn, call: Call) -> bool:
    content = (turn.response or {}).get("content")
    if call.reply is None or not isinstance(content, list):
        return False
    blocks = call.reply.blocks
    return len(blocks) == len(content) and all(
        block.data is one or block.data == one for block, one in zip(blocks, content, strict=True)
    )
