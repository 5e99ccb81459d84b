"""Calls of the Gemini API: contents as they were sent, with responses or without, or only
the responses.
"""

from __future__ import annotations

from visualizer.formats.blocks import entries, entry
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.decoding.exchanges import Exchange
from visualizer.formats.gemini.http import unpacked
from visualizer.formats.gemini.messages import finish, hosts_in, messages_of, reply_of
from visualizer.formats.gemini.parts import Entry, user_blocks
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.conversations import Conversations
from visualizer.formats.telling.replies import tools_of
from visualizer.transcript.records import ApiObject


def claims(sample: Sample) -> bool:
    """Whether the first entries are contents, requests or responses."""
    first = unpacked(sample.items)[:10]
    return any(map(_is_call, first)) or (bool(first) and all(map(_is_content, first)))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in recorded calls."""
    items = unpacked([one for _, one in decoded.items])
    if not any(map(_is_call, items)):
        items = [{"contents": items}]
    calls = [_exchange(one) for one in items if _is_call(one)]
    outside.findings.count("format.other_provider", len(items) - len(calls))
    outside.findings.count("format.other_choices", sum(one.aside for one in calls))
    Conversations(outside, finish).read(calls)


def _exchange(one: Entry) -> Exchange:
    """A request, its response, or both."""
    made = Exchange(_body(_request_of(one)))
    if made.body is not None:
        made.hosts = hosts_in(made.body["messages"])
    error, chunks = _error_in(one), _chunks_of(one)
    if error is not None:
        code = error.get("code")
        made.status = code if isinstance(code, int) else None
        made.error = {"type": "error", "error": error}
    elif chunks:
        made.response = reply_of(chunks)
        made.aside = max(0, *(len(entries(chunk.get("candidates"))) - 1 for chunk in chunks))
    return made


def _body(request: Entry) -> ApiObject | None:
    """A request in the words of the Messages API, None where it is not in the file."""
    contents = entries(request.get("contents"))
    if not contents:
        return None
    given = request.get("systemInstruction", request.get("system_instruction"))
    said = [str(block.get("text", "")) for block in user_blocks(entry(given).get("parts"))]
    system = given if isinstance(given, str) else "\n".join(said)
    tools = [
        one
        for kept in entries(request.get("tools"))
        for one in entries(kept.get("functionDeclarations", kept.get("function_declarations")))
    ]
    told = {"model": request.get("model"), "system": system or None, "tools": tools_of(tools)}
    return {**told, "messages": messages_of(contents)}


def _request_of(one: Entry) -> Entry:
    return entry(one.get("request")) or one


def _chunks_of(one: Entry) -> list[Entry]:
    """The response of a call, whole or in the pieces of a stream; empty where there is none."""
    came = one.get("response", one if _is_response(one) else None)
    return entries(came) or ([came] if isinstance(came, dict) else [])


def _error_in(one: Entry) -> Entry | None:
    found = (chunk.get("error") for chunk in _chunks_of(one))
    return next((error for error in found if isinstance(error, dict)), None)


def _is_content(one: Entry) -> bool:
    return isinstance(one.get("parts"), list) and one.get("role") in ("user", "model", "function")


def _is_call(one: Entry) -> bool:
    if any(map(_is_content, entries(one.get("contents"))[:5])) or _is_response(one):
        return True
    inner = one.get("request")
    if isinstance(inner, dict) and _is_call(inner):
        return True
    came = one.get("response")
    return any(map(_is_response, [entry(came), *entries(came)[:5]]))


def _is_response(one: Entry) -> bool:
    return isinstance(one.get("candidates"), list) or isinstance(one.get("promptFeedback"), dict)


FORMAT = Format("gemini", 65, claims, read)
