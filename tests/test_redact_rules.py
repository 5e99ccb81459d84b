"""What is taken for a secret or a person's detail, and what is not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any, cast
from urllib.parse import quote

import pytest

from tests.made_secrets import HOMES, KEPT, NAMED, SHAPED, mixed, private_key
from visualizer.redact import KINDS, RULES, redactor
from visualizer.redact.redactor import ROUNDS, Redactor
from visualizer.redact.rule import Rule

AROUND = [
    "{}",
    "see {}, then",
    '"{}"',
    "\\n{}\\n",
    "<{}>",
    "x={};",
    "鍵は{}です",
    "\\u003c{}\\u003e",
]
SHAPES = [(kind, secret) for kind, secrets in SHAPED.items() for secret in secrets]
TOLD = [(kind, *pair) for kind, pairs in NAMED.items() for pair in pairs]


def alone(text: str) -> tuple[str, dict[str, int]]:
    """What is made of one text, and what was found in it."""
    one = Redactor()
    one.look_ahead(text)
    made = one.text(text)
    return made, one.counts


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(("kind", "secret"), SHAPES)
def test_a_shape_is_found_wherever_it_stands(kind: str, secret: str, around: str) -> None:
    """In prose, in quotes, in JSON inside a text, beside Japanese: it goes, the rest stays."""
    made, counts = alone(around.format(secret))
    assert made == around.format(f"[redacted:{kind}-1]")
    assert counts == {kind: 1}


@pytest.mark.parametrize(("kind", "text", "secret"), TOLD)
def test_what_is_named_is_found(kind: str, text: str, secret: str) -> None:
    """The value of a header, an assignment, a URL's login goes; its name stays."""
    made, counts = alone(text.format(secret))
    assert secret not in made
    assert counts == {kind: 1}
    whole = text.format(f"[redacted:{kind}-1]")
    assert made in (whole, whole.replace("petra:[", "["))  # a login goes with its user


@pytest.mark.parametrize("path", HOMES)
def test_the_name_in_a_path_goes_and_the_path_stays(path: str) -> None:
    """Each way of writing it, the folder names of a client's projects too."""
    made, counts = alone(path)
    assert made == path.replace("petra", "user-1")
    assert counts == {"home": 1}


def test_names_of_several_words_and_scripts() -> None:
    """A Windows name with a space, a Japanese one, one with a hyphen in a folder's name."""
    assert alone("C:\\Users\\Petra Petrel\\log")[0] == "C:\\Users\\user-1\\log"
    assert alone("/home/海燕/log /home/petraにある")[0] == "/home/user-1/log /home/user-2にある"
    text = "/home/petra-maria/x and -home-petra-maria-x, -home-other-x"
    assert alone(text)[0] == "/home/user-1/x and -home-user-1-x, -home-user-2-x"


def test_owners_in_a_listing_are_the_names_of_home_folders() -> None:
    """Owner and group of each file, but not the accounts of a system; sizes and names stay."""
    listing = (
        "total 8\n"
        "drwxr-xr-x  2 petra petra 4096 Jan  1 10:00 .\n"
        "drwxr-xr-x 19 root  root  4096 Jan  1 10:00 ..\n"
        "-rw-r--r--@ 1 petra staff  220 Jan  1 10:00 petra.txt\n"
    )
    made, counts = alone(f"/home/petra:\n{listing}")
    shown = listing.replace("petra petra", "user-1 user-1").replace("petra staff", "user-1 staff")
    assert made == f"/home/user-1:\n{shown}"
    assert counts == {"home": 1}


@pytest.mark.parametrize("text", KEPT)
def test_what_is_no_secret_stays(text: str) -> None:
    """Code, placeholders, variables, paths, hashes, what was redacted before."""
    assert alone(text) == (text, {})


def test_a_truncated_key_goes_too() -> None:
    """A block without its end, and with the numbers that a tool puts before lines."""
    cut = private_key().rpartition("\n-----END")[0]
    assert alone(f"{cut}")[0] == "[redacted:private-key-1]"
    numbered = "\n".join(f"{n:6}→{line}" for n, line in enumerate(private_key().split("\n"), 1))
    made, _ = alone(f"{numbered}\n     5→next")
    assert "next" in made
    assert not any(line in made for line in private_key().split("\n"))


def test_the_same_value_has_the_same_placeholder() -> None:
    """Different values have different ones, and none that the text has already."""
    made, counts = alone(
        "a@b.example c@d.example a@b.example [redacted:email-4] /home/user-2/x /home/z"
    )
    assert made == (
        "[redacted:email-5] [redacted:email-6] [redacted:email-5] [redacted:email-4] "
        "/home/user-2/x /home/user-3"
    )
    assert counts == {"email": 2, "home": 1}


