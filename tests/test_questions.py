"""Questions are computed: right, in a fixed order, and telling nothing ahead of time."""

from __future__ import annotations

import pytest

from tests import made
from visualizer import Run, load_transcript, replay, scenario_names
from visualizer.i18n import texts
from visualizer.lessons.model import QUESTION_KINDS, QuestionKind
from visualizer.lessons.predict import predict
from visualizer.lessons.questions import Question, ask
from visualizer.loops.registry import loop_names

EN, JA = texts("en"), texts("ja")


def right(question: Question | None) -> str:
    assert question is not None
    return question.options[question.right]


def asked(
    kind: QuestionKind,
    where: str,
    name: str = "aurora-run",
    known: bool = False,
    cap: int | None = None,
    loop: str | None = None,
) -> Question | None:
    scenario = load_transcript(name)
    run = replay(scenario, max_turns=cap, loop=loop)
    return ask(kind, run, run.locate(where), EN, scenario, known)


RIGHT: list[tuple[QuestionKind, str, str, str]] = [
    ("who_next", "aurora-run", "t0.call", "the code around the model"),
    ("who_next", "aurora-run", "start", "the model"),
    ("sent", "aurora-run", "t0.call", "1"),
    ("sent", "aurora-run", "t0.append", "3"),
    ("sent", "aurora-run-cutoff", "t1.append", "none (no call follows)"),
    ("new", "aurora-run", "t1.call", "2"),
    ("new", "aurora-run-cutoff", "t1.append", "none (no call follows)"),
    ("next_flag", "aurora-run", "t1.append", '"end_turn"'),
    ("next_flag", "pause", "start", '"pause_turn"'),
    ("next_line", "aurora-run", "t0.call", "results.append(tools(call))"),
    ("next_line", "aurora-run", "t2.call", "return reply.text"),
    ("next_line", "aurora-run-cutoff", "t1.append", "return None"),
    ("next_line", "aurora-run", "t1.append", "reply = model(messages)"),
    ("next_phase", "aurora-run", "t0.execute", "APPEND"),
    ("next_phase", "aurora-run", "t2.check", "the end of the run"),
    ("returns_now", "aurora-run", "t0.execute", "no"),
    ("returns_now", "aurora-run", "t2.check", "yes"),
    ("returned", "aurora-run-cutoff", "t1.append", "None"),
    ("returned", "aurora-run", "t1.append", "nothing yet (it goes on)"),
    ("returned", "aurora-run", "t2.call", '"1974"'),
    ("returned", "truncated", "t0.check", '""'),
    ("exit", "aurora-run", "t2.call", "exit A (the flag asks for no tool)"),
    ("exit", "aurora-run-cutoff", "end", "exit B (the turns are used up)"),
    ("exit", "aurora-run", "t0.call", "none yet (it goes on)"),
    ("model_calls", "aurora-run", "end", "3"),
    ("model_calls", "paris", "start", "1"),
    ("tool_rounds", "paris", "start", "0"),
    ("tool_rounds", "two-birth-years", "end", "1"),
    ("tool_calls", "two-birth-years", "end", "2"),
    ("tool_calls", "paris", "start", "0"),
    ("sent_in_all", "aurora-run", "end", "9"),
    ("smallest_max_turns", "aurora-run", "start", "3"),
    ("smallest_max_turns", "aurora-run-cutoff", "start", "3"),
    ("never_read", "aurora-run-cutoff", "end", "message 4"),
    ("never_read", "aurora-run", "end", "none (it read every one)"),
    ("who_ended", "aurora-run", "end", "the model (its flag asked for no tool)"),
    ("who_ended", "aurora-run-cutoff", "end", "the loop (the turns were used up)"),
    ("could_share", "aurora-run", "t1.call", "no"),
    ("same_steps", "aurora-run", "end", "12"),
    ("could_share", "two-birth-years", "t0.call", "yes"),
    ("first_limit", "budget", "t2.call", "the money (max_budget_usd)"),
    ("first_limit", "budget-tokens", "t1.call", "the tokens (max_total_tokens)"),
    ("first_limit", "aurora-run-cutoff", "end", "the turns (max_turns)"),
    ("first_limit", "aurora-run", "t2.call", "none (the model ends it)"),
    ("num_turns", "client-cutoff", "end", "3"),
    ("num_turns", "client-parallel", "end", "4"),
    ("subtype", "client-cutoff", "t1.append", "error_max_turns"),
    ("subtype", "client-budget", "end", "error_max_budget_usd"),
    ("subtype", "paris", "end", "success"),
    ("assistant_lines", "aurora-run-talkative", "t1.call", "2"),
    ("assistant_lines", "paris", "t0.call", "1"),
    ("thread_sent", "aurora-run", "t0.append", "1"),
    ("thread_sent", "two-birth-years", "t0.append", "1"),
    ("outcome", "aurora-run-cutoff", "start", "cut off (the turns are used up)"),
    ("outcome", "truncated", "start", "with a reply that is no finished answer"),
]


