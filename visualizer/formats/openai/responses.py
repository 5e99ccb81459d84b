"""Calls of the Responses API: requests with responses, or only the items.

The server may keep the conversation: a request then names the response that it goes on with,
and holds only what is new. A call in the background is asked after until it is done: all
those answers are about one call.
"""

from __future__ import annotations

import re
from typing import Any

from visualizer.formats.decoding import batches
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.decoding.exchanges import Exchange, entries, status_of
from visualizer.formats.openai import stream as openai_stream
from visualizer.formats.openai.items import (
    Renamed,
    is_surely_item,
    messages_of,
    reply_of,
    type_of,
)
from visualizer.formats.openai.words import (
    error_of,
    finish,
    parameters_of,
    path_of,
    payload,
    system_of,
)
from visualizer.formats.outside import Findings, Format, Outside, Sample
from visualizer.formats.telling.conversations import Conversations
from visualizer.transcript.records import ApiObject

_PATH = re.compile(r"/responses(/(?!compact$|input_tokens$)[^/]+(/cancel)?)?$")
_LISTS = ("data", "items")
_PENDING = ("queued", "in_progress")
_FAILED = ("failed", "cancelled")


def claims(sample: Sample) -> bool:
    """Whether the first entries are calls, or items."""
    found = _entries(sample.items)
    return any(map(is_surely_item, found)) or any(_bodies(one) is not None for one in found)


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in recorded calls."""
    found = _entries([one for _, one in decoded.items])
    if any(map(is_surely_item, found)):
        found = [{"input": found}]
    calls = [_bodies(entry) or _failed(entry) for entry in found]
    outside.findings.count("format.other_provider", calls.count(None))
    reader = _Reader(outside.findings)
    for entry, call in zip(found, calls, strict=True):
        if call is not None:
            reader.take(*call)
            batches.tell_apart([entry], reader.exchanges[-1:])
    Conversations(outside, finish).read(reader.exchanges)


def _entries(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = entries(items)
    if len(found) == 1:
        lists = (found[0].get(at) for at in _LISTS)
        kept: list[Any] = next((one for one in lists if isinstance(one, list)), [])
        if any(map(is_surely_item, kept)):
            return [one for one in kept if isinstance(one, dict)]
    return found


_Bodies = tuple[ApiObject | None, ApiObject | None, int | None]


def _bodies(entry: dict[str, Any]) -> _Bodies | None:
    """Both bodies of a call and its status, None where it is none of this API."""
    if _is_response(entry):
        return None, entry, None
    asked, came = entry.get("request"), entry.get("response")
    found, status = payload(came, _is_response, openai_stream.response), status_of(came)
    if isinstance(asked, dict):
        path = path_of(asked)
        if path is not None and not _PATH.search(path):
            return None
        body = payload(asked, _has_input, _no_stream)
        if found is None and status is not None and status >= 400:
            found = {"error": {}}
        if body is not None and not _has_input(body):
            body = None
        ours = path is not None or found is not None or _is_input(body)
        return (body, found, status) if ours and (body or found) else None
    if _has_input(entry) and (_is_input(entry) or found is not None):
        return entry, found or ({"error": entry["error"]} if entry.get("error") else None), status
    return (None, found, status) if found is not None and _is_response(found) else None


def _failed(entry: dict[str, Any]) -> _Bodies | None:
    """A request of a batch that got no response."""
    said = batches.failed(entry)
    return None if said is None else (None, *said)


def _is_response(value: dict[str, Any]) -> bool:
    if not isinstance(value.get("output"), list):
        return False
    return value.get("object") == "response" or isinstance(value.get("status"), str)


def _has_input(value: dict[str, Any]) -> bool:
    return isinstance(value.get("input"), str | list)


def _is_input(body: ApiObject | None) -> bool:
    """Whether a request's items show that they are this API's."""
    given = body.get("input") if body is not None else None
    return isinstance(given, list) and any(map(is_surely_item, given))


def _no_stream(text: str) -> ApiObject | None:
    return None


class _Reader:
    """Makes exchanges of calls; later answers about a call take the place of earlier ones."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self.exchanges: list[Exchange] = []
        self._renamed: Renamed = {}
        self._kept: dict[str, ApiObject] = {}
        self._pending: dict[str, Exchange] = {}

    def take(self, body: ApiObject | None, came: ApiObject | None, status: int | None) -> None:
        """One call, or one more answer about one."""
        came = came or {}
        name = _name(came.get("id"))
        known = self._pending.get(name) if name is not None and body is None else None
        one = known or Exchange(None)
        if known is None:
            self.exchanges.append(one)
            self._ask(one, body, came)
        else:
            self.findings.count("format.polled")
        one.status = status
        self._answer(one, came)
        if name is not None:
            self._pending[name] = one

    def _ask(self, one: Exchange, body: ApiObject | None, came: ApiObject) -> None:
        kept = [_conversation(at) for at in (body or {}, came)]
        talk = next((name for name in kept if name is not None), None)
        before = _name((body or {}).get("previous_response_id", came.get("previous_response_id")))
        one.continues, one.begins = before or talk, before is None
        one.names = tuple(name for name in (_name(came.get("id")), talk) if name is not None)
        if body is None:
            return
        given = body["input"]
        if isinstance(given, str):
            given = [{"role": "user", "content": given}]
        items = self._referred(given)
        system, messages, one.compacted, others = messages_of(items, self._renamed)
        self.findings.count("format.other_line", others, kind="item")
        if isinstance(said := body.get("instructions"), str) and said:
            system = [{"type": "text", "text": said}, *system]
        one.body = {**parameters_of(body), "system": system_of(system), "messages": messages}

    def _referred(self, items: list[Any]) -> list[Any]:
        """Items of a request, those that only refer to earlier ones as these."""
        found = []
        for item in items:
            name = _name(item.get("id")) if isinstance(item, dict) else None
            if name is not None and _refers(item):
                self.findings.count("format.not_recorded", int(name not in self._kept))
                found.append(self._kept.get(name, item))
                continue
            if name is not None:
                self._kept[name] = item
            found.append(item)
        return found

    def _answer(self, one: Exchange, came: ApiObject) -> None:
        state = came.get("status")
        one.response = one.error = None
        if not _is_response(came) or state in _FAILED:
            if came:
                said = error_of(came) or {"error": {"type": state, "message": state}}
                one.error = {**said, "type": "error"}
            return
        if state in _PENDING:
            return
        one.response = reply_of(came)
        for item in came["output"]:
            own = _name(item.get("id")) if isinstance(item, dict) else None
            if own is not None:
                self._kept[own] = item
            if own is not None and type_of(item).endswith("_call"):
                call = _name(item.get("call_id"))
                if call is not None:
                    self._renamed[own] = call


def _name(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _refers(item: ApiObject) -> bool:
    """Whether an item only names another one; the type may be left out."""
    return item.get("type") in (None, "item_reference") and item.keys() <= {"id", "type"}


def _conversation(body: ApiObject) -> str | None:
    """The conversation on the server that a call belongs to."""
    value = body.get("conversation")
    return _name(value.get("id") if isinstance(value, dict) else value)


FORMAT = Format("openai-responses", 45, claims, read)
