"""OpenAI's APIs: Chat Completions and Responses, as recorded calls or lists of messages.

Chat: a *reply* is a completion's first choice, or an assistant message that a request holds
from before; its ``tool_calls`` (older: its ``function_call``) are *requests*, messages of the
role ``tool`` (``function``) the results. The AI SDK's messages have both as parts of the content
(``tool-call``, ``tool-result``). Output tokens are ``completion_tokens``.

Responses: a *reply* is a response of the status ``completed`` or ``incomplete``, told apart by
its id (one in the background is asked after until it is done). Calls of client tools and their
outputs are items with a ``call_id``, which the server gives once. Requests that hold items of
replies from before the file began do not say how many replies those were: unknown then.
"""

from __future__ import annotations

from typing import Any

from tests.independent.http import Exchanged, events, exchanged
from tests.independent.raw import Count, Object, each, obj, same, whole
from tests.independent.talk import Call, Said, counted

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
REQUESTS = (
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "shell_call",
    "apply_patch_call",
    "computer_call",
)
OUTPUTS = tuple(f"{name}_output" for name in REQUESTS)


def takes_chat(found: list[Any]) -> bool:
    """Whether calls of the chat, or its messages, are in a file."""
    return bool(_chat(found))


def chat(found: list[Any]) -> Count:
    """All calls of the chat."""
    return counted(_chat(found))


def _chat(found: list[Any]) -> list[Call]:
    entries = found[0] if len(found) == 1 and isinstance(found[0], list) else found
    if entries and all(map(_is_message, entries)) and any(map(_is_chats, entries)):
        return [Call([_said(one) for one in entries])]
    lists = [talk for one in entries if isinstance(one, dict) for talk in _benchmark(one)]
    if lists:
        return [Call([_said(one) for one in talk]) for talk in lists]
    return [made for one in exchanged(found) if (made := _call(one)) is not None]


def _benchmark(one: Object) -> list[list[Object]]:
    """Conversations that benchmarks keep, each whole."""
    if "task_id" in one and isinstance(one.get("traj"), list):
        return [each(one["traj"])]
    runs = each(one.get("simulations")) + each([one.get("simulation_run")])
    return [each(run["messages"]) for run in runs if isinstance(run.get("messages"), list)]


def _call(one: Exchanged) -> Call | None:
    if one.path and not one.path.rstrip("/").endswith("/chat/completions"):
        return None
    asked, came = obj(one.asked), one.came
    if isinstance(asked.get("choices"), list):
        asked, came = {}, one.asked
    if isinstance(came, str):
        came = _completion(came)
    choices = each(obj(came).get("choices"))
    sent = each(asked.get("messages"))
    if not choices and not (sent and all(map(_is_message, sent))):
        return None
    if not one.path and not choices and not any(map(_is_chats, sent)):
        return None
    messages = [_said(message) for message in sent]
    if not choices:
        failed = bool(obj(came).get("error")) or (one.status or 0) >= 400
        return Call(messages, None, failed)
    used = obj(obj(came).get("usage")).get("completion_tokens")
    reply = _said({**obj(choices[0].get("message")), "role": "assistant"})
    return Call(messages, reply, tokens_out=None if used is None else whole(used))


def _is_message(value: Any) -> bool:
    return obj(value).get("role") in _ROLES and "parts" not in obj(value)


def _is_chats(value: Any) -> bool:
    """A message that only the chat has."""
    one = obj(value)
    return one.get("role") in ("tool", "function", "developer", "system") or "tool_calls" in one


def _said(message: Object) -> Said:
    content = message.get("content")
    parts = content if isinstance(content, list) else [content]
    texts = [one.get("text") if isinstance(one, dict) else one for one in parts]
    text = "".join(one for one in texts if isinstance(one, str))
    role = str(message.get("role"))
    given = [one for one in each(content) if one.get("type") == "tool-result"]
    if given:
        return Said(role, results=tuple(one.get("toolCallId") for one in given))
    if role in ("tool", "function"):
        name = message.get("tool_call_id", message.get("id", message.get("name")))
        return Said(role, results=(name,))
    calls = [
        (one.get("toolCallId"), same([one.get("toolName"), one.get("input")]))
        for one in each(content)
        if one.get("type") == "tool-call"
    ]
    for one in each(message.get("tool_calls")):
        inner = obj(one.get("function")) or obj(one.get("custom")) or one
        arguments = inner.get("arguments", inner.get("input"))
        calls.append((one.get("id"), same([inner.get("name"), arguments])))
    if isinstance(message.get("function_call"), dict):
        inner = message["function_call"]
        calls.append((inner.get("name"), same([inner.get("name"), inner.get("arguments")])))
    return Said(role, text, tuple(calls))


