"""Text for a terminal: made safe, measured, cut and broken into lines.

Widths are counted in terminal cells: 2 for East Asian wide and fullwidth characters, 0 for
combining marks, 1 for everything else. General categories and widths come from
``unicodedata``; the few ranges added to it agree with newer terminals and with the screen.
The unsafe characters are those of the categories Cc, Cf, Cs, Zl and Zp, and what Unicode
calls Default_Ignorable: fillers, selectors, tags. The line breaking rules are the common
part of Japanese kinsoku.

Everything but ``display_safe`` expects text that has been through it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

ELLIPSIS = "..."
MAX_MARKS = 4  # characters without a width that may follow one another; words need up to 3

_UNSAFE = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    r"\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    r"\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd"
    r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Blocks without combining marks. The rest that is no letter or digit may be one, and
# ``_limit_marks`` looks closer.
_NO_MARKS = r"\x00-\u02ff\u2000-\u20cf\u2100-\u2cee\u2e00-\u3029\u3030-\u3098\u309b-\ua66e"
_NO_MARKS += r"\ue000-\ufb1d\U0001f000-\U0010ffff"
# Letters and symbols that join the one before: Korean vowels and finals, skin tones.
_JOINING = r"\u1161-\u11ff\ud7b0-\ud7ff\U0001f3fb-\U0001f3ff"
_NO_WIDTH = f"[^\\w{_NO_MARKS}{_UNSAFE}]|[{_JOINING}]"
_SUSPECT = f"[{_UNSAFE}]|(?:{_NO_WIDTH}){{{MAX_MARKS + 1},}}"
_SUSPECT_CHARACTER = f"[{_UNSAFE}]|{_NO_WIDTH}"

_IS_JOINING = re.compile(f"[{_JOINING}]")
# Wide since Unicode 16, which older Pythons don't know.
_IS_WIDE = re.compile(r"[\u2630-\u2637\u268a-\u268f\u4dc0-\u4dff\U0001d300-\U0001d376]")
# Reserved for wide characters; other unassigned code points are narrow.
_WILL_BE_WIDE = re.compile(r"[\U0001f300-\U0001faff\U00020000-\U0003fffd]")

_SPACES = " \t\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000"
_NOT_SPACE = re.compile(f"[^{_SPACES}]")
# No line begins with one of these …
_NO_START = frozenset(
    "、。，．・：；？！゛゜｀ヽヾゝゞ々〻ー）〕］｝〉》」』】〙〗〟｠’”‐゠–〜～‼⁇⁈⁉…‥％‰℃′″"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ"
    "｡｣､･ｰﾞﾟｧｨｩｪｫｬｭｮｯ"
)
# … and none ends with one of these.
_NO_END = frozenset("（〔［｛〈《「『【〘〖〝｟‘“｢￥＄￡")
# The same for ASCII, which counts only beside a wide character: "a : b" may break anywhere.
_ASCII_NO_START = frozenset(")]},.:;!?%")
_ASCII_NO_END = frozenset("([{")
# Straight quotes open and close in turn.
_QUOTES = ('"', "`")


class _Widths(dict[str, int]):
    """Cells of a character, worked out once."""

    def __missing__(self, char: str) -> int:
        category = unicodedata.category(char)
        if category in ("Mn", "Me", "Mc") or _IS_JOINING.match(char):
            width = 0
        elif category == "Cn":
            width = 2 if _WILL_BE_WIDE.match(char) else 1
        else:
            wide = unicodedata.east_asian_width(char) in ("W", "F") or _IS_WIDE.match(char)
            width = 2 if wide else 1
        self[char] = width
        return width


class _Escapes(dict[str, str]):
    """What is shown for an unsafe character, or for a run that may hold too many marks."""

    def __missing__(self, found: str) -> str:
        if len(found) > 1:
            return _limit_marks(found)  # not kept: there is no end of such runs
        code = ord(found)
        short = f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
        self[found] = f"\\x{code:02x}" if code < 0x100 else short
        return self[found]


# Text without one of these breaks at spaces only. (Box drawing lines can be long.)
_BREAKS_ELSEWHERE = re.compile(r"[\u1100-\u24ff\u25fd-\U0010ffff]")

_WIDTHS = _Widths()
_ESCAPES = _Escapes({"\t": "    ", "\n": "\\n", "\r": "\\r"})
_ESCAPES_IN_LINES = _Escapes({**_ESCAPES, "\n": "\n"})


@cache
def _pattern(source: str) -> re.Pattern[str]:
    """Compiled when first needed: it takes milliseconds, and plain ASCII needs none."""
    return re.compile(source)


def display_safe(text: str, newlines: bool = False) -> str:
    r"""``text`` with every character visible that could steer a terminal or hide.

    Such characters become escapes (``\x1b``, ``\u202e``, ``\U000e0041``), a tab becomes four
    spaces and a newline a visible ``\n``. With ``newlines``, newlines are kept and ``\r\n``
    becomes one. The result has no lone surrogate, and making it safe again changes nothing.
    """
    if text.isascii() and text.isprintable():
        return text
    escapes = _ESCAPES_IN_LINES if newlines else _ESCAPES
    if newlines:
        text = text.replace("\r\n", "\n")
    # Most long texts use few different characters, and none that is suspect.
    used = set(text) - {"\n"} if newlines else set(text)
    if not _pattern(_SUSPECT_CHARACTER).search("".join(used)):
        return text
    return _pattern(_SUSPECT).sub(lambda match: escapes[match[0]], text)


def lines_of(text: str) -> list[str]:
    """The lines of a text as editors and compilers count them: nothing but a line feed ends one."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def cells(text: str) -> int:
    """The width of ``text`` in terminal cells."""
    return len(text) if text.isascii() else sum(map(_WIDTHS.__getitem__, text))


