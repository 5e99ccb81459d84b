"""``visualizer`` and ``python -m visualizer``."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run one command and exit; Ctrl+C while the program is still loading is no traceback."""
    try:
        from visualizer.cli import main as run  # noqa: PLC0415

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
