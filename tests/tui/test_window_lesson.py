"""Other runs of a recording in a lesson: gone into by key, but not while a question waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.learning import learning, lesson_of, right_key, screen_of, waiting


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("key", ["1", "f"])
async def test_an_experiment_leads_into_a_subagent_and_back(
    key: str, language: str, tmp_path: Path
) -> None:
    """The digit and the key do the same; it is solved there, and the page stays on the way back."""
    file = tmp_path / "kept.json"
    async with learning("the-window", "let-another-read", language=language, file=file) as driven:
        lesson = lesson_of(driven)
        await driven.press(key)
        assert lesson.session.run.recorded_run == "reader"
        assert driven.app.texts("screen.lesson.solved") in driven.text
        await driven.press("F")
        assert screen_of(driven).session.run.recorded_run == "main"
        assert (lesson.page.id, lesson.doing) == ("let-another-read", "solved")


@pytest.mark.parametrize("key", ["u", "F", "f"])
async def test_no_other_run_while_a_question_waits(key: str, tmp_path: Path) -> None:
    """What another run shows could be the answer; afterwards the way is free."""
    page = "without-the-history"
    async with learning("the-window", page, file=tmp_path / "kept.json") as driven:
        await driven.press(key)
        assert driven.name == "LessonScreen"
        assert lesson_of(driven).session.run.recorded_run == "reader"
        assert driven.app.texts("screen.predict.waiting") in driven.text
        await driven.press(right_key(waiting(driven)), "F")
        assert screen_of(driven).session.run.recorded_run == "main"


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_asked_bar_is_hidden_until_it_is_answered(language: str, tmp_path: Path) -> None:
    """While it is asked the last call has a question mark, on the page and behind ``T``."""
    file = tmp_path / "kept.json"
    async with learning(
        "the-window", "where-the-cache-ends", language=language, file=file
    ) as driven:
        assert "517, " not in driven.text
        assert "517（" not in driven.text
        await driven.press("T")
        assert driven.name == "RoomScreen"
        await driven.press("end")
        assert "517" not in driven.text
        assert "621" in driven.text
        await driven.press("escape")
        await driven.press(right_key(waiting(driven)))
        assert "517, " in driven.text or "517（" in driven.text
