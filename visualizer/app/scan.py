"""Looking through messages for words, many at a time, in slices that keep no key waiting."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any, TypeVar

from visualizer.app.needle import PIECE, Needle

Place = TypeVar("Place")
Slices = Generator[bool, None, None]
"""Work that yields between two slices: True where the next one may take long."""

MOST = 1 << 16
"""Characters that are looked through at once, and between two pauses: a fraction of a ms."""

EACH = 64
"""What a message costs beside its characters, in characters."""

BETWEEN = "\0"
"""Stands between two texts, so that no words are found across them."""


class Scan:
    """Looks for words in contents of messages.

    Most messages are short and hold nothing: as many as fit are looked through as one text.
    Where the words turn up, it is one message at a time until they have become rare again.
    ``seen`` counts the messages.
    """

    def __init__(self, words: str) -> None:
        self.needle = Needle(words)
        self.seen = 0
        self._most = MOST

    def through(self, contents: Iterable[tuple[Place, object]], found: list[Place]) -> Slices:
        """Add the places whose content holds the words to ``found``, in order."""
        batch: list[tuple[Place, str]] = []
        size = paused = 0
        for place, content in contents:
            texts = texts_in(content)
            self.seen += 1
            if not texts:
                yield False
                continue
            alone = len(texts) == 1
            if (len(texts[0]) if alone else sum(map(len, texts))) > PIECE:
                self._judge(batch, found)
                batch, size = [], 0
                yield from self._long(place, texts, found)
                continue
            text = texts[0] if alone else BETWEEN.join(texts)
            batch.append((place, text))
            size += len(text) + EACH
            if size >= self._most:
                self._judge(batch, found)
                paused += size
                batch, size = [], 0
                if paused >= MOST:
                    paused = 0
                    yield False
        self._judge(batch, found)

    def _judge(self, batch: list[tuple[Place, str]], found: list[Place]) -> None:
        holds = self.needle.holds
        if len(batch) > 1 and not holds(BETWEEN.join([text for _, text in batch])):
            self._most = min(MOST, 2 * self._most + 1024)
            return
        before = len(found)
        found += [place for place, text in batch if holds(text)]
        if batch:
            self._most = 0 if len(found) > before else min(MOST, 2 * self._most + 1024)

    def _long(self, place: Place, texts: list[str], found: list[Place]) -> Slices:
        """A message that is looked through in several slices itself, and never copied whole."""
        for piece in (piece for text in texts for piece in self.needle.pieces(text)):
            yield False
            if self.needle.within(piece):
                found.append(place)
                return


def texts_in(content: object) -> list[str]:
    """Every text in a message's content: what was said, asked for and found."""
    texts: list[str] = []
    if type(content) is list or isinstance(content, (list, tuple)):
        for block in content:
            if type(block) is dict or isinstance(block, Mapping):
                # What most blocks are is told here: a call a block is half of what it all costs.
                kind = block.get("type")
                name = "text" if kind == "text" else "content" if kind == "tool_result" else ""
                if name and type(text := block.get(name)) is str:
                    texts.append(text)
                else:
                    _block(block, texts)
            else:
                _strings(block, texts)
    else:
        _strings(content, texts)
    return texts


def _block(block: Mapping[str, Any], texts: list[str]) -> None:
    """What a block holds that is no text, nor a result that is one."""
    kind = block.get("type")
    if kind == "tool_result":
        content = block.get("content")
        if isinstance(content, list):
            _parts(content, texts)
    elif kind == "tool_use":
        texts.append(str(block.get("name", "")))
        _strings(block.get("input"), texts)
    elif kind != "text":
        _strings(block, texts)


def _parts(content: list[Any], texts: list[str]) -> None:
    """The parts of a result: texts, and of what else there is the kind, as it is shown."""
    for part in content:
        if isinstance(part, Mapping):
            text = part.get("text") if part.get("type") == "text" else f"[{part.get('type')}]"
            if isinstance(text, str):
                texts.append(text)


def _strings(value: object, texts: list[str]) -> None:
    """Everything written in a value, names too, however it is nested."""
    if isinstance(value, str):
        texts.append(value)
    elif type(value) is dict or isinstance(value, Mapping):
        for key, item in value.items():
            texts.append(key if type(key) is str else str(key))
            if type(item) is str:
                texts.append(item)
            elif type(item) is int:
                texts.append(str(item))
            else:
                _strings(item, texts)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _strings(item, texts)
    elif value is not None:
        texts.append(str(value))
