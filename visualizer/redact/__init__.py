"""A recording without what looks like a secret or a person's detail, so that it can be shared.

``RULES`` lists what is looked for. Every text of the transcript is gone through, names of keys
included; ids stay unless a rule finds something in them. A value is replaced by a placeholder
that stands for it in the whole file (``[redacted:email-1]``; in a path ``/home/user-1``), so
what was equal stays equal and the recording replays as before.

What this can't find: a secret that is split over several texts or blocks, one without a shape
or a telling name, what an image shows, names of people. Images and signatures are texts like
any other here: they stay unless a rule finds something in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import PurePath
from typing import Any

from visualizer.redact.redactor import KINDS, ROUNDS, RULES, Redactor
from visualizer.transcript.records import Localized, Request, Transcript

__all__ = ["KINDS", "RULES", "redacted"]

_IDS = frozenset({"id", "tool_use_id"})
_NAMES = frozenset({"base", "id", "loop", "name", "recording", "run", "take", "tool_use_id"})
_CHOICES = frozenset({"format_version", "kind", "terminal_reason"})


def redacted(transcript: Transcript) -> tuple[Transcript, dict[str, int]]:
    """A new transcript, and how many different values of each kind were replaced in it."""
    redactor = Redactor()
    for text in _texts(transcript):
        redactor.look_ahead(text)
    made: Transcript = _Copy(redactor).of(transcript)
    for _ in range(ROUNDS):
        if not redactor.spread():
            break
        made = _Copy(redactor).of(made)
    return _without_places(made, redactor), redactor.counts


class _Copy:
    """A copy of plain data with every text replaced; what is shared stays shared."""

    def __init__(self, redactor: Redactor) -> None:
        self._text: Callable[[str, str | None], str] = redactor.text
        self._plain = redactor.plain
        self._made: dict[int, Any] = {}

    def of(self, value: Any, key: str | None = None) -> Any:
        """A copy of ``value``, which stands under ``key`` of an object."""
        if isinstance(value, str):
            return self._plain(value) if key in _IDS else self._text(value, key)
        if isinstance(value, dict):
            known = self._made.get(id(value))
            if known is None:
                known = self._made[id(value)] = self._object(value)
            return known
        if isinstance(value, list):
            return [self.of(one) for one in value]
        if is_dataclass(value) and not isinstance(value, type):
            return self._record(value)
        return value

    def _object(self, value: dict[Any, Any]) -> dict[Any, Any]:
        return {
            self._text(key, None) if isinstance(key, str) else key: self.of(one, key)
            for key, one in value.items()
        }

    def _record(self, value: Any) -> Any:
        made = {}
        for field in fields(value):
            one = getattr(value, field.name)
            if isinstance(one, str) and field.name in _NAMES:
                one = self._plain(one)
            elif field.name not in _CHOICES:
                one = self.of(one)
            made[field.name] = one
        # A request that shares its messages with others is one of its own afterwards.
        return (Request if isinstance(value, Request) else type(value))(**made)


def _texts(value: Any) -> Iterator[str]:
    """Every text in plain data, those of shared objects once."""
    seen: set[int] = set()
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, list):
            todo += one
        elif id(one) in seen:
            continue
        elif isinstance(one, dict):
            seen.add(id(one))
            todo += one
            todo += one.values()
        elif is_dataclass(one) and not isinstance(one, type):
            todo += [getattr(one, field.name) for field in fields(one)]


def _without_places(transcript: Transcript, redactor: Redactor) -> Transcript:
    """Without the name of the file it was read from, and without absolute paths about it."""

    def told(text: Localized) -> Localized:
        return Localized(redactor.paths(text.en), redactor.paths(text.ja))

    title = told(transcript.title)
    suffix = PurePath(title.en).suffix
    of_file = title.en == title.ja and re.fullmatch(r"\.[A-Za-z]{2,9}", suffix) is not None
    if of_file and not title.en.startswith("[redacted:file-"):
        name = redactor.placeholder("file", title.en) + suffix
        title = Localized(name, name)
    return replace(
        transcript,
        title=title,
        summary=told(transcript.summary),
        provenance=[replace(one, source=told(one.source)) for one in transcript.provenance],
        notes=[replace(one, text=told(one.text)) for one in transcript.notes],
    )
