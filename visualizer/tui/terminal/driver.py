"""Textual's driver for Unix, made to leave no terminal broken, however the program ends.

What it changes of Textual's own (the places are Textual's, release by release):

- It draws on standard output, as on Windows, so that standard error may go to a file.
- SIGTERM, SIGHUP and SIGQUIT give the terminal back at once, then end the program in good order.
- SIGTSTP (Ctrl+Z) and SIGCONT stop and continue it as job control expects.
- No input ends the thread that reads it; a terminal that is gone ends the program.
- What goes wrong in a thread or a callback ends the program instead of going unseen.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FrameType
from typing import Any, TextIO, cast

from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from visualizer.tui.terminal.incoming import Incoming
from visualizer.tui.terminal.outgoing import Outgoing

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
CAUGHT = (*ENDING, signal.SIGALRM, signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH)

GRACE = 2.0
"""Seconds after a signal in which the program may end in good order, before it just ends."""

LOOK = 0.1
"""Seconds between two looks whether input is still wanted."""

_READ = 4096


class TerminalDriver(LinuxDriver):
    """Takes the terminal, and gives it back. Made in the main thread, in the app's event loop."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        self._before = {number: signal.getsignal(number) for number in CAUGHT}
        super().__init__(app, **options)
        self._ended_by: int | None = None
        self._stopped = self._continued = False
        self._out = Outgoing(cast("TextIO", sys.__stdout__), self._gone)
        self._file = cast("Any", self._out)
        for number in ENDING:
            if self._before[number] is not signal.SIG_IGN:  # as nohup has it
                signal.signal(number, self._end)
        self._hook = threading.excepthook
        threading.excepthook = self._thread_failed
        self._loop.set_exception_handler(lambda _, context: self._fail(context.get("exception")))

    # Taking the terminal, and giving it back.

    def write(self, data: str) -> None:
        """Write to the terminal, while it is ours."""
        if self._out.taken and self._writer_thread is not None:
            super().write(data)

    def start_application_mode(self) -> None:
        """Take the terminal, unless the program is about to end."""
        attributes = self._attributes()
        if self._ended_by is None:
            self._out.take()
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self._ended_by is not None:  # maybe only since the line above began
            self._restore(attributes)
        elif self._writer_thread is None:  # Textual could not
            self._gone()

    def stop_application_mode(self) -> None:
        """Leave Textual's modes, unless a signal has done so."""
        if self._out.taken:
            super().stop_application_mode()
        else:
            self.disable_input()

    def disable_input(self) -> None:
        """Stop reading. What is not ours any more is not touched: that would stop this process."""
        if self._out.taken:
            super().disable_input()
        elif self._key_thread is not None:
            self.exit_event.set()
            self._key_thread.join()

    def close(self) -> None:
        """Write out what is left to write, then undo what Textual forgets."""
        super().close()
        self._writer_thread = None
        self._leave()

    def give_back(self) -> int | None:
        """Give the terminal back, if that has not been done; signals mean what they meant.

        What the program gives back if a signal has ended it, else None.
        """
        self._leave()
        signal.setitimer(signal.ITIMER_REAL, 0)
        threading.excepthook = self._hook
        for number, handler in self._before.items():
            signal.signal(number, handler)
        return None if self._ended_by is None else 128 + self._ended_by

    def _leave(self) -> None:
        if self._out.leave():
            self._restore(self.attrs_before)
            self.attrs_before = None

    def _attributes(self) -> list[Any] | None:
        with suppress(termios.error):
            return termios.tcgetattr(self.fileno)
        return None

    def _restore(self, attributes: list[Any] | None) -> None:
        if attributes is not None and self._in_front():
            with suppress(termios.error):
                termios.tcsetattr(self.fileno, termios.TCSANOW, attributes)
                termios.tcflush(self.fileno, termios.TCIFLUSH)

    # The end.

    def _end(self, number: int, _frame: FrameType | None = None) -> None:
        """A signal to end: the terminal comes first, whatever the program is doing."""
        if self._ended_by is not None:
            return
        self._ended_by = number
        signal.signal(signal.SIGALRM, self._end_at_once)
        signal.setitimer(signal.ITIMER_REAL, GRACE)
        self._leave()
        self._in_loop(self._app.exit, None, 128 + number)

    def _end_at_once(self, *_: object) -> None:
        """The program is busy with something that does not end."""
        os._exit(128 + (self._ended_by or 0))

    def _gone(self) -> None:
        """There is no terminal any more: the same as being told so."""
        self._in_loop(self._end, signal.SIGHUP)

    def _fail(self, error: object) -> None:
        """Something of ours went wrong where Textual does not look."""
        if isinstance(error, Exception):
            self._in_loop(self._app._handle_exception, error)

    def _thread_failed(self, failure: threading.ExceptHookArgs) -> None:
        if self._app.is_running:
            self._fail(failure.exc_value)
        else:
            self._hook(failure)

    def _in_loop(self, function: Callable[..., object], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: all is over
            self._loop.call_soon_threadsafe(function, *arguments)

    # Job control. Both handlers may interrupt anything, so they only ask for what is to be done.

    def stop_job(self) -> bool:
        """Stop, as Ctrl+Z does elsewhere; false where no shell is there to continue the job."""
        self._continued = False
        self._away(self._stop_group)
        return self._continued

    def _sigtstp_application(self, *_: object) -> None:
        """Who sends the signal can send the one to continue, too."""
        self._in_loop(self._away, _stop_this)

    def _sigcont_application(self, *_: object) -> None:
        """Stopped by a signal that can't be caught, it may find the terminal changed."""
        self._continued = True
        if not self._stopped:
            self._in_loop(self._away, lambda: None)

    def _away(self, stop: Callable[[], object]) -> None:
        """Leave the terminal, stop, and take it again at its present size."""
        if not self._out.taken:
            return
        self._stopped = True
        self.suspend_application_mode()
        stop()
        while self._ended_by is None and not self._in_front():
            _stop_this()  # continued in the background, where it has nothing to show
        self._stopped = False
        if self._ended_by is None:
            self._must_signal_resume = True
            self.resume_application_mode()
            self._app.refresh(layout=True)

    def _stop_group(self) -> None:
        """Stop the whole job, this process last. The system ignores it where no shell waits."""
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        with suppress(OSError):
            os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.pthread_kill(threading.get_ident(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._sigtstp_application)

    def _in_front(self) -> bool:
        """Whether the terminal listens to this job."""
        try:
            return os.tcgetpgrp(self.fileno) == os.getpgrp()
        except OSError:
            return True

    # Input.

    def _run_input_thread(self) -> None:
        try:
            self.run_input_thread()
        except Exception as error:
            self._fail(error)

    def run_input_thread(self) -> None:
        """Read what comes in and hand it on, until that is no longer wanted."""
        incoming, parser = Incoming(), XTermParser()
        came = time.monotonic()
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(LOOK):
                    data = self._read()
                    if data is None:
                        self._gone()
                        return
                    came = time.monotonic()
                    parts: Iterator[str | Message] = incoming.feed(data)
                elif (wait := incoming.patience) is not None and time.monotonic() - came >= wait:
                    parts = incoming.quiet()
                else:
                    parts = iter(())
                parser = self._hand_on(parts, parser)
                if incoming.legacy_mouse:
                    incoming.legacy_mouse = False
                    self._enable_mouse_support()

    def _read(self) -> bytes | None:
        """What there is; None where the terminal has gone."""
        try:
            return os.read(self.fileno, _READ) or None
        except BlockingIOError:
            return b""
        except OSError:
            return None

    def _hand_on(self, parts: Iterator[str | Message], parser: XTermParser) -> XTermParser:
        """Send the app what Textual's parser makes of it; the parser for what comes next."""
        for part in parts:
            if isinstance(part, Message):
                self.process_message(part)
                continue
            try:
                messages = list(parser.feed(part))
            except (ArithmeticError, ValueError):  # a size of 0, a number that is no character
                parser, messages = XTermParser(), []
            for message in messages:
                self.process_message(message)
        for message in parser.tick():
            self.process_message(message)
        return parser


def _stop_this() -> None:
    """Stop this process. A signal to the own thread is there when the call returns."""
    signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)
