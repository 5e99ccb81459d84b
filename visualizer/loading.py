"""From a name or a file to a scenario that can be driven."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pydantic_core import ValidationError

from visualizer.errors import LoopError, NotFoundError, Problem, TranscriptError, VisualizerError
from visualizer.files.reading import ALL, Reading, open_file, read_file
from visualizer.files.resources import find_transcript, transcript_files
from visualizer.i18n import LANGUAGES, texts
from visualizer.text import display_safe
from visualizer.transcript.history import joined
from visualizer.transcript.records import (
    FORMAT_VERSION,
    Localized,
    Note,
    Provenance,
    RecordedRun,
    Transcript,
    World,
)
from visualizer.transcript.schema import validator
from visualizer.transcript.schema_problems import number_problems, schema_problems
from visualizer.transcript.settings import DECIDED, OBSERVED, Choice, Settings
from visualizer.transcript.structure import structure_problems

if TYPE_CHECKING:
    from visualizer.formats import Outside

__all__ = [
    "Scenario",
    "load_file",
    "load_transcript",
    "parse",
    "scenario_names",
    "scenario_of",
]


OWN_MARK = b'"format_version"'
OWN_HEAD = 1 << 12
"""Our own files say their format version in their first bytes."""

NO_JSON = frozenset({"problem.not_json", "problem.truncated", "problem.not_utf8"})


@dataclass(frozen=True, slots=True)
class Scenario:
    """A transcript ready to be driven: its own settings over its own or another's runs.

    ``path`` is None for a scenario made in memory. ``outside`` is what else was found in a
    file of another program. ``decided`` are a reader's decisions, beside the file's own,
    ``observed`` the texts that a reader put into tool results.
    """

    name: str
    transcript: Transcript
    runs: tuple[RecordedRun, ...]
    world: World | None
    recording: Transcript
    path: Path | None = None
    outside: Outside | None = None
    decided: Mapping[str, Choice] = field(default_factory=dict)
    observed: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        title = display_safe(" ".join(self.title("en").split()))
        runs = ", ".join(run.id for run in self.runs[:3]) + (", ..." if len(self.runs) > 3 else "")
        return f"<Scenario {self.name}: {title}; runs: {runs}>"

    @property
    def settings(self) -> Settings:
        """How it is driven unless asked otherwise."""
        own = self.transcript.settings
        if not self.decided:
            return own
        return replace(own, decisions={**own.decisions, **self.decided})

    def deciding(self, decisions: Mapping[str, Choice]) -> Scenario:
        """The same with a reader's decisions, by place, in place of those before.

        Raises ``LoopError`` for what is no place or no decision.
        """
        made: dict[str, Choice] = {}
        for place, choice in decisions.items():
            if not DECIDED.fullmatch(place) or choice not in ("allow", "deny"):
                raise LoopError("problem.no_decision", place=f"{place}={choice}")
            made[place.removesuffix(".1")] = choice
        return replace(self, decided=made)

    def observing(self, observations: Mapping[str, str]) -> Scenario:
        """The same with other texts in tool results, by place, in place of those before.

        Raises ``LoopError`` for what is no place of a tool's result.
        """
        made: dict[str, str] = {}
        for place, text in observations.items():
            if not OBSERVED.fullmatch(place):
                raise LoopError("problem.no_observation", place=place)
            # Half characters could be neither printed nor passed on.
            made[place.removesuffix(".1")] = text.encode("utf-8", "replace").decode("utf-8")
        return replace(self, observed=made)

    @property
    def plain(self) -> Scenario:
        """The same as its file says, without what a reader decided or changed."""
        return replace(self, decided={}, observed={})

    @property
    def notes(self) -> list[Note]:
        """The authored remarks of this scenario and of the recording it refers to."""
        own = self.transcript.notes
        return own if self.recording is self.transcript else self.recording.notes + own

    def title(self, language: str) -> str:
        """The title (from the file: not yet safe for a terminal)."""
        return self.transcript.title.in_language(language)

    def summary(self, language: str) -> str:
        """What it shows, in a sentence (not yet safe for a terminal)."""
        return self.transcript.summary.in_language(language)

    def run(self, run_id: str | None = None) -> RecordedRun:
        """The run to drive: the one named, else the scenario's, else the first."""
        wanted = run_id or self.settings.run
        for run in self.runs:
            if wanted is None or run.id == wanted:
                return run
        raise NotFoundError("problem.no_run", str(wanted), [run.id for run in self.runs])

    def on_run(self, run_id: str) -> Scenario:
        """The same with another run in front. Raises ``NotFoundError``."""
        self.run(run_id)
        transcript = replace(self.transcript, settings=replace(self.settings, run=run_id))
        own = self.recording is self.transcript
        recording = transcript if own else self.recording
        return replace(self, transcript=transcript, recording=recording)

    def provenance(self, pointer: str = "/runs") -> Provenance | None:
        """Where a part of the recording comes from; the longest matching pointer counts."""
        matching = [
            entry
            for entry in self.recording.provenance
            if pointer == entry.of or pointer.startswith(entry.of.rstrip("/") + "/")
        ]
        return max(matching, key=lambda entry: len(entry.of), default=None)

    def was_answered(self, number: int) -> bool:
        """Whether an endpoint is known to have given the replies of a run, by its number."""
        if self.outside is not None:
            return True
        found = self.provenance(f"/runs/{number}/takes/0/turns/0/response")
        return found is not None and found.kind == "recorded"


