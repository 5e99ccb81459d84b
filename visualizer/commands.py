"""The commands: their options, and what each does.

They are built for one language. What a command needs is imported when it runs, so that
``--help`` and ``run`` start fast and only ``open`` draws.
"""

from __future__ import annotations

import os
import shlex
import sys
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from visualizer import plain
from visualizer.errors import TranscriptError
from visualizer.help_text import Command, Group
from visualizer.i18n import LANGUAGES, Texts
from visualizer.locator import Locator
from visualizer.text import display_safe

THEMES = ("dark", "light", "contrast")
SHELLS = ("bash", "zsh", "fish")
PLACES = ("start", "t0.call", "t0.check", "t0.execute", "t0.append", "end")
PROBLEMS_FOUND = 1
DISTRIBUTION = "agent-loop-visualizer"


def build(texts: Texts) -> Group:
    """All commands, speaking one language."""
    group = Group(
        "visualizer",
        callback=lambda **options: _library(texts, **options),
        invoke_without_command=True,
        help=texts("command.help.main"),
        epilog=texts("command.help.examples"),
        params=[*_screen_options(texts), _lang(texts), _version(texts)],
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for make in (_open, _run, _compare, _list, _check, _schema, _completion):
        group.add_command(make(texts))
    return group


def _open(texts: Texts) -> Command:
    def act(name: str, at: str | None, max_turns: int | None, loop: str | None, **look: Any) -> int:
        given = _given(texts, name, at, max_turns, loop)
        if not _on_a_terminal():
            again = shlex.join(["visualizer", "run", *given.arguments()])
            raise click.UsageError(texts("command.error.no_terminal_open", command=again))
        from visualizer.tui.app import run_app  # noqa: PLC0415

        return run_app(
            given.name,
            loop=given.loop,
            max_turns=given.max_turns,
            at=given.place,
            language=texts.language,
            theme=look["theme"],
            ascii_borders=look["ascii"],
        )

    params = [_name(), *_run_options(texts), *_screen_options(texts), _lang(texts)]
    return _command("open", texts, act, params)


def _run(texts: Texts) -> Command:
    def act(
        name: str, at: str | None, max_turns: int | None, loop: str | None, as_json: bool
    ) -> None:
        from visualizer.engine import replay  # noqa: PLC0415
        from visualizer.loading import load_transcript  # noqa: PLC0415

        given = _given(texts, name, at, max_turns, loop)
        scenario = load_transcript(given.name)
        run = replay(scenario, loop=given.loop, max_turns=given.max_turns)
        index = None if given.place is None else run.locate(given.place)
        if as_json:
            plain.write(plain.json_lines(plain.to_json(run, scenario, texts, index)))
        else:
            plain.write(plain.text_lines(run, scenario, texts, index))

    params = [_name(), *_run_options(texts), _json(texts), _lang(texts)]
    return _command("run", texts, act, params)


def _compare(texts: Texts) -> Command:
    def act(name: str, loop: tuple[str, ...], max_turns: tuple[int, ...], as_json: bool) -> None:
        from visualizer import side_by_side  # noqa: PLC0415

        plain.write(side_by_side.lines(name, loop, max_turns, texts, as_json))

    params = [_name(), *_loop_options(texts, twice=True), _json(texts), _lang(texts)]
    return _command("compare", texts, act, params)


def _list(texts: Texts) -> Command:
    def act(as_json: bool) -> None:
        from visualizer.loading import load_transcript, scenario_names  # noqa: PLC0415
        from visualizer.loops.registry import DEFAULT  # noqa: PLC0415

        scenarios = []
        for name in scenario_names():
            try:
                scenarios.append(load_transcript(name))
            except TranscriptError as error:
                plain.write([f"visualizer: {error.text(texts)}"], sys.stderr)
        if as_json:
            entries = [plain.scenario_json(one, DEFAULT, texts) for one in scenarios]
            plain.write(plain.json_lines({"scenarios": entries}))
        else:
            for one in scenarios:
                plain.write(plain.scenario_lines(one, texts))

    return _command("list", texts, act, [_json(texts), _lang(texts)])


def _check(texts: Texts) -> Command:
    def act(paths: tuple[str, ...]) -> int:
        from visualizer.check import check_paths  # noqa: PLC0415

        found = 0
        for line in check_paths(paths, texts):
            plain.write([line])
            found += 1
        if found:
            return PROBLEMS_FOUND
        plain.write([texts("command.check.fine")], sys.stderr)
        return 0

    paths = click.Argument(["paths"], nargs=-1, metavar="[PATH]...", type=click.Path())
    return _command("check", texts, act, [paths, _lang(texts)])


def _schema(texts: Texts) -> Command:
    def act() -> None:
        import json  # noqa: PLC0415

        from visualizer.loading import json_schema  # noqa: PLC0415

        plain.write([json.dumps(json_schema(), indent=2)])

    return _command("schema", texts, act, [_lang(texts)])


def _completion(texts: Texts) -> Command:
    def act(shell: str) -> None:
        root = click.get_current_context().find_root()
        program = root.info_name or "visualizer"
        variable = f"_{program.replace('-', '_').upper()}_COMPLETE"
        completer = get_completion_class(shell)
        if completer is not None:
            plain.write([completer(root.command, {}, program, variable).source()])

    shell = click.Argument(["shell"], type=click.Choice(SHELLS), metavar="|".join(SHELLS))
    return _command("completion", texts, act, [shell, _lang(texts)])


def _library(texts: Texts, theme: str | None, ascii: bool) -> int | None:
    if click.get_current_context().invoked_subcommand is not None:
        return None
    if not _on_a_terminal():
        raise click.UsageError(texts("command.error.no_terminal"))
    from visualizer.tui.app import run_app  # noqa: PLC0415

    return run_app(language=texts.language, theme=theme, ascii_borders=ascii)


def _command(name: str, texts: Texts, act: Any, params: list[click.Parameter]) -> Command:
    return Command(
        name,
        callback=act,
        params=params,
        help=texts(f"command.help.{name}"),
        short_help=texts(f"command.short.{name}"),
    )


def _given(
    texts: Texts, name: str, at: str | None, max_turns: int | None, loop: str | None
) -> Locator:
    """What was asked for, by a locator or by options; both may say it, but not differently."""
    located = Locator(name) if os.path.lexists(name) else Locator.parse(name)
    pairs = ((located.place, at), (located.max_turns, max_turns), (located.loop, loop))
    if any(None not in (said, option) and said != option for said, option in pairs):
        raise click.UsageError(texts("command.error.twice", name=name))
    return Locator(
        located.name,
        at if at is not None else located.place,
        max_turns if max_turns is not None else located.max_turns,
        loop if loop is not None else located.loop,
    )


def _on_a_terminal() -> bool:
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams)


