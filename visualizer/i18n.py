"""Texts for people, in English and Japanese, from gettext catalogues.

A key is ``domain.rest``; the domain is the catalogue's file
(``locale/<language>/LC_MESSAGES/<domain>.po``, compiled to ``.mo`` beside it). Both are kept
in the repository, so that nothing has to be built; after editing a ``.po``::

    pybabel compile -d visualizer/locale \
        -D "$(cd visualizer/locale/en/LC_MESSAGES && ls *.po | sed 's/[.]po$//')"

Placeholders are those of ``str.format``. Values are put in as they are: the caller has made
them safe for a terminal.
"""

from __future__ import annotations

import gettext
import locale
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "ja")
FOLDER = Path(__file__).parent / "locale"


class Texts:
    """All texts of one language."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise ValueError(language)
        self.language = language
        self._domains: dict[str, gettext.NullTranslations] = {}

    def __call__(self, key: str, /, **values: object) -> str:
        """The text of ``key`` with ``values`` filled in. Raises ``KeyError`` without one."""
        text = self._domain(key).gettext(key)
        if text == key:
            raise KeyError(f"{self.language}: {key}")
        return text.format(**values) if values else text.replace("{{", "{").replace("}}", "}")

    def count(self, key: str, number: int, /, **values: object) -> str:
        """As ``texts(key)``, in the plural form for ``number`` (which fills ``{n}``)."""
        text = self._domain(key).ngettext(key, key, number)
        if text == key:
            raise KeyError(f"{self.language}: {key}")
        return text.format(n=number, **values)

    def _domain(self, key: str) -> gettext.NullTranslations:
        name = key.partition(".")[0]
        if name not in self._domains:
            self._domains[name] = gettext.translation(name, str(FOLDER), [self.language])
        return self._domains[name]


@cache
def texts(language: str) -> Texts:
    """The texts of ``language``, loaded once."""
    return Texts(language)


def detect_language(environment: Mapping[str, str] | None = None) -> str:
    """``VISUALIZER_LANG``, else the language of the locale, else English."""
    env = os.environ if environment is None else environment
    for variable in ("VISUALIZER_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = env.get(variable, "")
        if value:
            return "ja" if value.lower().startswith("ja") else "en"
    if environment is None and (name := locale.getlocale()[0]) is not None:
        return "ja" if name.lower().startswith(("ja", "japanese")) else "en"
    return "en"