def scenario_names() -> list[str]:
    """The names of all scenarios that are found by name."""
    return list(transcript_files())


def load_transcript(name_or_path: str | Path | Scenario) -> Scenario:
    """A scenario by its name, or from a file (what is one already is given back).

    Raises ``NotFoundError`` where there is neither, ``TranscriptError`` with every problem
    where the file can't be used.
    """
    if isinstance(name_or_path, Scenario):
        return name_or_path
    text = str(name_or_path)
    if isinstance(name_or_path, str) and (found := find_transcript(text)):
        return load_file(found, text)
    path = Path(name_or_path)
    looks_like_path = isinstance(name_or_path, Path) or path.suffix or len(path.parts) > 1
    if looks_like_path or os.path.exists(text):  # noqa: PTH110 - this one never raises
        return load_file(path, text)
    nearest = difflib.get_close_matches(text, transcript_files(), n=3, cutoff=0.5)
    raise NotFoundError("problem.no_scenario", text, nearest)


def unforeseen(source: str, error: Exception) -> TranscriptError:
    """What a list says of a file that the program itself fails over: the others stay."""
    said = f"{type(error).__name__}: {error}"
    return TranscriptError(source, [Problem("", "problem.unforeseen", {"error": said})])


def load_listed(name: str) -> Scenario | VisualizerError:
    """The scenario of a name, or why there is none, for a list that goes on without it."""
    try:
        return load_transcript(name)
    except VisualizerError as error:
        return error
    except Exception as error:
        return unforeseen(name, error)


def load_file(path: Path, source: str | None = None, reading: Reading = ALL) -> Scenario:
    """A scenario from a file; ``source`` is what errors call it (default: the path).

    An outside recording in a format that is known is a scenario too, with all its runs (with
    those at its beginning, where ``reading`` ends before the file does).
    """
    source = source or str(path)
    with open_file(path, source) as (file, head):
        return load_from(file, head, path, source, reading)


def load_from(
    file: BinaryIO, head: bytes, path: Path, source: str, reading: Reading = ALL
) -> Scenario:
    """A scenario from an open file at its start that begins with ``head``; see ``load_file``."""
    if OWN_MARK in head[:OWN_HEAD]:
        return scenario_of(parse(file.read(), source), path.stem, path, source)
    from visualizer.formats import Unreadable, format_of, read_from  # noqa: PLC0415 - theirs

    try:
        if found := format_of(file, head):
            return _outside_scenario(read_from(file, head, path, reading, found), path)
    except Unreadable as error:
        raise TranscriptError(source, [Problem("", error.key, error.values)]) from None
    try:
        return scenario_of(parse(file.read(), source), path.stem, path, source)
    except TranscriptError as error:
        if _is_something_else(error, path):
            raise TranscriptError(source, [_unknown_format()]) from None
        raise


def scenario_of(
    transcript: Transcript, name: str, path: Path | None = None, source: str | None = None
) -> Scenario:
    """A scenario from a transcript in memory. Raises ``TranscriptError``."""
    source = source or name
    recording = transcript
    if transcript.recording is not None and transcript.runs is None:
        recording = _recording(transcript.recording, path, source)
    problems = list(structure_problems(transcript, recording))
    if problems:
        raise TranscriptError(source, problems)
    world = transcript.world or recording.world
    return Scenario(name, transcript, joined(recording.runs or ()), world, recording, path)


def parse(data: bytes, source: str) -> Transcript:
    """A transcript from the bytes of a file. Raises ``TranscriptError``."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        transcript: Transcript = validator().validate_json(data)
    except ValidationError as error:
        raise TranscriptError(source, list(schema_problems(error, data))) from None
    if problems := list(number_problems(data)):
        raise TranscriptError(source, problems)
    return transcript


def _recording(name: str, path: Path | None, source: str) -> Transcript:
    """The transcript that a scenario refers to: beside it, else by name. One level deep."""
    beside = path.with_name(f"{name}.json") if path else None
    found = beside if beside and beside.is_file() else find_transcript(name)
    if found is None:
        problem = Problem("/recording", "problem.no_recording", {"name": name})
        raise TranscriptError(source, [problem])
    recording = parse(read_file(found, found.name), found.name)
    if recording.runs is None:
        problem = Problem("/recording", "problem.recording_refers", {"name": name})
        raise TranscriptError(source, [problem])
    return recording


def _outside_scenario(outside: Outside, path: Path) -> Scenario:
    name = Localized(path.name, path.name)
    said = Localized(*(texts(one)("format.source", format=outside.format) for one in LANGUAGES))
    provenance = [Provenance("/runs", "recorded", said)]
    transcript = Transcript(FORMAT_VERSION, name, said, provenance, runs=outside.runs)
    runs = tuple(outside.runs)
    return Scenario(path.name, transcript, runs, None, transcript, path, outside)


def _is_something_else(error: TranscriptError, path: Path) -> bool:
    """Whether a file that can't be used does not even look like one of ours.

    Others have a title, too: ours say their version, or have a title in two languages.
    """
    found = {(problem.pointer, problem.key) for problem in error.problems}
    if error.problems[0].key in NO_JSON:
        return path.suffix != ".json"
    titled = found.isdisjoint(("/title", f"problem.{key}") for key in ("missing", "type"))
    return ("", "problem.type") in found or (
        ("/format_version", "problem.missing") in found and not titled
    )


def _unknown_format() -> Problem:
    from visualizer.formats import format_names  # noqa: PLC0415 - see above

    return Problem("", "format.unknown", {"known": tuple(format_names())})
