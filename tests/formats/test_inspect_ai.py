"""Logs of inspect_ai, as one JSON file and as an archive."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile
from zlib import crc32

import pytest

from tests.made_outside import QUESTION, calls_of, flags
from visualizer.collection.folders import files_in
from visualizer.engine import replay
from visualizer.formats import Outside, Unreadable, detect, read
from visualizer.formats.decoding import archive, unpack
from visualizer.formats.decoding.unpack import ZSTD
from visualizer.loading import load_transcript

Entry = dict[str, Any]
MODULE = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
SYSTEM: Entry = {"id": "m0", "role": "system", "content": "You are a sailor."}
ASK: Entry = {"id": "m1", "role": "user", "content": QUESTION, "source": "input"}
CALLS = [
    {"id": name, "function": "look", "arguments": {"place": name}, "type": "function"}
    for name in ("a", "b")
]
LOOK: Entry = {"id": "m2", "role": "assistant", "content": "I look.", "tool_calls": CALLS}
FAILS = {"type": "timeout", "message": "Too slow."}
FOUND: list[Entry] = [
    {"id": "m3", "role": "tool", "tool_call_id": "b", "content": "", "error": FAILS},
    {"id": "m4", "role": "tool", "tool_call_id": "a", "content": "log 3"},
]
DONE: Entry = {"id": "m5", "role": "assistant", "content": [{"type": "text", "text": "Whitby."}]}
MESSAGES = [SYSTEM, ASK, LOOK, *FOUND, DONE]
TOOLS = [{"name": "look", "description": "Looks.", "parameters": {"type": "object"}}]


def given(message: Entry, stop: str) -> Entry:
    """The event of a call of the model that gave a message."""
    usage = {"input_tokens": 20, "output_tokens": 5, "input_tokens_cache_read": 8}
    choice = {"message": message, "stop_reason": stop}
    output = {"model": "model-x", "choices": [choice], "usage": usage}
    return {"event": "model", "model": "maker/model-x", "tools": TOOLS, "output": output}


EVENTS = [given(LOOK, "tool_calls"), given(DONE, "stop")]


def sample(*messages: Entry, **more: Any) -> Entry:
    return {"id": 1, "epoch": 1, "messages": list(messages), **more}


def log(*samples: Entry) -> Entry:
    about = {"task": "harbours", "model": "maker/model-x"}
    return {"version": 2, "status": "success", "eval": about, "plan": {}, "samples": list(samples)}


ROUND = log(sample(*MESSAGES, events=EVENTS))


def packed(value: Entry, **others: bytes) -> bytes:
    """A log as an archive; ``others`` are further samples by name."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made:
        for number, one in enumerate(value["samples"], 1):
            made.writestr(f"samples/{number}_epoch_1.json", json.dumps(one))
        for name, text in others.items():
            made.writestr(f"samples/{name}.json", text)
        made.writestr("summaries.json", "[]")
        made.writestr("header.json", json.dumps({**value, "samples": None}))
    return file.getvalue()


def with_zstd(data: bytes, pack: Callable[[bytes], bytes] = bytes) -> bytes:
    """The same archive with its members packed by ``pack``, and said to be so with zstd."""
    members = []
    with ZipFile(BytesIO(data)) as old:
        members = [(one.filename, old.read(one)) for one in old.infolist()]
    file = BytesIO()
    with ZipFile(file, "w") as made:
        for name, text in members:
            made.writestr(name, pack(text))
        for one, (_, text) in zip(made.infolist(), members, strict=True):
            one.compress_type, one.file_size, one.CRC = ZSTD, len(text), crc32(text)
    return file.getvalue()


def read_it(*messages: Entry, **more: Any) -> Outside:
    return read(json.dumps(log(sample(*messages, **more))).encode())


