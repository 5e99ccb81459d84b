"""Which digit a reader presses for an option."""

from __future__ import annotations

import pytest

from visualizer import load_transcript, replay
from visualizer.app.options import chosen, keys
from visualizer.i18n import LANGUAGES, texts
from visualizer.lessons.questions import ask


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_is_chosen_by_its_number(language: str) -> None:
    """Who means message 4 presses 4, whatever row it stands in."""
    run = replay(load_transcript("aurora-run-cutoff"))
    question = ask("never_read", run, len(run.steps), texts(language))
    assert question is not None
    digits = keys(question)
    assert len(set(digits)) == len(question.options)
    assert chosen(question, "4") == question.right
    for digit, option in zip(digits, question.options, strict=True):
        assert digit in option or not any(mark.isdecimal() for mark in option)
