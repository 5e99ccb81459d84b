"""Loading a loop from its file, which may be a script that replays this very loop.

Such a script has got as far as its call of ``replay`` when the loop is loaded, in a process of
its own. There the script runs a second time, down to that call, and no further: what the loop
needs stands above it, with the values that it has there. A ``replay`` of another loop on the
way is done at once, in the same process; the process is what contains it.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from visualizer.errors import LoopError

FIRST_CALL = 0
"""Load a file down to its first call of ``replay``: nobody has got further in it."""

_NAME = "loop_under_test"


@dataclass(frozen=True, slots=True)
class LoopFile:
    """Which loop to load. Plain data: it goes to a child process.

    ``function`` is ``""`` for the file's only loop. ``until`` is the line whose call of
    ``replay`` ends the loading, or ``FIRST_CALL``; None where all of the file is needed.
    ``package``, ``paths`` and ``arguments`` are what the file finds where it runs by now.
    """

    file: str
    function: str
    until: int | None = None
    package: str = ""
    paths: tuple[str, ...] = ()
    arguments: tuple[str, ...] | None = None

    @classmethod
    def named(cls, file: str, function: str) -> LoopFile:
        """The loop of a file that somebody names."""
        until = _line_of_caller(file) or FIRST_CALL
        return cls(file, function, until, arguments=_arguments(file))

    @classmethod
    def of(cls, function: Callable[..., Any], file: str) -> LoopFile | None:
        """A function that is at hand; None where no other process finds it by its name."""
        name, module = function.__name__, sys.modules.get(function.__module__)
        known = vars(module) if module else inspect.unwrap(function).__globals__
        if not name.isidentifier() or known.get(name) is not function:
            return None
        package = getattr(module, "__package__", None) or ""
        until = _line_of_caller(file)
        return cls(file, name, until, package, tuple(sys.path), _arguments(file))


@dataclass(slots=True)
class _Loading:
    """A file that is being loaded in this process."""

    wanted: LoopFile
    function: str
    module: ModuleType

    def found(self) -> Callable[..., Any] | None:
        """The loop, once it is defined."""
        return _own_functions(self.module).get(self.function)

    def line(self) -> int | None:
        """The line that the file has come to; None where that is not what calls this."""
        return _module_line(lambda frame: frame.f_globals is vars(self.module))


class _Reached(BaseException):
    """The file has come to the call of ``replay``. No handler in it is to get this."""


_loading: list[_Loading] = []
_contained = False


def contain() -> None:
    """This process exists for one loop: whatever is replayed in it runs in it."""
    global _contained  # noqa: PLW0603 - as the process is
    _contained = True


def is_contained() -> bool:
    """Whether this process exists for one loop."""
    return _contained


def reached() -> None:
    """Where ``replay`` is called: does not come back if that ends the loading of a file."""
    now = _loading[-1] if _loading else None
    if now is None or now.wanted.until is None or now.found() is None:
        return
    if (line := now.line()) is not None and now.wanted.until in (FIRST_CALL, line):
        raise _Reached


def loading_line(file: str) -> int | None:
    """The line that the main thread has come to in a file, whatever it calls there."""
    import threading  # noqa: PLC0415 - for a thread that asks, only

    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    return _module_line(lambda one: _same_file(one.f_code.co_filename, file), frame)


def load_function(wanted: LoopFile) -> Callable[..., Any]:
    """A loop from its file; without a name, the file's only one.

    Raises ``LoopError`` with what is wrong and where.
    """
    for now in reversed(_loading):
        if _same_file(now.wanted.file, wanted.file):
            return _so_far(now, wanted)
    module = _new_module(wanted)
    _prepare(wanted)
    function = wanted.function or _only_loop(wanted.file)
    with _as_loading(_Loading(wanted, function, module)) as now:
        try:
            module.__spec__.loader.exec_module(module)  # type: ignore[union-attr]
        except _Reached:
            pass
        except BaseException as error:
            ended_well = isinstance(error, SystemExit) and not error.code
            if not (ended_well and now.found()):
                raise _failed(error, wanted.file) from None
    return _chosen(module, wanted.file, function)


def _so_far(now: _Loading, wanted: LoopFile) -> Callable[..., Any]:
    """A loop of a file that asks for it while it is being loaded."""
    function = wanted.function or now.function
    found = _own_functions(now.module).get(function)
    if found is None:
        line = now.line() or 0
        name = Path(wanted.file).name
        raise LoopError("problem.loop_not_yet", file=name, line=line, function=function or "-")
    return found


def _new_module(wanted: LoopFile) -> ModuleType:
    import importlib.util  # noqa: PLC0415 - start-up time

    name = f"{wanted.package}.{_NAME}" if wanted.package else _NAME
    spec = importlib.util.spec_from_file_location(name, wanted.file)
    if spec is None or spec.loader is None:
        raise LoopError("problem.loop_no_file", file=wanted.file)
    return importlib.util.module_from_spec(spec)


def _prepare(wanted: LoopFile) -> None:
    """What a file finds beside it, as where it is run."""
    sys.path.insert(0, str(Path(wanted.file).parent))
    sys.path += [path for path in wanted.paths if path not in sys.path]
    if wanted.arguments is not None:
        sys.argv[:] = wanted.arguments


@contextmanager
def _as_loading(now: _Loading) -> Iterator[_Loading]:
    sys.modules[now.module.__name__] = now.module
    _loading.append(now)
    try:
        yield now
    finally:
        _loading.remove(now)


def _failed(error: BaseException, file: str) -> LoopError:
    """Why a file can't be loaded. What asks or leaves at once is a script, not broken."""
    if isinstance(error, LoopError) and error.key == "problem.loop_not_yet":
        return error
    key = "script" if isinstance(error, (SystemExit, EOFError)) else "fails"
    return LoopError(
        f"problem.loop_file_{key}",
        file=Path(file).name,
        line=getattr(error, "lineno", None) or _line_in(error, file) or 0,
        error=f"{type(error).__name__}: {error}",
    )


