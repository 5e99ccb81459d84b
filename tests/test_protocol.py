"""What a Messages endpoint refuses is found, once, and named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cost import calls
from visualizer import protocol
from visualizer.messages import Message
from visualizer.protocol import CODES, Checker, Violation, check

Json = dict[str, Any]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
IDS = st.sampled_from(["a", "b", "", "a b", None, 5])
KINDS = ["text", "tool_use", "tool_result", "server_tool_use", "web_search_tool_result", "image", 7]
BLOCKS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(KINDS),
        "text": st.sampled_from(["", " ", "hi", None]),
        "id": IDS,
        "tool_use_id": IDS,
        "name": st.sampled_from(["fetch", "", 1]),
        "input": st.sampled_from([{}, None, "{}"]),
    },
)
ROLES = st.sampled_from(["user", "assistant", "system", "tool", None])
CONTENTS = JSON | st.lists(BLOCKS | JSON, max_size=4)
WILD = st.lists(
    st.fixed_dictionaries({}, optional={"role": ROLES | JSON, "content": CONTENTS}), max_size=6
)


def say(role: str, *content: Json | str) -> Json:
    """A message; strings are text blocks."""
    blocks = [{"type": "text", "text": b} if isinstance(b, str) else b for b in content]
    return {"role": role, "content": blocks}


def ask(id: Any = "t1", **changes: Any) -> Json:
    """A tool request."""
    return {"type": "tool_use", "id": id, "name": "fetch", "input": {}, **changes}


def result(id: Any = "t1") -> Json:
    """A tool result."""
    return {"type": "tool_result", "tool_use_id": id, "content": "found"}


def findings(*messages: Json) -> list[str]:
    """Everything wrong with these messages: code, pointer and ids."""
    return [" ".join((v.code, v.pointer, *v.ids)) for v in check([Message.of(m) for m in messages])]


SERVER = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}
SERVER_RESULT = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
USER = {"role": "user", "content": "Which year?"}
ASK, ASK2 = say("assistant", ask()), say("assistant", ask("t1"), ask("t2"))
RESULT = say("user", result())
BRIEF = say("system", "Be brief.")

SOUND = {
    "a question": [USER],
    "a tool round": [USER, say("assistant", "Looking.", ask()), RESULT],
    "two results": [USER, ASK2, say("user", result("t2"), result("t1"))],
    "results in two messages": [USER, ASK2, RESULT, say("user", result("t2"), "What now?")],
    "requests in two messages": [
        *[USER, ASK, say("assistant", ask("t2"))],
        say("user", result("t1"), result("t2")),
    ],
    "the assistant first": [say("assistant", "Hello."), USER],
    "roles in a row": [USER, USER, say("assistant", "Yes?"), say("assistant", "Well?"), USER],
    "a paused server tool": [USER, say("assistant", SERVER)],
    "a server tool and its result": [USER, say("assistant", SERVER, SERVER_RESULT)],
    "a server tool that waits behind a text": [USER, say("assistant", SERVER, "Searching.")],
    "a compaction": [USER, say("assistant", {"type": "compaction", "content": "…"})],
    "an unknown block": [say("user", {"type": "hologram"})],
    "an image before text": [say("user", {"type": "image", "source": {}}, "What is this?")],
    "system after a question": [USER, BRIEF],
    "system after results": [USER, ASK, RESULT, BRIEF, BRIEF, say("assistant", "1974"), USER],
    "system after a server result": [USER, say("assistant", SERVER, SERVER_RESULT), BRIEF],
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_requests_pass(name: str) -> None:
    """What an endpoint takes has no findings."""
    assert findings(*SOUND[name]) == []


FAULTS: dict[str, tuple[list[Json], list[str]]] = {
    "nothing": ([], ["no_messages /messages"]),
    "no result at the end": (
        [USER, say("assistant", "Looking.", ask())],
        ["missing_result /messages/1/content/1 t1"],
    ),
    "one of two results": ([USER, ASK2, RESULT], ["missing_result /messages/1/content/1 t2"]),
    "neither result": ([USER, ASK2, USER], ["missing_result /messages/1/content/0 t1 t2"]),
    "a result too late": (
        [USER, ASK, USER, say("assistant", "Hm."), RESULT],
        ["missing_result /messages/1/content/0 t1", "orphan_result /messages/4/content/0 t1"],
    ),
    "a result for nothing": (
        [say("user", "Hello", result())],
        ["orphan_result /messages/0/content/1 t1"],
    ),
    "a result twice": ([USER, ASK, RESULT, RESULT], ["double_result /messages/3/content/0 t1"]),
    "text before results": (
        [USER, ASK2, USER, say("user", result("t1"), result("t2"))],
        ["results_not_first /messages/2/content t1 t2"],
    ),
    "text between results": (
        [USER, ASK2, say("user", result("t1"), "and", result("t2"))],
        ["results_not_first /messages/2/content/1 t2"],
    ),
    "an id twice in a turn": (
        [USER, say("assistant", ask(), ask()), say("user", result(), result())],
        ["duplicate_id /messages/1/content/1 t1"],
    ),
    "an id again later": ([USER, *[ASK, RESULT] * 2], ["duplicate_id /messages/3/content/0 t1"]),
    "empty text": ([say("user", "")], ["empty_text /messages/0/content/0"]),
    "blank text": ([{"role": "user", "content": " \n"}], ["blank_text /messages/0/content"]),
    "empty string": ([{"role": "user", "content": ""}], ["empty_message /messages/0"]),
    "no blocks": ([USER, say("assistant"), USER], ["empty_message /messages/1"]),
    "an empty answer at the end": ([USER, say("assistant")], ["ends_with_assistant /messages/1"]),
    "result in assistant": (
        [USER, ASK, say("assistant", result())],
        ["result_in_assistant /messages/2/content/0 t1"],
    ),
    "request in user": (
        [USER, say("user", ask()), RESULT],
        ["request_in_user /messages/1/content/0 t1"],
    ),
    "a result without an id": (
        [USER, ASK, say("user", result(None))],
        ["missing_tool_use_id /messages/2/content/0"],
    ),
    "a bad id": (
        [USER, say("assistant", ask("t1\n")), say("user", result("t1\n"))],
        ["bad_id /messages/1/content/0 t1\n"],
    ),
    "no id": (
        [USER, say("assistant", ask(None)), say("user", result("t1"))],
        ["bad_id /messages/1/content/0"],
    ),
    "input as text": (
        [USER, say("assistant", ask(input="{}")), RESULT],
        ["input_not_object /messages/1/content/0 t1"],
    ),
    "no name": (
        [USER, say("assistant", ask(name="")), RESULT],
        ["empty_name /messages/1/content/0 t1"],
    ),
    "a role of another vendor": (
        [USER, ASK, {"role": "tool", "content": "1974"}],
        ["unknown_role /messages/2"],
    ),
    "system first": ([BRIEF, BRIEF, USER], ["system_first /messages/0"]),
    "system between request and result": (
        [USER, ASK, BRIEF, RESULT],
        ["system_misplaced /messages/2"],
    ),
    "system between two questions": ([USER, BRIEF, USER], ["system_misplaced /messages/1"]),
    "system after an answer": (
        [USER, say("assistant", "1974"), BRIEF],
        ["system_misplaced /messages/2"],
    ),
    "the answer last": (
        [USER, say("assistant", SERVER, SERVER_RESULT, "1974")],
        ["ends_with_assistant /messages/1"],
    ),
    "no content": ([{"role": "user"}], ["bad_block /messages/0/content/0"]),
    "a text without text": ([say("user", {"type": "text"})], ["bad_block /messages/0/content/0"]),
    "a result without a type": (
        [USER, ASK, say("user", {"tool_use_id": "t1", "content": "1974"})],
        ["bad_block /messages/2/content/0"],
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found_once(name: str) -> None:
    """Each fault has its code, its place and its ids, and nothing else is said."""
    messages, expected = FAULTS[name]
    assert findings(*messages) == expected


def test_duplicate_tool_names() -> None:
    """A tool's name used again is found; tools without a name are left to the schema."""
    tools = [{"name": "fetch"}, {"name": "search"}, {}, {"name": "fetch"}, {}]
    found = check([Message.of(USER)], tools)
    assert found == (Violation("duplicate_tool_name", "/tools/3"),)


