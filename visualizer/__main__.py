"""``visualizer`` and ``python -m visualizer``."""

import sys
from pathlib import Path

INTERRUPTED = 130


def main() -> None:
    """Run one command and exit; Ctrl+C while the program is still loading is no traceback."""
    try:
        from visualizer.cli.main import main as run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def leave_folder() -> None:
    """Import nothing from the current folder: ``python -m`` looks there first.

    It may hold recordings, and beside them a ``click.py``.
    """
    here = Path.cwd()
    if sys.path and Path(sys.path[0] or here) == here != Path(__file__).parents[1]:
        del sys.path[0]


if __name__ == "__main__":
    leave_folder()
    main()
