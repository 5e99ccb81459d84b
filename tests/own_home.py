"""A home folder made for a test, with recordings where clients keep them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.made_outside import Session, small_session

CLAUDE = ".claude/projects/-home-me-harbour/one.jsonl"
CODEX = ".codex/sessions/2026/11/29/rollout-2026-11-29T10-00-00-x.jsonl"
ARCHIVED = ".codex/archived_sessions/rollout-2026-11-01T10-00-00-y.jsonl"
GEMINI = ".gemini/tmp/harbour/chats/session-2026-11-29T10-00-abc.json"
KEPT = (CLAUDE, CODEX, ARCHIVED, GEMINI)


def home_for(patch: pytest.MonkeyPatch, home: Path) -> Path:
    """Make ``home`` the home folder; no client's variable leads elsewhere."""
    for name in ("HOME", "USERPROFILE"):
        patch.setenv(name, str(home))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        patch.delenv(name, raising=False)
    return home


def keep(home: Path, *names: str, session: Session | None = None) -> None:
    """Put a recording at each name, each newer than the one before."""
    for age, name in enumerate(names):
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((session or small_session()).text())
        os.utime(file, (1_700_000_000 + age * 60,) * 2)