def test_every_code_has_a_case() -> None:
    """The codes listed are the codes found by the cases here, and those in the source."""
    found = {line.split()[0] for _, expected in FAULTS.values() for line in expected}
    assert sorted(found | {"duplicate_tool_name"}) == sorted(CODES)
    source = Path(protocol.__file__).read_text(encoding="utf-8")
    assert all(source.count(f'"{code}"') >= 2 for code in CODES)


@given(WILD, st.lists(JSON, max_size=3))
def test_any_json_is_judged(messages: list[Json], tools: list[Any]) -> None:
    """Nothing a loop could send raises; every finding has a known code and a real place."""
    for violation in check([Message.of(message) for message in messages], tools):
        assert violation.code in CODES
        assert points_into({"messages": messages, "tools": tools}, violation.pointer)


def points_into(request: Any, pointer: str) -> bool:
    """Whether the pointer leads somewhere, as far as the request is well formed."""
    for step in pointer.split("/")[1:]:
        if isinstance(request, list):
            request = request[int(step)]
        elif isinstance(request, Mapping) and step in request:
            request = request[step]
        else:  # content that is no list is taken as its one block
            return step in {"content", "0"}
    return True


@given(WILD)
def test_judging_on_the_way_changes_nothing(messages: list[Json]) -> None:
    """A checker asked after every message says of each prefix what a fresh look says."""
    frozen = [Message.of(message) for message in messages]
    checker, copies = Checker(), []
    for count, message in enumerate(frozen, 1):
        copies.append((count - 1, checker.copy()))
        checker.feed(message)
        assert checker.violations() == checker.violations() == check(frozen[:count])
    for count, copy in copies:
        assert copy.violations() == check(frozen[:count])
        for message in frozen[count:]:
            copy.feed(message)
        assert copy.violations() == check(frozen)


