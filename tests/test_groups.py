"""Scenarios in their groups: the file that says so, what is checked in it, and the list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.made_lessons import problems
from tests.test_cli import call
from visualizer import scenario_names
from visualizer.collection.groups import Group, scenario_groups
from visualizer.files.resources import shipped
from visualizer.i18n import LANGUAGES, texts

GROUP = '[[group]]\nid = "{id}"\nscenarios = {names}\n[group.title]\nen = "A"\nja = "あ"\n'


def folder(tmp_path: Path, *groups: tuple[str, list[str]]) -> Path:
    """A folder with the shipped Paris and Aurora Run, and a file of groups."""
    made = tmp_path / "made"
    made.mkdir()
    for name in ("paris", "aurora-run"):
        data = (shipped("transcripts") / f"{name}.json").read_bytes()
        (made / f"{name}.json").write_bytes(data)
    text = "".join(GROUP.format(id=one, names=json.dumps(names)) for one, names in groups)
    (made / "groups.toml").write_text(text, encoding="utf-8")
    return made


def test_every_shipped_scenario_stands_in_one_group() -> None:
    """All names are there once; nothing is left over for the group of those without one."""
    groups = scenario_groups()
    names = [name for group in groups for name in group.names]
    assert sorted(names) == sorted(scenario_names())
    assert all(group.title is not None for group in groups)
    assert groups[0].names[:2] == ("aurora-run", "paris")


@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_are_short_enough_for_a_list(language: str) -> None:
    """Every group has a heading of its own, of at most 60 cells."""
    from visualizer.text import cells

    headings = [group.heading(texts(language)) for group in scenario_groups()]
    assert len(set(headings)) == len(headings)
    assert all(0 < cells(heading) <= 60 for heading in headings)


def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, private: bool = True) -> Group | None:
    """The group of one's own transcripts, where a folder of the environment holds one."""
    data = (shipped("transcripts") / "paris.json").read_bytes()
    (tmp_path / "mine.json").write_bytes(data)
    (tmp_path / "paris.json").write_bytes(data)
    monkeypatch.setenv("VISUALIZER_TRANSCRIPTS", str(tmp_path))
    return next((one for one in scenario_groups(private=private) if one.id == "own"), None)


def test_ones_own_transcripts_are_a_group_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come last, under their own heading; a shipped name stays the shipped scenario."""
    group = own(tmp_path, monkeypatch)
    assert group is not None
    assert group.names == ("mine",)
    assert scenario_groups()[-1] == group
    assert group.heading(texts("en")) == "Your own transcripts"


def test_what_lies_in_the_data_folder_is_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without private ones, a folder named for this start stays, the data folder does not."""
    assert own(tmp_path, monkeypatch, private=False) is not None
    monkeypatch.delenv("VISUALIZER_TRANSCRIPTS")
    monkeypatch.setattr("visualizer.files.resources._user_folder", lambda: tmp_path)
    assert scenario_groups()[-1].names == ("mine",)
    assert scenario_groups(private=False)[-1].id != "own"


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        (
            [("a", ["paris"]), ("a", ["aurora-run"])],
            '/group/1/id: there is more than one group "a"',
        ),
        ([("own", ["paris", "aurora-run"])], '/group/0/id: there is more than one group "own"'),
        ([("a", ["paris", "aurora-run", "paris"])], '/group/0/scenarios/2: "paris" is listed'),
        ([("a", ["paris", "aurora-run", "rome"])], 'there is no "rome.json" in this folder'),
        ([("a", ["paris"])], '"aurora-run.json" is in this folder but in no group'),
        ([("A b", ["paris", "aurora-run"])], "/group/0/id: "),
        ([("a", ["paris", "aurora-run"]), ("b", [])], "/group/1/scenarios: "),
    ],
)
def test_check_is_strict_about_the_groups(
    tmp_path: Path, groups: list[tuple[str, list[str]]], said: str
) -> None:
    """Each mistake is one line that names the file and the place."""
    found = problems(folder(tmp_path, *groups))
    assert any(said in line for line in found)
    assert all("groups.toml" in line for line in found)


def test_a_right_file_and_none_at_all_are_fine(tmp_path: Path) -> None:
    """Groups that fit the folder give no line, and a folder needs none."""
    made = folder(tmp_path, ("a", ["paris"]), ("b", ["aurora-run"]))
    assert problems(made) == []
    (made / "groups.toml").write_text("group = [", encoding="utf-8")
    assert "TOML" in problems(made)[0]
    (made / "groups.toml").unlink()
    assert problems(made) == []


def test_a_broken_file_still_lists_every_scenario(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the groups can't be read, the scenarios are one group under a heading."""
    made = folder(tmp_path)
    monkeypatch.setattr("visualizer.collection.groups.shipped", lambda _: made)
    files = {name: made / f"{name}.json" for name in ("paris", "aurora-run")}
    (group,) = scenario_groups(files)
    assert (group.id, group.names) == ("others", ("paris", "aurora-run"))
    assert group.heading(texts("ja")) == "そのほかのシナリオ"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_prints_the_same_groups(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Headings stand above their scenarios; in JSON each scenario has its group's id."""
    assert call("list", "--lang", language) == 0
    lines = capsys.readouterr().out.splitlines()
    groups = scenario_groups()
    headings = [line for line in lines if line.startswith("== ")]
    assert headings == [f"== {group.heading(texts(language))} ==" for group in groups]
    first = lines.index(headings[1])
    assert lines[first + 1].startswith(f"{groups[1].names[0]}: ")
    assert call("list", "--json", "--lang", language) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in data["groups"]] == [group.id for group in groups]
    of = {one["name"]: one["group"] for one in data["scenarios"]}
    assert of == {name: group.id for group in groups for name in group.names}
