"""Secrets that only their surroundings betray: a URL, a header, the name they are assigned to.

In a text the value of ``NAME=value``, ``name: value`` and ``"name": "value"`` is looked at, with
quotation marks that may be escaped; in an object, the text under such a key.
"""

from __future__ import annotations

import re
from functools import lru_cache

from visualizer.redact import values
from visualizer.redact.rule import QUOTE, Found, Rule

SCHEMES = frozenset({"bearer", "basic", "token", "digest", "apikey", "key"})

_ASSIGN = rf"(?:{QUOTE})?\s{{0,4}}(?:=>|:=|[:=])\s{{0,4}}"
# Neither of the two can fail once it has begun; a quoted one ends with its line at the latest.
_QUOTED = rf"(?P<quote>{QUOTE})(?P<quoted>(?:(?!(?P=quote))(?:\\.|[^\r\n\\]))*+)"
_BARE = r"""(?P<bare>[^\s"'`\\,;<>()\[\]{}&|]++)"""

_PASSWORD = r"(?:passw(?:or)?d|Passw(?:or)?d|PASSW(?:OR)?D|passWord|PassWord"
_PASSWORD += r"|passphrase|Passphrase|PASSPHRASE|pwd|Pwd|PWD|_PASS)"
_WORDS = ["api", "access", "auth", "private", "account", "signing", "encryption", "app"]
_WORDS += ["client", "service", "master", "license"]
# Of the NAME_KEYs that are no secrets, the common ones; of the others, regular values stay.
_KEY = "|".join(
    [f"{one}|{one.capitalize()}|{one.upper()}" for one in ("secret", "token", "credential")]
    + [f"{one}[_-]?[kK]ey|{one.capitalize()}[_-]?[kK]ey|{one.upper()}[_-]?KEY" for one in _WORDS]
    + [r"_KEY(?<!PUBLIC_KEY)(?<!PRIMARY_KEY)(?<!FOREIGN_KEY)(?<!CACHE_KEY)(?<!SORT_KEY)"]
)
_SUFFIX = r"(?:_?(?:[0-9]{1,3}|[vV][0-9]|KEY|[Kk]ey|PROD|prod|DEV|dev|TEST|test|LIVE|live"
_SUFFIX += r"|VALUE|[Vv]alue|B64|BASE64|base64))?+"

PASSWORD_NAME = re.compile(rf"(?:{_PASSWORD}{_SUFFIX}|(?<![A-Za-z])pass)$")
KEY_NAME = re.compile(rf"(?:{_KEY}){_SUFFIX}$")
HEADER_NAME = re.compile(r"(?i)^(?:(?:proxy-)?authorization|(?:x-[a-z0-9-]{0,40})?api-key)$")
HEADER_VALUE = re.compile(r"(?i)^(?:(?:bearer|basic|token|digest|apikey) )?(?P<secret>\S{8,4096})$")


def _irregular(found: Found) -> bool:
    return not values.is_example(found["secret"]) and values.is_random(found["secret"])


def _no_example(found: Found) -> bool:
    return not values.is_example(found["secret"])


def _is_header(found: Found) -> bool:
    said = (found["scheme"] or "").lower() in SCHEMES
    return _no_example(found) if said else _irregular(found)


def _is_cookie(found: Found) -> bool:
    return "=" in found["secret"] and values.is_random(found["secret"])


def _is_option(found: Found) -> bool:
    return not found["secret"].startswith("-") and values.is_password(found["secret"], False, True)


def _is_login(found: Found) -> bool:
    password = found["secret"].partition(":")[2]
    return not password.isdigit() and values.is_password(password, False, False)


def _value(found: Found) -> tuple[str, bool]:
    """What is assigned, "" for what is called or looked up; and whether it is quoted."""
    if found["bare"] is None:
        return found["quoted"], True
    called = found.string[found.end() : found.end() + 1] in ("(", "[")
    return "" if called else found["bare"], False


def _is_password(found: Found) -> bool:
    value, quoted = _value(found)
    attached = not quoted and found.string[found.start("bare") - 1] == "="
    return values.is_password(value, quoted, attached)


def _is_short_named(found: Found) -> bool:
    return " " not in found["quoted"] and values.is_password(found["quoted"], True, False)


def _is_key(found: Found) -> bool:
    return values.is_key(*_value(found))


