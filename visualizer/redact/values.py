"""Whether a value that stands beside a telling name is a secret, or only code or an example."""

from __future__ import annotations

import re
from collections import Counter
from math import log2

LOOKED_AT = 256
"""Characters of a value that are judged; the rest of a longer one is taken to be alike."""

_EXAMPLE = re.compile(
    r"(?i)^(?:your|change|replace|insert|enter|fake|dummy)[-_ ]"
    r"|^(?:example|sample|placeholder|changeme|redacted|secret|password|passwd|token|none|null"
    r"|undefined|true|false|string|optional|required|disabled|todo)\W*$"
    r"|^<[^>]*>$|^\$(?:[{(]|[a-z_]\w*$)|^\{.*\}$|^%(?:\w+%|[sdr])$|^\[redacted:"
    r"|^\.\.\.|^(.)\1*$|\*\*\*"
)
_PATH = re.compile(r"^(?:~|\.{0,2}[/\\]|[A-Za-z]:[/\\]|[A-Za-z][A-Za-z0-9+.-]{1,20}://)")
_IDENTIFIERS = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$")
_WORDS = re.compile(r"^[A-Za-z_.-]+$")
_TELLING = re.compile(r"(?i)pass|pwd|secret|token|key|cred|env|config|settings|self|args")


def entropy(text: str) -> float:
    """Shannon's entropy, in bits a character."""
    if not text:
        return 0.0
    total = len(text)
    return -sum(n / total * log2(n / total) for n in Counter(text).values())


def is_example(value: str) -> bool:
    """Whether a value only stands for one: ``<your key>``, ``$TOKEN``, ``changeme``, a path."""
    return bool(_EXAMPLE.search(value[:LOOKED_AT]) or _PATH.match(value))


def is_random(value: str) -> bool:
    """Whether a value is as irregular as a key: letters and digits, or very mixed letters."""
    value = value[:LOOKED_AT]
    letters = any(one.isalpha() for one in value)
    if letters and any(one.isdigit() for one in value):
        return len(set(value)) >= 6 and entropy(value) >= 3.0
    mixed = value != value.lower() and value != value.upper()
    return mixed and len(value) >= 20 and entropy(value) >= 4.0


def is_key(value: str, quoted: bool) -> bool:
    """Whether the value of a ``…_KEY``, a token or a secret is one (ten characters or more)."""
    if len(value) < 10 or " " in value or is_example(value):
        return False
    if not quoted and "." in value and _IDENTIFIERS.match(value):
        return False
    return is_random(value)


def is_password(value: str, quoted: bool, attached: bool) -> bool:
    """Whether the value of a password is one (six characters or more).

    Unquoted words are code more often than passwords: they count only ``attached`` to their
    name (``PASSWORD=word``).
    """
    if len(value) < 6 or len(value) > LOOKED_AT or len(set(value)) < 3 or is_example(value):
        return False
    if quoted:
        return True
    if _IDENTIFIERS.match(value) and _TELLING.search(value):
        return False
    if "." in value and _IDENTIFIERS.match(value):
        return False
    return not _WORDS.match(value) or (attached and len(value) >= 8)


def is_distinctive(value: str) -> bool:
    """Whether a value can't stand anywhere by chance, so that each occurrence is the secret."""
    return len(value) >= 8 and not any(one.isspace() for one in value) and is_random(value)
