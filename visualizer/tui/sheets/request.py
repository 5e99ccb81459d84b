"""The exact request of a call, and what is new in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from visualizer.app.session import Session
from visualizer.describe import context_size
from visualizer.run.timeline import Call
from visualizer.sdk import Link, chain_of
from visualizer.tui.commands import command
from visualizer.tui.draw.footers import Where
from visualizer.tui.draw.segments import Line, Seg, fit
from visualizer.tui.sheets.chained import chained_lines
from visualizer.tui.sheets.request_text import (
    Sent,
    head_lines,
    json_head,
    json_message,
    json_tail,
    readable,
)
from visualizer.tui.sheets.screen import SheetScreen
from visualizer.tui.sheets.scrolling import Sheet


class RequestScreen(SheetScreen):
    """What the model was sent: parameters, then messages; to read, or as JSON."""

    WHERE: ClassVar[Where] = "request"

    def __init__(self, session: Session, call: Call) -> None:
        self.session = session
        self.json = False
        self.chained = False
        self.sent = self._request(session.run.calls.index(call))
        self.new = self.sent.first_new()
        super().__init__(Sheet(self.sent.call.sent + 2, self._lines))
        self._to_new()

    def heading(self) -> tuple[str, str]:
        """Which call, how much it sent, how much of that is new."""
        call = self.sent.call
        texts = self.texts
        if self.chained:
            link = self.link
            sizes = texts("sdk.chain.sizes", sent=link.sent, read=link.read)
            return texts("sdk.chain.title", call=link.call + 1), sizes
        left = texts.count("screen.request.title", call.sent, call=self.sent.number + 1)
        tokens, estimated = context_size(self.session.run, call)
        key = "screen.counts.estimate" if estimated else "screen.counts.tokens"
        right = [texts(key, n=f"{tokens:,}")]
        if put_in := self.sent.put_in:
            right.insert(0, texts.count("screen.aside.put_in_short", put_in))
        if self.sent.number > 0:  # the first request has none before it to differ from
            right.insert(0, texts("screen.request.new", n=call.sent - self.new))
        return left, "   ".join(right)

    @command("form", "r", palette=False)
    def as_json(self) -> None:
        """As JSON, or to read."""
        self.json = not self.json
        self.sheet.forget()
        self._to_new()

    @property
    def link(self) -> Link:
        """The same call on a thread that the server keeps."""
        return self._links[self.sent.number]

    @cached_property
    def _links(self) -> tuple[Link, ...]:
        return chain_of(self.session.run, self.session.shown.asides.turns)

    @command("chained", "c", palette=False)
    def on_a_thread(self) -> None:
        """On a thread that the server keeps, or as the loop sends it."""
        self.chained = not self.chained
        self.sheet.forget()
        self._to_new()

    @command("call_before", "left", "h", group="move", palette=False)
    def call_before(self) -> None:
        """The request of the call before."""
        self._go(self.sent.number - 1)

    @command("call_after", "right", "l", group="move", palette=False)
    def call_behind(self) -> None:
        """The request of the call after."""
        self._go(self.sent.number + 1)

    def _go(self, number: int) -> None:
        if not 0 <= number < len(self.session.run.calls):
            self.status = self.texts("screen.request.no_other")
            return
        self.sent = self._request(number)
        self.new = self.sent.first_new()
        self.sheet = Sheet(self.sent.call.sent + 2, self._lines)
        self._to_new()

    def _to_new(self) -> None:
        """Where all fits one sees all; where not, what is new. On a thread that is all."""
        self.sheet.show(self.new + 1 if self.new and not self.chained else 0)

    def _request(self, number: int) -> Sent:
        run = self.session.run
        recorded = self.session.scenario.run(run.recorded_run)
        found = self.session.scenario.outside
        lost = found.not_kept if found is not None else ()
        return Sent(
            run, number, recorded.request, self.session.shown.asides, found is not None, lost
        )

    def _lines(self, item: int, width: int) -> Sequence[Line]:
        sent, count = self.sent, self.sent.call.sent
        if self.chained:
            return chained_lines(sent, self.link, item, self.texts, width, self.json)
        if item == 0:
            return json_head(sent, width) if self.json else head_lines(sent, self.texts, width)
        if item == count + 1:
            return json_tail(width) if self.json else [fit([Seg("")], width)]
        position, new = item - 1, item - 1 >= self.new and self.sent.number > 0
        if self.json:
            return json_message(sent, position, new, self.texts, width)
        return readable(sent, position, new, self.texts, width)
