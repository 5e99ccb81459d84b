"""Takes out of single texts what the rules find, and keeps count.

What replaces a text depends on nothing but the text, once the values that were only named by
their surroundings are all known: so two texts that were equal stay equal, which is what replay
compares. Different values get different placeholders, and none that the recording already has.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote

from visualizer.redact import values
from visualizer.redact.named import NAMED, under_key
from visualizer.redact.people import ABSOLUTE, HOME, PEOPLE, SLUG
from visualizer.redact.rule import PLACEHOLDER, USER, Rule
from visualizer.redact.shapes import SHAPES

RULES: tuple[Rule, ...] = (*SHAPES, *NAMED, *PEOPLE)
"""Every rule, in the order in which they are applied."""

KINDS: tuple[str, ...] = tuple(dict.fromkeys(rule.kind for rule in RULES))

SHORT = 256
"""Characters up to which a text's replacement is remembered: most short texts come often."""

MOST_KNOWN = 1_000
"""Named values that are looked for everywhere; further ones go only where they are named."""

MOST_NAMES = 50
"""Names of home folders that are looked for where a project's folder is named after its path."""

ROUNDS = 6
"""How often a text, or all of them, are gone over at most until nothing is found any more."""

_TAKEN = re.compile(r"redacted[:-]([a-z-]{1,30})-(\d{1,6})")
_TAKEN_USER = re.compile(r"user-(\d{1,6})")
_IN_BRACKETS = re.compile(r"\[redacted:([a-z-]{1,30}-\d{1,7})\]")
_PLAIN = re.compile(r"[A-Za-z0-9._-]+")


class Redactor:
    """The state of one recording: which value has which placeholder."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._last: dict[str, int] = {}
        self._known: dict[str, str] = {}
        self._forms: list[tuple[str, str]] = []  # how known values are written, longest first
        self._spread = False
        self._slugs: dict[str, str] = {}
        self._cache: dict[str, str] = {}

    @property
    def counts(self) -> dict[str, int]:
        """How many different values of each kind were replaced, in the order of the rules."""
        found = Counter(kind for kind, _ in self._numbers)
        return {kind: found[kind] for kind in (*KINDS, "path", "file") if kind in found}

    def look_ahead(self, text: str) -> None:
        """Note which placeholders a text has, and which names its home folders tell."""
        if "redacted" in text:
            for kind, number in _TAKEN.findall(text):
                self._last[kind] = max(self._last.get(kind, 0), int(number))
        if "user-" in text:
            taken = max((int(number) for number in _TAKEN_USER.findall(text)), default=0)
            self._last["home"] = max(self._last.get("home", 0), taken)
        if any(hint in text for hint in HOME.hints):
            for found in HOME.pattern.finditer(text):
                if len(self._slugs) < MOST_NAMES:
                    name = found["secret"]
                    self._slugs.setdefault(re.sub(r"[^A-Za-z0-9]", "-", name), name)

    def text(self, text: str, key: str | None = None) -> str:
        """A text without what the rules find, or what an object holds under ``key``."""
        if len(text) > SHORT:
            made = self._settled(text)
        else:
            cached = self._cache.get(text)
            made = self._settled(text) if cached is None else cached
            self._cache[text] = made
        return made if key is None else self._under_key(key, text, made)

    def plain(self, text: str) -> str:
        """As ``text`` for a name or an id, whose placeholder has only characters of names."""
        made = self.text(text)
        if made != text and _PLAIN.fullmatch(text):
            return _IN_BRACKETS.sub(r"redacted-\1", made)
        return made

    def paths(self, text: str) -> str:
        """A text without absolute paths."""
        return ABSOLUTE.sub(lambda found: self.placeholder("path", found[0]), text)

    def placeholder(self, kind: str, value: str, form: str = PLACEHOLDER) -> str:
        """What stands for a value: always the same."""
        number = self._numbers.get((kind, value))
        if number is None:
            number = self._last[kind] = self._last.get(kind, 0) + 1
            self._numbers[kind, value] = number
        return form.format(kind=kind, n=number)

    def spread(self) -> bool:
        """Look for the named values everywhere from now on; whether there are new ones.

        Texts are taken to have been gone through once: then only those that hold one count.
        """
        forms = {form: value for value in self._known for form in _forms(value)}
        made = sorted(forms.items(), key=lambda pair: (-len(pair[0]), pair[0]))
        new = made != self._forms
        self._forms, self._spread = made, True
        self._cache.clear()
        return new

    def _settled(self, text: str) -> str:
        for _ in range(ROUNDS):
            before = text
            for form, value in self._forms:
                if form in text:
                    text = text.replace(form, self.placeholder(self._known[value], value))
            if self._spread and text == before:
                return text
            for rule in RULES:
                text = self._apply(rule, text)
            if "-home-" in text or "-Users-" in text:
                text = self._without_slugs(text)
            if text == before:
                return text
        return text

    def _apply(self, rule: Rule, text: str) -> str:
        if not any(hint in text for hint in rule.hints):
            return text
        parts: list[str] = []
        done = at = 0
        while found := rule.pattern.search(text, at):
            start, end = rule.span(found)
            if rule.accepts is None or rule.accepts(found):
                parts += (text[done:start], self._replaced(rule, text[start:end]))
                done = at = end
            else:  # there may be more inside a quotation, but not inside anything else
                quoted = "quoted" in rule.pattern.groupindex and found["quoted"] is not None
                at = start if quoted else found.end()
            at = max(at, found.start() + 1)
        return "".join([*parts, text[done:]]) if parts else text

    def _replaced(self, rule: Rule, value: str) -> str:
        if rule.kind == "email":
            value = value.replace("%40", "@")
        if rule.named:
            self._know(rule.kind, value)
        if rule.kind == "login":
            self._know("password", value.partition(":")[2])
        return self.placeholder(rule.kind, value, rule.form)

    def _know(self, kind: str, value: str) -> None:
        room = len(self._known) < MOST_KNOWN
        if room and values.is_distinctive(value) and not _is_like_a_placeholder(value):
            self._known.setdefault(value, kind)

    def _under_key(self, key: str, text: str, made: str) -> str:
        """What is made of a text under a key: all of it goes that is not one placeholder."""
        kind, start = under_key(key, text) or ("", 0)
        if not kind or _IN_BRACKETS.fullmatch(made, start):
            return made
        self._know(kind, text[start:])
        return text[:start] + self.placeholder(kind, text[start:])

    def _without_slugs(self, text: str) -> str:
        parts: list[str] = []
        at = 0
        while found := SLUG.search(text, at):
            start = found.start("secret")
            name = found["secret"]
            fitting = [one for one in self._slugs if text.startswith(one, start)]
            slug = max(fitting, key=len, default=name)
            parts += (text[at:start], self.placeholder("home", self._slugs.get(slug, name), USER))
            at = start + len(slug)
        return "".join([*parts, text[at:]]) if parts else text


def _forms(value: str) -> Iterator[str]:
    """How a value may be written: as it is, in JSON, in a URL."""
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield quote(value, safe="", errors="replace")


def _is_like_a_placeholder(value: str) -> bool:
    start = value.rstrip("]").rstrip("0123456789")
    return any(start in f"[redacted:{kind}-" for kind in (*KINDS, "path", "file")) or (
        start in USER or start in "redacted-"
    )
