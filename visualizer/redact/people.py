"""Details of a person: e-mail addresses, and the names in paths of home folders."""

from __future__ import annotations

import re

from visualizer.redact.rule import LATIN, USER, Found, Rule

_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}|\\.|%[0-9a-fA-F]{2}")
_FOLDER = (
    r"(?:/(?:home|Users)(?:/|\\{1,4})|%2[Ff](?:home|Users)%2[Ff]"
    r"|\\\\{0,3}Users(?:/|\\{1,4})|%5[Cc]Users%5[Cc]|:\\{1,4}users\\{1,4})"
)
_OTHER = r"""\s/\\"'`<>|:*?"""
_NAME = rf"(?:[{LATIN}_](?:[{LATIN}_.+~-]{{0,62}}[{LATIN}_-])?"
_NAME += rf"|[^\x00-\x7f{_OTHER}][^{_OTHER}(){{}}\[\],;$%&=#!]{{0,63}}+)"
_SPACED = rf"(?:(?: [^{_OTHER}]{{1,32}}+){{1,3}}(?=\\))?"  # C:\Users\Jo Doe\Documents
_KEPT = r"(?!user-[0-9]|Shared\b|Public\b|Default\b|All Users\b)"

# A line of ls -l up to its owner; system accounts tell nothing of a person.
_LISTED = r"(?<![A-Za-z-])[bcdlps-][rwxsStT-]{9}[.+@]?[ \t]{1,8}[0-9]{1,6}[ \t]{1,8}"
_SYSTEM = r"(?!(?:root|staff|users|wheel|admin|nobody|daemon|user-[0-9]{1,6}|[0-9]{1,10})\s)"
_LISTED_NAME = rf"{_SYSTEM}(?P<secret>[{LATIN}_][{LATIN}_.+-]{{0,63}}+)(?=[ \t])"
_MODES = ("rwx", "-rw", "-r-")


def _address(found: Found) -> tuple[int, int]:
    """An address without the end of an escape (``\\n``, ``\\u003c``, ``%3A``) before it."""
    start, end = found.span()
    escape = _ESCAPE.match(found.string, start - 1) if start else None
    return (max(start, escape.end()) if escape else start), end


def _is_person(found: Found) -> bool:
    start, end = _address(found)
    return re.match(r"(?i)(?!git(?:@|%40)|@|%40)", found.string[start:end]) is not None


PEOPLE: tuple[Rule, ...] = (
    Rule(
        "email",
        "E-mail addresses, also with %40 for the @ (git@host names nobody and stays)",
        ("@", "%40"),
        re.compile(
            rf"[{LATIN}_.+-]{{1,64}}+(?:@|%40)"
            rf"(?:[{LATIN}][{LATIN}-]{{0,62}}+\.){{1,8}}[A-Za-z]{{2,24}}+"
        ),
        _is_person,
        part=_address,
    ),
    Rule(
        "home",
        "The name in the path of a home folder; the rest of the path stays",
        ("/home", "home%2", "Users", "users\\"),
        re.compile(rf"{_FOLDER}{_KEPT}(?P<secret>{_NAME}{_SPACED})"),
        form=USER,
    ),
    Rule(
        "home",
        "The same name as the owner of a file in a listing of ls -l",
        _MODES,
        re.compile(rf"{_LISTED}{_LISTED_NAME}"),
        form=USER,
    ),
    Rule(
        "home",
        "The same as the file's group",
        _MODES,
        re.compile(rf"{_LISTED}\S{{1,64}}+[ \t]{{1,8}}{_LISTED_NAME}"),
        form=USER,
    ),
)
HOME = next(rule for rule in PEOPLE if rule.kind == "home")

SLUG = re.compile(r"(?<![A-Za-z0-9])-(?:home|Users)-(?!user-[0-9])(?P<secret>[A-Za-z0-9_]{1,64}+)")
"""A home folder in the name of a project's folder of the Claude Code client: ``-home-jo-work``."""

ABSOLUTE = re.compile(
    r"(?<![\w/:.\]])(?:/[^\s/\"'<>]{1,255}+){2,}+|\b[A-Za-z]:\\[^\s\"'<>|]{1,255}+"
)
"""An absolute path, for titles and provenances."""
