"""The loops on show: one file each, named after the one function in it.

Adding a loop is adding a file. Each is plain code that could be pasted into a project; what
a loop needs beside the model and the tools is ``tool_results`` alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def tool_results(results: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The one user message that takes all results of a reply back to the model."""
    return {"role": "user", "content": list(results)}
