"""Help pages measured in terminal cells, so that Japanese lines up and breaks well."""

from __future__ import annotations

from collections.abc import Iterable

import click

from visualizer.text import cells, pad, wrap


class Formatter(click.HelpFormatter):
    """click's help pages; a newline in a text is a line break, and widths are cells."""

    def write_text(self, text: str) -> None:
        """Write a text, line by line."""
        indent = " " * self.current_indent
        for line in text.splitlines():
            for part in wrap(line, max(self.width - self.current_indent, 11)):
                self.write(f"{indent}{part}".rstrip() + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write terms and what they mean in two columns."""
        entries = list(rows)
        first = min(max((cells(term) for term, _ in entries), default=0), col_max) + col_spacing
        indent = " " * self.current_indent
        for term, meaning in entries:
            lines = wrap(meaning, max(self.width - first - len(indent), 10)) or [""]
            if cells(term) > first - col_spacing:
                lines = ["", *lines]
                self.write(f"{indent}{term}\n")
            else:
                self.write(f"{indent}{pad(term, first)}{lines[0]}".rstrip() + "\n")
            for line in lines[1:]:
                self.write(f"{indent}{' ' * first}{line}\n")


class Context(click.Context):
    """A context whose help is written by ``Formatter``."""

    formatter_class = Formatter


class Command(click.Command):
    """A command with such help."""

    context_class = Context


class Group(click.Group):
    """A group with such help, its commands in the order they were added."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, the most used first."""
        return list(self.commands)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are, their indent kept."""
        if self.epilog:
            formatter.write_paragraph()
            formatter.write_text(self.epilog)