def _name() -> click.Argument:
    return click.Argument(
        ["name"], metavar="NAME_OR_FILE", required=True, shell_complete=_complete_name
    )


def _loop_options(texts: Texts, twice: bool = False) -> list[click.Parameter]:
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


def _run_options(texts: Texts) -> list[click.Parameter]:
    return [
        *_loop_options(texts),
        click.Option(
            ["--at"],
            metavar="PLACE",
            help=texts("command.option.at"),
            shell_complete=lambda ctx, param, text: [p for p in PLACES if p.startswith(text)],
        ),
    ]


def _screen_options(texts: Texts) -> list[click.Parameter]:
    return [
        click.Option(["--theme"], type=click.Choice(THEMES), help=texts("command.option.theme")),
        click.Option(["--ascii"], is_flag=True, help=texts("command.option.ascii")),
    ]


def _json(texts: Texts) -> click.Option:
    return click.Option(["--json", "as_json"], is_flag=True, help=texts("command.option.json"))


def _lang(texts: Texts) -> click.Option:
    # The value is taken from all arguments before any command is built.
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGUAGES),
        expose_value=False,
        help=texts("command.option.lang"),
    )


def _version(texts: Texts) -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if not wanted or ctx.resilient_parsing:
            return
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

        try:
            plain.write([f"visualizer {version(DISTRIBUTION)}"])
        except PackageNotFoundError:
            plain.write([texts("command.version.not_installed")])
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
    from visualizer.resources import transcript_files  # noqa: PLC0415

    names = [
        CompletionItem(display_safe(name)) for name in transcript_files() if name.startswith(text)
    ]
    return [*names, CompletionItem(text, type="file")]


def _complete_loop(ctx: click.Context, param: click.Parameter, text: str) -> list[CompletionItem]:
    from visualizer.loops.registry import loop_names  # noqa: PLC0415

    names = [CompletionItem(name) for name in loop_names() if name.startswith(text)]
    return [*names, CompletionItem(text, type="file")]
