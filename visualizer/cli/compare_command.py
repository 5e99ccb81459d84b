"""``visualizer compare``: two runs side by side, or a table of what loops do at the cap."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from visualizer.app.opening import AtTheCap, Comparison, Opening
from visualizer.cli import printing
from visualizer.cli.help_text import Command
from visualizer.cli.options import (
    ScreenOptions,
    command,
    json_option,
    lang,
    loop_options,
    observe_option,
    observed_by,
    on_a_terminal,
    scenario_name,
)
from visualizer.i18n import Texts

if TYPE_CHECKING:
    from visualizer.loading import Scenario

Show = Callable[[ScreenOptions, Opening], int]


def compare_command(texts: Texts, look: list[click.Parameter], show: Show) -> Command:
    """The command. ``look`` are the options of the screen, ``show`` opens it with them."""

    def act(
        name: str,
        loop: tuple[str, ...],
        max_turns: tuple[int, ...],
        observe: tuple[str, ...],
        caps: bool,
        as_json: bool,
        as_text: bool,
        **options: Any,
    ) -> int | None:
        what: str | Scenario = name
        if observe:
            from visualizer.loading import load_transcript  # noqa: PLC0415

            what = load_transcript(name).observing(observed_by(texts, observe))
        printed = as_json or as_text or not on_a_terminal()
        if caps:
            if not printed:
                return show(ScreenOptions(**options), AtTheCap(what, loop, max_turns))
            from visualizer.comparison.caps import lines  # noqa: PLC0415

            printing.write(lines(what, loop, max_turns, texts, as_json))
            return None
        from visualizer.comparison import report  # noqa: PLC0415

        if not printed:
            sides = report.sides(loop, max_turns)
            return show(ScreenOptions(**options), Comparison(what, sides))
        printing.write(report.lines(what, loop, max_turns, texts, as_json))
        return None

    table = click.Option(["--caps"], is_flag=True, help=texts("command.option.cap_table"))
    text = click.Option(["--text", "as_text"], is_flag=True, help=texts("command.option.text"))
    looks = [option for option in look if option.name != "progress"]
    changed = observe_option(texts, right=True)
    options = [*loop_options(texts, twice=True), changed, table, json_option(texts), text, *looks]
    return command("compare", texts, act, [scenario_name(), *options, lang(texts)])
