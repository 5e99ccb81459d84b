"""Cassettes in YAML: recorded calls as recorders of HTTP write them.

Values are made as the parser comes to them, of plain data only: no tag makes anything else. What
aliases and packed bodies come to is counted while it is: a small file can stand for more than
there is memory. The parser is an extra of the package (``yaml``), since most recordings are JSON.
"""

from __future__ import annotations

import binascii
import json
import math
import re
import zlib
from collections.abc import Callable
from typing import Any

from visualizer.formats.decoding.json_text import in_range, memory_of
from visualizer.formats.outside import Findings, Unreadable

MAX_BYTES = 1 << 26
"""Largest YAML file, and most that the packed bodies in it may come to: 64 MiB."""

MAX_MEMORY = 5 << 27
"""Most memory that its values may take, each alias with all that it stands for: 640 MiB."""

EACH = 384
"""Bytes that each value counts for, beside its text and the JSON in it."""

DEEPEST = 100
MOST_DAMAGED = 20
"""Damaged lines up to which a file is read; looking for one takes a look at all of it."""

_BEGINS = re.compile(rb"(?:^|\n)(?:interactions|http_interactions|messages):[ \t\r]*\n")
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FRACTION = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "~": None, "": None}
_BINARY = "tag:yaml.org,2002:binary"


def is_cassette(head: bytes) -> bool:
    """Whether a file looks like a cassette in YAML."""
    return _BEGINS.search(head[:4096]) is not None


def load(data: bytes, findings: Findings) -> dict[str, Any]:
    """The data in a cassette, as JSON would hold it. Raises ``Unreadable``."""
    if len(data) > MAX_BYTES:
        raise Unreadable("format.yaml_big", limit=MAX_BYTES >> 20)
    try:
        import yaml  # noqa: PLC0415 - an extra
    except ImportError:
        raise Unreadable("format.yaml_missing") from None
    try:
        value = _without_damage(yaml, data, findings)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise Unreadable("format.yaml_bad") from None
    if not isinstance(value, dict):
        raise Unreadable("format.yaml_bad")
    return value


def _without_damage(yaml: Any, data: bytes, findings: Findings) -> Any:
    """The value of a file; lines that are no YAML (a redaction may leave such) are named.

    Raises the parser's error where leaving them out does not help, ``ValueError`` where there
    are too many.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    lines = data.split(b"\n")
    for _ in range(MOST_DAMAGED):
        made = Findings()
        try:
            value = _Builder(yaml, made).value_of(yaml.parse(data, loader))
        except yaml.MarkedYAMLError as error:
            mark = error.context_mark or error.problem_mark
            if mark is None or mark.line >= len(lines) or not lines[mark.line].strip():
                raise
            findings.damage(mark.line + 1)
            lines[mark.line] = b""
            data = b"\n".join(lines)
        else:
            findings.count("format.repaired", made.number("format.repaired"))
            return value
    raise ValueError("too much damage")


class _Builder:
    """Makes values of a parser's events, and counts the memory that they come to.

    An alias stands for the very value that it names, and counts as if it were another one.
    """

    def __init__(self, yaml: Any, findings: Findings) -> None:
        self.yaml = yaml
        self.findings = findings
        self.known: dict[str, tuple[Any, int]] = {}
        self.memory = 0
        self.unpacked = 0

    def value_of(self, events: Any) -> Any:
        """The value of the first document. Raises ``ValueError``, and ``Unreadable`` at a cap."""
        top: list[Any] = []
        begun: list[tuple[str | None, int, list[Any] | _Pairs]] = []
        for event in events:
            holder = begun[-1][2] if begun else top
            if isinstance(event, self.yaml.ScalarEvent):
                holder.append(self._scalar(event))
            elif isinstance(event, self.yaml.CollectionStartEvent):
                is_list = isinstance(event, self.yaml.SequenceStartEvent)
                begun.append((event.anchor, self.memory, [] if is_list else _Pairs()))
                self._count(0)
                if len(begun) > DEEPEST:
                    raise ValueError("too deep")
            elif isinstance(event, self.yaml.CollectionEndEvent):
                anchor, before, made = begun.pop()
                value = made.value() if isinstance(made, _Pairs) else made
                if anchor is not None:
                    self.known[anchor] = value, self.memory - before
                (begun[-1][2] if begun else top).append(value)
            elif isinstance(event, self.yaml.AliasEvent):
                if event.anchor not in self.known:
                    raise ValueError("an alias of nothing, or of what it stands in")
                value, again = self.known[event.anchor]
                self._count(again)
                holder.append(value)
        return top[0] if top else None

    def _scalar(self, event: Any) -> Any:
        before = self.memory
        value = self._plain(event)
        self._count(memory_of(value.encode("utf-8", "replace")) if isinstance(value, str) else 0)
        if event.anchor is not None:
            self.known[event.anchor] = value, self.memory - before
        return value

    def _plain(self, event: Any) -> Any:
        """A value as JSON would hold it; bytes are text, unpacked where they were packed."""
        text = event.value
        if event.tag == _BINARY:
            return self._text(binascii.a2b_base64(text.encode("ascii", "replace")))
        if not event.implicit[0]:
            return text
        if len(text) < 6 and text.lower() in _WORDS:
            return _WORDS[text.lower()]
        if _NUMBER.fullmatch(text):
            return self._number(text, int)
        return self._number(text, float) if _FRACTION.fullmatch(text) else text

    def _number(self, text: str, kind: Callable[[str], float]) -> float | str:
        """A number that can be counted with; any other stays the text it was."""
        value = kind(text) if len(text) < 400 else math.inf
        if in_range(value):
            return value
        self.findings.count("format.repaired")
        return text

    def _text(self, data: bytes) -> str:
        if data[:2] == b"\x1f\x8b":
            unpacker = zlib.decompressobj(wbits=31)
            try:
                data = unpacker.decompress(data, MAX_BYTES - self.unpacked + 1)
            except zlib.error:
                data = b""
            self.unpacked += len(data)
            if self.unpacked > MAX_BYTES:
                raise Unreadable("format.yaml_packed", limit=MAX_BYTES >> 20)
        return data.decode("utf-8", "replace")

    def _count(self, more: int) -> None:
        self.memory += EACH + more
        if self.memory > MAX_MEMORY:
            raise Unreadable("format.yaml_memory", limit=MAX_MEMORY >> 20)


class _Pairs:
    """Keys and values of a mapping, one after another."""

    def __init__(self) -> None:
        self._pairs: list[Any] = []

    def append(self, value: Any) -> None:
        """The next key, or the value for the last one."""
        self._pairs.append(value)

    def value(self) -> dict[str, Any]:
        """The mapping; what is merged into it stands behind its own keys."""
        made: dict[str, Any] = {}
        for key, value in zip(self._pairs[::2], self._pairs[1::2], strict=False):
            if key == "<<" and isinstance(value, (dict, list)):
                for one in value if isinstance(value, list) else [value]:
                    made = {**one, **made} if isinstance(one, dict) else made
            else:
                made[_name(key)] = value
        return made


def _name(key: Any) -> str:
    """A key as JSON would hold it."""
    if isinstance(key, (dict, list)):
        raise ValueError("a key that is no text")
    return key if isinstance(key, str) else json.dumps(key)
