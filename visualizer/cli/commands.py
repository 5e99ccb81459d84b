"""The commands: their options, and what each does.

They are built for one language. What a command needs is imported when it runs, so that
``--help`` and ``run`` start fast and only ``open`` draws.
"""

from __future__ import annotations

import difflib
import os
import sys
from functools import partial
from typing import Any

import click
from click.shell_completion import get_completion_class

from visualizer.app.opening import Home, Lesson, Look, OneRun, Opening, Recordings, Shuffled
from visualizer.cli import printing
from visualizer.cli.compare_command import compare_command
from visualizer.cli.events_command import events_options, print_events
from visualizer.cli.help_text import Command, Group
from visualizer.cli.list_command import list_command, recent_to_open
from visualizer.cli.opening import changed_by, folder_to_open, piped_to_open, to_open
from visualizer.cli.options import (
    ScreenOptions,
    class_options,
    command,
    given_by,
    json_option,
    lang,
    lesson_name,
    no_terminal,
    on_a_terminal,
    one_run_option,
    recent_option,
    run_options,
    scenario_name,
    screen_options,
    version,
)
from visualizer.cli.piped import PIPED, piped_to_screen, refuse_typing, scenario_from
from visualizer.cli.recording_commands import convert_command, run_outside
from visualizer.describe import plain
from visualizer.errors import NotFoundError
from visualizer.i18n import Texts

SHELLS = ("bash", "zsh", "fish")
PROBLEMS_FOUND = 1


