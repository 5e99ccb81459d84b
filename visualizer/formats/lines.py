"""What the lines of the Claude Code client have in common, on disk and in its stream."""

from __future__ import annotations

import re
from typing import Any

from visualizer.formats.blocks import blocks_of, with_stop_reason
from visualizer.transcript import ApiObject

SYNTHETIC = "<synthetic>"
INTERRUPTED = "[Request interrupted by user"
_COMMANDS = ("<command-", "<local-command-", "<bash-", "Operation stopped by hook")
_STATUS = re.compile(r"\b([45]\d\d)\b")
_NUMBER = re.compile(r"\((\d{1,9})\)")


class Reply:
    """One reply of the model, put together from its lines: mostly one block a line."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {}
        self.content: list[ApiObject] = []
        self.requests: set[str] = set()
        self._lines: set[str] = set()

    def add(self, line: dict[str, Any], message: dict[str, Any]) -> bool:
        """Take in a line; false where it only says again what was there."""
        kept = {key: value for key, value in message.items() if value is not None}
        self.message |= kept  # the last word on usage and stop_reason holds
        before = len(self.content)
        uuid = line.get("uuid")
        again = isinstance(uuid, str) and uuid in self._lines
        blocks = blocks_of(message.get("content"))
        for block in blocks:
            name = block.get("id") if block["type"] == "tool_use" else None
            if isinstance(name, str):
                if name in self.requests:
                    continue
                self.requests.add(name)
            elif again and block in self.content:
                continue
            self.content.append(block)
        if isinstance(uuid, str):
            self._lines.add(uuid)
        return len(self.content) > before or not blocks

    def response(self) -> tuple[ApiObject, list[str]]:
        """The whole Message object, and pointers to what is inferred in it."""
        whole = {**self.message, "type": "message", "role": "assistant", "content": self.content}
        return with_stop_reason(whole)


def type_of(line: dict[str, Any]) -> str:
    """What kind of line it is, ``?`` where it does not say."""
    kind = line.get("type")
    return kind if isinstance(kind, str) else "?"


def message_of(line: dict[str, Any]) -> dict[str, Any] | None:
    """The message in a line, None where it has none that can be read."""
    message = line.get("message")
    if isinstance(message, dict) and isinstance(message.get("content"), str | list):
        return message
    return None


def text_in(blocks: list[ApiObject]) -> str:
    """The first text in some blocks, without space before it."""
    texts = (one.get("text") for one in blocks if one["type"] == "text")
    return next((text.lstrip() for text in texts if isinstance(text, str)), "")


def is_command(text: str) -> bool:
    """Whether a user's line is a command to the client, or what it printed."""
    return text.startswith(_COMMANDS)


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
