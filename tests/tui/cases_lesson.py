"""What the actions of predict mode and of lessons must do."""

from __future__ import annotations

from tests.tui.cases import case
from tests.tui.learning import lesson_of
from tests.tui.screens import Driven
from visualizer.app import options
from visualizer.app.lesson_session import LessonSession
from visualizer.lessons.files import load_lesson
from visualizer.tui.stepper.predicting import Predicting


async def learn(driven: Driven, page: str) -> LessonSession:
    """Open a page of the first lesson above the stepper."""
    opened = LessonSession.open(load_lesson("the-loop"), driven.app.progress, page)
    driven.app.open_lesson(opened)
    await driven.pilot.pause()
    return lesson_of(driven)


@case("answer")
async def _answer(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.call")
    await driven.press("p")
    prediction = driven.stepper.part(Predicting).prediction
    assert prediction is not None
    question = prediction.waiting(driven.app.texts)
    assert question is not None
    await driven.press(key)
    answered = key in options.keys(question)
    assert driven.place == ("t0.check" if answered else "t0.call")
    assert prediction.asked == answered


@case("skip")
async def _skip(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.call")
    await driven.press("p", "right")
    assert driven.place == "t0.call"
    await driven.press(key)
    assert driven.place == "t0.check"
    prediction = driven.stepper.part(Predicting).prediction
    assert prediction is not None
    assert prediction.asked == 0


@case("predict")
async def _predict(driven: Driven, key: str) -> None:
    driven.stepper.session.go("t0.call")
    await driven.press(key)
    assert driven.app.texts("screen.answer.predict") in driven.text
    await driven.press(key, "right")
    assert driven.place == "t0.check"


@case("go_on")
async def _go_on(driven: Driven, key: str) -> None:
    lesson = await learn(driven, "once-round")
    await driven.press(key)
    assert lesson.session.index == 2
    await driven.press(key, key, key, key)
    assert lesson.doing == "solved"
    await driven.press(key)
    assert lesson.page.id == "a-call-sends-everything"


@case("look_back")
async def _look_back(driven: Driven, key: str) -> None:
    lesson = await learn(driven, "a-call-sends-everything")
    await driven.press(key)
    assert (lesson.doing, lesson.session.index) == ("question", 1)
    await driven.press("right")
    assert lesson.session.index == 2
    await driven.press(key, key)
    assert lesson.page.id == "once-round"


@case("page_after", "page_before")
async def _pages(driven: Driven, key: str) -> None:
    lesson = await learn(driven, "a-call-sends-everything")
    await driven.press(key)
    after = key == "pagedown"
    assert lesson.page.id == ("check-reads-a-flag" if after else "once-round")


@case("turn_after", "turn_before")
async def _turns(driven: Driven, key: str) -> None:
    lesson = await learn(driven, "a-year-appears")
    await driven.press(key)
    assert lesson.session.run.step(lesson.session.index).place == (
        "t1.call" if key == "]" else "t0.call"
    )


@case("hint")
async def _hint(driven: Driven, key: str) -> None:
    lesson = await learn(driven, "you-are-the-loop")
    await driven.press("right")
    before = driven.text
    await driven.press(key)
    assert driven.app.texts("screen.lesson.hint") in driven.text
    count = len(lesson.page.text(driven.app.texts.language).hints)
    for _ in range(count):
        await driven.press(key)
    assert driven.text == before