@pytest.mark.parametrize("data", [json.dumps(ROUND).encode(), packed(ROUND)])
def test_a_round_and_an_answer(data: bytes, tmp_path: Path) -> None:
    """Both containers give the same: pairs by id, flags and tokens from the events."""
    path = tmp_path / "harbours.eval"
    path.write_bytes(data)
    assert detect(data) == "inspect-ai"
    scenario = load_transcript(path)
    run = replay(scenario)
    assert (run.model_calls, run.tool_calls, run.result) == (2, 2, "Whitby.")
    recorded = scenario.runs[0]
    first = recorded.takes[0].turns[0]
    assert first.response is not None
    assert first.inferred == []
    assert first.response["usage"] == {
        "input_tokens": 20,
        "output_tokens": 5,
        "cache_read_input_tokens": 8,
    }
    results = [(one["content"], one.get("is_error")) for one in first.results or []]
    assert results == [("Too slow.", True), ([{"type": "text", "text": "log 3"}], None)]
    request = recorded.request
    assert (request.system, request.model) == ("You are a sailor.", "maker/model-x")
    assert request.tools == [
        {"name": "look", "description": "Looks.", "input_schema": {"type": "object"}}
    ]
    assert list(files_in(tmp_path)) == [path]


def test_several_samples_are_several_runs() -> None:
    """Ids that come again in another sample are other calls; samples stand by their numbers."""
    outside = read(packed(log(*[sample(*MESSAGES, events=EVENTS)] * 11)))
    assert calls_of(outside) == [2] * 11
    assert list(outside.findings.problems()) == []


def test_no_events() -> None:
    """Without them the stop reasons are inferred, but the last, which the sample tells."""
    choice = {"message": DONE, "stop_reason": "max_tokens"}
    outside = read_it(*MESSAGES, output={"choices": [choice]})
    assert flags(outside) == [["tool_use", "max_tokens"]]
    first, last = outside.runs[0].takes[0].turns
    assert (first.inferred, last.inferred) == (["/response/stop_reason"], [])


def test_texts_that_are_kept_elsewhere() -> None:
    """A reference stands for the text; one that leads nowhere is counted."""
    asks = {**ASK, "content": "attachment://one"}
    answers = {**DONE, "content": "attachment://two"}
    outside = read_it(asks, answers, attachments={"one": QUESTION})
    assert outside.runs[0].request.messages[0]["content"] == [{"type": "text", "text": QUESTION}]
    assert outside.findings.number("format.missing_attachment") == 1


def test_no_messages() -> None:
    """What a sample does not hold is taken from the last call of the model."""
    outside = read_it(events=[{**EVENTS[1], "input": MESSAGES[:-1]}])
    assert calls_of(outside) == [2]


def test_messages_of_the_input_and_of_the_host() -> None:
    """A reply that was input is context; a user's later word is the host's."""
    shown = {"id": "x", "role": "assistant", "content": "Hull.", "source": "input"}
    pushed = {"id": "y", "role": "user", "content": "Go on."}
    again = {**DONE, "id": "z"}
    outside = read_it(ASK, shown, {**ASK, "id": "w"}, DONE, pushed, again)
    assert calls_of(outside) == [1, 1]
    assert outside.runs[1].started_by == "continued"
    assert [one["role"] for one in outside.runs[0].request.messages] == [
        "user",
        "assistant",
        "user",
    ]


def test_failed_calls_and_others() -> None:
    """A call that failed came before the reply; one that gave none of the messages is counted."""
    failed = {"event": "model", "error": "Overloaded", "output": {"choices": []}}
    graded = given({"id": "g", "role": "assistant", "content": "C"}, "stop")
    outside = read_it(*MESSAGES, events=[EVENTS[0], failed, EVENTS[1], graded])
    last = outside.runs[0].takes[0].turns[1]
    assert [one.handled for one in last.attempts] == [True]
    assert outside.findings.number("format.beside_calls") == 1


def test_how_a_sample_ended() -> None:
    """A limit on turns is the cap; others and errors are what the file says of the end."""
    turns = read_it(*MESSAGES[:5], limit={"type": "turn", "limit": 1})
    assert (turns.runs[0].max_turns, turns.runs[0].uncapped) == (1, False)
    time = read_it(*MESSAGES, limit={"type": "time", "limit": 60})
    assert time.runs[0].recorded == {"end": "time limit", "limit": 60}
    error = read_it(*MESSAGES[:5], error={"message": "Lost."})
    assert error.runs[0].recorded == {"end": "error", "error": "Lost."}


