"""What the rows of a folder say of each file: read in the background, as far as they are seen."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import made
from tests.made import text_block, tool_use
from tests.made_outside import QUESTION, Session, small_session, small_stream
from tests.tui.recording import recording
from tests.tui.screens import LANGUAGES, Driven, opened
from tests.tui.test_folder import driven_over, folder_with, read
from tests.tui.test_hostile import ALL, check, written  # noqa: F401 - a fixture
from visualizer.app import glance as glance_module
from visualizer.app.glance import Glance, glance
from visualizer.errors import TranscriptError
from visualizer.i18n import texts
from visualizer.text import cells
from visualizer.tui.folder import screen as folder_module
from visualizer.tui.folder.screen import FolderScreen


def look(path: Path) -> Glance:
    """A glance at a file that nobody stops."""
    return glance(path, path.stat().st_size, "en", lambda _: None)


def long_session(turns: int) -> Session:
    """A session with many calls."""
    session = Session()
    session.user(QUESTION)
    for number in range(turns):
        session.reply(f"m{number}", tool_use(f"t{number}"))
        session.result(f"t{number}")
    session.reply("last", text_block("Whitby."), flag="end_turn")
    return session


class Gate:
    """Stands in for a glance: counts what is read, and holds it up where it is closed."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.left: list[str] = []
        self.reached = threading.Event()
        self.open = threading.Event()
        self.open.set()

    def __call__(
        self, path: Path, size: int, language: str, watch: Callable[[int], None]
    ) -> Glance:
        """Read, or wait; who waits is told when nobody wants it any more."""
        self.asked.append(path.name)
        self.reached.set()
        self.open.wait(60)
        try:
            watch(0)
        except Exception:
            self.left.append(path.name)
            raise
        return glance(path, size, language, watch)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """All glances of the screen go through it."""
    gate = Gate()
    monkeypatch.setattr(folder_module, "glance", gate)
    yield gate
    gate.open.set()


def many(path: Path, count: int = 30) -> list[str]:
    """Small recordings in a folder; their names, the newest first."""
    names = [f"file{number:02}.jsonl" for number in range(count)]
    folder_with(path, *names)
    return names[::-1]


def test_a_session_and_a_stream(tmp_path: Path) -> None:
    """Format, first prompt, prompts, calls, and the end as the file says it."""
    session = small_session()
    session.user("And then?")
    session.reply("m3", text_block("Bergen."), flag="end_turn")
    path = tmp_path / "a.jsonl"
    path.write_bytes(session.text())
    assert look(path) == Glance("claude-code", QUESTION, 2, 3, "end_turn")
    path.write_bytes(small_stream().text())
    assert look(path)[:2] == ("stream-json", "")
    made.write(path, made.transcript(made.round_of("t1"), made.answer()))
    assert look(path)._replace(prompt="") == Glance("", "", 0, 2, "end_turn")


def test_the_first_prompt_is_no_subagents(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where a file tells of a subagent first, the prompt is still the user's."""
    found = recording().outside
    assert found is not None
    assert found.runs[1].parent is not None
    found.runs[:] = [found.runs[1], found.runs[0]]
    monkeypatch.setattr(glance_module, "read_from", lambda *_: found)
    path = tmp_path / "a.jsonl"
    path.write_bytes(small_session().text())
    assert look(path).prompt == QUESTION


def test_other_files_of_a_session_are_left_alone(tmp_path: Path) -> None:
    """Subagents in a folder beside it are read when it is opened, not for the list."""
    path = tmp_path / "one.jsonl"
    path.write_bytes(small_session().text())
    beside = tmp_path / "one" / "subagents"
    beside.mkdir(parents=True)
    (beside / "agent-a.jsonl").write_bytes(long_session(5).text())
    assert look(path).calls == 2


def test_only_the_beginning_of_a_big_file_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Lines up to a size; a file without lines is not read at all, and says so."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(long_session(1000).text())
    monkeypatch.setattr(glance_module, "BIG", 50_000)
    monkeypatch.setattr(glance_module, "FIRST", 20_000)
    seen = look(path)
    assert (seen.format, seen.prompt, seen.whole) == ("claude-code", QUESTION, False)
    assert 5 < seen.calls < 500
    for data in (
        {"messages": [{"role": "user", "content": "x" * 60_000}]},
        {**made.transcript(made.answer()), "summary": {"en": "x" * 60_000, "ja": "x"}},
    ):
        path.write_text(json.dumps(data), encoding="utf-8")
        with pytest.raises(TranscriptError, match="too big"):
            look(path)
    path.write_text('{"a": 1}\n' * 20_000, encoding="utf-8")
    with pytest.raises(TranscriptError, match="not a recording"):
        look(path)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (140, 45)])
