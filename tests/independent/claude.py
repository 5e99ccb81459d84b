"""Claude Code: sessions on disk, and what the client prints as ``stream-json``.

- A *reply* is one Message object of the API, written over several lines, one block a line:
  lines with one ``message.id`` whose links lead from one to the next. Gateways give all replies
  one id; then the link of the first line of the next reply leads to a user's line. A stream has
  no links, so there one id is one reply, and where a whole stream has but one id, nothing is
  known.
- ``<synthetic>`` messages and lines with ``isApiErrorMessage`` are the client's own.
- A *tool request* is a ``tool_use`` block with its id; its result names that id.
- A *prompt* is a user's line of the main conversation that is no result, no note of the client
  (``isMeta``, ``isSynthetic``, ``isCompactSummary``, an ``origin`` that is not the user), no
  command to the client that it carried out itself, and no mark of an interruption. A stream
  mostly does not print the first one, and nobody says whose a subagent's are: unknown there.
- *Failed* requests are the client's lines on errors: ``api_error``, ``api_retry``,
  ``isApiErrorMessage``.
- *Output tokens* are in the last line of each reply (the first has an early number). A stream
  only has early numbers, but its result line has the sum; they are unknown without one, and
  where it is less than its replies come to or there are subagents.
- A line with the ``uuid`` and the message of one that was there before is a copy (branching
  doubles histories so).
"""

from __future__ import annotations

from typing import Any

from tests.independent.raw import Count, Object, each, obj, same, whole

_NOTES = ("isMeta", "isSynthetic", "isCompactSummary", "isVisibleInTranscriptOnly")
_CLIENT = (
    "[Request interrupted by user",
    "<command-",
    "<local-command-",
    "<bash-",
    "<task-notification>",
    "Operation stopped by hook",
)


def is_session(lines: list[Object]) -> bool:
    """Lines of a session link to one another."""
    return any(
        one.get("type") in ("user", "assistant") and ("parentUuid" in one or "sessionId" in one)
        for one in lines
    )


def is_stream(lines: list[Object]) -> bool:
    """Lines of a stream name the session and the request that they belong to."""
    return any(
        one.get("type") in ("user", "assistant", "system", "result")
        and ("session_id" in one or "parent_tool_use_id" in one)
        and "parentUuid" not in one
        for one in lines
    )


def session(lines: list[Object]) -> Count:
    """A session, with the lines of its subagents' files behind it."""
    written = len(lines)
    lines = _once(lines)
    nodes = {one["uuid"]: one for one in lines if isinstance(one.get("uuid"), str)}
    alone = all(one.get("isSidechain") for one in lines if one.get("type") in ("user", "assistant"))
    spent: dict[int, int] = {}
    reply_of: dict[int, int] = {}
    prompts = failed = 0
    commands = known_tokens = False
    before: Object = {}
    for one in lines:
        kind, message = one.get("type"), obj(one.get("message"))
        if _is_failure(one):
            failed += 1
        elif _is_said(one):
            came = _follows(one, nodes, before)
            known = reply_of.get(id(came))
            ours = known is not None and message.get("id") == obj(came["message"]).get("id")
            number = known if ours and known is not None and message.get("id") else len(spent)
            reply_of[id(one)] = number
            used = obj(message.get("usage")).get("output_tokens")
            spent[number] = whole(used)
            known_tokens = known_tokens or used is not None
            prompts += commands and not one.get("isSidechain")
            commands = False
        elif kind == "user" and (alone or not one.get("isSidechain")):
            commands = _is_command(one) or (commands and bool(one.get("isMeta")))
            prompts += _is_prompt(one)
        before = one if kind in ("user", "assistant") else before
    asked, answered, orphans = _tools(lines)
    asks = None if alone and prompts else prompts
    tokens = sum(spent.values()) if known_tokens else None
    repeated = written - len(lines)
    return Count(len(spent), asked, answered, orphans, asks, failed, tokens, repeated)