def clip(text: str, width: int, ellipsis: str = ELLIPSIS) -> str:
    """``text`` in at most ``width`` cells; what is cut ends in ``ellipsis``.

    Where not even the ellipsis has room, as much of it as fits stands alone.
    """
    end = _fit(text, 0, max(width, 0))
    if end == len(text):
        return text
    room = width - cells(ellipsis)
    if room < 0:
        return ellipsis[: _fit(ellipsis, 0, max(width, 0))]
    return text[: _fit(text, 0, room)] + ellipsis


def pad(text: str, width: int) -> str:
    """``text`` in exactly ``width`` cells: filled with spaces on the right, or clipped."""
    clipped = clip(text, width)
    return clipped + " " * (width - cells(clipped))


def wrap(text: str, width: int, max_lines: int | None = None) -> list[str]:
    """``text`` as lines of at most ``width`` cells (2 at least); a newline starts a line.

    Lines break at spaces and beside wide characters, inside a word only where the word is
    longer than a line. Spaces at a break go, the indent of a paragraph stays, up to half
    the width. With ``max_lines``, the last line says by an ellipsis that more follows, and
    what follows is not looked at.
    """
    width = max(width, 2)
    if max_lines is None:
        return [line for line, _, _ in _lines(text, width)]
    lines: list[str] = []
    rest, start = "", 0
    for line, paragraph, begin in _lines(text.rstrip(_SPACES + "\n"), width):
        if len(lines) == max_lines:
            if lines:
                lines[-1] = clip(rest[start:] + ELLIPSIS, width)
            break
        lines.append(line)
        rest, start = paragraph, begin
    return lines


def _limit_marks(run: str) -> str:
    """``run`` with every character escaped that follows ``MAX_MARKS`` others without a width."""
    parts: list[str] = []
    marks = 0
    for char in run:
        marks = marks + 1 if _WIDTHS[char] == 0 else 0
        parts.append(char if marks <= MAX_MARKS else _ESCAPES[char])
    return "".join(parts)


