"""Several windows keep the same progress: nothing that one of them did is undone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from visualizer.files import kept_file
from visualizer.learner.progress import Progress, Score

SAVER = """
import sys
from visualizer.learner.progress import Progress
progress = Progress.load(sys.argv[1])
sys.stdin.readline()
for number in range(20):
    progress.answer("the-loop", sys.argv[2], number, right=True)
    progress.predict(right=number % 2 == 0)
    assert progress.save() is None
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "progress.json"


def answered(path: Path, *rights: bool) -> Progress:
    """A window in which the first question of a page is answered; nothing is kept yet."""
    progress = Progress.load(path)
    for right in rights:
        progress.answer("the-loop", "one", 0, right=right)
    return progress


def test_a_right_answer_stays_right(path: Path) -> None:
    """Wrong ones of a window that was there before, however many, do not undo it."""
    older = answered(path, False, False, False)
    assert answered(path, True).save() is None
    assert older.save() is None
    assert Progress.load(path).score("the-loop") == Score(seen=0, right=1, at_once=1, solved=0)
    assert older.score("the-loop").right == 1


def test_tries_of_both_windows_count(path: Path) -> None:
    """One wrong in the first, then right in the second: two tries, so it was not at once."""
    second = answered(path, True)
    first = answered(path, False)
    first.save()
    second.save()
    first.answer("the-loop", "one", 0, right=False)
    first.save()
    answer = Progress.load(path).page("the-loop", "one").answers["0"]
    assert (answer.right, answer.at_once, answer.tries) == (True, False, 2)


def test_saving_again_adds_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept already is not counted again, nor after a write that failed."""
    first, second = answered(path, False), answered(path, False)
    first.predict(right=True)
    first.save()
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", lambda handle: os.close(-1))
        assert second.save() is not None
    for progress in (second, first, second, first):
        assert progress.save() is None
    kept = Progress.load(path)
    assert kept.page("the-loop", "one").answers["0"].tries == 2
    assert kept.predictions == (1, 1)


def test_predictions_of_both_windows_count(path: Path) -> None:
    """What each has predicted since it read the file is added to what is in it."""
    before = Progress.load(path)
    before.predict(right=True)
    before.save()
    first, second = Progress.load(path), Progress.load(path)
    for progress in (first, second, second):
        progress.predict(right=progress is first)
        progress.save()
    assert Progress.load(path).predictions == (2, 4)


def test_the_page_seen_last_is_that_of_who_moved_last(path: Path) -> None:
    """A window that stayed where it was leaves the place that another has gone to."""
    first, second = Progress.load(path), Progress.load(path)
    first.see("the-loop", "two")
    first.save()
    second.predict(right=True)
    second.save()
    assert Progress.load(path).last == ("the-loop", "two")


def test_processes_that_save_at_once_keep_everything(path: Path) -> None:
    """Three processes keep 20 answers and predictions each: all 60 are in the file."""
    program = [sys.executable, "-c", SAVER, str(path)]
    running = [
        subprocess.Popen([*program, page], stdin=subprocess.PIPE) for page in ("a", "b", "c")
    ]
    for process in running:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
    for process in running:
        process.communicate(timeout=60)
    assert [process.returncode for process in running] == [0, 0, 0]
    kept = Progress.load(path)
    assert kept.score("the-loop").right == 60
    assert kept.predictions == (30, 60)
    assert list(path.parent.iterdir()) == [path]


def test_a_lock_that_is_never_let_go_stops_nobody(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Progress is kept all the same, without the lock, which stays with its holder."""
    monkeypatch.setattr(kept_file, "WAIT", 0.0)
    with kept_file.locked(path) as got:
        assert got
        with kept_file.locked(path) as again:
            assert not again
        assert answered(path, True).save() is None
    assert Progress.load(path).score("the-loop").right == 1
    with kept_file.locked(path) as got:
        assert got
    assert list(path.parent.iterdir()) == [path]


def test_a_lock_file_left_behind_is_no_lock(path: Path) -> None:
    """What a process that was killed leaves is taken over and cleared away."""
    path.with_name(".progress.json.lock").touch()
    with kept_file.locked(path) as got:
        assert got
    assert list(path.parent.iterdir()) == []


def test_a_place_without_locks_is_no_crash(path: Path) -> None:
    """Where there can't be a lock file, there is none, and the file is kept."""
    path.with_name(".progress.json.lock").mkdir()
    assert answered(path, True).save() is None
    assert Progress.load(path).score("the-loop").right == 1


@pytest.mark.parametrize("content", ["{", json.dumps({"version": 7})])
def test_what_another_program_wrote_meanwhile_is_not_lost(path: Path, content: str) -> None:
    """A file damaged since is set aside, one of a later version left alone; both are said."""
    progress = answered(path, True)
    path.write_text(content)
    assert progress.save() is None
    assert progress.notice is not None
    kept = path if "version" in content else path.with_name("progress.json.damaged-1")
    assert kept.read_text() == content
    if kept == path:
        path.unlink()
        progress.save()
    assert Progress.load(path).score("the-loop").right == 1


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_in_a_circle_is_a_notice(path: Path) -> None:
    """Progress that can't be kept anywhere is said, not raised."""
    path.symlink_to(path)
    assert answered(path, True).save() is not None