@pytest.mark.parametrize(("kind", "name", "where", "answer"), RIGHT)
def test_the_right_answer_is_computed(
    kind: QuestionKind, name: str, where: str, answer: str
) -> None:
    """What the run does at that place is the right option."""
    assert right(asked(kind, where, name)) == answer


BROKEN_LOOPS: list[tuple[QuestionKind, str, str, str]] = [
    ("who_ended", "aurora-run", "forgets", "the endpoint (it refused a request)"),
    ("who_ended", "repeat", "no_bound", "the visualizer (it stopped the run)"),
    ("outcome", "aurora-run", "forgets", "the endpoint refuses a request"),
    ("outcome", "aurora-run", "hard_coded", "with a value, before the model is done"),
    ("outcome", "repeat", "no_bound", "not by itself (it has to be stopped)"),
    ("outcome", "aurora-run-talkative", "looks_finished", "with a value, before the model is done"),
]


@pytest.mark.parametrize(("kind", "name", "loop", "answer"), BROKEN_LOOPS)
def test_outcomes_of_broken_loops(kind: QuestionKind, name: str, loop: str, answer: str) -> None:
    """Each mistake ends in its own way."""
    where = "end" if kind == "who_ended" else "start"
    assert right(asked(kind, where, name, loop=loop)) == answer


NOT_ASKED: list[tuple[QuestionKind, str, str]] = [
    ("never_read", "aurora-run", "start"),
    ("who_ended", "aurora-run", "t0.call"),
    ("who_next", "aurora-run", "end"),
    ("next_line", "aurora-run", "end"),
    ("next_phase", "aurora-run", "end"),
    ("sent", "aurora-run", "end"),
    ("could_share", "aurora-run", "t0.call"),
    ("could_share", "nothing-found", "t1.call"),
    ("could_share", "paris", "end"),
    ("smallest_max_turns", "refusal", "start"),
    ("assistant_lines", "paris", "t0.check"),
    ("thread_sent", "aurora-run-cutoff", "t1.append"),
    ("thread_sent", "aurora-run", "t0.call"),
]


@pytest.mark.parametrize(("kind", "name", "where"), NOT_ASKED)
def test_what_can_not_be_asked_is_not(kind: QuestionKind, name: str, where: str) -> None:
    """Where there is no answer, there is no question."""
    assert asked(kind, where, name) is None


def test_only_what_can_be_deduced_is_scored() -> None:
    """What the model will choose is a guess, unless the reader has seen the recording."""

    def scored(kind: QuestionKind, where: str, known: bool = False) -> bool:
        made_question = asked(kind, where, known=known)
        assert made_question is not None
        return made_question.scored

    assert not scored("next_flag", "start", known=True)
    assert not scored("model_calls", "start")
    assert scored("model_calls", "start", known=True)
    assert scored("model_calls", "t2.call")
    assert scored("returned", "t1.append")
    assert scored("sent", "t0.append")


def test_the_decoy_is_offered() -> None:
    """The year that stands in the last result is among the options."""
    decoy = asked("returned", "t0.append")
    answer = asked("returned", "t1.append", cap=2)
    assert decoy is not None
    assert answer is not None
    assert '"1951"' in decoy.options
    assert {'"1974"', "the text of message 4"} <= set(answer.options)


