"""Cassettes in YAML: recorded calls as recorders of HTTP write them.

YAML is loaded as plain data only, and what aliases would make of it is counted before: a
small file can stand for more nodes than there is memory. The parser is an extra of the
package (``yaml``), since most recordings are JSON.
"""

from __future__ import annotations

import math
import re
import zlib
from typing import Any

from visualizer.formats.outside import Findings, Unreadable

MAX_BYTES = 1 << 26
"""Largest YAML file, and largest body that is unpacked: 64 MiB."""

MAX_NODES = 5_000_000
"""Most values that a file may come to, each alias counted with all it stands for."""

DEEPEST = 100
MOST_DAMAGED = 20
"""Damaged lines up to which a file is read; looking for one takes a look at all of it."""

_BEGINS = re.compile(rb"(?:^|\n)(?:interactions|http_interactions|messages):[ \t\r]*\n")
_TIMES = "tag:yaml.org,2002:timestamp"


def is_cassette(head: bytes) -> bool:
    """Whether a file looks like a cassette in YAML."""
    return _BEGINS.search(head[:4096]) is not None


def load(data: bytes, findings: Findings) -> dict[str, Any]:
    """The data in a cassette, as JSON would hold it. Raises ``Unreadable``."""
    if len(data) > MAX_BYTES:
        raise Unreadable("format.yaml_big", limit=MAX_BYTES)
    try:
        import yaml  # noqa: PLC0415 - an extra
    except ImportError:
        raise Unreadable("format.yaml_missing") from None
    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    resolvers = {
        first: [pair for pair in pairs if pair[0] != _TIMES]
        for first, pairs in base.yaml_implicit_resolvers.items()
    }
    loader = type("Loader", (base,), {"yaml_implicit_resolvers": resolvers})
    try:
        data = _without_damage(yaml, data, loader, findings)
        value = _plain(yaml.load(data, loader), findings, 0)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise Unreadable("format.yaml_bad") from None
    if not isinstance(value, dict):
        raise Unreadable("format.yaml_bad")
    return value


def _without_damage(yaml: Any, data: bytes, loader: Any, findings: Findings) -> bytes:
    """A file with lines left out that are no YAML (a redaction may leave such), each named.

    Raises the parser's error where that does not mend it, ``ValueError`` at the cap.
    """
    lines = data.split(b"\n")
    for _ in range(MOST_DAMAGED):
        try:
            _measure(yaml, data, loader)
        except yaml.MarkedYAMLError as error:
            mark = error.context_mark or error.problem_mark
            if mark is None or mark.line >= len(lines) or not lines[mark.line].strip():
                raise
            findings.damage(mark.line + 1)
            lines[mark.line] = b""
            data = b"\n".join(lines)
        else:
            return data
    raise ValueError("too much damage")


def _measure(yaml: Any, data: bytes, loader: Any) -> None:
    """Count what a file comes to, before it is built. Raises ``ValueError`` at the cap."""
    nodes = 0
    sizes: dict[str, int] = {}
    starts: list[tuple[str | None, int]] = []
    for event in yaml.parse(data, loader):
        if isinstance(event, yaml.AliasEvent):
            nodes += sizes.get(event.anchor, MAX_NODES)
        elif isinstance(event, yaml.CollectionStartEvent):
            starts.append((event.anchor, nodes))
            nodes += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = starts.pop()
            if anchor is not None:
                sizes[anchor] = nodes - before
        elif isinstance(event, yaml.ScalarEvent):
            nodes += 1
            if event.anchor is not None:
                sizes[event.anchor] = 1
        if nodes >= MAX_NODES or len(starts) > DEEPEST:
            raise ValueError("too much")


def _plain(value: Any, findings: Findings, depth: int) -> Any:
    """A value as JSON would hold it; bytes are text, unpacked where they were packed."""
    if depth > DEEPEST:
        raise ValueError("too deep")
    if isinstance(value, dict):
        return {str(key): _plain(one, findings, depth + 1) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one, findings, depth + 1) for one in value]
    if isinstance(value, bytes):
        return _text(value)
    if isinstance(value, float) and not math.isfinite(value):
        findings.count("format.repaired")
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def _text(data: bytes) -> str:
    if data[:2] == b"\x1f\x8b":
        unpacker = zlib.decompressobj(wbits=31)
        try:
            data = unpacker.decompress(data, MAX_BYTES)
        except zlib.error:
            data = b""
        if unpacker.unconsumed_tail:
            raise ValueError("too big when unpacked")
    return data.decode("utf-8", "replace")