def _line_in(error: BaseException, file: str) -> int | None:
    """The line of ``file`` on which it failed to load."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _own_functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    return {
        name: value
        for name, value in list(vars(module).items())
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }


def _chosen(module: ModuleType, file: str, function: str) -> Callable[..., Any]:
    own = _own_functions(module)
    if not function:
        loops = [name for name, value in own.items() if _parameters(value) >= 3]
        named = Path(file).stem
        function = named if named in own else loops[0] if len(loops) == 1 else ""
    if function not in own:
        raise LoopError(
            "problem.loop_no_function", file=Path(file).name, known=", ".join(own) or "-"
        )
    return own[function]


def _parameters(function: Callable[..., Any]) -> int:
    """A loop takes a model, tools and messages: helpers beside it seldom take three."""
    return len(inspect.signature(function).parameters)


def _only_loop(file: str) -> str:
    """The loop that a file's text shows, ``""`` where it takes more to tell."""
    try:
        body = ast.parse(Path(file).read_text(encoding="utf-8")).body
    except (OSError, ValueError, SyntaxError):
        return ""
    defined = [node for node in body if isinstance(node, ast.FunctionDef)]
    named = [node.name for node in defined if node.name == Path(file).stem]
    loops = [node.name for node in defined if len(node.args.posonlyargs) + len(node.args.args) >= 3]
    found = set(named or loops)
    return found.pop() if len(found) == 1 else ""


def _arguments(file: str) -> tuple[str, ...] | None:
    """The arguments that a script was started with, None for any other file."""
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    return tuple(sys.argv) if script and _same_file(script, file) else None


def _line_of_caller(file: str) -> int | None:
    """The line of a file that calls this while the file itself is running."""
    return _module_line(lambda frame: _same_file(frame.f_code.co_filename, file))


def _module_line(wanted: Callable[[FrameType], bool], frame: FrameType | None = None) -> int | None:
    """The line of the innermost module that is wanted and is running."""
    at: FrameType | None = frame or sys._getframe(1)
    while at is not None:
        if at.f_code.co_name == "<module>" and wanted(at):
            return at.f_lineno
        at = at.f_back
    return None


@cache
def _resolved(file: str) -> str:
    return str(Path(file).resolve())


def _same_file(one: str, other: str) -> bool:
    return one == other or _resolved(one) == _resolved(other)