NAMED: tuple[Rule, ...] = (
    Rule(
        "login",
        "The user and the password in a URL",
        ("://",),
        re.compile(
            r"""(?<=://)(?P<secret>[^\s/@:"'`<>\\\[\]]{0,128}+:[^\s/@"'`<>\\\[\]]{1,256}+)(?=@)"""
        ),
        named=True,
    ),
    Rule(
        "aws-secret",
        "AWS secret access keys: 40 characters beside their name",
        ("ecret_access_key", "ecretAccessKey", "ECRET_ACCESS_KEY", "ecret_key", "ECRET_KEY"),
        re.compile(
            r"""(?:[sS]ecret_?[aA]ccess_?[kK]ey|SECRET_ACCESS_KEY|secret_key|SECRET_KEY)"""
            r"""["'`\s:=\\>]{1,12}(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"""
        ),
        named=True,
    ),
    Rule(
        "authorization",
        "What a header carries: Authorization, Bearer, Basic, x-api-key and its like",
        ("uthorization", "UTHORIZATION"),
        re.compile(
            rf"(?:[aA]uthorization|AUTHORIZATION){_ASSIGN}(?:{QUOTE})?"
            r"(?:(?P<scheme>[A-Za-z]{1,12})\s{1,4})?(?P<secret>[A-Za-z0-9._~+/=:-]{8,}+)"
        ),
        _is_header,
        named=True,
    ),
    Rule(
        "authorization",
        "The same without the name of the header",
        ("earer ", "EARER ", "asic ", "ASIC "),
        re.compile(
            r"(?:[bB]earer|BEARER|[bB]asic|BASIC) {1,4}(?P<secret>[A-Za-z0-9_.~+/=-]{16,}+)"
        ),
        _irregular,
        named=True,
    ),
    Rule(
        "authorization",
        "Headers that carry a key as it is",
        ("pi-key", "PI-KEY", "pi-Key"),
        re.compile(
            rf"(?:[aA]pi-[kK]ey|API-KEY)(?:{QUOTE})?\s{{0,4}}[:=,]\s{{0,4}}(?:{QUOTE})?"
            r"(?P<secret>[A-Za-z0-9._~+/=-]{8,}+)"
        ),
        _no_example,
        named=True,
    ),
    Rule(
        "authorization",
        "The cookies of a request or a reply",
        ("ookie:", "COOKIE:"),
        re.compile(r"(?:[cC]ookie|COOKIE):[ \t]{1,4}(?P<secret>[^\r\n\"'`\\]{8,4096}+)"),
        _is_cookie,
        named=True,
    ),
    Rule(
        "login",
        "The user and the password that a command is given with -u or --user",
        (" -u", " --user"),
        re.compile(
            rf"(?<= )(?:-u|--user)[ =]{{1,4}}(?:{QUOTE})?"
            r"""(?P<secret>[^\s"'`\\:\[]{1,64}+:[^\s"'`\\]{6,256}+)"""
        ),
        _is_login,
        named=True,
    ),
    Rule(
        "secret",
        "What a command is given after --password, --token, --api-key and the like",
        ("--",),
        re.compile(
            r"--(?:[a-z]{1,16}-){0,3}(?:password|passwd|passphrase|token|secret|api-?key)[ ]{1,4}"
            rf"(?:{QUOTE})?(?P<secret>[^\s\"'`\\]{{6,512}}+)"
        ),
        _is_option,
        named=True,
    ),
    Rule(
        "password",
        "The value of a password, passphrase or pwd in env files, JSON, YAML and code",
        ("assw", "ASSW", "assphrase", "ASSPHRASE", "pwd", "Pwd", "PWD", "_PASS"),
        re.compile(f"{_PASSWORD}{_SUFFIX}{_ASSIGN}(?:{_QUOTED}|{_BARE})"),
        _is_password,
        named=True,
    ),
    Rule(
        "password",
        "The same under the short name pass, where it is quoted",
        ("pass",),
        re.compile(f"pass(?<![A-Za-z]pass){_ASSIGN}{_QUOTED}"),
        _is_short_named,
        named=True,
    ),
    Rule(
        "secret",
        "The value of an API key, a token, a secret, a NAME_KEY, where it is irregular enough",
        ("ecret", "ECRET", "oken", "OKEN", "redential", "REDENTIAL", "key", "Key", "KEY"),
        re.compile(f"(?:{_KEY}){_SUFFIX}{_ASSIGN}(?:{_QUOTED}|{_BARE})"),
        _is_key,
        named=True,
    ),
)


def under_key(key: str, value: str) -> tuple[str, int] | None:
    """The kind of secret that an object holds under a key, and where in the text it begins."""
    kind = _kind_under(key)
    if kind == "authorization":
        found = HEADER_VALUE.match(value)
        return (kind, found.start("secret")) if found and _no_example(found) else None
    if kind == "password":
        return (kind, 0) if values.is_password(value, True, False) else None
    if kind == "secret":
        return (kind, 0) if values.is_key(value, True) else None
    return None


@lru_cache(maxsize=4096)
def _kind_under(key: str) -> str | None:
    """The kind of secret that a key promises."""
    names = (("authorization", HEADER_NAME), ("password", PASSWORD_NAME), ("secret", KEY_NAME))
    return next((kind for kind, name in names if name.search(key)), None)
