"""``check`` on broken copies: each is reported in one plain line, none with a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.made import (
    answer,
    response,
    round_of,
    text_block,
    tool_result,
    tool_use,
    transcript,
    write,
)
from visualizer.check import check_paths
from visualizer.errors import TranscriptError
from visualizer.files.resources import shipped
from visualizer.i18n import texts
from visualizer.loading import load_transcript

AURORA = shipped("transcripts") / "aurora-run.json"


def problems(*paths: Path, language: str = "en") -> list[str]:
    return list(check_paths([str(path) for path in paths], texts(language)))


def edited(path: Path, edit: Callable[[Any], None]) -> Path:
    data = json.loads(AURORA.read_text(encoding="utf-8"))
    edit(data)
    return write(path, data)


def test_the_shipped_transcripts_pass() -> None:
    """Nothing to report on what comes with the program."""
    assert problems() == []


def turns(data: Any) -> Any:
    return data["runs"][0]["takes"][0]["turns"]


BROKEN_DATA: dict[str, tuple[Callable[[Any], None], str, str]] = {
    "wrong type": (
        lambda d: d["settings"].update(max_turns="10"),
        "/settings/max_turns",
        "integer",
    ),
    "cap of zero": (
        lambda d: d["settings"].update(max_turns=0),
        "/settings/max_turns",
        "at least 1",
    ),
    "unknown key": (lambda d: d.update(titel="x"), "/titel", "not a known key"),
    "missing key": (lambda d: d.pop("title"), "/title", "is missing"),
    "no Japanese": (lambda d: d["title"].pop("ja"), "/title/ja", "is missing"),
    "empty title": (lambda d: d["title"].update(en=""), "/title/en", "empty"),
    "later version": (lambda d: d.update(format_version=2), "/format_version", "must be 1"),
    "unknown kind": (
        lambda d: d["provenance"][0].update(kind="real"),
        "/provenance/0/kind",
        "must be",
    ),
    "no runs": (lambda d: d.pop("runs"), "", "runs or recording"),
    "both": (lambda d: d.update(recording="paris"), "", "runs or recording"),
    "missing result": (
        lambda d: turns(d)[0].pop("results"),
        "/runs/0/takes/0/turns/0/response/content/0",
        "result",
    ),
    "orphan result": (
        lambda d: turns(d)[0]["results"].append(tool_result("toolu_other")),
        "/runs/0/takes/0/turns/0/results/1",
        "toolu_other",
    ),
    "content is no list": (
        lambda d: turns(d)[2]["response"].update(content="1974"),
        "/runs/0/takes/0/turns/2/response/content",
        "array",
    ),
    "block without type": (
        lambda d: turns(d)[2]["response"].update(content=[{"text": "1974"}]),
        "/runs/0/takes/0/turns/2/response/content/0/type",
        "string",
    ),
    "not what the world says": (
        lambda d: turns(d)[0]["results"][0].update(content="Nothing."),
        "/runs/0/takes/0/turns/0/results/0/content",
        "the world",
    ),
    "expects something else": (
        lambda d: d["expect"]["agent_loop"].update(result="1951"),
        "/expect/agent_loop",
        "'1974'",
    ),
    "expects an unknown loop": (
        lambda d: d["expect"].update(no_loop=d["expect"].pop("agent_loop")),
        "/expect/no_loop",
        "not the name of a loop",
    ),
    "drives a file": (
        lambda d: d["settings"].update(loop="evil.py"),
        "/settings/loop",
        "not the name of a loop",
    ),
    "a note on a file": (
        lambda d: d["notes"][0].update(loop="evil.py"),
        "/notes/0/loop",
        "not the name of a loop",
    ),
    "note on no place": (lambda d: d["notes"][0].update(at="t9.call"), "/notes/0/at", "t9.call"),
    "unknown run": (lambda d: d["settings"].update(run="other"), "/settings/run", "other"),
    "unknown take": (lambda d: d["settings"].update(take="other"), "/settings/take", "other"),
    "same take twice": (
        lambda d: d["runs"][0]["takes"].append(d["runs"][0]["takes"][0]),
        "/runs/0/takes/3/name",
        "twice",
    ),
    "base that comes later": (
        lambda d: d["runs"][0]["takes"][0].update(base="later"),
        "/runs/0/takes/0/base",
        "later",
    ),
    "repeats in the middle": (
        lambda d: turns(d)[0].update(repeats=True),
        "/runs/0/takes/0/turns/0/repeats",
        "last turn",
    ),
}


@pytest.mark.parametrize("case", BROKEN_DATA)
def test_broken_data_is_one_line_with_its_place(case: str, tmp_path: Path) -> None:
    """The line names the file, the JSON pointer, and what is wrong there."""
    edit, pointer, words = BROKEN_DATA[case]
    file = edited(tmp_path / "broken.json", edit)
    found = problems(file)
    assert len(found) == 1, found
    assert found[0].startswith(f"{file}: {pointer}: " if pointer else f"{file}: ")
    assert words in found[0].removeprefix(str(file))


def make_directory(path: Path) -> None:
    path.mkdir()


BROKEN_FILES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "truncated": (lambda p: p.write_bytes(AURORA.read_bytes()[:-300]), "ends too early"),
    "not JSON": (lambda p: p.write_text("hello: world", encoding="utf-8"), "is not JSON"),
    "empty": (lambda p: p.write_bytes(b""), "empty"),
    "blank": (lambda p: p.write_bytes(b" \n \n"), "empty"),
    "UTF-16": (lambda p: p.write_bytes(AURORA.read_text("utf-8").encode("utf-16")), "UTF-16"),
    "UTF-16 without a mark": (
        lambda p: p.write_bytes(AURORA.read_text("utf-8").encode("utf-16-le")),
        "UTF-16",
    ),
    "Latin-1": (lambda p: p.write_bytes(b'{"format_version": 1,\n"title": "\xe9"}'), "line 2"),
    "deep": (lambda p: p.write_text("[" * 10_000 + "]" * 10_000), "too deeply"),
    "deep objects": (lambda p: p.write_text('{"a":' * 10_000), "too deeply"),
    "a list": (lambda p: p.write_text("[]"), "format"),
    "a number": (lambda p: p.write_text("42"), "format"),
    "a directory": (make_directory, "folder"),
    "missing": (lambda p: None, "no such file"),
}


@pytest.mark.parametrize("case", BROKEN_FILES)
def test_a_broken_file_is_one_line(case: str, tmp_path: Path) -> None:
    """Whatever stands in the file, there is one line that says what is wrong with it."""
    make, words = BROKEN_FILES[case]
    file = tmp_path / "broken.json"
    make(file)
    if case == "a directory":
        found = problems(tmp_path)  # the folder holds a folder called broken.json
        words = "directory"
    else:
        found = problems(file)
    assert len(found) == 1, found
    assert found[0].startswith(f"{file}: ")
    assert words in found[0].removeprefix(str(file))


@pytest.mark.parametrize("case", BROKEN_FILES)
def test_a_broken_file_is_reported_in_japanese_too(case: str, tmp_path: Path) -> None:
    """One line, and not the English one."""
    make, _ = BROKEN_FILES[case]
    file = tmp_path / "broken.json"
    make(file)
    target = tmp_path if case == "a directory" else file
    assert len(problems(target, language="ja")) == 1
    assert problems(target, language="ja") != problems(target)


def test_a_folder_without_transcripts_is_a_problem(tmp_path: Path) -> None:
    """An empty folder is most likely a mistyped one."""
    assert problems(tmp_path) == [f"{tmp_path}: holds no transcript (*.json)"]


def test_a_byte_order_mark_is_no_problem(tmp_path: Path) -> None:
    """Windows editors write UTF-8 with a mark."""
    file = tmp_path / "marked.json"
    file.write_bytes(b"\xef\xbb\xbf" + AURORA.read_bytes())
    assert problems(file) == []


def test_every_problem_of_a_file_is_reported(tmp_path: Path) -> None:
    """Two faults are two lines, each with its own place."""

    def edit(data: Any) -> None:
        data["titel"] = 1
        data["settings"]["max_turns"] = -3

    pointers = [line.split(": ")[1] for line in problems(edited(tmp_path / "two.json", edit))]
    assert sorted(pointers) == ["/settings/max_turns", "/titel"]


def test_hostile_names_and_keys_reach_the_line_made_visible(tmp_path: Path) -> None:
    """Control characters of a key or a value are shown as escapes."""
    file = write(tmp_path / "x.json", {**transcript(answer()), "\x1b[31mred\x07": 1})
    (line,) = problems(file)
    assert "\x1b" not in line
    assert "\\x1b[31mred\\x07" in line


def test_the_world_answers_what_it_can_not_do_with_an_error_result(tmp_path: Path) -> None:
    """Unknown tools and bad arguments are results with is_error, recorded as such."""
    world = {
        "pages": [{"title": "Here", "text": "A page."}],
        "tools": {"search": {"argument": "query"}},
        "missing": "No matching page found.",
    }
    first = {
        "response": response(
            tool_use("a", "search", query=" here"),
            tool_use("b", "search", query="there"),
            tool_use("c", "find", query="Here"),
            tool_use("d", "search", page="Here"),
        ),
        "results": [
            tool_result("a", "A page."),
            tool_result("b", "No matching page found."),
            tool_result(
                "c", "Error: there is no tool named 'find'. Known tools: search.", is_error=True
            ),
            tool_result("d", "Error: search needs the argument 'query', a string.", is_error=True),
        ],
    }
    assert problems(write(tmp_path / "w.json", transcript(first, answer(), world=world))) == []


def test_a_recording_that_is_referred_to_may_stand_beside_the_file(tmp_path: Path) -> None:
    """A bare name means the file beside, else a shipped one; only one level deep."""
    write(tmp_path / "base.json", transcript(round_of("a"), answer()))
    scenario = {key: value for key, value in transcript().items() if key != "runs"}
    reference = write(tmp_path / "short.json", {**scenario, "recording": "base"})
    assert problems(tmp_path) == []
    assert len(load_transcript(reference).runs) == 1
    deeper = write(tmp_path / "deeper.json", {**scenario, "recording": "short"})
    assert "/recording" in problems(deeper)[0]
    missing = write(tmp_path / "missing.json", {**scenario, "recording": "nowhere"})
    assert "nowhere" in problems(missing)[0]


def test_a_problem_in_the_recording_is_reported_under_its_name(tmp_path: Path) -> None:
    """The line names the file that has the fault."""
    write(tmp_path / "base.json", {**transcript(answer()), "extra": 1})
    scenario = {key: value for key, value in transcript().items() if key != "runs"}
    reference = write(tmp_path / "short.json", {**scenario, "recording": "base"})
    with pytest.raises(TranscriptError) as refused:
        load_transcript(reference)
    assert refused.value.source == "base.json"


def test_notes_may_be_for_one_loop_or_one_cap(tmp_path: Path) -> None:
    """A note on a place that only a lower cap reaches is fine with that cap."""
    note = {"at": "t1.append", "text": {"en": "n", "ja": "n"}, "max_turns": 2}
    rounds = [round_of("a"), round_of("b"), {"response": response(text_block("x"))}]
    assert problems(write(tmp_path / "n.json", transcript(*rounds, notes=[note]))) == []
    lower = {**note, "max_turns": 1}
    assert len(problems(write(tmp_path / "m.json", transcript(*rounds, notes=[lower])))) == 1


def test_a_wrong_system_is_one_line_at_its_own_place(tmp_path: Path) -> None:
    """A system prompt may be a string or blocks: anything else is one problem, not two."""
    file = write(tmp_path / "s.json", transcript(answer(), request={"system": 3}))
    assert [line.split(": ")[1] for line in problems(file)] == ["/runs/0/request/system"]


def test_a_rule_broken_in_a_base_is_reported_there_once(tmp_path: Path) -> None:
    """Takes that go on from the same turns do not repeat what is wrong with these."""
    unanswered = {"response": response(tool_use("a"))}
    takes = [
        {"name": "one", "turns": [unanswered]},
        {"name": "two", "base": "one", "after": 1, "turns": [answer()]},
        {"name": "three", "base": "two", "after": 1, "turns": [answer("no")]},
    ]
    (line,) = problems(write(tmp_path / "t.json", transcript(takes=takes)))
    assert line.split(": ")[1] == "/runs/0/takes/0/turns/0/response/content/0"