def build(texts: Texts) -> Group:
    """All commands, speaking one language."""
    group = Group(
        "visualizer",
        callback=lambda **options: _library(texts, **options),
        invoke_without_command=True,
        help=texts("command.help.main"),
        epilog=texts("command.help.examples"),
        params=[*_look(texts), lang(texts), version(texts)],
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for make in (
        *(_open, _lesson, _run, _compare, list_command, _check),
        *(convert_command, _handout, _schema, _completion),
    ):
        group.add_command(make(texts))
    return group


def _open(texts: Texts) -> Command:
    follow = click.Option(["--follow"], is_flag=True, help=texts("format.option.follow"))
    params = [
        scenario_name(required=False),
        *run_options(texts),
        one_run_option(texts),
        follow,
        recent_option(texts),
        *_look(texts),
        lang(texts),
    ]
    return command("open", texts, partial(_open_it, texts), params)


def _open_it(
    texts: Texts,
    name: str | None,
    at: str | None,
    max_turns: int | None,
    loop: str | None,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    observe: tuple[str, ...],
    run: str | None,
    follow: bool,
    recent: bool,
    **options: Any,
) -> int:
    """What ``open`` does: one's own recordings, a pipe, a folder, or one scenario."""
    screen = ScreenOptions(**options)
    if recent:
        kept = recent_to_open(texts, name, bool(run or at or follow), screen.in_class)
        return _show(texts, screen, Recordings(kept, loop, max_turns))
    if name is None:
        raise click.MissingParameter(param=scenario_name())
    given = given_by(texts, name, at, max_turns, loop, allow, deny, observe, run)
    if follow and (name == PIPED or os.path.isdir(name)):  # noqa: PTH112 - never raises
        raise click.UsageError(texts("format.follow_file", name=name))
    if name == PIPED:
        piped = piped_to_open(texts, piped_to_screen(texts, given, run), run)
        changed = changed_by(given, piped)
        return _show(texts, screen, OneRun(changed, loop, max_turns, at))
    if not on_a_terminal():
        if os.path.isdir(name):  # noqa: PTH112 - this one never raises
            raise no_terminal(texts, "list", name)
        chosen = [] if run is None else ["--run", run]
        raise no_terminal(texts, "run", *given.arguments(), *chosen)
    if os.path.isdir(name):  # noqa: PTH112 - this one never raises
        folder = folder_to_open(texts, name, run, at)
        return _show(texts, screen, Recordings(folder, loop, max_turns))
    if follow and given.observations:
        raise click.UsageError(texts("command.error.observe_follow"))
    # A place, or a change, may be anywhere in a big file: then all of it is read first.
    place = given.place or ("" if given.observations else None)
    opened = to_open(texts, given.name, run, place, follow)
    what = changed_by(given, opened.what)
    wanted = OneRun(what, given.loop, given.max_turns, given.place, opened.arriving)
    return _show(texts, screen, wanted)


def _lesson(texts: Texts) -> Command:
    def act(name: str | None, page: str | None, shuffle: bool, **options: Any) -> int:
        screen = ScreenOptions(**options)
        if shuffle:
            if not on_a_terminal():
                raise no_terminal(texts)
            return _show(texts, screen, Shuffled())
        from visualizer.learner.progress import Progress  # noqa: PLC0415
        from visualizer.lessons.files import lesson_names, load_lesson  # noqa: PLC0415

        if name is None:
            name, last = Progress.peek(screen.progress).resume(lesson_names())
            page = page or last
        lesson = load_lesson(name)
        if page is not None and lesson.number(page) is None:
            near = difflib.get_close_matches(page, [one.id for one in lesson.pages], cutoff=0.4)
            raise NotFoundError("lesson.problem.no_such_page", page, near)
        if not on_a_terminal():
            raise no_terminal(texts, "handout", name)
        return _show(texts, screen, Lesson(name, page))

    page = click.Option(["--page"], metavar="ID", help=texts("command.option.page"))
    shuffle = click.Option(["--shuffle"], is_flag=True, help=texts("command.option.shuffle"))
    params = [lesson_name(required=False), page, shuffle, *_look(texts), lang(texts)]
    return command("lesson", texts, act, params)


def _run(texts: Texts) -> Command:
    def act(
        name: str,
        at: str | None,
        max_turns: int | None,
        loop: str | None,
        allow: tuple[str, ...],
        deny: tuple[str, ...],
        observe: tuple[str, ...],
        run: str | None,
        as_json: bool,
        events: bool,
        partial: bool,
    ) -> None:
        from visualizer.engine import replay  # noqa: PLC0415

        given = given_by(texts, name, at, max_turns, loop, allow, deny, observe, run)
        scenario = given.applied(scenario_from(texts, given.name, "run"))
        if partial and not events:
            raise click.UsageError(texts("sdk.error.partial"))
        if events:
            print_events(texts, scenario, given, run, as_json, partial)
            return
        if scenario.outside is not None:
            run_outside(texts, scenario, given, run, as_json)
            return
        done = given.checked(replay(scenario, loop=given.loop, max_turns=given.max_turns, run=run))
        index = None if given.place is None else done.locate(given.place)
        if as_json:
            printing.document(plain.json_lines(plain.to_json(done, scenario, texts, index)))
        else:
            printing.write(plain.text_lines(done, scenario, texts, index))

    params = [
        scenario_name(),
        *run_options(texts),
        one_run_option(texts),
        *events_options(texts),
        json_option(texts),
        lang(texts),
    ]
    return command("run", texts, act, params)


def _compare(texts: Texts) -> Command:
    return compare_command(texts, _look(texts), partial(_show, texts))


def _check(texts: Texts) -> Command:
    def act(paths: tuple[str, ...]) -> int:
        from visualizer.check import check_paths  # noqa: PLC0415

        if PIPED in paths:
            refuse_typing(texts, "check")
        found = 0
        for line in check_paths(paths, texts):
            printing.write([line])
            found += 1
        if found:
            return PROBLEMS_FOUND
        printing.write([texts("command.check.fine")], sys.stderr)
        return 0

    paths = click.Argument(["paths"], nargs=-1, metavar="[PATH]...", type=click.Path())
    return command("check", texts, act, [paths, lang(texts)])


def _handout(texts: Texts) -> Command:
    def act(name: str, key: bool) -> None:
        from visualizer.lessons.files import load_lesson  # noqa: PLC0415
        from visualizer.lessons.handout import answer_key, worksheet  # noqa: PLC0415

        printing.document((answer_key if key else worksheet)(load_lesson(name), texts))

    key = click.Option(["--key"], is_flag=True, help=texts("command.option.key"))
    return command("handout", texts, act, [lesson_name(required=True), key, lang(texts)])


def _schema(texts: Texts) -> Command:
    def act() -> None:
        import json  # noqa: PLC0415

        from visualizer.transcript.schema import json_schema  # noqa: PLC0415

        printing.document([json.dumps(json_schema(), indent=2)])

    return command("schema", texts, act, [lang(texts)])


def _completion(texts: Texts) -> Command:
    def act(shell: str) -> None:
        root = click.get_current_context().find_root()
        program = root.info_name or "visualizer"
        variable = f"_{program.replace('-', '_').upper()}_COMPLETE"
        completer = get_completion_class(shell)
        if completer is not None:
            printing.write([completer(root.command, {}, program, variable).source()])

    shell = click.Argument(["shell"], type=click.Choice(SHELLS), metavar="|".join(SHELLS))
    return command("completion", texts, act, [shell, lang(texts)])


def _library(texts: Texts, **options: Any) -> int | None:
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        # Given before the command, they are what it takes where it is given nothing else.
        given = {name: value for name, value in options.items() if value}
        context.default_map = {context.invoked_subcommand: given}
        return None
    if not on_a_terminal():
        raise no_terminal(texts)
    return _show(texts, ScreenOptions(**options), Home())


def _look(texts: Texts) -> list[click.Parameter]:
    return [*screen_options(texts), *class_options(texts)]


def _show(texts: Texts, screen: ScreenOptions, opening: Opening) -> int:
    """Open the screen, with what a class needs where that was asked for."""
    from visualizer.tui.app import run_app  # noqa: PLC0415

    look = Look(texts.language, screen.theme, screen.ascii)
    return run_app(opening, look, screen.classroom(), screen.progress)