async def test_rows_say_what_files_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, size: tuple[int, int], language: str
) -> None:
    """A recording, one of our own, a big one and one that can't be read: two lines each."""
    said = texts(language)
    folder_with(tmp_path, "one.jsonl")
    (tmp_path / "stream.jsonl").write_bytes(small_stream().text())
    made.write(tmp_path / "own.json", made.transcript(made.answer()))
    (tmp_path / "bad.json").write_text("{]", encoding="utf-8")
    (tmp_path / "big.jsonl").write_bytes(long_session(200).text())
    monkeypatch.setattr(glance_module, "BIG", 50_000)
    monkeypatch.setattr(glance_module, "FIRST", 20_000)

    async def act(driven: Driven) -> None:
        await read(driven)
        lines = driven.text.split("\n")
        assert all(cells(line) <= size[0] for line in lines)
        row = {
            name: lines[number + 1]
            for number, line in enumerate(lines)
            for name in ("one.jsonl", "stream.jsonl", "own.json", "bad.json", "big.jsonl")
            if name in line
        }
        assert QUESTION[:6] in row["one.jsonl"]
        for part in ("claude-code", said.count("folder.calls", 2), "end_turn"):
            assert part in row["one.jsonl"]
        assert said("folder.own") in row["own.json"]
        assert row["bad.json"].strip().startswith("! ")
        assert said("folder.at_least", counts="").strip() in row["big.jsonl"]
        assert said("folder.no_prompt")[:4] in row["stream.jsonl"]

    await driven_over(tmp_path, size, language, act)


async def test_only_rows_in_view_are_read_and_each_once(tmp_path: Path, gate: Gate) -> None:
    """What was never seen is not read; what was read is kept."""
    names = many(tmp_path)

    async def act(driven: Driven) -> None:
        await read(driven)
        assert gate.asked == names[:10]
        await driven.press(*["down"] * 8)
        await read(driven)
        assert set(gate.asked) == set(names[:13])
        await driven.press(*["up"] * 8)
        await driven.type("file0")
        await read(driven)
        assert set(gate.asked) == {*names[:13], *names[-10:]}
        assert len(gate.asked) == 23

    await driven_over(tmp_path, (80, 24), "en", act)


async def test_reading_holds_up_no_key(tmp_path: Path, gate: Gate) -> None:
    """While a file is being read, one moves, types and opens another."""
    names = many(tmp_path)
    gate.open.clear()

    async def act(driven: Driven) -> None:
        gate.reached.wait(60)
        await driven.press("down", "down")
        assert f" > {names[2]}" in driven.text
        await driven.type("file07")
        assert f" > {names[22]}" in driven.text
        await driven.press("enter")
        while driven.name != "StepperScreen":
            await driven.pilot.pause()
        assert driven.stepper.session.scenario.name == "file07.jsonl"
        gate.open.set()

    await driven_over(tmp_path, (80, 24), "en", act)


async def test_leaving_ends_the_reading(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gate: Gate
) -> None:
    """Back in the library nothing more is read, the file that was begun least of all."""
    many(tmp_path)
    gate.open.clear()
    async with opened(None) as driven:
        driven.app.push_screen(FolderScreen(tmp_path))
        await driven.pilot.pause()
        gate.reached.wait(60)
        (worker,) = driven.app.workers
        await driven.press("escape")
        assert driven.name == "LibraryScreen"
        assert worker.is_cancelled
        gate.open.set()
        while not gate.left:
            await driven.pilot.pause()
        assert gate.asked == gate.left


async def test_a_file_left_for_another_is_read_later(tmp_path: Path, gate: Gate) -> None:
    """Opening one stops the reading of the rows; back in the list it goes on."""
    names = many(tmp_path, 3)
    gate.open.clear()

    async def act(driven: Driven) -> None:
        gate.reached.wait(60)
        await driven.press("enter")
        while driven.name != "StepperScreen":
            await driven.pilot.pause()
        gate.open.set()
        while not gate.left:
            await driven.pilot.pause()
        await driven.press("escape")
        while driven.text.count("claude-code") < 3:
            await driven.pilot.pause()
        assert gate.left == names[:1]
        assert gate.asked == [names[0], *names]

    await driven_over(tmp_path, (80, 24), "en", act)


async def test_search_finds_what_rows_say_and_keeps_the_choice(tmp_path: Path, gate: Gate) -> None:
    """Words of a prompt that was read; what comes to be found later does not move the choice."""
    folder_with(tmp_path, "harbour.jsonl", "b.jsonl")
    gate.open.clear()

    async def act(driven: Driven) -> None:
        gate.reached.wait(60)
        await driven.type("harbour")
        assert " > harbour.jsonl" in driven.text
        assert "b.jsonl" not in driven.text
        gate.open.set()
        await read(driven)
        lines = driven.text.split("\n")
        assert "   b.jsonl" in lines[3]  # newer, and its prompt names the harbour
        assert " > harbour.jsonl" in lines[5]
        await driven.type(" petrel nothing")
        assert driven.app.texts("screen.picker.nothing") in driven.text

    await driven_over(tmp_path, (80, 24), "en", act)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_hostile_prompts_are_shown_safely(
    written: list[str],  # noqa: F811 - the fixture
    tmp_path: Path,
    language: str,
) -> None:
    """A prompt, an end and a reason out of a file steer nothing and are no markup."""
    session = Session()
    session.user(ALL)
    session.reply("m1", text_block(ALL), flag=ALL)
    (tmp_path / "a.jsonl").write_bytes(session.text())
    (tmp_path / "b.json").write_text(json.dumps({ALL: ALL, "format_version": ALL}))

    async def act(driven: Driven) -> None:
        await read(driven)
        assert "claude-code" in driven.text

    await driven_over(tmp_path, (140, 45), language, act)
    check(written)
