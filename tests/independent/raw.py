"""The bytes of a recording as plain values, and the few helpers that every counter uses."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from typing import Any, NamedTuple

Object = dict[str, Any]


class Count(NamedTuple):
    """What a recording holds. None: the format does not say, or not without a doubt.

    ``asked`` are tool requests, ``answered`` those of them that have a result, ``orphans``
    results without a request; ``failed`` are requests to the model that came to no reply;
    ``repeated`` are lines that only say again what an earlier one said.
    """

    replies: int | None = None
    asked: int | None = None
    answered: int | None = None
    orphans: int | None = None
    prompts: int | None = None
    failed: int | None = None
    tokens_out: int | None = None
    repeated: int | None = None

    @property
    def unanswered(self) -> int | None:
        """Tool requests without a result anywhere in the file."""
        if self.asked is None or self.answered is None:
            return None
        return self.asked - self.answered


def values(data: bytes) -> list[Any]:
    """All values in a file: its one document, else one a line.

    A line that holds no JSON is passed over; padding with NULs is no part of a line.
    """
    if data[:4] == b"PK\x03\x04":
        return [_archive(data)]
    text = data.decode("utf-8-sig", "replace")
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    found = []
    for line in text.split("\n"):
        try:
            found.append(json.loads(line.strip("\0 \t\r")))
        except ValueError:
            continue
    return found if any(isinstance(one, dict) for one in found) else [_yaml(text)]


def objects(found: list[Any]) -> list[Object]:
    """The objects in a file, out of the one list that may hold them all."""
    if len(found) == 1 and isinstance(found[0], list):
        found = found[0]
    return [one for one in found if isinstance(one, dict)]


def obj(value: Any) -> Object:
    """An object; an empty one where it is none."""
    return value if isinstance(value, dict) else {}


def each(value: Any) -> list[Object]:
    """The objects in a list; none where it is no list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def whole(value: Any) -> int:
    """A count of tokens; 0 where there is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def same(value: Any) -> str:
    """A value as text that is equal for equal values."""
    return json.dumps(value, sort_keys=True, default=str)


def _yaml(text: str) -> Any:
    """A document in YAML; a line that the parser refuses is dropped (redactions leave such)."""
    import yaml

    lines = text.split("\n")
    for _ in range(50):
        try:
            return yaml.load("\n".join(lines), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except yaml.MarkedYAMLError as error:
            mark = error.context_mark or error.problem_mark
            if mark is None or mark.line >= len(lines):
                return None
            lines[mark.line] = ""
    return None


def _archive(data: bytes) -> Any:
    """A log in a zip archive: its header with all samples in it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if name.startswith("samples/")]
        try:
            head: Object = json.loads(archive.read("header.json"))
            return {**head, "samples": [json.loads(archive.read(name)) for name in names]}
        except NotImplementedError:  # zstd, which the standard library learns with Python 3.14
            return None


def unpacked(data: bytes) -> bytes:
    """What was packed with gzip, or the bytes as they are."""
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
