"""The quiz of a lesson: computed, another one each time, about more than the pages asked."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from tests.made_lessons import DECLARED, problems, small
from tests.test_cli import call
from visualizer.i18n import LANGUAGES, texts
from visualizer.learner.progress import Progress
from visualizer.lessons.facts import Stage
from visualizer.lessons.files import lesson_names, load_folder, load_lesson
from visualizer.lessons.model import GUESSES, Lesson
from visualizer.lessons.questions import Question, ask
from visualizer.lessons.quiz import quiz, unseen, used
from visualizer.locator import Locator

Output = pytest.CaptureFixture[str]


def asked(made: Lesson, language: str = "en") -> list[Question]:
    """The questions of a quiz, as they are asked in a language."""
    stage, found = Stage(), []
    for page in made.pages:
        place = stage.at(page.at)
        kind = page.asks[0].kind
        question = ask(kind, place.run, place.index, texts(language), place.scenario)
        assert question is not None, page.at
        found.append(question)
    return found


def places(made: Lesson) -> list[tuple[str, str]]:
    """What a quiz asks, and where."""
    return [(page.asks[0].kind, str(page.at)) for page in made.pages]


@pytest.mark.parametrize("name", lesson_names())
def test_every_lesson_has_a_quiz_in_both_languages(name: str) -> None:
    """Five to eight scored questions, the same ones with the same answers in each language."""
    lesson = load_lesson(name)
    for attempt in (1, 2, 3):
        made = quiz(lesson, attempt)
        assert 5 <= len(made.pages) == lesson.quiz.questions <= 8
        english, japanese = asked(made), asked(made, "ja")
        assert all(question.scored for question in english)
        assert [one.right for one in english] == [one.right for one in japanese]
        assert [one.prompt for one in english] != [one.prompt for one in japanese]


@pytest.mark.parametrize("name", lesson_names())
def test_an_attempt_is_always_the_same_and_never_the_one_before(name: str) -> None:
    """The same number gives the same questions, the next one others."""
    lesson = load_lesson(name)
    sets = [places(quiz(lesson, attempt)) for attempt in (1, 2, 3, 4)]
    assert places(quiz(load_lesson(name), 1)) == sets[0]
    for before, after in pairwise(sets):
        assert len(set(before) - set(after)) >= len(before) // 2
    assert all(len(set(one)) == len(one) for one in sets)


@pytest.mark.parametrize("name", lesson_names())
def test_a_quiz_asks_what_the_pages_did_not(name: str) -> None:
    """No question stands on a page; half of them are about recordings the lesson did not use."""
    lesson = load_lesson(name)
    stage = Stage()
    known = {
        (one.kind, str(at._replace(place=None)), stage.at(at).index)
        for page in lesson.pages
        for one in page.asks
        for at in (Locator.parse(one.at) if one.at else page.at,)
    }
    made = quiz(lesson, 1, stage)
    for page in made.pages:
        index = stage.at(page.at).index
        assert (page.asks[0].kind, str(page.at._replace(place=None)), index) not in known
        assert page.asks[0].kind not in GUESSES
    new = [page for page in made.pages if page.at.name not in used(lesson)]
    assert len(new) == (lesson.quiz.questions // 2 if unseen(lesson) else 0)
    for page in new:
        assert "did not use" in page.text("en").paragraphs[0].plain


def test_answers_are_those_of_the_run() -> None:
    """A count asked for is the count of the run, computed here once more."""
    lesson = load_lesson("the-loop")
    stage, seen = Stage(), 0
    for attempt in range(1, 6):
        made = quiz(lesson, attempt, stage)
        for page, question in zip(made.pages, asked(made), strict=True):
            run = stage.at(page.at).run
            if question.kind in ("model_calls", "tool_rounds", "tool_calls"):
                assert question.options[question.right] == str(getattr(run, question.kind))
                seen += 1
    assert seen


QUIZ = "\n[quiz]\nquestions = {n}\nscenarios = {names}\n"


def made_lesson(folder: Path, n: int, *names: str) -> Path:
    """A lesson of one page with a question, and a table for its quiz."""
    head = DECLARED + QUIZ.format(n=n, names=json.dumps(names))
    return small(folder, 'ask = [{ kind = "sent" }]', head=head)


def test_an_author_sets_the_number_and_the_scenarios(tmp_path: Path) -> None:
    """Eight questions, the new ones from the scenario named; check is silent."""
    folder = made_lesson(tmp_path / "one", 8, "three-files")
    lesson = load_folder(folder)
    made = quiz(lesson, 1)
    assert len(made.pages) == 8
    assert {page.at.name for page in made.pages} == {"aurora-run", "three-files"}
    assert problems(folder) == []


@pytest.mark.parametrize(
    ("n", "names", "said"),
    [
        (4, (), "/quiz/questions: "),
        (9, (), "/quiz/questions: "),
        (6, ("no-such-one",), "/quiz/scenarios/0: "),
        (6, ("paris", "aurora-run"), '/quiz/scenarios/1: "aurora-run" is a scenario of the lesson'),
    ],
)
def test_check_names_what_is_wrong_with_a_quiz(
    tmp_path: Path, n: int, names: tuple[str, ...], said: str
) -> None:
    """Each mistake is one line at its place."""
    (line,) = problems(made_lesson(tmp_path / "one", n, *names))
    assert said in line


def test_too_few_questions_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the runs give fewer questions than wanted, check says how many there are."""
    monkeypatch.setattr("visualizer.lessons.quiz.GENERAL", ())
    monkeypatch.setattr("visualizer.lessons.quiz.scenario_groups", lambda private: ())
    found = problems(small(tmp_path / "one", 'ask = [{ kind = "could_share" }]'))
    assert any("/quiz/questions: only 1 of 6 questions can be made" in line for line in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_worksheet_has_the_quiz_of_the_first_attempt(language: str, capsys: Output) -> None:
    """Every question stands on it with its options; the key has each with its answer."""
    made = quiz(load_lesson("the-edges"), 1)
    assert call("handout", "the-edges", "--lang", language) == 0
    sheet = capsys.readouterr().out.split(f"## {texts(language)('quiz.handout')}\n")[1]
    assert call("handout", "the-edges", "--key", "--lang", language) == 0
    key = capsys.readouterr().out.split(f"## {texts(language)('quiz.handout')}\n")[1]
    for page, question in zip(made.pages, asked(made, language), strict=True):
        assert question.prompt in sheet
        assert f"visualizer open {page.at}" in sheet
        assert f"- {question.prompt} **{question.right + 1}: " in key


def test_the_best_result_is_kept(tmp_path: Path) -> None:
    """Attempts are counted, the best one stays; of equal shares that of more questions."""
    file = tmp_path / "p.json"
    progress = Progress.load(file)
    for right, questions in ((2, 6), (5, 6), (3, 6)):
        progress.begin_quiz("the-loop")
        progress.end_quiz("the-loop", right, questions)
    assert progress.save() is None
    kept = Progress.load(file).quiz("the-loop")
    assert (kept.attempts, kept.right, kept.asked) == (3, 5, 6)
    progress.end_quiz("the-loop", 0, 6)
    progress.end_quiz("the-loop", 8, 8)
    progress.end_quiz("the-loop", 5, 5)
    assert (progress.quiz("the-loop").right, progress.quiz("the-loop").asked) == (8, 8)
    assert progress.quiz("the-edges").asked == 0


def test_a_result_of_nothing_right_is_a_result_too() -> None:
    """The first attempt counts, however it went."""
    progress = Progress(Path("unused"))
    progress.end_quiz("the-loop", 0, 6)
    assert (progress.quiz("the-loop").right, progress.quiz("the-loop").asked) == (0, 6)


def test_files_from_before_the_quiz_still_load(tmp_path: Path) -> None:
    """A file of version 1 without quizzes keeps all it holds, and gets the new part."""
    file = tmp_path / "p.json"
    page = {"seen": True, "solved": False, "answers": {"0": {"right": True, "tries": 1}}}
    old = {"version": 1, "lessons": {"the-loop": {"the-bill": page}}, "predicted": 3}
    file.write_text(json.dumps(old), encoding="utf-8")
    progress = Progress.load(file)
    assert progress.notice is None
    assert progress.score("the-loop").right == 1
    progress.begin_quiz("the-loop")
    assert progress.save() is None
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["version"] == 1
    assert data["predicted"] == 3
    assert data["quizzes"]["the-loop"]["attempts"] == 1


def test_two_windows_add_up(tmp_path: Path) -> None:
    """Attempts of both are counted, and the better result of either is kept."""
    file = tmp_path / "p.json"
    one, other = Progress.load(file), Progress.load(file)
    for progress, right in ((one, 4), (other, 2)):
        progress.begin_quiz("the-loop")
        progress.end_quiz("the-loop", right, 6)
        assert progress.save() is None
    kept = Progress.load(file).quiz("the-loop")
    assert (kept.attempts, kept.right) == (2, 4)
