"""Where transcripts are: the checkout's folder first, else the packaged one, then the user's."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
FOLDERS_VARIABLE = "VISUALIZER_TRANSCRIPTS"
"""Environment variable: further folders of transcripts, separated as in ``PATH``."""


def shipped(name: str) -> Path:
    """The folder ``name`` that comes with the program."""
    checkout = PACKAGE.parent / name
    if (PACKAGE.parent / "pyproject.toml").is_file() and checkout.is_dir():
        return checkout
    return PACKAGE / name


def transcript_folders() -> list[Path]:
    """Every folder that scenarios are looked up in, the shipped one first."""
    folders = [shipped("transcripts")]
    given = os.environ.get(FOLDERS_VARIABLE, "")
    folders += [Path(part) for part in given.split(os.pathsep) if part]
    return [*folders, _user_folder()]


def transcript_files() -> dict[str, Path]:
    """Scenario name (the file's name without ``.json``) -> file, in the order to show them.

    A name that several folders have belongs to the first of them.
    """
    found: dict[str, Path] = {}
    for folder in transcript_folders():
        if folder.is_dir():
            for path in sorted(folder.glob("*.json"), key=lambda file: file.stem):
                found.setdefault(path.stem, path)
    return found


def _user_folder() -> Path:
    import platformdirs  # noqa: PLC0415 - comes with textual; only needed when folders are listed

    return (
        Path(platformdirs.user_data_path("agent-loop-visualizer", appauthor=False)) / "transcripts"
    )
