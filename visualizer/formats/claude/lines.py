"""What the lines of the Claude Code client have in common, on disk and in its stream."""

from __future__ import annotations

import re
from typing import Any

from visualizer.formats.blocks import blocks_of
from visualizer.transcript.records import ApiObject

FAMILY = "claude"
"""Formats whose lines look alike: this client's session and stream, and clients like it."""

SYNTHETIC = "<synthetic>"
INTERRUPTED = "[Request interrupted by user"
_COMMANDS = ("<command-", "<local-command-", "<bash-", "Operation stopped by hook")
_SUMMARY = "This session is being continued from a previous conversation"
_HOST = (
    "<task-notification",
    "<agent-notification",
    "<bash-notification",
    "<background-task",
    "<teammate-message",
    "<system-reminder>",
    "<session_context>",
    "<session-context>",
    "<user-prompt-submit-hook>",
    "A background agent completed a task:",
    "Another Claude session sent a message:",
)
_PEOPLE = frozenset({"human", "user", "channel"})
"""Where a message comes from that a person wrote; other origins are the host's."""

_STATUS = re.compile(r"\b([45]\d\d)\b")
_NUMBER = re.compile(r"\((\d{1,9})\)")


def type_of(line: dict[str, Any]) -> str:
    """What kind of line it is, ``?`` where it does not say."""
    kind = line.get("type")
    return kind if isinstance(kind, str) else "?"


def message_of(line: dict[str, Any]) -> dict[str, Any] | None:
    """The message in a line, None where it has none that can be read.

    A content that is one block, not a list of them, is read as that block.
    """
    message = line.get("message")
    if not isinstance(message, dict):
        return None
    content = message.get("content")
    if isinstance(content, dict) and isinstance(content.get("type"), str):
        return {**message, "content": [content]}
    return message if isinstance(content, str | list) else None


def text_in(blocks: list[ApiObject]) -> str:
    """The first text in some blocks, without space before it."""
    texts = (one.get("text") for one in blocks if one["type"] == "text")
    return next((text.lstrip() for text in texts if isinstance(text, str)), "")


def is_command(text: str) -> bool:
    """Whether a user's line is a command to the client, or what it printed."""
    return text.startswith(_COMMANDS)


def is_summary(line: dict[str, Any], text: str) -> bool:
    """Whether a user's line is the summary that stands for an older conversation."""
    return bool(line.get("isCompactSummary")) or text.startswith(_SUMMARY)


def is_hosts(line: dict[str, Any], blocks: list[ApiObject]) -> bool:
    """Whether the host wrote a user's line by itself: a task is done, a reminder, a teammate."""
    origin = line.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    if isinstance(kind, str):
        return kind not in _PEOPLE
    texts = [text_in([one]) for one in blocks]
    return bool(texts) and all(text.startswith(_HOST) for text in texts)


def sent_blocks(blocks: list[ApiObject]) -> list[ApiObject]:
    """Some blocks as the client sends them: without blank texts, where others are there."""
    kept = [one for one in blocks if one["type"] != "text" or str(one.get("text", "")).strip()]
    return kept or blocks


def user_message(message: dict[str, Any]) -> ApiObject:
    """A user's message as it was sent."""
    content = message["content"]
    return {
        "role": "user",
        "content": content if isinstance(content, str) else sent_blocks(blocks_of(content)),
    }


def failure(line: dict[str, Any], text: str) -> tuple[int | None, ApiObject]:
    """Status and error body of a request that failed, from the client's line about it."""
    said = line.get("error")
    inner = said if isinstance(said, dict) else {}
    status = next(
        (
            value
            for value in (line.get("apiErrorStatus"), line.get("error_status"), inner.get("status"))
            if isinstance(value, int)
        ),
        None,
    )
    if status is None and (found := _STATUS.search(text)):
        status = int(found[1])
    elif isinstance(line.get("error_status"), str) and line["error_status"].isdecimal():
        status = int(line["error_status"][:3])
    kind = said if isinstance(said, str) else "api_error"
    message = inner.get("message") if isinstance(inner.get("message"), str) else text
    return status, {"type": "error", "error": {"type": kind, "message": message}}


def cap_in(errors: Any) -> int | None:
    """The cap that an error of the client names: ``Reached maximum number of turns (2)``."""
    for error in errors if isinstance(errors, list) else []:
        if isinstance(error, str) and (found := _NUMBER.search(error)):
            return int(found[1]) or None
    return None


def string(value: Any) -> str | None:
    """A text, None where it is none or says nothing."""
    return value if isinstance(value, str) and value else None


def count(value: Any) -> int | None:
    """A number that counts something, None where it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
