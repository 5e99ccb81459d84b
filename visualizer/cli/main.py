"""The command line's way in and out: language, streams, errors and exit codes.

Exit codes: 0 done (a run that was cut off is done too), 1 ``check`` found problems or there is
no keyboard, 2 bad usage or input that can't be used, 130 interrupted. An error is one line on
stderr.
"""

from __future__ import annotations

import gettext
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import PurePath
from typing import TextIO

import click

from visualizer.cli.commands import build
from visualizer.cli.printing import hush, reader_left
from visualizer.errors import VisualizerError
from visualizer.i18n import FOLDER, LANGUAGES, Texts, detect_language, texts
from visualizer.text import display_safe

PROGRAMS = ("visualizer", "agent-loop-visualizer")
UNUSABLE = 2
INTERRUPTED = 130
EXPECTED = (click.ClickException, VisualizerError, OSError)


def main(argv: list[str] | None = None) -> None:
    """Run one command and exit."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    # Looking for other packages' pydantic plugins costs a tenth of the start, and none is wanted.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    for stream in (sys.stdout, sys.stderr):
        never_fail(stream)
    language = language_in(arguments) or detect_language()
    with click_speaks(language):
        code = run(arguments, texts(language))
    sys.exit(code)


def run(arguments: list[str], language: Texts) -> int:
    """Run one command; what goes wrong becomes a line on stderr and an exit code."""
    try:
        code = build(language).main(arguments, prog_name=program(), standalone_mode=False)
        flush()
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return 0
    except Exception as error:
        if not isinstance(error, EXPECTED) and os.environ.get("VISUALIZER_DEBUG"):
            raise
        code = error.exit_code if isinstance(error, click.ClickException) else UNUSABLE
        return complain(in_words(error, language), code)
    return code if isinstance(code, int) else 0


def in_words(error: Exception, language: Texts) -> str:
    """What went wrong, in a sentence."""
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, VisualizerError):
        return error.text(language)
    if isinstance(error, OSError):
        name = "" if error.filename is None else f"{error.filename}: "
        return f"{name}{error.strerror or error}"
    return language("command.error.unexpected", what=f"{type(error).__name__}: {error}")


def complain(message: str, code: int = UNUSABLE) -> int:
    """One line on stderr, with everything in it made visible; the exit code to give."""
    line = display_safe(" ".join(message.split()))
    with suppress(OSError):
        print(f"{PROGRAMS[0]}: {line}", file=sys.stderr)
    return code


def never_fail(stream: TextIO | None) -> None:
    """Make a stream show what its encoding does not have as an escape, instead of failing."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")


def flush() -> None:
    """Write out what is buffered, so that a full disk or a closed pipe is met here."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if not reader_left(error):
            raise
        hush(sys.stdout)


def language_in(arguments: list[str]) -> str | None:
    """The language that ``--lang`` asks for, wherever it stands; None without a known one."""
    asked = None
    for at, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument.startswith("--lang="):
            asked = argument.partition("=")[2]
        elif argument == "--lang" and at + 1 < len(arguments):
            asked = arguments[at + 1]
    return asked if asked in LANGUAGES else None


@contextmanager
def click_speaks(language: str) -> Iterator[None]:
    """Have click's own words (Usage, Options, its errors) in a language.

    click takes them from gettext's standard domain, whose language is an environment variable.
    """
    before = os.environ.get("LANGUAGE")
    gettext.bindtextdomain("messages", str(FOLDER))
    os.environ["LANGUAGE"] = language
    try:
        yield
    finally:
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before


def program() -> str:
    """The name we were called by, as usage lines and shell completion need it."""
    name = PurePath(sys.argv[0]).name.removesuffix(".exe") if sys.argv else ""
    return name if name in PROGRAMS else PROGRAMS[0]
