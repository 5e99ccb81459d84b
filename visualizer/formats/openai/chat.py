"""Calls of the Chat Completions API: requests with responses, or only the messages.

Many vendors speak it, and agents keep their messages in it. The results of one reply are
messages of their own here: they become the one message that the loop appends.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.decoding import batches
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.decoding.exchanges import Exchange, entries, status_of
from visualizer.formats.openai import stream as openai_stream
from visualizer.formats.openai.messages import (
    are_messages,
    message_like,
    messages_of,
    reply_of,
)
from visualizer.formats.openai.words import (
    error_of,
    finish,
    parameters_of,
    path_of,
    payload,
    system_of,
)
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.conversations import Conversations
from visualizer.transcript.records import ApiObject

# fmt: off
_BODY = frozenset(
    (
        "model", "messages", "tools", "tool_choice", "functions", "function_call", "max_tokens",
        "max_completion_tokens", "temperature", "top_p", "n", "stream", "stream_options", "stop",
        "seed", "response_format", "parallel_tool_calls", "logprobs", "top_logprobs", "user",
        "frequency_penalty", "presence_penalty", "logit_bias", "metadata", "store", "modalities",
        "audio", "prediction", "reasoning_effort", "service_tier", "verbosity",
        "web_search_options", "safety_identifier", "prompt_cache_key", "extra_body", "response",
        "error", "id", "timestamp",
    )
)
_OTHERS = frozenset(
    ("info", "trajectory_format", "trajectory", "input", "output", "runs", "system")
)
# fmt: on
_SIMULATED = ("simulation_run", "simulations")
_PATH = "/chat/completions"


class _Alone(dict[str, Any]):
    """A whole conversation, which continues no other, however alike two of them begin."""


def claims(sample: Sample) -> bool:
    """Whether the first entries are exchanges, or all of them messages."""
    found = _entries(sample.items)
    return bool(found) and (are_messages(found) or any(map(_exchange, found)))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in recorded calls."""
    found = _entries([one for _, one in decoded.items])
    if are_messages(found):
        found = [{"messages": found}]
    exchanges = [_exchange(entry) or _failed(entry) for entry in found]
    for number, (entry, one) in enumerate(zip(found, exchanges, strict=True)):
        if isinstance(entry, _Alone) and one is not None:
            one.continues, one.begins = f"conversation {number}", True
    batches.tell_apart(found, exchanges)
    outside.findings.count("format.other_provider", exchanges.count(None))
    aside = sum(one.aside for one in exchanges if one is not None)
    outside.findings.count("format.other_choices", aside)
    Conversations(outside, finish).read([one for one in exchanges if one is not None])


def _entries(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The single entries, out of what benchmarks and recorders keep them in."""
    found = []
    for entry in entries(items):
        simulated = _simulated(entry)
        found += [entry] if simulated is None else simulated
    return found


def _simulated(entry: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The conversations in an entry of a benchmark, None where it is no such."""
    if "task_id" in entry and isinstance(entry.get("traj"), list):
        return [_Alone(messages=entry["traj"])]
    kept = next((entry[name] for name in _SIMULATED if name in entry), None)
    if kept is None:
        return None
    runs = [one for one in (kept if isinstance(kept, list) else [kept]) if isinstance(one, dict)]
    return [_Alone(messages=one["messages"]) for one in runs if _has_messages(one)]


def _exchange(entry: dict[str, Any]) -> Exchange | None:
    """An entry as an exchange, None where it is none of this API."""
    if isinstance(entry, _Alone):
        return _answered(entry, None, None) if _can_be_read(entry) else None
    if _is_completion(entry):
        return _answered(None, entry, None)
    asked, came = entry.get("request"), entry.get("response")
    if isinstance(asked, dict):
        return _called(asked, came)
    if _is_body(entry):
        return _answered(entry, came or {"error": entry.get("error")}, None)
    return _answered(None, came, status_of(came))


def _failed(entry: dict[str, Any]) -> Exchange | None:
    """A request of a batch that got no reply."""
    said = batches.failed(entry)
    return None if said is None else Exchange(None, error=error_of(said[0]), status=said[1])


def _called(asked: dict[str, Any], came: Any) -> Exchange | None:
    """A request with what came back; it may say nothing of where it went."""
    path = path_of(asked)
    body = payload(asked, _has_messages, _no_stream)
    if body is None or not _has_messages(body) or not _can_be_read(body):
        return None
    ours = _is_body(body) or _found(came) is not None if path is None else path.endswith(_PATH)
    return _answered(body, came, status_of(came)) if ours else None


def _answered(body: dict[str, Any] | None, came: Any, status: int | None) -> Exchange | None:
    found = _found(came)
    if body is None and (found is None or not _is_completion(found)):
        return None
    values = body["messages"] if body is not None else []
    system, messages, calls = messages_of(values)
    made = Exchange(None, status=status)
    if body is not None:
        made.body = {**parameters_of(body), "system": system_of(system), "messages": messages}
    if found is not None and _is_completion(found):
        made.response = reply_of(found, calls)
        made.aside = len(found["choices"]) - 1
    elif found is not None or (status is not None and status >= 400):
        made.error = error_of(found) or {"type": "error", "error": {}}
    elif isinstance(came, dict) and not came.keys() <= {"error"}:
        return None
    return made


def _found(came: Any) -> ApiObject | None:
    """The completion, or the error, in what came back."""
    return payload(came, _is_completion, openai_stream.completion)


def _is_body(value: dict[str, Any]) -> bool:
    """Whether something is the body of a request that says itself which API it is for."""
    if not _has_messages(value) or not _may_be_body(value):
        return False
    return not value["messages"] or are_messages(value["messages"]) or "response" in value


def _may_be_body(value: dict[str, Any]) -> bool:
    """Whether all keys are known, or what must be there is there: new ones come all the time."""
    return value.keys() <= _BODY or (
        isinstance(value.get("model"), str) and not value.keys() & _OTHERS
    )


def _has_messages(value: dict[str, Any]) -> bool:
    return isinstance(value.get("messages"), list)


def _can_be_read(body: dict[str, Any]) -> bool:
    return all(map(message_like, body["messages"]))


def _is_completion(value: dict[str, Any]) -> bool:
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices:
        return False
    return isinstance(choices[0], dict) and isinstance(choices[0].get("message"), dict)


def _no_stream(text: str) -> ApiObject | None:
    return None


FORMAT = Format("openai-chat", 50, claims, read)