def stream(lines: list[Object]) -> Count:
    """A stream; the prompt of its first query is mostly not printed, so prompts are unknown."""
    lines = _once(lines)
    spent: dict[tuple[Any, Any, int], int] = {}
    failed = part = total = 0
    for at, one in enumerate(lines):
        if one.get("type") == "result":
            total += whole(obj(one.get("usage")).get("output_tokens"))
            part += 1
        elif _is_failure(one):
            failed += 1
        elif _is_said(one):
            message = one["message"]
            number = part if message.get("id") else -at - 1
            name = (one.get("parent_tool_use_id"), message.get("id"), number)
            spent[name] = whole(obj(message.get("usage")).get("output_tokens"))
    asked, answered, orphans = _tools(lines)
    replies = len(spent) if len(spent) > 1 or not answered else None
    alone = all(parent is None for parent, _, _ in spent)
    tokens = total if alone and total and total >= sum(spent.values()) else None
    return Count(replies, asked, answered, orphans, None, failed, tokens)


def _is_failure(one: Object) -> bool:
    """A line on a request that failed, whether it was tried again or not."""
    if one.get("type") == "system":
        return one.get("subtype") in ("api_error", "api_retry")
    return one.get("type") == "assistant" and bool(one.get("isApiErrorMessage") or one.get("error"))


def _once(lines: list[Object]) -> list[Object]:
    """Each line once: one with the ``uuid`` and the message of an earlier one is a copy."""
    seen: set[Any] = set()
    found = []
    for one in lines:
        name = (one.get("uuid"), one.get("type"), same(one.get("message")))
        if one.get("uuid") and name in seen:
            continue
        seen.add(name)
        found.append(one)
    return found


def _is_said(one: Object) -> bool:
    message = obj(one.get("message"))
    if one.get("type") != "assistant" or message.get("model") == "<synthetic>":
        return False
    return isinstance(message.get("content"), str | list | dict) and not one.get(
        "isApiErrorMessage"
    )


def _follows(one: Object, nodes: dict[str, Object], before: Object) -> Object:
    """The line of a user or the model that a line links to, past the client's other lines."""
    seen = set()
    name = one.get("parentUuid")
    if name not in nodes:
        return before
    while name in nodes and name not in seen:
        seen.add(name)
        found = nodes[name]
        if found.get("type") in ("user", "assistant"):
            return found
        name = found.get("parentUuid")
    return {}


def _blocks(one: Object) -> list[Object]:
    return each(obj(one.get("message")).get("content"))


def _is_prompt(one: Object) -> bool:
    content = obj(one.get("message")).get("content")
    blocks = _blocks(one)
    if not isinstance(content, str | list) or any(map(one.get, _NOTES)):
        return False
    if any(block.get("type") == "tool_result" for block in blocks):
        return False
    if obj(one.get("origin")).get("kind", "human") != "human":
        return False
    return not _text(one).startswith(_CLIENT)


def _text(one: Object) -> str:
    content = obj(one.get("message")).get("content")
    texts = [block.get("text") for block in _blocks(one) if block.get("type") == "text"]
    return str(content if isinstance(content, str) else next(iter(texts), "")).lstrip()


def _is_command(one: Object) -> bool:
    """A command to the client: a prompt where it made the model reply, as ``/init`` does."""
    return _text(one).startswith("<command-")


def _tools(lines: list[Object]) -> tuple[int, int, int]:
    """Requests, those answered, results without a request."""
    asked = {
        block.get("id")
        for one in lines
        if _is_said(one)
        for block in _blocks(one)
        if block.get("type") == "tool_use"
    }
    results = [
        block.get("tool_use_id")
        for one in lines
        if one.get("type") == "user"
        for block in _blocks(one)
        if block.get("type") == "tool_result"
    ]
    return len(asked), len(asked & set(results)), sum(one not in asked for one in results)


def unwrapped(found: list[Any]) -> list[Object]:
    """The client's own lines, out of a list, an SDK's record of its pipe, or envelopes."""
    return [
        inner if isinstance(inner, dict) and isinstance(inner.get("type"), str) else one
        for one in objects_of(found)
        for inner in [one.get("data") if "data" in one else _piped(one)]
    ]


def _piped(one: Object) -> Any:
    return one.get("message") if "direction" in one else None


def objects_of(found: list[Any]) -> list[Object]:
    """The entries of a file, out of the list that one object may keep them in."""
    if (
        len(found) == 1
        and isinstance(found[0], dict)
        and isinstance(found[0].get("messages"), list)
    ):
        return each(found[0]["messages"])
    if len(found) == 1 and isinstance(found[0], list):
        return each(found[0])
    return [one for one in found if isinstance(one, dict)]
