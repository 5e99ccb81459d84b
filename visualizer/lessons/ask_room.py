"""Questions about what takes room in a request, and what of it is unchanged."""

from __future__ import annotations

from visualizer.describe.room import PARTS, Room, room_of
from visualizer.lessons.questions import Asked, Question, number_question, question
from visualizer.run.timeline import Call


def largest_part(asked: Asked) -> Question | None:
    """Which part takes the most room in the request of this call."""
    call = _call(asked)
    room = _room(asked, call)
    if call is None or room is None:
        return None
    sizes = sorted(room.size(part) for part in PARTS)
    if sizes[-1] == sizes[-2]:
        return None
    texts = asked.texts
    options = [texts(f"window.option.{part}") for part in PARTS]
    right = texts(f"window.option.{room.largest}")
    prompt = texts("window.ask.largest_part", call=_number(asked))
    at = asked.index
    return question(asked, "largest_part", prompt, right, options, shown_at=at, turned=False)


def unchanged(asked: Asked) -> Question | None:
    """How many messages of this call, from the first on, the call before sent like this."""
    call = _call(asked)
    room = _room(asked, call)
    if call is None or room is None or asked.run.calls[0] is call:
        return None
    number = _number(asked)
    prompt = asked.texts("window.ask.unchanged", call=number, before=number - 1)
    before = asked.run.calls[asked.run.calls.index(call) - 1]
    tempting = [call.sent, min(before.sent, call.sent), call.sent - before.sent, 0]
    at = asked.index
    return number_question(asked, "unchanged", prompt, room.same, tempting, shown_at=at)


def _call(asked: Asked) -> Call | None:
    """The call that is made at this step."""
    return asked.run.call_at(asked.index) if asked.step.phase == "call" else None


def _room(asked: Asked, call: Call | None) -> Room | None:
    return None if call is None else room_of(asked.run, call)


def _number(asked: Asked) -> int:
    call = asked.run.call_at(asked.index)
    return asked.step.model_calls + (call is None or call.reply is None)