TURNS = st.lists(
    st.tuples(
        st.booleans(),
        st.lists(st.sampled_from(["a", "b", "c", "d", "e", "text"]), min_size=1, max_size=4),
    ),
    max_size=8,
)


@given(TURNS)
def test_pairing_agrees_with_a_plain_reading(turns: list[tuple[bool, list[str]]]) -> None:
    """Requests and results pair up as the rules say when read turn by turn."""
    messages = []
    merged: list[tuple[bool, list[str]]] = []
    for mine, names in turns:
        block = ask if mine else result
        blocks = [name if name == "text" else block(name) for name in names]
        messages.append(say("assistant" if mine else "user", *blocks))
        ids = [name for name in names if name != "text"]
        if merged and merged[-1][0] == mine:
            merged[-1][1].extend(ids)
        else:
            merged.append((mine, list(ids)))
    missing: set[str] = set()
    orphans: list[str] = []
    for index, (mine, ids) in enumerate(merged):
        if mine:
            missing |= set(ids) - set(merged[index + 1][1] if index + 1 < len(merged) else [])
        else:
            asked = merged[index - 1][1] if index else []
            orphans += [id for id in ids if id not in asked]
    found = check([Message.of(message) for message in messages])
    assert {id for v in found if v.code == "missing_result" for id in v.ids} == missing
    assert [v.ids[0] for v in found if v.code == "orphan_result"] == orphans


def test_a_long_run_is_judged_in_linear_time() -> None:
    """Ten times the rounds, asked after each, are ten times the work."""

    def judge(rounds: int) -> None:
        checker = Checker()
        checker.feed(Message.of(USER))
        for number in range(rounds):
            checker.feed(Message.of(say("assistant", ask(f"t{number}"))))
            checker.violations()
            checker.feed(Message.of(say("user", result(f"t{number}"))))
            assert checker.violations() == ()

    assert calls(lambda: judge(2_000)) < 11 * calls(lambda: judge(200))
