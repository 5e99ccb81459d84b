"""Small recordings with one oddity each, as real files have them."""

from __future__ import annotations

from typing import Any

from tests.made import text_block, tool_result, tool_use
from tests.made_outside import QUESTION, Session, small_session, small_stream

DONE = text_block("Whitby.")


def _asked(*names: str, flag: str | None = None) -> Session:
    made = Session()
    made.user(QUESTION)
    made.reply("m1", *map(tool_use, names), flag=flag)
    return made


def _answered(made: Session) -> Session:
    made.reply("m9", DONE, flag="end_turn")
    return made


def cut_off_and_answered() -> Session:
    """The token limit cut a request off; the client answered it with an error and went on."""
    made = _asked("a", flag="max_tokens")
    made.user([tool_result("a", "cut off", is_error=True)])
    return _answered(made)


def flag_says_the_end() -> Session:
    """A gateway flags every reply as the end, tools or not; the client runs them."""
    made = _asked("a", flag="end_turn")
    made.result("a")
    return _answered(made)


def half_a_round() -> Session:
    """The user went on when one of two calls had a result."""
    made = _asked("a", "b")
    made.result("a")
    made.user("And then?")
    return _answered(made)


def half_a_round_at_the_end() -> Session:
    """The file ends while a second call is running."""
    made = _asked("a", "b")
    made.result("a")
    return made


def second_of_a_round() -> Session:
    """The file ends when the second of two parallel calls was the faster one."""
    made = _asked("a", "b")
    made.result("b")
    return made


def waiting() -> Session:
    """The file ends with a tool request."""
    return _asked("a")


def nobody_asked() -> Session:
    """A result for a request that is not in the file."""
    made = _asked("a")
    made.user([tool_result("a"), tool_result("lost", "?")])
    return _answered(made)


def no_reply() -> Session:
    """Only a prompt."""
    made = Session()
    made.user(QUESTION)
    return made


def commands() -> Session:
    """A command that the client carries out, one that makes the model reply, a note."""
    made = Session()
    made.user("<command-name>/clear</command-name>")
    made.user("<local-command-stdout></local-command-stdout>")
    made.user(QUESTION)
    made.reply("m1", DONE, flag="end_turn")
    made.user("<command-name>/init</command-name>")
    made.user("Analyse this codebase.", isMeta=True)
    made.reply("m2", DONE, flag="end_turn")
    return made


def interrupted() -> Session:
    """Two calls denied, the mark of the client, another prompt."""
    made = _asked("a", "b")
    made.user([tool_result("a", "no", is_error=True)])
    made.user([tool_result("b", "no", is_error=True)])
    made.user("[Request interrupted by user for tool use]")
    made.user("Then not.")
    return _answered(made)


def failures() -> Session:
    """A request that was tried again, one that failed for good, and the client's own words."""
    made = Session()
    made.user(QUESTION)
    made.line("system", subtype="api_error", error={"status": 529, "message": "Overloaded"})
    made.reply("m1", DONE, flag="end_turn")
    made.user("And then?")
    message = {
        "model": "<synthetic>",
        "role": "assistant",
        "content": [text_block("API Error: 500")],
    }
    made.line("assistant", message=message, isApiErrorMessage=True)
    made.user("Go on.")
    other = {**message, "content": [text_block("No response requested.")]}
    made.line("assistant", message=other)
    return _answered(made)


def doubled() -> Session:
    """All lines twice, as a branch of a session keeps them."""
    made = small_session()
    made.lines = [*made.lines, *(dict(line) for line in made.lines)]
    return made


def early_counts() -> Session:
    """Replies whose tokens were noted before they were whole: the client left the flag open."""
    made = Session()
    made.user(QUESTION)
    made.reply("m1", tool_use("a"), usage={"input_tokens": 10, "output_tokens": 1})
    made.result("a")
    made.reply("m2", DONE, usage={"input_tokens": 20, "output_tokens": 2})
    return made


def stream_with_a_sum() -> Session:
    """A stream whose result line has more tokens than its replies, which were still growing."""
    made = small_stream()
    made.lines[-1]["usage"] = {"input_tokens": 50, "output_tokens": 400}
    return made


SESSIONS = {
    made.__name__: made
    for made in (
        cut_off_and_answered,
        flag_says_the_end,
        half_a_round,
        half_a_round_at_the_end,
        second_of_a_round,
        waiting,
        nobody_asked,
        no_reply,
        commands,
        interrupted,
        failures,
        doubled,
        early_counts,
        stream_with_a_sum,
    )
}


def _messages(*messages: tuple[str, Any]) -> list[dict[str, Any]]:
    return [{"role": role, "content": content} for role, content in messages]


def _exchange(sent: list[dict[str, Any]], *blocks: dict[str, Any], stop: str) -> dict[str, Any]:
    reply = {"type": "message", "role": "assistant", "model": "m", "content": list(blocks)}
    usage = {"input_tokens": 9, "output_tokens": 4}
    body = {"model": "m", "max_tokens": 99, "messages": sent}
    return {**body, "response": {**reply, "stop_reason": stop, "usage": usage}}


ASK = _messages(("user", QUESTION))
LOOKED = [*ASK, *_messages(("assistant", [tool_use("a")]), ("user", [tool_result("a")]))]
EXCHANGES: dict[str, list[dict[str, Any]]] = {
    "a round": [
        _exchange(ASK, tool_use("a"), stop="tool_use"),
        _exchange(LOOKED, DONE, stop="end_turn"),
    ],
    "two conversations at once": [
        _exchange(ASK, tool_use("a"), stop="tool_use"),
        _exchange(_messages(("user", "Name this talk.")), text_block("Petrel"), stop="end_turn"),
        _exchange(LOOKED, DONE, stop="end_turn"),
    ],
    "a failure": [
        {**_exchange(ASK, stop="end_turn"), "response": {"type": "error", "error": {"type": "x"}}},
        _exchange(ASK, DONE, stop="end_turn"),
    ],
    "no result": [_exchange(ASK, tool_use("a"), stop="tool_use")],
    "replies from before": [_exchange(LOOKED, DONE, stop="end_turn")],
}
