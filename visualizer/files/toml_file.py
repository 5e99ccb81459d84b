"""A TOML file read into a declared shape, with every problem in it at its place."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from visualizer.errors import Problem, TranscriptError
from visualizer.files.reading import read_file
from visualizer.transcript.schema_problems import schema_problems

T = TypeVar("T")
_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def read_toml(path: Path, kind: type[T]) -> T:
    """The content of a file as a ``kind``. Raises ``TranscriptError`` with its problems."""
    source = str(path)
    try:
        data = tomllib.loads(read_file(path, source).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise TranscriptError(source, [Problem("", "problem.not_utf8", {"line": line})]) from None
    except (ValueError, RecursionError) as error:  # a ValueError: numbers of too many digits, too
        problem = Problem("", "lesson.problem.not_toml", {"detail": str(error)})
        raise TranscriptError(source, [problem]) from None
    encoded = json.dumps(data, default=str).encode()
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    try:
        found: T = _ADAPTERS[kind].validate_json(encoded)
    except ValidationError as error:
        raise TranscriptError(source, list(schema_problems(error, encoded))) from None
    return found
