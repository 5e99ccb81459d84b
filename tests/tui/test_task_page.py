"""Pages that show no run: a task with its four questions, and what all loops do at the cap."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.made_lessons import small
from tests.test_tasks import GATES, declared, lesson
from tests.tui.learning import learning, lesson_of, right_key, waiting
from tests.tui.screens import LANGUAGES, SIZES
from visualizer.text import cells

WHICH = 'task = "title"\nask = [{ kind = "judge" }]'
EACH = ", ".join(f'{{ kind = "judge", on = "{gate}" }}' for gate in GATES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
async def test_the_reasons_are_shown_after_the_answer(
    size: tuple[int, int], language: str, tmp_path: Path
) -> None:
    """Before it the questions stand there; after it the four answers and what follows."""
    folder = lesson(tmp_path / "small", WHICH, declared(value="no"))
    async with learning(str(folder), size=size, language=language) as driven:
        texts = driven.app.texts
        if lesson_of(driven).doing == "welcome":
            await driven.press("right")
        assert texts("lesson.gate.viability.asks") in driven.text
        assert "Since value." not in driven.text
        assert "理由。" not in driven.text
        await driven.press(right_key(waiting(driven)))
        assert ("Since value." if language == "en" else "理由。") in driven.text
        assert texts("screen.task.simpler") in driven.text
        assert texts("screen.answer.view") in driven.text
        assert max(cells(line) for line in driven.text.split("\n")) <= size[0]


async def test_four_questions_reveal_one_answer_each(tmp_path: Path) -> None:
    """Each answer shows its own reason; only after the last one the verdict is told."""
    folder = lesson(tmp_path / "small", f'task = "title"\nask = [{EACH}]', declared())
    async with learning(str(folder)) as driven:
        await driven.press("right")
        for number, gate in enumerate(GATES):
            assert f"Since {gate}." not in driven.text
            await driven.press(right_key(waiting(driven)))
            assert f"Since {gate}." in driven.text
            agent = driven.app.texts("screen.task.agent") in driven.text
            assert agent == (number == len(GATES) - 1)
            await driven.press("right")


async def test_a_judgement_is_no_score(tmp_path: Path) -> None:
    """The end of the lesson counts no question."""
    folder = lesson(tmp_path / "small", WHICH, declared())
    async with learning(str(folder)) as driven:
        await driven.press("right", "1", "right")
        assert lesson_of(driven).doing == "end"
        assert lesson_of(driven).progress.score("small").right == 0


@pytest.mark.parametrize("size", SIZES)
async def test_a_page_shows_what_all_loops_do_at_the_cap(
    size: tuple[int, int], tmp_path: Path
) -> None:
    """A row a family under the cap of the page; while a question waits, the rows tell nothing."""
    read = small(tmp_path / "read", 'view = "caps"')
    async with learning(str(read), size=size) as driven:
        for loop in ("agent_loop", "cap_raises", "cap_extra_call"):
            assert loop in driven.text
        assert '"1974"' in driven.text
    asked = small(tmp_path / "asked", 'view = "caps"\nask = [{ kind = "sent" }]')
    async with learning(str(asked), size=size) as driven:
        await driven.press("right")
        assert "cap_extra_call" in driven.text
        assert '"1974"' not in driven.text