def _completion(text: str) -> Object:
    """The completion that a stream comes to."""
    words, begun = "", False
    calls: dict[Any, Object] = {}
    used: Object = {}
    for event in events(text):
        if isinstance(event.get("error"), dict):
            return event
        used = obj(event.get("usage")) or used
        for choice in each(event.get("choices")):
            if choice.get("index", 0) != 0:
                continue
            begun = True
            delta = obj(choice.get("delta"))
            words += str(delta.get("content") or "")
            for one in each(delta.get("tool_calls")):
                call = calls.setdefault(one.get("index"), {"id": None, "name": "", "arguments": ""})
                call["id"] = one.get("id") or call["id"]
                call["name"] += str(obj(one.get("function")).get("name") or "")
                call["arguments"] += str(obj(one.get("function")).get("arguments") or "")
    if not begun:
        return {}
    message = {"content": words, "tool_calls": list(calls.values())}
    return {"choices": [{"message": message}], "usage": used}


def takes_responses(found: list[Any]) -> bool:
    """Whether calls of the Responses API, or its items, are in a file."""
    return bool(_responses(found)) or any(map(_is_tool_item, _items(found)))


def responses(found: list[Any]) -> Count:
    """All calls, or all items, of the Responses API."""
    made = _responses(found)
    if not made:
        return Count(None, *_tools_in(_items(found)), failed=0)
    names: dict[Any, Object] = {}
    failed = 0
    items: list[Object] = []
    own: set[Any] = set()
    for at, (body, came) in enumerate(made):
        items += each(body.get("input"))
        if came.get("status") in ("completed", "incomplete"):
            names[came.get("id") or at] = came
            items += each(came.get("output"))
            own |= {one.get(name) for one in each(came.get("output")) for name in ("id", "call_id")}
        elif came.get("error") or came.get("status") in ("failed", "cancelled"):
            failed += 1
    before = any(
        (one.get("role") == "assistant" or one.get("type") in REQUESTS)
        and not {one.get("id"), one.get("call_id")} & (own - {None})
        for body, _ in made
        for one in each(body.get("input"))
    )
    asked, answered, orphans = _tools_in(items)
    spent = [obj(one.get("usage")).get("output_tokens") for one in names.values()]
    tokens = sum(map(whole, spent)) if any(one is not None for one in spent) else None
    replies = None if before else len(names)
    return Count(replies, asked, answered, orphans, None, failed, tokens)


def _tools_in(items: list[Object]) -> tuple[int, int, int]:
    """Requests among items by their ``call_id``, those answered, outputs without a request."""
    requests = [one for one in items if one.get("type") in REQUESTS]
    own = {one["id"]: one.get("call_id") for one in requests if one.get("id")}
    asked = {_named(one, own) for one in requests}
    given = {_named(one, own) for one in items if one.get("type") in OUTPUTS}
    return len(asked), len(asked & given), len(given - asked)


def _named(one: Object, own: dict[Any, Any]) -> Any:
    """The id of a call; some clients send the item's own id back in its place."""
    name = one.get("call_id") or one.get("id")
    return own.get(name) or name


def _is_tool_item(one: Object) -> bool:
    return one.get("type") in (*REQUESTS, *OUTPUTS)


def _is_response(one: Object) -> bool:
    ours = one.get("object") == "response" or "status" in one
    return ours and isinstance(one.get("output"), list)


def _items(found: list[Any]) -> list[Object]:
    entries = found[0] if len(found) == 1 and isinstance(found[0], list) else found
    if len(found) == 1 and isinstance(found[0], dict):
        entries = found[0].get("data") or found[0].get("items") or []
    return each(entries)


def _responses(found: list[Any]) -> list[tuple[Object, Object]]:
    made = []
    for one in exchanged(found):
        part = one.path.rstrip("/").rpartition("/responses")
        if one.path and (not part[1] or part[2] in ("/compact", "/input_tokens")):
            continue
        asked, came = obj(one.asked), one.came
        if _is_response(asked):
            asked, came = {}, one.asked
        if isinstance(came, str):
            ends = [obj(event.get("response")) for event in events(came) if "response" in event]
            came = ends[-1] if ends else {}
        came = obj(came)
        if (one.status or 0) >= 400 and not came.get("error"):
            came = {"error": came or "?"}
        if one.path or _is_response(came) or any(map(_is_tool_item, each(asked.get("input")))):
            made.append((asked, came))
    return made
