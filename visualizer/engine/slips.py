"""What a loop does with its model, its tools or a reply that can't be meant, told as what it is.

What is no message is seen in a request that an endpoint would refuse anyhow; what the model or
the tools can't take is raised in the loop, as the ``TypeError`` that a live client would raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any

from visualizer.engine.reply import Misused, Reply, ToolCall
from visualizer.errors import Problem
from visualizer.messages import Message
from visualizer.protocol import Violation

SLIPS = (
    "reply_stored",  # a reply object where its message belongs
    "method_stored",  # a method that was not called
    "call_stored",  # a tool call
    "text_stored",  # a text
    "result_stored",  # a tool result by itself
    "results_stored",  # a list
    "not_a_message",  # anything else that is no object
    "no_role",
    "no_content",
    "reply_in_content",
    "odd_content",  # content that is neither a text nor a list
    "odd_block",  # something in that list that is no object
)
"""What a loop may put where a message belongs. The rules see of it only that it breaks them."""

_PROBES = {"_model": "model(messages)", "_tools": "tools(call)"}
"""What the loop holds as its model and its tools, and how each is called."""

_CHANGING = frozenset({"append", "extend", "insert"})
"""Methods of a list that change it and return None."""


def sent_messages(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The messages that ``model(…)`` was called with, taken out of ``named``."""
    if not given and "messages" in named:
        given = (named.pop("messages"),)
    if len(given) != 1 or "messages" in named:
        raise Misused("slip.model_arguments")
    messages = given[0]
    if messages is None:
        raise Misused("slip.model_none")
    if isinstance(messages, (str, bytes, Mapping, Reply)) or not isinstance(messages, Iterable):
        raise Misused("slip.model_messages", kind=_kind(messages))
    return messages


def asked_call(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The call that ``tools(…)`` was called with."""
    if not given and named.keys() == {"call"}:
        given, named = (named["call"],), {}
    if len(given) != 1 or named:
        raise Misused("slip.tools_arguments")
    call = given[0]
    if isinstance(call, (list, tuple)):
        raise Misused("slip.tools_list")
    if not all(isinstance(getattr(call, name, None), str) for name in ("id", "name")):
        raise Misused("slip.tools_call", kind=_kind(call))
    return call


def not_messages(
    sent: Sequence[Any], violations: Iterable[Violation], recorded: Callable[[int], bool]
) -> tuple[Violation, ...]:
    """The violations that come from what is no message, told as what that is.

    ``recorded`` says whether a message came so from the recording: that is no loop's slip.
    """
    found = {}
    for one in violations:
        number = _message_number(one.pointer)
        if number is not None and number not in found and not recorded(number):
            found[number] = _slip(sent[number], number)
    return tuple(one for one in found.values() if one is not None)


def attribute_slip(error: BaseException) -> Problem | None:
    """What an attribute that is not there shows to be a mix-up; None where it may be anything."""
    if not isinstance(error, AttributeError):
        return None
    owner, name = getattr(error, "obj", None), str(error.name or "")
    key = ""
    if isinstance(owner, Reply):
        key = "reply_attribute"
    elif isinstance(owner, ToolCall):
        key = "call_attribute"
    elif isinstance(owner, dict) and ("type" in owner or "role" in owner):
        key = "dict_attribute"
    elif owner is None and name in _CHANGING:
        key = "none_attribute"
    elif isinstance(owner, (MethodType, FunctionType)) and owner.__module__ == _PROBING:
        call = _PROBES.get(owner.__name__, "")
        return Problem("", "slip.function_attribute", {"call": call}) if call else None
    return Problem("", f"slip.{key}", {"name": name}) if key else None


_PROBING = "visualizer.engine.tracer"


def _slip(message: Any, number: int) -> Violation | None:
    """What something is that takes the place of a message; None where it is one."""
    place = f"/messages/{number}"
    if not isinstance(message, Mapping):
        return _violation(_CODES.get(type(message), "not_a_message"), place, message)
    if "role" not in message:
        result = message.get("type") == "tool_result"
        return _violation("result_stored" if result else "no_role", place, message)
    return _content_slip(message.get("content"), place)


def _content_slip(content: Any, place: str) -> Violation | None:
    if content is None:
        return _violation("no_content", place, content)
    if isinstance(content, Reply):
        return _violation("reply_in_content", place, content)
    if not isinstance(content, (str, list, tuple)):
        return _violation("odd_content", place, content)
    for index, block in enumerate(() if isinstance(content, str) else content):
        if not isinstance(block, Mapping):
            return _violation("odd_block", f"{place}/content/{index}", block)
    return None


_CODES: dict[type, str] = {
    Reply: "reply_stored",
    ToolCall: "call_stored",
    str: "text_stored",
    list: "results_stored",
    MethodType: "method_stored",
    FunctionType: "method_stored",
    BuiltinMethodType: "method_stored",
}


def _violation(code: str, pointer: str, value: object) -> Violation:
    assert code in SLIPS
    return Violation(code, pointer, (_kind(value),))


def _message_number(pointer: str) -> int | None:
    parts = pointer.split("/")
    found = len(parts) > 2 and parts[1] == "messages" and parts[2].isdigit()
    return int(parts[2]) if found else None


def _kind(value: object) -> str:
    """A value's type, as a sentence names it."""
    return "None" if value is None else type(value).__name__


def same_as_first(first: Sequence[Message], sent: Sequence[Message]) -> Callable[[int], bool]:
    """Whether a message that is sent is one that the recording begins with."""
    return lambda number: number < min(len(first), len(sent)) and sent[number] == first[number]
