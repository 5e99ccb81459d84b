"""Gemini: calls of the API or lists of contents, and the Gemini CLI's sessions.

API: a *reply* is a response with candidates (in a stream: all its pieces), or a content of the
role ``model`` that a request holds from before. Requests are ``functionCall`` parts and results
``functionResponse`` parts, mostly without ids: then by name, in their order. Output tokens are
those of the candidates and of the thoughts. The CLI puts an answer of its own into the contents
(``_CANNED``), which no model gave.

CLI: one message of the type ``gemini`` is a *reply*, as it was written last under its id; one
that only holds calls and spent nothing is the part of the reply before that had to be allowed.
Calls hold their own results. Messages of the type ``user`` are *prompts*, but for the setting
that the client sends (``<session_context>``) and for results of tools. After a rewind nothing
is known, nor of the prompts where a file begins with a reply.
"""

from __future__ import annotations

from typing import Any

from tests.independent.http import events, exchanged
from tests.independent.raw import Count, Object, each, obj, objects, same, whole
from tests.independent.talk import Call, Said, counted

_CANNED = ("Got it. Thanks for the context!", "Got it. Thanks for the additional context!")


def takes(found: list[Any]) -> bool:
    """Whether contents, requests or responses are in a file."""
    return bool(_calls(found))


def count(found: list[Any]) -> Count:
    """All calls of a file."""
    return counted(_calls(found), by_name=True)


def _calls(found: list[Any]) -> list[Call]:
    entries = objects(found)
    if entries and all(isinstance(one.get("parts"), list) for one in entries):
        return [Call([_said(each(one["parts"]), one.get("role")) for one in entries])]
    made = []
    for one in exchanged(found):
        if one.path and "enerateContent" not in one.path:
            continue
        asked, came = obj(one.asked), one.came
        if "candidates" in asked or "promptFeedback" in asked:
            asked, came = {}, asked
        asked = obj(asked.get("request")) or asked
        if isinstance(came, str):
            came = list(events(came))
        chunks = each(came) or each([came])
        contents = each(asked.get("contents"))
        given = [one for one in chunks if "candidates" in one or "promptFeedback" in one]
        failed = any("error" in one for one in chunks) or (one.status or 0) >= 400
        if not any("parts" in one for one in contents) and not given:
            continue
        messages = [_said(each(one.get("parts")), one.get("role")) for one in contents]
        if not given or failed:
            made.append(Call(messages, None, failed))
            continue
        parts = [
            part
            for chunk in given
            for choice in each(chunk.get("candidates"))[:1]
            for part in each(obj(choice.get("content")).get("parts"))
        ]
        used = next(
            (obj(chunk["usageMetadata"]) for chunk in reversed(given) if "usageMetadata" in chunk),
            None,
        )
        spent = None
        if used is not None:
            spent = sum(whole(used.get(f"{name}TokenCount")) for name in ("candidates", "thoughts"))
        made.append(Call(messages, _said(parts, "model"), tokens_out=spent))
    return made


def _said(parts: list[Object], role: Any) -> Said:
    calls = [obj(part.get("functionCall", part.get("function_call"))) for part in parts]
    given = [obj(part.get("functionResponse", part.get("function_response"))) for part in parts]
    text = "".join(str(part.get("text", "")) for part in parts if not part.get("thought"))
    asked = tuple(
        (str(one.get("name")), same([one.get("name"), one.get("args")])) for one in calls if one
    )
    answers = tuple(str(one.get("name")) for one in given if one)
    model = role == "model" and text not in _CANNED
    return Said("assistant" if model else "user", text, asked, answers)


def is_cli(lines: list[Object]) -> bool:
    """A session's head, or its replies."""
    return any("projectHash" in one or one.get("type") == "gemini" for one in lines)


def cli(lines: list[Object]) -> Count:
    """A session of the CLI, in one document or a message a line."""
    if any("$rewindTo" in one for one in lines):
        return Count()
    held: list[Object] = []
    for one in lines:
        inner = one if isinstance(one.get("messages"), list) else obj(one.get("$set"))
        held += each(inner["messages"]) if isinstance(inner.get("messages"), list) else [one]
    last = {one.get("id", f"message {at}"): one for at, one in enumerate(held)}
    messages = list(last.values())
    said = [one for one in messages if one.get("type") == "gemini"]
    calls = [call for one in said for call in each(one.get("toolCalls"))]
    begun = next((one for one in messages if one.get("type") in ("user", "gemini")), {})
    prompts = [
        one
        for one in messages
        if one.get("type") == "user"
        and "<session_context>" not in same(one.get("content"))
        and not any("functionResponse" in part for part in each(one.get("content")))
    ]
    failed = sum(
        one.get("type") == "error" and str(one.get("content")).startswith("[API Error")
        for one in messages
    )
    spent = [obj(one.get("tokens")) for one in said]
    tokens = sum(whole(one.get("output")) + whole(one.get("thoughts")) for one in spent)
    replies = sum(not _is_part(one) for one in said)
    answered = sum(bool(call.get("result")) for call in calls)
    known = tokens if any(spent) else None
    known_prompts = len(prompts) if begun.get("type") == "user" else None
    return Count(replies, len(calls), answered, 0, known_prompts, failed, known)


def _is_part(one: Object) -> bool:
    words = one.get("content") or one.get("thoughts")
    return bool(one.get("toolCalls")) and not words and not obj(one.get("tokens")).get("total")
