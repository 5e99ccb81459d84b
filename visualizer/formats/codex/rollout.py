"""Sessions that the Codex client keeps on disk: rollouts, in JSONL.

Each line wraps an item of the Responses API, an event, or what holds from then on; the oldest
files have bare items. Lines do not say which items came in one reply: the client writes a
token count once a reply, before its items or after them, and calls may have their results
written in between. Without token counts, a reply ends where results follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from visualizer.formats.codex.agents import files_of, started
from visualizer.formats.codex.forks import own_lines
from visualizer.formats.codex.lines import Line, is_header, is_wrapped, unwrapped
from visualizer.formats.codex.reader import Reader
from visualizer.formats.codex.teller import Teller
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.openai.items import is_surely_item
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.stretches import Stretches


def claims(sample: Sample) -> bool:
    """Whether wrapped lines are among the first ones, or bare items after an old header."""
    if any(map(is_wrapped, sample.items)):
        return True
    headed = any(map(is_header, sample.items[:2]))
    return headed and any(map(is_surely_item, sample.items))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in a session, then in those of its subagents."""
    stretches = Stretches(outside)
    files = _files(decoded)
    calls = {agent: call for lines in files[::-1] for agent, call in started(lines).items()}
    for at, lines in enumerate(files):
        copied, own = own_lines(lines, files[:at])
        if copied and not at and len(own) == 1:  # it is all that there is to show
            outside.findings.count("format.only_copied")
            copied, own = [], lines
        reader = Reader(outside.findings, copied, own)
        starter = calls.get(reader.session) if isinstance(reader.session, str) else None
        Teller(stretches, at > 0, starter).tell(reader.events)
    stretches.finish()


def beside(path: Path, decoded: Decoded) -> Iterator[Path]:
    """The rollouts of a session's subagents, as far as they are in the same folder."""
    return files_of(path, started(unwrapped(line) for _, line in decoded.items))


def _files(decoded: Decoded) -> list[list[Line]]:
    """The lines of a session and of those read with it: each begins at the first line again."""
    files: list[list[Line]] = [[]]
    before = 0
    for number, line in decoded.items:
        if number <= before:
            files.append([])
        files[-1].append(unwrapped(line))
        before = number
    return files


FORMAT = Format("codex-rollout", 40, claims, read, beside, by_line=True)
