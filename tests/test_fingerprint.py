"""Fingerprints: the same for the same run, and for as many steps as two runs share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from visualizer import load_transcript, replay, scenario_names
from visualizer.comparison import compare
from visualizer.comparison.report import order_text, to_json
from visualizer.describe.fingerprint import fingerprint
from visualizer.i18n import LANGUAGES, texts
from visualizer.lessons.questions import ask
from visualizer.run.timeline import common_steps

AGAIN = """
from visualizer import load_transcript, replay
from visualizer.describe.fingerprint import fingerprint
print(fingerprint(replay(load_transcript("aurora-run"))))
"""


@pytest.mark.parametrize("name", scenario_names())
def test_the_same_run_twice_has_one_fingerprint(name: str) -> None:
    """Two drives of every scenario: the same steps, and the same fingerprint at each of them."""
    one, other = (replay(load_transcript(name)) for _ in range(2))
    assert one == other
    assert fingerprint(one) == fingerprint(other) == fingerprint(one, len(one.steps))


def test_another_process_finds_the_same() -> None:
    """Nothing of it depends on the process: hash seeds, addresses, time."""
    run = replay(load_transcript("aurora-run"))
    done = subprocess.run(
        [sys.executable, "-c", AGAIN],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent.parent,
    )
    assert done.stdout.strip() == fingerprint(run)


def test_it_changes_with_the_first_difference() -> None:
    """A changed observation has the recorded fingerprints before it, and others from there on."""
    recorded = replay(load_transcript("aurora-run"))
    changed = replay(load_transcript("aurora-run"), observations={"t0.execute": "No page."})
    same = common_steps(recorded, changed)
    assert fingerprint(recorded, same) == fingerprint(changed, same)
    assert fingerprint(recorded, same + 1) != fingerprint(changed, same + 1)
    assert fingerprint(recorded) != fingerprint(changed)


def test_other_ends_have_other_fingerprints() -> None:
    """A cap and another loop end the run otherwise."""
    scenario = load_transcript("aurora-run")
    made = [replay(scenario), replay(scenario, max_turns=2), replay(scenario, loop="hard_coded")]
    assert len({fingerprint(run) for run in made}) == len(made)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_beside_itself(language: str) -> None:
    """Compared with itself a run is the same in every step; the fingerprint is said."""
    scenario = load_transcript("aurora-run")
    both = compare(replay(scenario), replay(scenario))
    assert fingerprint(both.left) in order_text(both, texts(language))
    told = to_json(both, scenario, texts(language))
    assert told["left"]["fingerprint"] == told["right"]["fingerprint"] == fingerprint(both.left)
    changed = compare(both.left, replay(scenario, observations={"t0.execute": "x"}))
    assert fingerprint(both.left) not in order_text(changed, texts(language))


def test_how_many_steps_stay_the_same_is_asked() -> None:
    """All of them for the recorded run, those before the change for a changed one."""
    scenario = load_transcript("aurora-run")
    changed = scenario.observing({"t0.execute": "No page."})
    for one, right in ((scenario, "12"), (changed, "3")):
        made = ask("same_steps", replay(one), 1, texts("en"), one)
        assert made is not None
        assert made.options[made.right] == right
    assert ask("same_steps", replay(scenario), 1, texts("en")) is None
