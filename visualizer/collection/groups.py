"""Scenarios by what they show, as ``groups.toml`` beside the shipped transcripts says.

The groups and the scenarios in them are listed in the order of that file. One's own
transcripts are a group of their own, behind them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from visualizer.errors import Problem, TranscriptError
from visualizer.files.resources import FOLDERS_VARIABLE, shipped, transcript_files
from visualizer.files.toml_file import read_toml
from visualizer.i18n import Texts
from visualizer.text import display_safe
from visualizer.transcript.fields import CLOSED, Constraint, Name
from visualizer.transcript.records import Localized

if TYPE_CHECKING:
    from pydantic import ConfigDict

FILE = "groups.toml"
OTHERS = "others"
"""The id of the group of shipped scenarios that the file does not list."""
OWN = "own"
"""The id of the group of one's own transcripts."""

GroupId = Annotated[str, Constraint(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


@dataclass(frozen=True, slots=True)
class Entry:
    """A group as the file has it."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    id: GroupId
    title: Localized
    scenarios: Annotated[tuple[Name, ...], Constraint(min_length=1)]


@dataclass(frozen=True, slots=True)
class GroupsFile:
    """The whole of ``groups.toml``."""

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED
    group: Annotated[tuple[Entry, ...], Constraint(min_length=1)]


class Group(NamedTuple):
    """Scenarios that show the same kind of thing. ``title`` is None for the last two groups."""

    id: str
    title: Localized | None
    names: tuple[str, ...]

    def heading(self, texts: Texts) -> str:
        """What the group is called, safe for a terminal."""
        if self.title is None:
            return texts(f"course.group.{self.id}")
        return display_safe(self.title.in_language(texts.language))


def scenario_groups(
    files: Mapping[str, Path] | None = None, private: bool = True
) -> tuple[Group, ...]:
    """Every scenario in its group: those of ``files`` (name -> file; default: all there are).

    Without ``private``, the transcripts in the user's data folder are left out; folders that
    are named in the environment were chosen for this start. A ``groups.toml`` that can't be
    read leaves all shipped scenarios in one group: what is wrong with it is for ``check``.
    """
    found = dict(transcript_files() if files is None else files)
    folder = shipped("transcripts")
    try:
        entries = read_toml(folder / FILE, GroupsFile).group
    except TranscriptError:
        entries = ()
    ours = {name for name, path in found.items() if path.parent == folder}
    groups = []
    for entry in entries:
        names = tuple(dict.fromkeys(name for name in entry.scenarios if name in ours))
        ours.difference_update(names)
        groups.append(Group(entry.id, entry.title, names))
    own = tuple(name for name, path in found.items() if path.parent != folder)
    if not private:
        own = tuple(name for name in own if _is_named(found[name].parent))
    groups.append(Group(OTHERS, None, tuple(name for name in found if name in ours)))
    groups.append(Group(OWN, None, own))
    return tuple(group for group in groups if group.names)


def group_problems(folder: Path) -> Iterator[tuple[str, Problem]]:
    """What is wrong with the ``groups.toml`` of a folder of transcripts, with its file."""
    path = folder / FILE
    source = str(path)
    try:
        entries = read_toml(path, GroupsFile).group
    except TranscriptError as error:
        yield from ((error.source, problem) for problem in error.problems)
        return
    ids: set[str] = {OTHERS, OWN}
    listed: set[str] = set()
    there = {file.stem for file in folder.glob("*.json")}
    for number, entry in enumerate(entries):
        if entry.id in ids:
            where = f"/group/{number}/id"
            yield source, Problem(where, "course.problem.same_group", {"id": entry.id})
        ids.add(entry.id)
        for place, name in enumerate(entry.scenarios):
            where, values = f"/group/{number}/scenarios/{place}", {"name": name}
            if name in listed:
                yield source, Problem(where, "course.problem.listed_twice", {**values})
            elif name not in there:
                yield source, Problem(where, "course.problem.no_transcript", {**values})
            listed.add(name)
    for name in sorted(there - listed):
        yield source, Problem("/group", "course.problem.ungrouped", {"name": display_safe(name)})


def _is_named(folder: Path) -> bool:
    """Whether a folder is one of those that the environment names."""
    given = os.environ.get(FOLDERS_VARIABLE, "")
    return any(Path(part) == folder for part in given.split(os.pathsep) if part)
