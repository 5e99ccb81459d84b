"""Workflow or agent: four questions about a task, answered with reasons and never scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.made_lessons import DECLARED, problems, small
from visualizer.i18n import LANGUAGES, texts
from visualizer.lessons.facts import Stage
from visualizer.lessons.files import load_lesson
from visualizer.lessons.handout import answer_key, worksheet
from visualizer.lessons.questions import Question, ask_on

GATES = ("complexity", "value", "viability", "cost_of_error")


def declared(name: str = "title", **answers: str) -> str:
    """A task in TOML: every question answered with yes but for what is given."""
    lines = ["", "[[task]]", f'id = "{name}"', 'title = { en = "The title", ja = "題名" }']
    for gate in GATES:
        answer, why = answers.get(gate, "yes"), f'{{ en = "Since {gate}.", ja = "理由。" }}'
        lines.append(f'{gate} = {{ answer = "{answer}", why = {why} }}')
    return "\n".join([*lines, ""])


def lesson(folder: Path, page: str, *tasks: str) -> Path:
    """A lesson of one page, and tasks."""
    return small(folder, page + "\n" + "".join(tasks), head=DECLARED)


def asked(folder: Path, language: str = "en") -> list[Question]:
    """The questions of the lesson's only page."""
    (page,) = load_lesson(folder).pages
    place = Stage().at(page.at)
    made = [
        ask_on(one, place.run, place.index, texts(language), place.scenario, page.task)
        for one in page.asks
    ]
    return [question for question in made if question is not None]


WHICH = 'task = "title"\nask = [{ kind = "judge" }]'


def test_one_question_is_asked_by_itself(tmp_path: Path) -> None:
    """Yes or no, in the words of that question; the answer is the task's."""
    page = 'task = "title"\nask = [{ kind = "judge", on = "value" }]'
    (question,) = asked(lesson(tmp_path / "small", page, declared(value="no")))
    assert question.prompt.startswith("value: ")
    assert question.options == ("yes", "no")
    assert (question.right, question.scored) == (1, False)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("against", "right"), [("complexity", 0), ("cost_of_error", 3), ("", 4)])
def test_which_question_is_answered_with_no(
    against: str, right: int, language: str, tmp_path: Path
) -> None:
    """Four questions to choose from, and none of them: then it is an agent."""
    task = declared(**({against: "no"} if against else {}))
    (question,) = asked(lesson(tmp_path / "small", WHICH, task), language)
    assert len(question.options) == 5
    assert question.right == right
    assert not question.scored


def test_the_answer_tells_both_views(tmp_path: Path) -> None:
    """What was chosen and what is held here; neither is called right or wrong."""
    (question,) = asked(lesson(tmp_path / "small", WHICH, declared(value="no")))
    assert question.feedback(1, texts("en")) == "The view taken here, too: value."
    said = question.feedback(4, texts("en"))
    assert said.startswith("Chosen: none of them")
    assert said.endswith("The view taken here: value.")


WRONG: dict[str, tuple[str, str, str]] = {
    "no such task": ('task = "other"', "/page/0/task", "other"),
    "no page gives it": ("", "/task/0/id", "title"),
    "no such question": (
        'task = "title"\nask = [{ kind = "judge", on = "beauty" }]',
        "/page/0/ask/0/on",
        "complexity",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_task_is_reported(case: str, tmp_path: Path) -> None:
    """With its place in the file."""
    page, where, words = WRONG[case]
    found = problems(lesson(tmp_path / "small", page, declared()))
    assert any(f"lesson.toml: {where}: " in line and words in line for line in found)


def test_two_tasks_need_two_names(tmp_path: Path) -> None:
    """The second one of a name is reported."""
    (line,) = problems(lesson(tmp_path / "small", WHICH, declared(), declared()))
    assert "/task/1/id" in line


def test_a_judgement_needs_a_task_with_one_no_at_most(tmp_path: Path) -> None:
    """Without a task, or with two questions answered with no, there is none to choose."""
    (line,) = problems(lesson(tmp_path / "one", 'ask = [{ kind = "judge" }]'))
    assert "/page/0/ask/0/kind" in line
    task = declared(value="no", viability="no")
    (line,) = problems(lesson(tmp_path / "two", WHICH, task))
    assert "/page/0/ask/0/kind" in line


def test_the_key_gives_the_reasons(tmp_path: Path) -> None:
    """On the worksheet the task and the options, in the key the four answers with their why."""
    made = load_lesson(lesson(tmp_path / "small", WHICH, declared(value="no")))
    sheet = "\n".join(worksheet(made, texts("en")))
    key = "\n".join(answer_key(made, texts("en")))
    assert "**The title**" in sheet
    assert "Since value." not in sheet
    assert "**2: value (a judgement, no score)**" in key
    assert "  - value: no. Since value." in key
    assert "  - complexity: yes. Since complexity." in key
