"""Progress is kept whole, never lost to a damaged file, and never stops anyone."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from visualizer.i18n import texts
from visualizer.learner.progress import Progress, Score, progress_file


def used(path: Path) -> Progress:
    progress = Progress.load(path)
    progress.see("the-loop", "one")
    progress.answer("the-loop", "one", 0, right=True)
    progress.see("the-loop", "two")
    progress.answer("the-loop", "two", 0, right=False)
    progress.answer("the-loop", "two", 0, right=True)
    progress.answer("the-loop", "two", 0, right=False)  # answered already: does not count
    progress.solve("the-loop", "two")
    progress.predict(right=True)
    progress.predict(right=False)
    return progress


def test_progress_survives_a_restart(tmp_path: Path) -> None:
    """What was seen, answered and solved is there again; so are the predictions."""
    path = tmp_path / "deep" / "progress.json"
    assert used(path).save() is None
    again = Progress.load(path)
    assert again.notice is None
    assert again.score("the-loop") == Score(seen=2, right=2, at_once=1, solved=1)
    assert again.page("the-loop", "two").answers["0"].tries == 2
    assert again.predictions == (1, 2)
    assert again.resume(["the-loop"]) == ("the-loop", "two")
    assert again.score("the-loop", ["two", "new"]).seen == 1
    assert again.score("other") == Score(0, 0, 0, 0)
    assert [file.name for file in path.parent.iterdir()] == ["progress.json"]


def test_a_first_start_begins_with_the_first_lesson(tmp_path: Path) -> None:
    """No file yet: no notice, nothing written by looking."""
    progress = Progress.load(tmp_path / "progress.json")
    assert progress.notice is None
    assert progress.resume(["the-loop", "edges"]) == ("the-loop", None)
    assert list(tmp_path.iterdir()) == []


def test_a_lesson_that_is_gone_is_not_resumed(tmp_path: Path) -> None:
    """The last page of a lesson that is no longer listed leads to the first lesson."""
    progress = used(tmp_path / "progress.json")
    assert progress.resume(["edges"]) == ("edges", None)


DAMAGED = [
    b"",
    b"{",
    b"[1, 2]",
    b"null",
    b"\xff\xfe\x00",
    b'{"version": 1, "lessons": {"the-loop": 3}}',
    b'{"version": "1"}',
    b'{"version": 0}',
    b'{"lessons": {}}',
    b'{"version": 1, "predicted": -4}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("data", DAMAGED)
def test_a_damaged_file_is_set_aside(data: bytes, tmp_path: Path) -> None:
    """It keeps its content under another name, a notice says so, and progress begins anew."""
    path = tmp_path / "progress.json"
    path.write_bytes(data)
    (tmp_path / "progress.json.damaged-1").write_bytes(b"older")
    progress = Progress.load(path)
    assert progress.notice is not None
    for language in ("en", "ja"):
        assert "progress.json.damaged-2" in progress.notice.text(texts(language))
    assert (tmp_path / "progress.json.damaged-2").read_bytes() == data
    assert (tmp_path / "progress.json.damaged-1").read_bytes() == b"older"
    assert progress.save() is None
    assert Progress.load(path).notice is None


def test_a_later_version_is_left_alone(tmp_path: Path) -> None:
    """A file that a later program wrote is neither read nor changed; the notice says so."""
    path = tmp_path / "progress.json"
    later = json.dumps({"version": 7, "lessons": ["something else"]})
    path.write_text(later)
    progress = Progress.load(path)
    assert progress.notice is not None
    assert "later version" in progress.notice.text(texts("en"))
    progress.see("the-loop", "one")
    assert progress.save() is None
    assert path.read_text() == later
    assert len(list(tmp_path.iterdir())) == 1


def test_unknown_keys_of_this_version_are_no_damage(tmp_path: Path) -> None:
    """A smaller addition does not make a file unreadable."""
    path = tmp_path / "progress.json"
    path.write_text('{"version": 1, "lessons": {}, "colour": "red"}')
    assert Progress.load(path).notice is None


def test_a_folder_in_its_place_is_no_crash(tmp_path: Path) -> None:
    """Something that is no file is named in the notice and left alone."""
    progress = Progress.load(tmp_path)
    assert progress.notice is not None
    assert progress.notice.key == "lesson.progress.not_a_file"
    assert progress.save() is None


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is a notice; the file is what it was, and nothing is left beside it."""
    path = tmp_path / "progress.json"
    used(path).save()
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    progress = Progress.load(path)
    progress.see("the-loop", "three")
    notice = progress.save()
    assert notice is not None
    assert "No space left" in notice.text(texts("en"))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["progress.json"]


def test_two_windows_do_not_undo_each_other(tmp_path: Path) -> None:
    """What one window has kept is still there after the other keeps its own."""
    path = tmp_path / "progress.json"
    first, second = Progress.load(path), Progress.load(path)
    first.see("the-loop", "one")
    first.answer("the-loop", "one", 0, right=True)
    first.save()
    second.see("the-loop", "two")
    second.save()
    assert Progress.load(path).score("the-loop") == Score(seen=2, right=1, at_once=1, solved=0)


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Progress kept elsewhere by a link is written there."""
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    used(real).save()
    link.symlink_to(real)
    progress = Progress.load(link)
    progress.see("the-loop", "three")
    progress.save()
    assert link.is_symlink()
    assert Progress.load(real).score("the-loop").seen == 3
    assert stat.S_ISREG(real.stat().st_mode)


def test_the_file_is_named_by_the_environment() -> None:
    """The variable, else the user's folder."""
    assert progress_file({"VISUALIZER_PROGRESS": "/x/y.json"}) == Path("/x/y.json")
    assert progress_file({}).name == "progress.json"
