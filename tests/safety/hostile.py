"""Files of every format that would like to be run, to lead elsewhere, or to write."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from tests.formats import (
    test_atif,
    test_codex_agents,
    test_inspect_ai,
    test_langchain,
    test_mutated_openai,
    test_mutated_trajectories,
    test_mutations,
)
from tests.made import jsonl, transcript
from tests.made_lessons import small
from tests.made_whole import WHOLE
from tests.safety.watch import CANARY

EXECUTED = f"EXECUTED-{CANARY}"
EVIL = f"""
open({EXECUTED!r}, "a").write("executed")
def evil(model, tools, messages, max_turns=10):
    return model(messages).text
"""
LOOPS = ("evil.py", "evil.py:evil", "./evil.py", "evil", "tests.safety.walk", "../outside/evil.py")
IDS = re.compile(r"(?i)(?:^|_)(?:id|uuid|ref|path|cwd|name|model|loop|url|uri|file)$|(?:Id|Uuid)$")
RECORDINGS: dict[str, tuple[Any, bool]] = {
    **test_mutations.RECORDINGS,
    **test_mutated_openai.RECORDINGS,
    **{name: (data, True) for name, data in test_mutated_trajectories.RECORDINGS.items()},
    "own": (WHOLE, False),
}


def words(folder: Path) -> list[str]:
    """What stands in place of ids, names and paths."""
    return [
        "../outside/secret.json",
        str(folder.parent / "outside" / "secret.json"),
        "C:\\outside\\secret.json",
        "evil.py",
        f"a\0/../{CANARY}",
        f"__import__('os').system('echo {CANARY}')",
        "{0.__class__.__init__.__globals__}{" + CANARY + "!r:>{0}}",
        f"$(touch {EXECUTED})`touch {EXECUTED}`",
        f"http://127.0.0.1:9/{CANARY}",
        f"!!python/object/apply:os.system ['touch {EXECUTED}']",
    ]


def planted(value: Any, word: str, known: dict[str, str] | None = None, key: str = "") -> Any:
    """A recording whose ids, names and paths are a word (and others like it)."""
    known = {} if known is None else known
    if isinstance(value, dict):
        return {name: planted(one, word, known, name) for name, one in value.items()}
    if isinstance(value, list):
        return [planted(one, word, known, key) for one in value]
    if isinstance(value, str) and IDS.search(key):
        return known.setdefault(value, word if not known else f"{word}{len(known)}")
    return value.replace("Whitby", word) if isinstance(value, str) else value


def write_all(folder: Path) -> None:
    """All hostile files, in ``folder`` and ``linked`` beside it, and what they want to reach."""
    outside, linked = (folder.with_name(name) for name in ("outside", "linked"))
    for made in (folder, outside, linked):
        made.mkdir()
        (made / "evil.py").write_text(EVIL, encoding="utf-8")
    for name in ("secret.json", "secret.jsonl", "agent-1.jsonl"):
        (outside / name).write_bytes(test_mutations.whole_session().text())
    for number, (name, (data, as_lines)) in enumerate(RECORDINGS.items()):
        these = words(folder)
        for again in (0, 3):
            made = planted(data, these[(number + again) % len(these)])
            lines = made if as_lines else [made]
            (folder / f"{name}-{again}.jsonl").write_bytes(jsonl(lines))
    for name, text in _single(folder):
        (folder / name).write_text(text, encoding="utf-8")
    _linked(linked, outside)
    _packed(folder / "archive.eval")
    _lessons(folder)


def _single(folder: Path) -> Iterator[tuple[str, str]]:
    answer = {"response": {"content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn"}}
    for number, loop in enumerate((*LOOPS, str(folder / "evil.py"))):
        yield f"loop-{number}.json", json.dumps(transcript(answer, settings={"loop": loop}))
        note = {"at": "end", "text": {"en": "x", "ja": "x"}, "loop": loop}
        yield f"note-{number}.json", json.dumps(transcript(answer, notes=[note]))
        expect = {loop: {"result": "x", "terminal_reason": "completed"}}
        counts = {"model_calls": 1, "tool_rounds": 0, "tool_calls": 0}
        expect[loop] |= counts  # type: ignore[arg-type]
        yield f"expect-{number}.json", json.dumps(transcript(answer, expect=expect))
    yield "agenda.txt", "\n".join(f"loop-{n}.json@end" for n in range(4)) + "\nown-0.jsonl\nparis"
    for number, loop in enumerate(LOOPS[:2]):
        yield f"agenda-{number}.txt", f"loop-{number}.json@end\nparis@end,loop={loop} | x\n"
    for number, word in enumerate(words(folder)):
        plain = transcript()
        del plain["runs"]
        yield f"recording-{number}.json", json.dumps({**plain, "recording": word})
        one = test_atif.trajectory(test_atif.ASK, continued_trajectory_ref=word)
        yield f"atif-{number}.json", json.dumps(one)
        schema = {"type": "object", "properties": {"item": {"$ref": word}}, "$id": word}
        tools = [{"name": "look", "input_schema": schema}]
        call = {"type": "tool_use", "id": "a", "name": "look", "input": {"item": "x"}}
        turn = {"response": {"content": [call], "stop_reason": "tool_use"}, "results": []}
        yield f"schema-{number}.json", json.dumps(transcript(turn, request={"tools": tools}))
    for number, word in enumerate(words(folder)[-2:]):
        yield f"yaml-{number}.yaml", f"interactions:\n- request: {{body: {json.dumps(word)}}}\n"
    for number, tag in enumerate(
        ("object/apply:os.system", "object/new:subprocess.Popen", "module:evil", "name:evil.evil")
    ):
        yield f"tag-{number}.yaml", f"interactions:\n- !!python/{tag} ['touch {EXECUTED}']\n"
    built = [test_langchain.constructed(one) for one in test_langchain.ALL]
    built[1] = {**built[1], "id": ["os", "system"], "kwargs": {"command": f"touch {EXECUTED}"}}
    yield "constructor.json", json.dumps(built)
    yield "progress.json", json.dumps({"version": 1, "lessons": {"../outside": {"page": "x"}}})
    yield "groups.toml", '[[group]]\ntitle = {en = "x", ja = "x"}\nscenarios = ["../outside/x"]\n'


def _linked(folder: Path, outside: Path) -> None:
    """Sessions whose neighbours are links that lead out of the folder."""
    session = folder / "session.jsonl"
    session.write_bytes(test_mutations.whole_session().text())
    (folder / "session" / "subagents").mkdir(parents=True)
    (folder / "linked.jsonl").write_bytes(test_mutations.whole_session().text())
    (folder / "linked").mkdir()
    parent = test_codex_agents.parent(*test_codex_agents.WAYS["event"])
    rollout = folder / "rollout-2026-01-01T00-00-00-s1.jsonl"
    rollout.write_bytes(jsonl(parent))
    child = f"rollout-2026-01-01T00-00-01-{test_codex_agents.CHILD}.jsonl"
    with suppress(OSError):  # not every system lets everyone make links
        (folder / "session" / "subagents" / "agent-1.jsonl").symlink_to(outside / "agent-1.jsonl")
        (folder / "linked" / "subagents").symlink_to(outside)
        (folder / child).symlink_to(outside / "secret.jsonl")


def _packed(path: Path) -> None:
    """An archive whose members lead out of the folder that it would be unpacked in."""
    file = BytesIO(test_inspect_ai.packed(test_inspect_ai.ROUND))
    with ZipFile(file, "a") as archive:
        archive.writestr(f"../{EXECUTED}", "x")
        archive.writestr(f"samples/../../{EXECUTED}.json", "{}")
    path.write_bytes(file.getvalue())


def _lessons(folder: Path) -> None:
    """Lessons whose places, questions and claims are driven by a file."""
    place = "paris@end,loop=evil.py"
    pages = {
        "ask": f'ask = [{{ kind = "sent", at = "{place}" }}]',
        "beside": f'view = "compare"\nbeside = "{place}"',
        "order": 'experiment = { kind = "order", loop = "evil.py" }',
        "fine": 'ask = [{ kind = "sent" }]',
    }
    for name, page in pages.items():
        small(folder / f"lesson-{name}", page)
    claim = f"## first | The first\n\nIt makes [3](claim:{place}#model_calls) calls.\n"
    small(folder / "lesson-claim", english=claim)
    at = small(folder / "lesson-at") / "lesson.toml"
    at.write_text(at.read_text(encoding="utf-8").replace("@t0.call", "@end,loop=evil.py"), "utf-8")
