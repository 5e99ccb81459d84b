"""What is said about a step is computed from the run, whatever the loop did."""

from __future__ import annotations

from tests import made_runs as made
from tests import odd_loops as odd
from tests.cost import calls
from tests.made_runs import driven, said, saw
from visualizer.describe import (
    context_size,
    describe,
    phase_label,
    request_labels,
)
from visualizer.engine import replay
from visualizer.i18n import LANGUAGES, texts
from visualizer.loading import load_transcript
from visualizer.text import display_safe
from visualizer.transcript.records import Localized, Note

EN, JA = texts("en"), texts("ja")


def test_a_run_from_start_to_answer() -> None:
    """Each of the twelve steps of Aurora Run has its label and its sentence."""
    run = replay(load_transcript("aurora-run"))
    labels = [describe(run, index, EN).phase for index in range(1, 13)]
    assert labels == [
        "START",
        *2 * ["CALL", "CHECK", "EXECUTE", "APPEND"],
        "CALL",
        "CHECK",
        "RETURNED",
    ]
    assert said(run, "t0.call") == 'Call 1 sent 1 message. The reply asks for search "Aurora Run".'
    assert said(run, "t1.call").startswith("Call 2 sent 3 messages (2 new).")
    assert said(run, "t1.check") == (
        'The flag says "tool_use": the model wants a tool, so the loop goes on.'
    )
    assert describe(run, 7, EN).next == 'Next: execute search "Mara Voss".'
    assert said(run, "t2.call").endswith('The reply is "1974".')
    assert said(run, "end").startswith('"1974" is the text of the last reply. 2 tool rounds')
    assert describe(run, 12, EN).next == ""


def test_one_message_takes_all_results_back() -> None:
    """Two tools in one reply: EXECUTE 1 of 2, 2 of 2, and ONE message."""
    run = driven(made.parallel())
    assert [phase_label(run, index, EN) for index in (4, 5)] == ["EXECUTE 1 of 2", "EXECUTE 2 of 2"]
    assert phase_label(run, 5, JA) == "実行 2/2"
    assert "All have run." in said(run, "t0.execute.2")
    assert describe(run, 5, EN).next == "Next: append. ONE message takes all 2 results back."
    assert said(run, "t0.append").startswith("ONE message, number 2, takes all 2 results back.")


def test_a_repeated_reply_is_said_to_be_one() -> None:
    """A reply that is given again says how often it had been given."""
    scenario = made.scenario(made.turn(made.search("toolu_1", "Aurora Run"), repeats=True))
    run = driven(scenario, max_turns=3)
    assert "had been given 2 times before" in said(run, "t2.call")


def test_notes_are_shown_at_their_place_only() -> None:
    """A note appears at its place, and only for the loop and the cap it is about."""
    note = [
        Note("t0.call", Localized("first\x1b", "一")),
        Note("3", Localized("by number", "番号")),
        Note("t0.call", Localized("other loop", "別"), loop="other"),
        Note("t0.call", Localized("capped", "上限"), max_turns=2),
    ]
    run = driven(made.aurora())
    assert describe(run, 2, EN, note).note == r"first\x1b"
    assert describe(run, 2, JA, note).note == "一"
    assert describe(run, 3, EN, note).note == "by number"
    assert describe(run, 4, EN, note).note == ""
    assert describe(driven(made.aurora(), max_turns=2), 2, EN, note).note == r"first\x1b capped"


def test_a_long_run_is_described_in_the_time_of_a_short_one() -> None:
    """Describing a step late in a long run costs what one early costs; sizes are linear."""
    turns = [made.turn(made.search(f"toolu_{n}", "Aurora Run")) for n in range(2_000)]
    run = driven(made.scenario(*turns, made.turn(made.text("-")), max_turns=None), odd.no_bound)
    assert run.terminal_reason == "completed"
    request_labels(run)

    def work(first: int) -> int:
        return calls(lambda: [describe(run, index, EN) for index in range(first, first + 40)])

    work(10)
    assert work(len(run.steps) - 300) < 2 * work(10)
    sizes = calls(lambda: [context_size(run, call) for call in run.calls])
    assert calls(lambda: [context_size(run, call) for call in run.calls]) <= sizes
    assert sizes < 200 * len(run.calls)


def test_hostile_text_never_reaches_a_sentence() -> None:
    """Nothing that steers a terminal is left in any sentence, label or value of a run."""
    hostile = "\x1b]0;title\x07\u202e\x00[/x]\u200b" + "x" * 200
    scenario = made.scenario(
        made.turn(
            made.text(hostile),
            {"type": "tool_use", "id": hostile, "name": hostile, "input": {hostile: hostile}},
            results=[{"type": "tool_result", "tool_use_id": hostile, "content": hostile}],
        ),
        made.turn(made.text(hostile), flag=hostile),
        question=hostile,
    )
    for max_turns in (1, 5):
        run = driven(scenario, max_turns=max_turns)
        for step in run.steps:
            for language in LANGUAGES:
                shown = [
                    *describe(run, step.index, texts(language)),
                    *saw(run, step.place, language).values(),
                ]
                assert all(display_safe(text) == text for text in shown)
