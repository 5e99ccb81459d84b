"""What commands are made of: their options, arguments, and how these complete."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

import click
from click.shell_completion import CompletionItem

from visualizer.cli import printing
from visualizer.cli.help_text import Command
from visualizer.i18n import LANGUAGES, Texts
from visualizer.locator import Locator
from visualizer.text import display_safe

if TYPE_CHECKING:
    from visualizer.app.classroom import Classroom
    from visualizer.transcript.settings import Choice

THEMES = ("dark", "light", "contrast")
PLACES = ("start", "t0.call", "t0.check", "t0.execute", "t0.append", "end")
LINE_TERMINALS = frozenset({"", "dumb", "unknown"})
DISTRIBUTION = "agent-loop-visualizer"


def command(name: str, texts: Texts, act: Any, params: list[click.Parameter]) -> Command:
    """A command whose texts are found under its name."""
    return Command(
        name,
        callback=act,
        params=params,
        help=texts(f"command.help.{name}"),
        short_help=texts(f"command.short.{name}"),
    )


def on_a_terminal() -> bool:
    """Whether someone sits in front of this, at a terminal that a screen can be drawn on."""
    return _terminals(sys.stdin) and screen_there()


def screen_there() -> bool:
    """Whether a screen can be drawn, wherever its keys come from."""
    return _terminals(sys.stdout) and not _only_lines()


def no_terminal(texts: Texts, *again: str, piped: bool = False) -> click.UsageError:
    """What to say where there is no screen; ``again`` are the arguments that print instead.

    With ``piped``, data comes in where else keys would.
    """
    only_lines = _terminals(*([] if piped else [sys.stdin]), sys.stdout)
    line, kind = shlex.join(["visualizer", *again]), shlex.quote(_kind())
    if not again:
        key = "command.error.line_terminal" if only_lines else "command.error.no_terminal"
    elif only_lines:
        key = "command.error.line_terminal_open"
    else:
        key = "command.error.no_terminal_open"
    return click.UsageError(texts(key, command=line, kind=kind))


def _terminals(*streams: TextIO | None) -> bool:
    return all(stream is not None and stream.isatty() for stream in streams)


def _kind() -> str:
    return os.environ.get("TERM", "")


def _only_lines() -> bool:
    """Whether the terminal takes no more than lines of text, as an editor's shell does."""
    return sys.platform != "win32" and _kind() in LINE_TERMINALS


def scenario_name(required: bool = True) -> click.Argument:
    """The scenario or file to look at."""
    return click.Argument(
        ["name"], metavar="NAME_OR_FILE", required=required, shell_complete=_complete_name
    )


def loop_options(texts: Texts, twice: bool = False) -> list[click.Parameter]:
    """The cap and the loop; ``twice`` to compare two."""
    cap, loop = ("caps", "loops") if twice else ("max_turns", "loop")
    return [
        click.Option(
            ["--max-turns"],
            type=click.IntRange(min=1),
            multiple=twice,
            metavar="N",
            help=texts(f"command.option.{cap}"),
        ),
        click.Option(
            ["--loop"],
            multiple=twice,
            metavar="NAME",
            help=texts(f"command.option.{loop}"),
            shell_complete=_complete_loop,
        ),
    ]


def decision_options(texts: Texts) -> list[click.Parameter]:
    """What a person decides about tool calls, by place."""
    return [
        click.Option(
            [f"--{choice}"],
            multiple=True,
            metavar="PLACE",
            help=texts(f"command.option.{choice}"),
        )
        for choice in ("allow", "deny")
    ]


def observe_option(texts: Texts, right: bool = False) -> click.Option:
    """What stands in a tool's result instead of what was recorded; of two runs in the ``right``."""
    said = texts("command.option.observe_right" if right else "command.option.observe")
    return click.Option(["--observe"], multiple=True, metavar="PLACE=TEXT", help=said)


def run_options(texts: Texts) -> list[click.Parameter]:
    """What a run is driven with, and a place in it."""
    return [
        *loop_options(texts),
        *decision_options(texts),
        observe_option(texts),
        click.Option(
            ["--at"],
            metavar="PLACE",
            help=texts("command.option.at"),
            shell_complete=lambda ctx, param, text: [p for p in PLACES if p.startswith(text)],
        ),
    ]


def screen_options(texts: Texts) -> list[click.Parameter]:
    """How the screen looks."""
    return [
        click.Option(["--theme"], type=click.Choice(THEMES), help=texts("command.option.theme")),
        click.Option(["--ascii"], is_flag=True, help=texts("command.option.ascii")),
    ]


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """What was given of the options of ``screen_options`` and ``class_options``."""

    theme: str | None = None
    ascii: bool = False
    instructor: bool = False
    agenda: str | None = None
    progress: str | None = None

    @property
    def in_class(self) -> bool:
        """Whether a class may be looking."""
        return self.instructor or self.agenda is not None

    def classroom(self) -> Classroom:
        """What an instructor has set. Raises ``LessonError`` for a faulty agenda."""
        from visualizer.app.classroom import Classroom  # noqa: PLC0415 - start-up time

        if self.agenda is None:
            return Classroom(self.instructor)
        from visualizer.app.agenda import read_agenda  # noqa: PLC0415

        return Classroom(self.instructor, read_agenda(self.agenda))


