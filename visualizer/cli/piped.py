"""``-`` for a file: data comes in through standard input, keys from the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from visualizer.cli import printing
from visualizer.cli.options import no_terminal, screen_there
from visualizer.files.standard_input import STANDARD_INPUT, terminal_keyboard
from visualizer.i18n import Texts
from visualizer.locator import Locator

if TYPE_CHECKING:
    from visualizer.loading import Scenario

PIPED = str(STANDARD_INPUT)


class NoKeyboardError(click.ClickException):
    """Data was piped in, and there is no terminal to press keys in. Exit code 1."""


def scenario_from(texts: Texts, name: str, command: str) -> Scenario:
    """A scenario by its name, from a file, or for ``-`` from standard input.

    Raises ``click.UsageError`` where that is a terminal, on which nobody types a recording.
    """
    from visualizer.loading import load_file, load_transcript  # noqa: PLC0415

    if name != PIPED:
        return load_transcript(name)
    refuse_typing(texts, command)
    return load_file(STANDARD_INPUT, texts("command.standard_input"))


def piped_to_screen(texts: Texts, given: Locator, run: str | None) -> Scenario:
    """What comes in, for a screen that takes its keys from the terminal.

    Raises ``click.UsageError`` without a screen, ``NoKeyboardError`` without a keyboard.
    """
    refuse_typing(texts, "open")
    if not screen_there():
        chosen = [] if run is None else ["--run", run]
        raise no_terminal(texts, "run", *given.arguments(), *chosen, piped=True)
    try:
        use_keyboard = terminal_keyboard()
    except OSError:
        raise NoKeyboardError(texts("command.error.no_keyboard")) from None
    say_at_once(texts("command.reading_input"))
    scenario = scenario_from(texts, PIPED, "open")
    use_keyboard()
    return scenario


def refuse_typing(texts: Texts, command: str) -> None:
    """Refuse ``-`` where standard input is a terminal. Raises ``click.UsageError``."""
    if sys.stdin is not None and sys.stdin.isatty():
        raise click.UsageError(texts("command.error.nothing_piped", command=command))


def say_at_once(line: str) -> None:
    """A line on standard error, before the screen is taken over."""
    printing.write([line], sys.stderr)
    if sys.stderr is not None:
        sys.stderr.flush()