def test_what_the_provider_ran_is_no_request() -> None:
    """Thoughts are thoughts, and a search by the provider asks for nothing."""
    search = {"type": "tool_use", "id": "s", "name": "web_search", "arguments": "{}"}
    parts = [{"type": "reasoning", "reasoning": "Hm."}, search, *DONE["content"]]
    outside = read_it(ASK, {**DONE, "content": parts})
    response = outside.runs[0].takes[0].turns[0].response
    assert response is not None
    assert [one["type"] for one in response["content"]] == ["thinking", "server_tool_use", "text"]
    assert flags(outside) == [["end_turn"]]


def test_a_damaged_sample_is_left_out() -> None:
    """The others are read; how many could not be is said."""
    outside = read(packed(ROUND, bad=b"[1"))
    assert calls_of(outside) == [2]
    assert outside.findings.number("format.member_damaged") == 1


def refusal(data: bytes) -> str:
    with pytest.raises(Unreadable) as caught:
        read(data)
    return caught.value.key


def test_members_packed_with_zstd(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read, in one frame or several; not where nothing unpacks them, and it says so."""
    zstd = pytest.importorskip(MODULE)
    frames = [
        with_zstd(packed(ROUND), zstd.compress),
        with_zstd(packed(ROUND), lambda text: zstd.compress(text[:9]) + zstd.compress(text[9:])),
    ]
    assert [calls_of(read(data)) for data in frames] == [[2], [2]]
    monkeypatch.setattr(unpack, "zstd", lambda: None)
    assert refusal(frames[0]) == "format.archive_packed"


def test_members_that_are_no_zstd() -> None:
    """Where something unpacks zstd, damaged members are damage, as those packed otherwise."""
    pytest.importorskip(MODULE)
    assert refusal(with_zstd(packed(ROUND))) == "format.archive_bad"


def test_members_that_hold_more_than_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more is unpacked than a member says that it holds; it is damaged then."""
    most: list[int] = []
    real = unpack._unpack

    def measured(packed: bytes, method: int, size: int) -> bytes:
        whole = real(packed, method, size)
        most.append(len(whole) - size)
        return whole

    monkeypatch.setattr(unpack, "_unpack", measured)
    data = packed(log(sample(*MESSAGES), sample({**ASK, "content": "x" * 100_000})))
    length = len(json.dumps(sample({**ASK, "content": "x" * 100_000})))
    lying = data.replace(length.to_bytes(4, "little"), (500).to_bytes(4, "little"))
    outside = read(lying)
    assert (outside.findings.number("format.member_damaged"), max(most)) == (1, 1)


def test_archives_that_are_broken_or_others() -> None:
    """Torn ones are refused, and those of word processors, each in its line."""
    data = packed(ROUND)
    assert refusal(data[: len(data) // 2]) == "format.archive_bad"
    other = BytesIO()
    with ZipFile(other, "w") as made:
        made.writestr("word/document.xml", "<x/>")
    assert refusal(other.getvalue()) == "format.archive_other"


BOUNDS = {
    "MAX_MEMBERS": (2, "format.archive_members"),
    "MAX_MEMBER": (1000, "format.archive_member"),
    "MAX_BYTES": (1000, "format.archive_big"),
    "MAX_MEMORY": (1000, "format.archive_memory"),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_what_is_unpacked_has_bounds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Members, each of them, all of them, and what they come to: each bound is named."""
    bound, key = BOUNDS[name]
    data = packed(ROUND)
    assert calls_of(read(data)) == [2]
    monkeypatch.setattr(archive, name, bound)
    assert refusal(data) == key


def test_an_archive_of_lists_is_refused_before_they_are_made() -> None:
    """Ten million lists are 30 MB as text, 30 KB as an archive, and most of a GB as objects."""
    data = packed(ROUND, bad=b"[" + b"[]," * 10_000_000 + b"1]")
    assert len(data) < 100_000
    assert refusal(data) == "format.archive_memory"
