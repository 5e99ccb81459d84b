"""Questions computed from a run: the wording, the options, and which of them is right.

Nothing here is written by hand for a run. The order of the options depends on the place
only, never on the language, so a question can be asked again in another language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

from visualizer.i18n import Texts
from visualizer.lessons.model import Ask, QuestionKind
from visualizer.lessons.tasks import Gate, Task
from visualizer.loading import Scenario
from visualizer.run.timeline import Run, Step

MOST_OPTIONS = 4


@dataclass(frozen=True, slots=True)
class Question:
    """A question at a step. ``right`` is the number of the right option.

    ``scored`` is false where only a guess is possible: what a model will choose. ``lines``
    are the numbers of the loop's lines that the options are, where they are lines.
    ``shown_at`` is the step at which the run shows the answer.
    """

    prompt: str
    options: tuple[str, ...]
    right: int
    kind: QuestionKind
    scored: bool
    shown_at: int
    lines: tuple[int, ...] = ()

    def feedback(self, chosen: int, texts: Texts) -> str:
        """What was predicted and what is, in one sentence."""
        right = _in_sentence(self.options[self.right], texts)
        if self.kind == "judge":
            key = "lesson.feedback.judged" if chosen != self.right else "lesson.feedback.agreed"
            said = texts(key, chosen=_in_sentence(self.options[chosen], texts), right=right)
            return said.replace(" 、", "、")
        if chosen == self.right:
            key = "lesson.feedback.right" if self.scored else "lesson.feedback.guessed"
            return texts(key, right=right)
        key = "lesson.feedback.wrong" if self.scored else "lesson.feedback.guess"
        said = texts(key, chosen=_in_sentence(self.options[chosen], texts), right=right)
        return said.replace(" 、", "、")  # no space before a Japanese comma


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question is made from. ``known``: the reader has seen this recording before.

    ``task`` is what the page gives to judge, ``on`` the question about it.
    """

    run: Run
    index: int
    texts: Texts
    scenario: Scenario | None = None
    known: bool = False
    task: Task | None = None
    on: Gate | None = None

    @property
    def step(self) -> Step:
        """The step at which it is asked."""
        return self.run.step(self.index)

    @property
    def following(self) -> Step | None:
        """The next step."""
        return self.run.step(self.index + 1) if self.index < len(self.run.steps) else None

    @property
    def decision(self) -> Step | None:
        """The next step, or the one after it where the next only reads the flag of this call."""
        step = self.following
        if step is None or self.step.phase != "call" or step.phase != "check":
            return step
        return self.run.step(step.index + 1) if step.index < len(self.run.steps) else None

    @property
    def deducible(self) -> bool:
        """Whether no reply is still to come that the reader can't know."""
        calls = self.run.calls
        return self.known or not calls or calls[-1].step <= self.index


Maker = Callable[[Asked], Question | None]


def ask(
    kind: QuestionKind,
    run: Run,
    index: int,
    texts: Texts,
    scenario: Scenario | None = None,
    known: bool = False,
) -> Question | None:
    """A question at a step; None where this kind can't be asked there.

    ``smallest_max_turns`` needs the scenario, since it replays.
    """
    from visualizer.lessons.makers import MAKERS  # noqa: PLC0415 - they import this module

    return MAKERS[kind](Asked(run, index, texts, scenario, known))


def ask_on(
    one: Ask, run: Run, index: int, texts: Texts, scenario: Scenario, task: Task | None
) -> Question | None:
    """A question of a page; None where this kind can't be asked there."""
    from visualizer.lessons.makers import MAKERS  # noqa: PLC0415 - they import this module

    return MAKERS[one.kind](Asked(run, index, texts, scenario, one.known, task, one.on))


def question(
    asked: Asked,
    kind: QuestionKind,
    prompt: str,
    right: str,
    others: Iterable[str],
    scored: bool = True,
    shown_at: int | None = None,
    turned: bool = True,
) -> Question | None:
    """A question from its right option and wrong ones, the most tempting first.

    The options come in an order of their own per place (``turned``), or as they are given,
    the right one where it stands among ``others`` (last, where it does not).
    """
    given = list(dict.fromkeys(others))
    if turned:
        options = [right, *(one for one in given if one != right)][:MOST_OPTIONS]
        by = crc32(f"{asked.run.scenario} {asked.run.loop.name} {asked.index} {kind}".encode())
        options = turn(options, by % len(options))
    else:
        options = given if right in given else [*given, right]
    if len(options) < 2:
        return None
    shown = len(asked.run.steps) if shown_at is None else shown_at
    return Question(prompt, tuple(options), options.index(right), kind, scored, shown)


def number_question(
    asked: Asked,
    kind: QuestionKind,
    prompt: str,
    right: int,
    others: Sequence[int],
    scored: bool = True,
    shown_at: int | None = None,
    last: str | None = None,
    lowest: int = 0,
    right_is_last: bool = False,
) -> Question | None:
    """A question for a number: numbers in order, from ``lowest``; ``last`` is one option more.

    With ``right_is_last`` that one is right, and the options are those of the question in
    which the number would be: they don't tell the two apart.
    """
    near = (right + 1, right - 1, right + 2, right + 3)
    numbers = {right: None} | {other: None for other in (*others, *near) if other >= lowest}
    few = sorted(list(numbers)[: MOST_OPTIONS - (last is not None)])
    options = [str(number) for number in few] + ([last] if last is not None else [])
    answer = last if right_is_last and last is not None else str(right)
    return question(asked, kind, prompt, answer, options, scored, shown_at, turned=False)


def turn(options: list[str], by: int) -> list[str]:
    """The same options, beginning with another one."""
    return options[by:] + options[:by]


def _in_sentence(option: str, texts: Texts) -> str:
    """An option inside a sentence: values as they are, Japanese words in brackets."""
    key = "lesson.feedback.value" if option.isascii() else "lesson.feedback.words"
    return texts(key, option=option)
