"""Which results of Codex's tools say that something went wrong.

The client keeps no flag beside what a tool gave: the text itself tells the exit code, as JSON
or in its first lines, or says that there is none because the command never ran to its end.
"""

from __future__ import annotations

import re
from typing import Any

from visualizer.formats.blocks import entry
from visualizer.formats.decoding.json_text import parse_text
from visualizer.formats.openai.words import text_of
from visualizer.transcript.records import ApiObject

_HEAD = 1_000
"""Characters in which the lines about a command stand, before what it printed."""

_OUTPUT = "\nOutput:"
_CODE = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})\s*$", re.MULTILINE)
_NEVER_DONE = (
    "failed in sandbox",
    "sandbox error",
    "execution error",
    "exec_command failed",
    "write_stdin failed",
    "exec command rejected",
    "patch rejected",
    "rejected by user",
    "aborted by user",
    "apply_patch verification failed",
    "failed to parse function arguments",
    "unsupported call",
    "unsupported custom tool call",
    "tool call error",
)
"""How texts begin that the client writes where a call was not carried out, or not to its end."""

_ABORTED = "aborted"
"""The whole of what it writes for a call that was given up."""


def with_failure(blocks: list[ApiObject]) -> list[ApiObject]:
    """Results, marked as errors where they say so."""
    return [
        {**one, "is_error": True} if one.get("type") == "tool_result" and _failed(one) else one
        for one in blocks
    ]


def is_bad_code(code: Any) -> bool:
    """Whether an exit code is one of a command that failed."""
    return isinstance(code, int) and not isinstance(code, bool) and code != 0


def _failed(result: ApiObject) -> bool:
    content = result.get("content")
    text = content if isinstance(content, str) else text_of(content)
    if text.startswith(_NEVER_DONE) or text == _ABORTED:
        return True
    if text.startswith("{"):
        return '"exit_code"' in text and is_bad_code(_code_in(text))
    found = _CODE.search(text[:_HEAD].partition(_OUTPUT)[0])
    return found is not None and int(found[1]) != 0


def _code_in(text: str) -> Any:
    """The exit code in a result that is JSON."""
    try:
        value = entry(parse_text(text))
    except ValueError:
        return None
    return entry(value.get("metadata")).get("exit_code", value.get("exit_code"))
