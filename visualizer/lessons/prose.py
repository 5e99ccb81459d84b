"""The texts of a lesson: a small part of Markdown, read into pieces that can be drawn.

A page is a section ``## page-id | title``. It holds paragraphs (inline code, bold, and
claims), lines quoted from a loop (``![](loop:agent_loop#check)``), and hints (``> text``,
one a paragraph). A claim is a link: ``[3](claim:aurora-run#model_calls)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple
from urllib.parse import unquote

from visualizer.errors import Problem
from visualizer.text import display_safe, lines_of, wrap

Style = Literal["", "bold", "code", "quote"]

CLAIM = re.compile(r"\[(?P<said>[^\]]+)\]\(claim:(?P<at>[^)#\s]+)#(?P<fact>\w+)\)")
QUOTE = re.compile(r"!\[\]\(loop:(?P<loop>\w+)(?:#(?P<part>[^)\s]+))?\)")
_INLINE = re.compile(rf"{CLAIM.pattern}|\*\*(?P<bold>.+?)\*\*|`(?P<code>[^`]+)`")
_HEADING = re.compile(r"## +([^|]+?) *\| *(.*\S) *")
_STRAY = re.compile(r"\]\(|!\[|\*\*|`|<\w|^(?:[-*+|#]|\d+\.)\s")
_WIDE = re.compile(r"[\u2e80-\u9fff\uff00-\uffef]")


class Claim(NamedTuple):
    """A number or value that a text states: what it says, and the fact it must equal."""

    said: str
    at: str
    fact: str


class Quote(NamedTuple):
    """Lines of a loop: all of it, or the line of a phase, or the one that holds a text."""

    loop: str
    part: str = ""


class Span(NamedTuple):
    """A piece of a line in one style."""

    text: str
    style: Style = ""


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text in styles, with the claims made in it."""

    spans: Line
    claims: tuple[Claim, ...] = ()
    bare: str = ""
    """The text without what its claims and its code say."""

    @property
    def plain(self) -> str:
        """The text without its styles."""
        return "".join(span.text for span in self.spans)

    def lines(self, width: int) -> list[Line]:
        """The paragraph broken into lines of a width, styles kept."""
        found: list[Line] = []
        plain, place = self.plain, 0
        for line in wrap(plain, width):
            place = plain.index(line, place)
            found.append(tuple(self._between(place, place + len(line))))
            place += len(line)
        return found

    def _between(self, start: int, stop: int) -> Iterator[Span]:
        at = 0
        for span in self.spans:
            piece = span.text[max(start - at, 0) : max(stop - at, 0)]
            if piece:
                yield Span(piece, span.style)
            at += len(span.text)


@dataclass(frozen=True, slots=True)
class PageText:
    """What a page says in one language: a title, blocks in order, hints to be asked for."""

    title: str
    blocks: tuple[Paragraph | Quote, ...] = ()
    hints: tuple[Paragraph, ...] = ()

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Every paragraph of the page, hints included."""
        return (*(block for block in self.blocks if isinstance(block, Paragraph)), *self.hints)

    @property
    def bare(self) -> tuple[str, ...]:
        """The title, and the paragraphs without what claims and code say in them."""
        return (self.title, *(text.bare for text in self.paragraphs))

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim of the page."""
        return tuple(claim for text in self.paragraphs for claim in text.claims)

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """Every quotation of the page."""
        return tuple(block for block in self.blocks if isinstance(block, Quote))


class Section(NamedTuple):
    """A section of a file: its id, the line it begins on, and its text."""

    id: str
    line: int
    text: PageText


def quote_of(found: re.Match[str]) -> Quote:
    """The quotation that ``QUOTE`` found; spaces are written ``%20``."""
    return Quote(found["loop"], unquote(found["part"] or ""))


def paragraph(source: str) -> Paragraph:
    """A paragraph from its lines. Japanese lines join without a space."""
    joined = ""
    for part in map(str.strip, source.splitlines()):
        tight = not joined or joined[-1] in "。、」）" or _are_wide(joined[-1], part[:1])
        joined += part if tight else f" {part}"
    claims: list[Claim] = []
    spans = tuple(_spans(display_safe(joined), "", claims))
    bare = _INLINE.sub(lambda found: found["bold"] or "\0", joined)
    return Paragraph(spans, tuple(claims), _INLINE.sub("\0", bare))


def _are_wide(last: str, first: str) -> bool:
    return bool(_WIDE.match(last) and _WIDE.match(first))


def sections(source: str) -> tuple[list[Section], list[Problem]]:
    """The sections of a lesson's text, and what in it is not understood (place: the line)."""
    found: list[Section] = []
    problems: list[Problem] = []
    for number, block in _blocks(source):
        heading = _HEADING.fullmatch(block)
        if heading is not None:
            title = display_safe(heading[2])
            found.append(Section(heading[1], number, PageText(title)))
        elif block.startswith("# ") and not found:
            continue  # the file's own title
        elif not found or block.startswith("#"):
            problems.append(Problem(str(number), "lesson.problem.no_section"))
        else:
            last = found[-1]
            found[-1] = last._replace(text=_with(last.text, block))
            if any(_STRAY.search(span.text) for span in _plain_spans(block)):
                problems.append(Problem(str(number), "lesson.problem.markdown"))
    return found, problems


def _blocks(source: str) -> Iterator[tuple[int, str]]:
    """(line number, block) of everything between blank lines; headings stand alone."""
    block: list[str] = []
    start = 0
    for number, line in enumerate([*lines_of(source), ""], start=1):
        alone = line.startswith("#") or QUOTE.fullmatch(line.strip())
        if (alone or not line.strip()) and block:
            yield start, "\n".join(block)
            block = []
        if alone:
            yield number, line.strip()
        elif line.strip():
            start = start if block else number
            block.append(line)


def _with(text: PageText, block: str) -> PageText:
    """A page's text with one more block."""
    quote = QUOTE.fullmatch(block)
    if quote is not None:
        return PageText(text.title, (*text.blocks, quote_of(quote)), text.hints)
    if block.startswith(">"):
        hint = paragraph("\n".join(line.lstrip("> ") for line in block.splitlines()))
        return PageText(text.title, text.blocks, (*text.hints, hint))
    return PageText(text.title, (*text.blocks, paragraph(block)), text.hints)


def _plain_spans(block: str) -> Iterator[Span]:
    if QUOTE.fullmatch(block):
        return
    lines = "\n".join(line.lstrip("> ") for line in block.splitlines())
    yield from (span for span in paragraph(lines).spans if span.style != "code")


def _spans(text: str, style: Style, claims: list[Claim]) -> Iterator[Span]:
    at = 0
    for found in _INLINE.finditer(text):
        if found.start() > at:
            yield Span(text[at : found.start()], style)
        at = found.end()
        if found["said"] is not None:
            inner = tuple(_spans(found["said"], style, claims))
            said = "".join(span.text for span in inner)
            claims.append(Claim(said, found["at"], found["fact"]))
            yield from inner
        elif found["bold"] is not None:
            yield from _spans(found["bold"], "bold", claims)
        else:
            yield Span(found["code"], "code")
    if at < len(text):
        yield Span(text[at:], style)