def _fit(text: str, start: int, width: int) -> int:
    """The furthest index for which ``text[start:index]`` fits in ``width`` cells."""
    if text.isascii():
        return min(start + width, len(text))
    for index in range(start, len(text)):
        width -= _WIDTHS[text[index]]
        if width < 0:
            return index
    return len(text)


def _lines(text: str, width: int) -> Iterator[tuple[str, str, int]]:
    """Each line, the paragraph it is from, and where in that it begins."""
    start = 0
    while start >= 0:
        stop = text.find("\n", start)
        paragraph = text[start:] if stop < 0 else text[start:stop]
        yield from _paragraph_lines(paragraph, width)
        start = stop + 1 if stop >= 0 else -1


def _paragraph_lines(text: str, width: int) -> Iterator[tuple[str, str, int]]:
    first = _NOT_SPACE.search(text)
    if first is None:
        yield "", "", 0
        return
    indent = text[: first.start()]
    kept = indent[: _fit(indent, 0, min(width // 2, width - 2))]
    text = kept + text[first.start() :].rstrip(_SPACES)
    start, floor = 0, len(kept)
    open_quotes: set[str] = set()
    while start < len(text):
        end = _fit(text, start, width)
        if end < len(text):
            if _BREAKS_ELSEWHERE.search(text, floor, end + 1):
                opening = _opening(text, start, end + 1, open_quotes)
                end = _break_at(text, floor + 1, end, opening)
            else:
                space = text.rfind(" ", floor + 1, end + 1)
                end = space if space >= 0 else end
        yield text[start:end].rstrip(_SPACES), text, start
        open_quotes ^= {quote for quote in _QUOTES if text.count(quote, start, end) % 2}
        following = _NOT_SPACE.search(text, end)
        start = floor = following.start() if following else len(text)


def _opening(text: str, start: int, end: int, open_quotes: set[str]) -> set[int]:
    """Where quotes open in ``text[start:end]``, if ``open_quotes`` are open before it."""
    found: set[int] = set()
    for quote in _QUOTES:
        opens = quote not in open_quotes
        place = text.find(quote, start, end)
        while place >= 0:
            if opens:
                found.add(place)
            opens = not opens
            place = text.find(quote, place + 1, end)
    return found


def _break_at(text: str, lowest: int, end: int, opening: set[int]) -> int:
    """Where a line breaks that could reach to ``end``: the best index in lowest … end."""
    inside = 0  # a place inside a word, for words longer than the line
    for index in range(end, lowest - 1, -1):
        after = text[index]
        if after in _NO_START or _WIDTHS[after] == 0:
            continue
        if _may_break(text, index, opening):
            return index
        if not inside and not _forbidden(text, index, opening):
            inside = index
    return inside or end


def _may_break(text: str, index: int, opening: set[int]) -> bool:
    """Whether a line may end before ``text[index]`` without splitting a word."""
    after = text[index]
    before = _base(text, index - 1)
    if before in _SPACES:
        return False  # the start of these spaces is the place
    if after in _SPACES:
        following = _NOT_SPACE.search(text, index)
        return before not in _NO_END and not (following and following[0] in _NO_START)
    return (_breakable(after) or _breakable(before)) and not _forbidden(text, index, opening)


def _forbidden(text: str, index: int, opening: set[int]) -> bool:
    """Whether a line must not end before ``text[index]``, even inside a word."""
    before, after = _base(text, index - 1), text[index]
    if before in _NO_END or after in _SPACES:
        return True
    if not (_breakable(after) or _breakable(before)):
        return False
    if after in _ASCII_NO_START or before in _ASCII_NO_END:
        return True
    if after in _QUOTES:
        return index not in opening
    return before in _QUOTES and index - 1 in opening


def _base(text: str, index: int) -> str:
    """The character at ``index``, or the one that the mark there stands on."""
    while index > 0 and _WIDTHS[text[index]] == 0:
        index -= 1
    return text[index]


def _breakable(char: str) -> bool:
    """Whether text of such characters is written without spaces."""
    return _WIDTHS[char] == 2 or "\uff61" <= char <= "\uff9f"
