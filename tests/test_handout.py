"""Handouts: a worksheet that tells no answer, a key that tells all, both computed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.made_lessons import small
from visualizer.app.agenda import read_agenda
from visualizer.app.classroom import Classroom
from visualizer.app.opening import Lesson, Look
from visualizer.cli import commands
from visualizer.cli import main as cli
from visualizer.i18n import LANGUAGES, texts
from visualizer.lessons.files import lesson_names, load_lesson
from visualizer.lessons.handout import answer_key, worksheet

FIRST = load_lesson("the-loop").pages[0].id
LAST = "aurora-run@t2.call"
ASKS = f'ask = [{{ kind = "sent" }}, {{ kind = "exit" }}, {{ kind = "next_line", at = "{LAST}" }}]'


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", lesson_names())
def test_every_lesson_has_handouts(name: str, language: str) -> None:
    """Each page is on the worksheet; each question and experiment is in the key."""
    lesson, language_texts = load_lesson(name), texts(language)
    sheet = "\n".join(worksheet(lesson, language_texts))
    key = "\n".join(answer_key(lesson, language_texts))
    for number, page in enumerate(lesson.pages, start=1):
        heading = f"## {number}. {page.text(language).title}"
        assert heading in sheet
        assert (heading in key) == bool(page.asks or page.experiment)
    assert "](claim:" not in sheet + key
    assert "](loop:" not in sheet + key
    assert "`?`" not in key


def test_the_sheet_asks_and_the_key_answers(tmp_path: Path) -> None:
    """Options are numbered as on the screen; the key gives the number and the option."""
    lesson = load_lesson(small(tmp_path / "small", ASKS))
    sheet = list(worksheet(lesson, texts("en")))
    assert "**How many messages did call 1 send?**" in sheet
    assert "- [ ] 1: 1" in sheet
    assert "- [ ] 2: `return reply.text`" in sheet
    assert "- [ ] 1: exit A (the flag asks for no tool)" in sheet
    key = list(answer_key(lesson, texts("en")))
    assert "- How many messages did call 1 send? **1: 1**" in key
    assert any(line.endswith("**2: `return reply.text`**") for line in key)


def test_the_key_solves_experiments(tmp_path: Path) -> None:
    """The solution is a locator that can be opened."""
    lesson = load_lesson(small(tmp_path / "small", 'experiment = { kind = "cut_off" }'))
    key = "\n".join(answer_key(lesson, texts("en")))
    assert "`aurora-run@start,max_turns=1`" in key


def test_shuffled_lines_are_printed(tmp_path: Path) -> None:
    """The sheet has them shuffled, the key in order."""
    page = 'experiment = { kind = "order", loop = "agent_loop" }'
    lesson = load_lesson(small(tmp_path / "small", page))
    sheet, key = (list(make(lesson, texts("en"))) for make in (worksheet, answer_key))
    head, end = "    for turn in range(max_turns):", "    return None"
    assert head in sheet
    assert key.index(end) - key.index(head) == 9


def test_guesses_are_marked(tmp_path: Path) -> None:
    """An answer that could only be guessed says so."""
    lesson = load_lesson(small(tmp_path / "small", 'ask = [{ kind = "next_flag" }]'))
    assert "(a guess, no score)" in "\n".join(answer_key(lesson, texts("en")))


def test_code_is_quoted_in_fences(tmp_path: Path) -> None:
    """A quoted function stands on the instructor's page as it is in its file."""
    folder = small(tmp_path / "small")
    (folder / "teaching.en.md").write_text("The loop:\n\n![](loop:agent_loop)\n", encoding="utf-8")
    key = list(answer_key(load_lesson(folder), texts("en")))
    at = key.index("```python")
    assert key[at + 1] == "def agent_loop(model, tools, messages, max_turns=10):"
    assert key[-1] == "```"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["handout", "the-lop"], "the-loop"),
        (["lesson", "the-lop"], "the-loop"),
        (["lesson", "the-loop", "--page", f"{FIRST}x"], FIRST),
        (["lesson", "the-loop"], "not a terminal"),
        (["lesson"], "not a terminal"),
        (["open", "paris", "--agenda", "nowhere.txt"], "not a terminal"),
    ],
)
def test_what_can_not_be_opened_is_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown lesson or page names the nearest; without a terminal nothing is drawn."""
    with pytest.raises(SystemExit) as left:
        cli.main([*arguments, "--lang", "en"])
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert words in said


def test_the_command_prints_both(capsys: pytest.CaptureFixture[str]) -> None:
    """``handout`` prints the sheet, with ``--key`` the answers, in the language asked for."""
    for arguments, words in (
        (["handout", "the-loop"], "Name: ___"),
        (["handout", "the-loop", "--key", "--lang", "ja"], "# 解答: エージェントループ"),
    ):
        with pytest.raises(SystemExit) as left:
            cli.main(["--lang", "en", *arguments])
        assert left.value.code == 0
        assert words in capsys.readouterr().out


def test_a_lesson_opens_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The screen gets the lesson, the page, the file of progress and the agenda."""
    from visualizer.tui import app

    asked: list[object] = []

    def run_app(*given: object) -> int:
        asked.append(given)
        return 0

    monkeypatch.setattr(app, "run_app", run_app)
    monkeypatch.setattr(commands, "on_a_terminal", lambda: True)
    progress, agenda = str(tmp_path / "p.json"), tmp_path / "agenda.txt"
    agenda.write_text("paris | One call\n", encoding="utf-8")
    options = ["--progress", progress, "--agenda", str(agenda), "--theme", "light"]
    classroom = Classroom(agenda=read_agenda(agenda))
    for arguments, page in ((["the-loop", "--page", FIRST], FIRST), ([], None)):
        with pytest.raises(SystemExit) as left:
            cli.main(["lesson", *arguments, *options, "--lang", "ja"])
        assert left.value.code == 0
        opening = Lesson(lesson_names()[0], page)
        assert asked.pop() == (opening, Look("ja", "light"), classroom, progress)


def test_running_needs_no_lessons() -> None:
    """A run starts without a line of the lessons' code."""
    script = (
        "import sys, atexit\n"
        "from visualizer.cli.main import main\n"
        "seen = lambda: [m for m in sys.modules if 'lesson' in m or 'progress' in m]\n"
        "atexit.register(lambda: print(seen()))\n"
        "main(['run', 'paris'])\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