def runs() -> list[tuple[str, str]]:
    return [(name, loop) for name in scenario_names() for loop in loop_names()]


@pytest.mark.parametrize(("name", "loop"), runs())
def test_every_question_everywhere(name: str, loop: str) -> None:
    """Any kind at any step: options differ, one is right, and both languages agree on which."""
    scenario = load_transcript(name)
    run = replay(scenario, loop=loop)
    last = len(run.steps)
    for index in sorted({*range(1, min(last, 12) + 1), last}):
        for kind in QUESTION_KINDS:
            if kind == "smallest_max_turns" and index > 1:
                continue
            english, japanese = (ask(kind, run, index, lang, scenario) for lang in (EN, JA))
            assert (english is None) == (japanese is None)
            if english is not None and japanese is not None:
                check_question(english, japanese, run)


def check_question(english: Question, japanese: Question, run: Run) -> None:
    assert len(set(english.options)) == len(english.options) >= 2
    assert 0 <= english.right < len(english.options) <= 6
    assert (english.right, len(english.options)) == (japanese.right, len(japanese.options))
    assert english.shown_at <= len(run.steps)
    assert english.lines == japanese.lines
    for chosen, option in enumerate(english.options):
        said = english.feedback(chosen, EN)
        assert option in said
        assert english.options[english.right] in said
        assert japanese.feedback(chosen, JA).endswith("。")


def test_feedback_says_both() -> None:
    """A wrong prediction is set beside what is; the wording is that of the language."""
    scenario = load_transcript("aurora-run-cutoff")
    run = replay(scenario)
    english, japanese = (ask("returned", run, 9, language) for language in (EN, JA))
    assert english is not None
    assert japanese is not None
    wrong = english.options.index('"1974"')
    assert english.feedback(wrong, EN) == 'Predicted "1974"; it is None.'
    assert japanese.feedback(wrong, JA) == '予想は "1974"、実際は None です。'
    assert english.feedback(english.right, EN) == "Right: None."
    words = japanese.options.index("まだ返さない（続く）")
    assert japanese.feedback(words, JA) == "予想は「まだ返さない（続く）」、実際は None です。"


def test_predictions_come_before_checks_calls_and_ends() -> None:
    """A run of Aurora asks at its start, after every call and append, and at the last check."""
    run = replay(load_transcript("aurora-run"))
    places = [step.place for step in run.steps if predict(run, step.index, EN)]
    assert places == [
        "start",
        "t0.call",
        "t0.append",
        "t1.call",
        "t1.append",
        "t2.call",
        "t2.check",
    ]


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_a_prediction_does_not_tell_what_comes(cap: int) -> None:
    """Cut off or not: the same question with the same options, up to where the runs part."""
    scenario = load_transcript("aurora-run")
    short, long = (replay(scenario, max_turns=number) for number in (cap, 10))
    for index in range(1, len(short.steps) - (cap < 3)):
        one, other = (predict(run, index, EN) for run in (short, long))
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert (one.kind, one.prompt) == (other.kind, other.prompt)
            assert sorted(one.options) == sorted(other.options)
            assert one.scored == other.scored


def test_predicting_a_long_run_stays_fast() -> None:
    """Thousands of turns: a prediction costs no walk through the run."""
    rounds = [made.round_of(f"t{number}") for number in range(3000)]
    run = replay(made.scenario(*rounds, made.answer()))
    assert predict(run, len(run.steps), EN) is None
    asked_at = [index for index in range(1, len(run.steps), 97) if predict(run, index, EN)]
    assert asked_at


def test_hostile_code_and_values_come_out_safe() -> None:
    """Whatever a recording holds, a question can be printed."""
    hostile = "\x1b[31m1974\x07"
    run = replay(made.scenario(made.answer(hostile)))
    for kind in QUESTION_KINDS:
        for index in range(1, len(run.steps) + 1):
            question = ask(kind, run, index, EN)
            assert question is None or "\x1b" not in question.prompt + "".join(question.options)
