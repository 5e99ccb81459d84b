"""Codex: the rollouts that the client keeps, and what ``codex exec --json`` prints.

Rollout: calls and outputs are items with a ``call_id``. A *reply* leaves a ``token_count``
whose total differs from the one before it; a rollout without such events, one that counts
before its first item (an old client's way), or one that ends in an item of the model that
nothing counted, does not say how many replies there are. *Prompts* are ``user_message``
events, where there is one for each item of the role ``user`` that is no note of the client. A
rollout that was forked off another, or that has subagents of its own, mixes sessions: unknown.

``codex exec``: an item with a command, a patch or a call of a tool is a *request*, answered by
its own completion (ids begin anew with each ``thread.started``). What came in one reply is not
said. Every ``turn.started`` is a *prompt*, which is not printed itself; ``turn.completed`` has
the tokens of the session so far.
"""

from __future__ import annotations

from typing import Any

from tests.independent.openai import OUTPUTS, REQUESTS
from tests.independent.raw import Count, Object, each, obj, whole

_CALLS = ("command_execution", "file_change", "mcp_tool_call", "collab_tool_call")
_MODELS = ("function_call", "custom_tool_call", "local_shell_call", "reasoning")
_AGENTS = ("spawn_agent", "send_input", "wait_agent", "close_agent")


def is_rollout(lines: list[Object]) -> bool:
    """Lines that wrap a payload, or bare items behind an old header."""
    if any(one.get("type") in ("response_item", "event_msg", "session_meta") for one in lines):
        return any(isinstance(one.get("payload"), dict) for one in lines)
    return bool(lines) and (
        "record_type" in str(lines[:3]) or ("instructions" in lines[0] and "parts" not in lines[0])
    )


def is_exec(lines: list[Object]) -> bool:
    """Lines of threads, turns and items."""
    kinds = {one.get("type") for one in lines}
    return bool(kinds & {"thread.started", "item.started", "item.completed"})


def rollout(lines: list[Object]) -> Count:
    """A session without forks or subagents; of others, nothing is known."""
    metas = [obj(one.get("payload")) for one in lines if one.get("type") == "session_meta"]
    items = [obj(one["payload"]) for one in lines if one.get("type") == "response_item"]
    if not metas and not items:
        items = lines
    mixed = any(one.get("forked_from_id") or one.get("parent_thread_id") for one in metas)
    if not items or mixed or any(one.get("name") in _AGENTS for one in items):
        return Count()
    asked, answered, orphans = _tools(items)
    events = [obj(one["payload"]) for one in lines if one.get("type") == "event_msg"]
    asks = [one for one in events if one.get("type") == "user_message"]
    replies, tokens = _counted(lines)
    noted = [one for one in items if one.get("role") == "user" and not _is_note(one)]
    prompts = len(asks) if len(asks) == len(noted) else None
    failed = sum(one.get("type") in ("error", "stream_error") for one in events)
    return Count(replies, asked, answered, orphans, prompts, failed, tokens)


def _is_note(item: Object) -> bool:
    """Whether an item of the role user begins as the client's own texts do."""
    texts = [str(part.get("text")) for part in each(item.get("content"))]
    return any(text.lstrip().startswith(("<", "# AGENTS.md")) for text in texts[:1])


def _tools(items: list[Object]) -> tuple[int, int, int]:
    """Requests, those answered, outputs that none waits for; ids may come again later."""
    asked = answered = 0
    orphans: list[Any] = []
    waiting: list[Any] = []
    for one in items:
        if one.get("type") in REQUESTS:
            asked += 1
            waiting.append(one.get("call_id") or one.get("id"))
        elif one.get("type") in OUTPUTS and one.get("call_id") in waiting:
            waiting.remove(one["call_id"])
            answered += 1
        elif one.get("type") in OUTPUTS:
            orphans.append(one.get("call_id"))
    return asked, answered, len(orphans)


def _counted(lines: list[Object]) -> tuple[int | None, int | None]:
    """Replies and their output tokens, by the client's own counts."""
    replies = tokens = 0
    total: Any = None
    open_items = 0
    begun = False
    for one in lines:
        inner = obj(one.get("payload"))
        if one.get("type") == "response_item":
            said = inner.get("type") in _MODELS or inner.get("role") == "assistant"
            open_items += said
            begun = begun or said
        info = obj(inner.get("info"))
        if inner.get("type") == "token_count" and info and info.get("total_token_usage") != total:
            if not begun:
                return None, None
            total = info.get("total_token_usage")
            replies, open_items = replies + 1, 0
            tokens += whole(obj(info.get("last_token_usage")).get("output_tokens"))
    return (None, None) if open_items or not replies else (replies, tokens)


def printed(lines: list[Object]) -> Count:
    """What ``codex exec --json`` printed, once or several times."""
    asked: set[Any] = set()
    answered: set[Any] = set()
    used: dict[int, int] = {}
    part = prompts = failed = 0
    for one in lines:
        kind, item = one.get("type"), obj(one.get("item"))
        name = (part, str(item.get("id")))
        if kind == "thread.started":
            part += 1
        elif kind == "turn.started":
            prompts += 1
        elif kind in ("turn.failed", "error"):
            failed += 1
        elif kind == "turn.completed" and isinstance(one.get("usage"), dict):
            used[part] = whole(one["usage"].get("output_tokens"))
        elif item.get("type") in _CALLS:
            asked.add(name)
            if kind == "item.completed":
                answered.add(name)
    tokens = sum(used.values()) if used else None
    return Count(None, len(asked), len(answered), 0, prompts or None, failed, tokens)
