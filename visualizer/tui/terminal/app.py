"""What an app has to do with its terminal: a driver, and an end that leaves nothing broken."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, cast

from textual import constants
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver

from visualizer.tui.commands import SUSPENDING

if TYPE_CHECKING:
    from visualizer.tui.painted_screen import PaintedScreen


class TerminalApp(App[None]):
    """An app that gives the terminal back, however it ends, and lets a shell have it meanwhile."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # As in other terminals: it copies what is selected, and otherwise ends the program.
        Binding("ctrl+c", "copy_or_quit", show=False, priority=True),
        # A line that is being typed does not take it either.
        *(Binding(key, "suspend_process", show=False, priority=True) for key in SUSPENDING),
    ]

    def get_driver_class(self) -> type[Driver]:
        """Our own driver, where Textual would take its own for Unix."""
        if sys.platform == "win32" or constants.DRIVER is not None:
            return super().get_driver_class()
        from visualizer.tui.terminal.driver import TerminalDriver  # noqa: PLC0415

        return TerminalDriver

    def stay(self) -> int:
        """Run until the reader leaves, or a signal comes; the exit code.

        Whatever goes wrong in between is raised, when the terminal has been given back.
        """
        failure: Exception | None = None
        code: int | None = None
        try:
            self.run()
        except Exception as error:
            failure = error
        finally:
            give_back: Callable[[], int | None] = getattr(self._driver, "give_back", lambda: None)
            code = give_back()
        failure = failure or self._exception
        if code is None and failure is not None:
            raise failure
        return (self.return_code or 0) if code is None else code

    def _handle_exception(self, error: Exception) -> None:
        """Close the screen on an error of the program, which ``stay`` raises.

        Textual would print it here, with the values of variables: unsafe text of a recording.
        """
        from textual.worker import WorkerFailed  # noqa: PLC0415

        self._return_code = 1
        if isinstance(error, WorkerFailed) and isinstance(error.error, Exception):
            error = error.error
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    def action_copy_or_quit(self) -> None:
        """Copy what is selected with the mouse; where nothing is, leave."""
        screen = cast("PaintedScreen", self.screen)
        if selected := screen.get_selected_text():
            self.copy_to_clipboard(selected)
            screen.clear_selection()
            screen.say("screen.copied_text")
        else:
            self.exit()

    def action_suspend_process(self) -> None:
        """The key that stops a program was pressed, on whichever screen."""
        screen = cast("PaintedScreen", self.screen)
        screen.suspend()
        screen.pane.repaint()

    def stop_job(self) -> bool:
        """Let the shell have the terminal until it continues this; false where there is none."""
        stop: Callable[[], bool] = getattr(self._driver, "stop_job", lambda: False)
        return stop()
