"""Every text exists in every language, is used, and is compiled as it is written."""

from __future__ import annotations

import ast
import gettext
import io
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from visualizer import protocol
from visualizer.i18n import FOLDER, LANGUAGES, Texts, detect_language, texts

PACKAGE = FOLDER.parent
CLICKS_OWN = "messages"  # English sentences of a library, translated only
FILES = sorted(FOLDER.rglob("*.po"))
DOMAINS = sorted({path.stem for path in FILES} - {CLICKS_OWN})


def catalogue(path: Path) -> Catalog:
    """A ``.po`` file, read."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def forms(language: str, domain: str) -> dict[str, tuple[str, ...]]:
    """Key -> its text, or its plural forms."""
    path = FOLDER / language / "LC_MESSAGES" / f"{domain}.po"
    found = {}
    for message in catalogue(path):
        if message.id:
            key = message.id[0] if isinstance(message.id, tuple) else message.id
            text = message.string
            found[str(key)] = (text,) if isinstance(text, str) else tuple(text or ())
    return found


def compiled(data: bytes) -> dict[object, str]:
    """The texts in a ``.mo`` file, without the header, where Babel notes its own version."""
    table: dict[object, str] = vars(gettext.GNUTranslations(io.BytesIO(data)))["_catalog"]
    return {key: text for key, text in table.items() if key}


def placeholders(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def literals() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every string in the source that is a key, or an f-string that makes keys."""
    starts = tuple(f"{domain}." for domain in DOMAINS)
    for path in sorted(PACKAGE.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        made = [node for node in nodes if isinstance(node, ast.JoinedStr)]
        pieces = {id(part) for node in made for part in node.values}
        for node in nodes:
            if isinstance(node, ast.Constant) and id(node) not in pieces:
                text = str(node.value)
                if text.startswith(starts) and re.fullmatch(r"[\w.]+(?<!\.toml)", text):
                    yield path.name, re.compile(re.escape(text))
        for node in made:
            parts = [
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
                for part in node.values
            ]
            if re.sub(r"\\(.)", r"\1", parts[0]).startswith(starts):
                yield path.name, re.compile("".join(parts))


@pytest.mark.parametrize("domain", DOMAINS)
def test_languages_have_the_same_keys_and_placeholders(domain: str) -> None:
    """Both languages have a text for each key, with the same values put in; none is empty."""
    tables = {language: forms(language, domain) for language in LANGUAGES}
    english = tables["en"]
    for language, table in tables.items():
        assert table.keys() == english.keys()
        for key, shown in table.items():
            assert all(shown), f"{language}: {key} is empty"
            assert key.startswith(f"{domain}.")
            wanted = set().union(*map(placeholders, english[key]))
            for text in shown:
                assert placeholders(text) == wanted, f"{language}: {key}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_compiled_catalogues_are_up_to_date(path: Path) -> None:
    """Each ``.mo`` holds what its ``.po`` compiles to, and the ``.po`` nothing half done."""
    source = catalogue(path)
    fresh = io.BytesIO()
    write_mo(fresh, source)
    assert compiled(path.with_suffix(".mo").read_bytes()) == compiled(fresh.getvalue())
    assert not list(source.obsolete)
    assert not any(message.fuzzy for message in source if message.id)


def test_the_translation_of_clicks_words_keeps_their_placeholders() -> None:
    """A translated sentence of the library puts in nothing that the original does not have."""
    for message in catalogue(FOLDER / "ja" / "LC_MESSAGES" / f"{CLICKS_OWN}.po"):
        if message.id:
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            known = set().union(*map(placeholders, map(str, ids)))
            text = message.string
            for shown in (text,) if isinstance(text, str) else (text or ("",)):
                assert shown
                assert placeholders(shown) <= known


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_key_is_used(domain: str) -> None:
    """No text is left over that the code does not ask for."""
    patterns = {pattern for _, pattern in literals()}
    unused = [key for key in forms("en", domain) if not any(p.fullmatch(key) for p in patterns)]
    assert unused == []


def test_every_key_in_the_code_exists() -> None:
    """Each key that the source spells out has a text; made-up ones match at least one."""
    known = {key for domain in DOMAINS for key in forms("en", domain)}
    missing = [
        f"{name}: {pattern.pattern}"
        for name, pattern in literals()
        if not any(pattern.fullmatch(key) for key in known)
    ]
    assert missing == []


def test_every_protocol_rule_has_a_text() -> None:
    """Each code of the protocol rules is said in a sentence, and no other is."""
    assert set(forms("en", "rule")) == {f"rule.{code}" for code in protocol.CODES}


def test_a_missing_text_is_an_error() -> None:
    """A key without a text raises, instead of being shown."""
    with pytest.raises(KeyError):
        texts("en")("step.no.such.text")
    with pytest.raises(KeyError):
        texts("ja").count("step.no.such.text", 1)
    with pytest.raises(ValueError, match="fr"):
        Texts("fr")


def test_plural_forms() -> None:
    """English has one and many; Japanese one form for all."""
    assert texts("en").count("command.run.model_calls", 1) == "1 model call"
    assert texts("en").count("command.run.model_calls", 0) == "0 model calls"
    assert texts("ja").count("command.run.model_calls", 2) == "モデル呼び出し 2 回"


def test_japanese_has_one_word_for_one_thing() -> None:
    """A note is called the same on the command line and the screen; 要求 is always a tool's."""
    said = texts("ja")
    assert said("command.run.note", text="x") == f"{said('screen.note')}: x"
    narrow = {"step.saw.asked", "step.saw.asked_many"}  # their values are tools
    for domain in ("command", "rule", "step"):
        for key, shown in forms("ja", domain).items():
            assert key in narrow or not re.search("(?<!ツール)(?<!を)要求", " ".join(shown)), key


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "VISUALIZER_LANG": "en"}, "en"),
        ({"LC_ALL": "C", "LANG": "ja_JP"}, "en"),
        ({"VISUALIZER_LANG": "JA"}, "ja"),
    ],
)
def test_the_language_is_detected(environment: dict[str, str], language: str) -> None:
    """The variable of our own first, then the locale, else English."""
    assert detect_language(environment) == language
