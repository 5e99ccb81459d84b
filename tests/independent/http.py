"""Recorded calls over HTTP: the bodies of requests and responses, whatever they are kept as."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.independent.raw import Object, each, obj, unpacked

_LISTS = ("interactions", "http_interactions", "exchanges")
_IS_BODY = frozenset(
    ("messages", "content", "input", "output", "choices", "contents", "candidates", "error")
)
_INSIDE = ("parsed_body", "body", "json", "base64_string", "string", "text")


class Exchanged(NamedTuple):
    """A request's path and body, and what came back: a value, or the text of a stream."""

    path: str
    asked: Any
    came: Any
    status: int | None


def exchanged(found: list[Any]) -> list[Exchanged]:
    """All calls in a file."""
    entries = [one for one in found if isinstance(one, dict)]
    if len(found) == 1 and isinstance(found[0], list):
        entries = each(found[0])
    if len(entries) == 1:
        kept = [entries[0][name] for name in _LISTS if isinstance(entries[0].get(name), list)]
        entries = each(kept[0]) if kept else entries
    return [_exchanged(one) for one in entries]


def _exchanged(entry: Object) -> Exchanged:
    asked, came = entry.get("request"), entry.get("response")
    if not isinstance(asked, dict) and "body" in entry and "messages" not in entry:
        return Exchanged("", {}, _inner(entry), _status(entry))
    if not isinstance(asked, dict):
        return Exchanged("", entry, _inner(came if came is not None else entry.get("error")), None)
    where = asked.get("uri", asked.get("url", ""))
    path = urlsplit(where).path if isinstance(where, str) else ""
    return Exchanged(path, _inner(asked), _inner(came), _status(came))


def _status(came: Any) -> int | None:
    said = obj(came).get("status", obj(came).get("status_code"))
    code = said.get("code") if isinstance(said, dict) else said
    return int(code) if isinstance(code, int | str) and str(code).isdecimal() else None


def _inner(value: Any) -> Any:
    """The body in a request or a response."""
    for _ in range(5):
        if isinstance(value, bytes):
            value = unpacked(value).decode("utf-8", "replace")
        if isinstance(value, str):
            try:
                return json.loads(value)
            except ValueError:
                return value
        if not isinstance(value, dict):
            return value
        names = [name for name in _INSIDE if value.get(name)]
        if not names or not _IS_BODY.isdisjoint(value):
            return value
        value = value[names[0]]
    return value


def events(text: Any) -> Iterator[Object]:
    """The data of a stream of server-sent events."""
    for line in text.splitlines() if isinstance(text, str) else ():
        if line.startswith("data:"):
            try:
                data = json.loads(line[5:])
            except ValueError:
                continue
            if isinstance(data, dict):
                yield data
