"""Anthropic's Messages API: recorded calls, or only lists of messages.

A *reply* is a Message object that came back (in a stream: from its ``message_start`` on), or an
assistant message that a request holds from before. *Tool requests* are ``tool_use`` blocks (a
server's own tools are not asked of the client), results are ``tool_result`` blocks. A call
*failed* where an error came back. *Output tokens* are in a reply's ``usage``, in a stream last
in ``message_delta``.
"""

from __future__ import annotations

import json
from typing import Any

from tests.independent.http import Exchanged, events, exchanged
from tests.independent.raw import Count, Object, each, obj, same, whole
from tests.independent.talk import Call, Said, counted


def takes(found: list[Any]) -> bool:
    """Whether this API's calls are among those of a file."""
    return bool(_calls(found))


def count(found: list[Any]) -> Count:
    """All calls of a file."""
    return counted(_calls(found))


def _calls(found: list[Any]) -> list[Call]:
    entries = found[0] if len(found) == 1 and isinstance(found[0], list) else found
    if entries and all(map(_is_message, entries)):
        return [Call([_said(one) for one in entries])]
    return [made for one in exchanged(found) if (made := _call(one)) is not None]


def _call(one: Exchanged) -> Call | None:
    if one.path and not one.path.rstrip("/").endswith("/messages"):
        return None
    asked = obj(one.asked)
    came = one.came
    if _is_reply(asked):
        asked, came = {}, one.asked
    sent = asked.get("messages")
    if isinstance(came, str):
        came = _assembled(came)
    reply = came if _is_reply(came) else None
    if reply is None and not (isinstance(sent, list) and sent and all(map(_is_message, sent))):
        return None
    if not one.path and reply is None and obj(came).get("choices") is not None:
        return None
    failed = reply is None and (obj(came).get("type") == "error" or (one.status or 0) >= 400)
    messages = [_said(message) for message in each(sent)]
    if reply is None:
        return Call(messages, None, failed)
    used = obj(reply.get("usage")).get("output_tokens")
    return Call(messages, _said(reply), tokens_out=None if used is None else whole(used))


def _is_reply(value: Any) -> bool:
    one = obj(value)
    return (
        one.get("type") == "message"
        and not isinstance(one.get("content"), str)
        and _is_message(one)
    )


def _is_message(value: Any) -> bool:
    """A message of this API and not of a chat: no tool calls beside the content."""
    one = obj(value)
    if one.get("role") not in ("user", "assistant") or "tool_calls" in one or "parts" in one:
        return False
    content = one.get("content")
    if isinstance(content, str):
        return True
    kinds = [str(block.get("type")) for block in each(content)]
    others = ("input_", "output_text", "image_url", "function", "refusal", "tool-")
    return isinstance(content, list) and not any(kind.startswith(others) for kind in kinds)


def _said(message: Object) -> Said:
    content = message.get("content")
    if isinstance(content, str):
        return Said(str(message.get("role")), content)
    blocks = each(content)
    text = "".join(str(one.get("text")) for one in blocks if one.get("type") == "text")
    calls = tuple(
        (one.get("id"), same([one.get("name"), one.get("input")]))
        for one in blocks
        if one.get("type") == "tool_use"
    )
    results = tuple(one.get("tool_use_id") for one in blocks if one.get("type") == "tool_result")
    return Said(str(message.get("role")), text, calls, results)


def _assembled(text: str) -> Object:
    """The Message object, or the error, that a stream comes to."""
    made: Object = {}
    blocks: dict[Any, Object] = {}
    for event in events(text):
        kind, delta = event.get("type"), obj(event.get("delta"))
        if kind == "message_start":
            made = {**obj(event.get("message"))}
        elif kind == "content_block_start":
            blocks[event.get("index")] = {**obj(event.get("content_block")), "json": ""}
        elif kind == "content_block_delta":
            block = blocks.setdefault(event.get("index"), {"json": ""})
            block["json"] += str(delta.get("partial_json", ""))
            if "text" in delta:
                block["text"] = str(block.get("text", "")) + str(delta["text"])
        elif kind == "message_delta":
            made["usage"] = {**obj(made.get("usage")), **obj(event.get("usage"))}
        elif kind == "error":
            return event
    for block in blocks.values():
        if block["json"]:
            block["input"] = json.loads(block["json"])
    return {**made, "content": list(blocks.values())} if made else made
