"""Where transcripts and lessons are: the checkout's folder, else the packaged one.

Transcripts are looked for in the user's folders too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""What a scenario can be called in a file, and is looked up by at once."""

PACKAGE = Path(__file__).resolve().parents[1]
PACKAGED = {"lessons": "lessons/data"}
"""Where a shipped folder is inside the package, when not under its own name."""
FOLDERS_VARIABLE = "VISUALIZER_TRANSCRIPTS"
"""Environment variable: further folders of transcripts, separated as in ``PATH``."""


def shipped(name: str) -> Path:
    """The folder ``name`` that comes with the program."""
    checkout = PACKAGE.parent / name
    if (PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return PACKAGE / PACKAGED.get(name, name)


def transcript_folders() -> Iterator[Path]:
    """Every folder that scenarios are looked up in, the shipped one first."""
    yield shipped("transcripts")
    given = os.environ.get(FOLDERS_VARIABLE, "")
    yield from (Path(part) for part in given.split(os.pathsep) if part)
    yield _user_folder()


def find_transcript(name: str) -> Path | None:
    """The file of a scenario, None where there is none of that name."""
    if not NAME.fullmatch(name):
        # Compared with the names that there are, not made into a path.
        return None if "/" in name or os.sep in name else transcript_files().get(name)
    files = (folder / f"{name}.json" for folder in transcript_folders())
    return next((file for file in files if file.is_file()), None)


def transcript_files() -> dict[str, Path]:
    """Scenario name (the file's name without ``.json``) -> file, in the order to show them.

    A name that several folders have belongs to the first of them.
    """
    found: dict[str, Path] = {}
    for folder in transcript_folders():
        with suppress(OSError):  # one that can't be looked into is no folder of transcripts
            for path in sorted(folder.glob("*.json"), key=lambda file: file.stem):
                found.setdefault(path.stem, path)
    return found


def _user_folder() -> Path:
    import platformdirs  # noqa: PLC0415 - comes with textual; only needed when folders are listed

    return (
        Path(platformdirs.user_data_path("agent-loop-visualizer", appauthor=False)) / "transcripts"
    )