def test_a_named_value_is_found_where_it_stands_alone() -> None:
    """Also as JSON and as a URL write it; one that is no more than a word is not."""
    secret = 'w1nd"&+tide/é7'
    one = Redactor()
    text = f"password: '{secret}' pass: 'harbour'"
    first = one.text(text)
    assert one.spread()
    others = [secret, json.dumps(secret), json.dumps(secret, ensure_ascii=False), quote(secret, "")]
    for other in others:
        made = one.text(f"it is {other}.")
        assert re.fullmatch(r'it is "?\[redacted:password-1\]"?\.', made)
    assert one.text("the harbour") == "the harbour"
    assert one.text(first) == first
    assert not one.spread()


def test_values_under_telling_keys_go() -> None:
    """In objects the key is the name; a header keeps its scheme, other keys keep everything."""
    one = Redactor()
    assert one.text("w1nd tide", "db_password") == "[redacted:password-1]"
    assert one.text("Bearer w1ndandtide", "Authorization") == ("Bearer [redacted:authorization-1]")
    assert one.text(mixed(20), "accessToken") == "[redacted:secret-1]"
    assert one.text("a@b.example x7", "password") == "[redacted:password-2]"
    assert one.text("[redacted:secret-1]", "api_key") == "[redacted:secret-1]"
    for key in ("signature", "public_key", "token_count", "PRIMARY_KEY"):
        assert one.text(mixed(20), key) == mixed(20)


def test_half_characters_do_no_harm() -> None:
    """A value with a lone surrogate is replaced as any other."""
    one = Redactor()
    assert one.text("password: 'w1nd\ud800tide-xyz'") == "password: '[redacted:password-1]'"
    assert one.spread()
    assert one.text("w1nd\ud800tide-xyz") == "[redacted:password-1]"


def test_ids_get_placeholders_that_are_ids() -> None:
    """An id stays one that an endpoint takes; a text with a secret in it is no id."""
    one = Redactor()
    secret = SHAPED["github-token"][0]
    assert one.plain("toolu_01") == "toolu_01"
    assert one.plain(secret) == "redacted-github-token-1"
    assert one.plain(f"{secret}!") == "[redacted:github-token-1]!"


def test_every_rule_says_why_and_is_documented() -> None:
    """Each has a reason and hints that its pattern can't do without; the table names all kinds."""
    for rule in RULES:
        assert rule.why
        assert rule.hints
    assert {*SHAPED, *NAMED, "home"} == set(KINDS)


def repetitions(parsed: Any) -> Iterator[tuple[str, int]]:
    """Each repetition of a parsed pattern: its kind, and how often at most."""
    for operation, arguments in parsed:
        name = str(operation)
        if name.endswith("REPEAT"):
            yield name, int(arguments[1])
        for one in arguments if isinstance(arguments, (list, tuple)) else ():
            branches = one if isinstance(one, list) else [one]
            for inner in branches:
                if hasattr(inner, "data"):
                    yield from repetitions(inner)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.kind}")
def test_no_pattern_tries_long_runs_twice(rule: Rule) -> None:
    """Every repetition is either possessive (never given back) or bounded by a few hundred."""
    parsed = import_module("re._parser").parse(rule.pattern.pattern)
    found = list(repetitions(parsed))
    assert found
    assert [most for kind, most in found if "POSSESSIVE" not in kind and most > 100] == []


class Counting:
    """A pattern that counts the characters its matches and failures went over."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.groupindex = pattern.groupindex
        self.work = 0

    def search(self, text: str, at: int) -> re.Match[str] | None:
        """As the pattern itself."""
        found = self.pattern.search(text, at)
        self.work += (found.end() if found else len(text)) - at
        return found


PIECES = ["@", "a@", "a.", "eyJ", "eyJaaaaaaaa.", "password=", "password: '", "secret=x1", "_KEY"]
PIECES += [
    "-rw-r--r-- 1 a ",
    "drwxrwxrwx",
    " --token ",
    " -u a:",
    "Cookie: a=",
    "api-key: ",
    "Authorization: ",
    "Bearer aaaaaaaaaaaaaaaa",
    "://a:",
    "/home/",
    "\\",
]
PIECES += ["/Users/a b ", "\\Users\\", "-home-", "sk-", "xoxb-", "-----BEGIN PRIVATE KEY-----"]
PIECES += ["password='password=\"password=`", "%40", "token='a1 ", "/home/a-home-a", "redacted:a-"]


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_texts_cost_what_they_are_long(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No character is gone over more often than there are ways to write a quotation mark."""
    hints = " ".join(hint for rule in RULES for hint in rule.hints)
    text = f"{piece * (100_000 // len(piece))} {hints}"
    counting = [Counting(rule.pattern) for rule in RULES]
    rules = [
        replace(rule, pattern=cast(Any, one)) for rule, one in zip(RULES, counting, strict=True)
    ]
    monkeypatch.setattr(redactor, "RULES", tuple(rules))
    alone(text)
    assert min(one.work for one in counting) > 0
    assert max(one.work for one in counting) <= 12 * ROUNDS * len(text)