def class_options(texts: Texts) -> list[click.Parameter]:
    """What a class needs: where progress is kept, and the places to show."""
    file = click.Path(dir_okay=False)
    return [
        click.Option(
            ["--progress"], type=file, metavar="FILE", help=texts("command.option.progress")
        ),
        click.Option(["--agenda"], type=file, metavar="FILE", help=texts("command.option.agenda")),
        click.Option(["--instructor"], is_flag=True, help=texts("command.option.instructor")),
    ]


def lesson_name(required: bool) -> click.Argument:
    """The lesson: a name, or a folder."""
    return click.Argument(
        ["name"], metavar="LESSON", required=required, shell_complete=_complete_lesson
    )


def one_run_option(texts: Texts) -> click.Option:
    """Which run of a recording."""
    return click.Option(["--run"], metavar="N", help=texts("format.option.run"))


def recent_option(texts: Texts) -> click.Option:
    """Whether to look where clients keep recordings."""
    return click.Option(["--recent"], is_flag=True, help=texts("folder.option.recent"))


def json_option(texts: Texts) -> click.Option:
    """Whether to print JSON."""
    return click.Option(["--json", "as_json"], is_flag=True, help=texts("command.option.json"))


def lang(texts: Texts) -> click.Option:
    """The language."""
    # The value is taken from all arguments before any command is built.
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGUAGES),
        expose_value=False,
        help=texts("command.option.lang"),
    )


def version(texts: Texts) -> click.Option:
    """Show the version."""

    def show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if not wanted or ctx.resilient_parsing:
            return
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

        try:
            printing.write([f"visualizer {version(DISTRIBUTION)}"])
        except PackageNotFoundError:
            printing.write([texts("command.version.not_installed")])
        ctx.exit()

    return click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help=texts("command.option.version"),
    )


def _complete_name(ctx: click.Context, param: click.Parameter, text: str) -> list[CompletionItem]:
    from visualizer.files.resources import transcript_files  # noqa: PLC0415

    names = [
        CompletionItem(display_safe(name)) for name in transcript_files() if name.startswith(text)
    ]
    return [*names, CompletionItem(text, type="file")]


def _complete_loop(ctx: click.Context, param: click.Parameter, text: str) -> list[CompletionItem]:
    from visualizer.loops.registry import loop_names  # noqa: PLC0415

    names = [CompletionItem(name) for name in loop_names() if name.startswith(text)]
    return [*names, CompletionItem(text, type="file")]


def _complete_lesson(ctx: click.Context, param: click.Parameter, text: str) -> list[CompletionItem]:
    from visualizer.lessons.files import lesson_names  # noqa: PLC0415

    return [CompletionItem(name) for name in lesson_names() if name.startswith(text)]


def given_by(
    texts: Texts,
    name: str,
    at: str | None,
    max_turns: int | None,
    loop: str | None,
    allow: Sequence[str] = (),
    deny: Sequence[str] = (),
    observe: Sequence[str] = (),
    run: str | None = None,
) -> Locator:
    """What was asked for, by a locator or by options; both may say it, but not differently."""
    located = Locator(name) if os.path.lexists(name) else Locator.parse(name)
    pairs: list[tuple[object, object]] = [(located.place, at), (located.run, run)]
    pairs += [(located.max_turns, max_turns), (located.loop, loop)]
    decided: dict[str, Choice] = dict(located.decisions)
    decided |= {**dict.fromkeys(allow, "allow"), **dict.fromkeys(deny, "deny")}
    said_twice = {*allow} & {*deny}
    said_twice |= {place for place, choice in located.decisions if decided[place] != choice}
    changed = observed_by(texts, observe)
    said_twice |= changed.keys() & dict(located.observations)
    if said_twice or any(None not in (one, other) and one != other for one, other in pairs):
        raise click.UsageError(texts("command.error.twice", name=name))
    return Locator(
        located.name,
        at if at is not None else located.place,
        max_turns if max_turns is not None else located.max_turns,
        loop if loop is not None else located.loop,
        tuple(decided.items()),
        (*located.observations, *changed.items()),
        located.run,
    )


def observed_by(texts: Texts, observe: Sequence[str]) -> dict[str, str]:
    """The texts of tool results by place, as options give them: ``t0.execute=No page.``"""
    changed: dict[str, str] = {}
    for given in observe:
        place, sign, text = given.partition("=")
        if not sign or place in changed:
            raise click.UsageError(texts("command.error.observe", given=display_safe(given)))
        changed[place] = text
    return changed
