"""Redacted recordings: nothing that was planted is left, and they replay as before."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.formats import test_mutated_openai, test_mutated_trajectories, test_mutations
from tests.made import answer, jsonl, response, scenario, text_block, tool_result, tool_use, write
from tests.made import transcript as made_transcript
from tests.made_secrets import HOMES, NAMED, SHAPED
from visualizer.cli.main import main
from visualizer.collection.recordings import converted
from visualizer.engine import replay
from visualizer.i18n import texts
from visualizer.loading import Scenario, load_transcript, parse, scenario_of
from visualizer.redact import KINDS, redacted
from visualizer.transcript.schema import to_json

Output = pytest.CaptureFixture[str]
ROOT = Path(__file__).parent.parent


FIXTURES: dict[str, bytes] = {
    **{
        name: jsonl(data) if as_lines else json.dumps(data).encode()
        for table in (test_mutations.RECORDINGS, test_mutated_openai.RECORDINGS)
        for name, (data, as_lines) in table.items()
    },
    **{name: jsonl(data) for name, data in test_mutated_trajectories.RECORDINGS.items()},
}
PLANTS: list[tuple[str, str]] = [
    *(("{}", secret) for secrets in SHAPED.values() for secret in secrets),
    *(pair for pairs in NAMED.values() for pair in pairs),
    *((path.replace("petra", "{}"), "petra.petrel") for path in HOMES if "-petra" not in path),
]
BETWEEN = ["", " ", "\n", "\\n", '"', "'", "`", "。"]


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUALIZER_LANG", "en")


def again(text: str) -> Scenario:
    """A scenario from the text of a transcript."""
    return scenario_of(parse(text.encode("utf-8", "surrogatepass"), "made.json"), "made")


def told(run: Any) -> tuple[Any, ...]:
    """What must be the same of a run: its steps without their texts, its counts, its end."""
    return (
        [(*step[:15], step.request is None, step.result is None) for step in run.steps],
        (run.model_calls, run.tool_rounds, run.tool_calls, run.max_turns),
        (run.terminal_reason, type(run.result), [call.take for call in run.calls]),
    )


def assert_replays(before: Scenario, after: Scenario) -> None:
    """Both scenarios have the same runs, and each of them goes the same way."""
    assert [len(run.takes) for run in before.runs] == [len(run.takes) for run in after.runs]
    for left, right in zip(before.runs, after.runs, strict=True):
        assert told(replay(before, run=left.id)) == told(replay(after, run=right.id))


def forms(secret: str) -> set[str]:
    """How a secret may stand in a file."""
    once = [secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]]
    return {*once, *(json.dumps(one)[1:-1] for one in once), quote(secret, safe="")}


@pytest.mark.parametrize("name", FIXTURES)
def test_every_format_replays_as_before(name: str, tmp_path: Path) -> None:
    """Steps, phases, counts and ends are the same, and a second time changes nothing."""
    path = tmp_path / "petra-petrel.json"
    path.write_bytes(FIXTURES[name])
    before = load_transcript(path)
    made, counts = redacted(converted(before))
    text = to_json(made)
    assert "petra-petrel" not in text
    assert counts["file"] == 1
    assert_replays(before, again(text))
    assert to_json(redacted(again(text).transcript)[0]) == text


RESERVED = re.compile(r"[@.](?:example\.(?:com|net|org)|example|invalid|test)$")
"""Domains kept for examples (RFC 2606)."""


@pytest.mark.parametrize("path", sorted((ROOT / "transcripts").glob("*.json")), ids=str)
def test_our_own_transcripts_hold_nothing_private(path: Path) -> None:
    """Of the shipped ones nothing is taken out but addresses at domains that nobody has."""
    transcript = converted(load_transcript(path))
    made, counts = redacted(transcript)
    found = set(re.findall(r"[\w.-]+@[\w-]+(?:\.[\w-]+)+", to_json(transcript)))
    assert all(RESERVED.search(address) for address in found)
    assert set(counts) == ({"email"} if found else set())
    assert found or to_json(made) == to_json(transcript)


PLACED = frozenset({"type", "role", "stop_reason"})


def places(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to every text that a secret may stand in, and to every object."""
    if isinstance(value, dict):
        yield (*here, dict)
        for key, one in value.items():
            if key not in PLACED:
                yield from places(one, (*here, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from places(one, (*here, number))
    elif isinstance(value, str):
        yield here


def plant(draw: st.DrawFn, data: Any, way: tuple[Any, ...]) -> str:
    """A secret put into a text at any place, or as a new key; the secret."""
    around, secret = draw(st.sampled_from(PLANTS))
    piece = around.format(secret)
    holder = data
    for step in way[:-1]:
        holder = holder[step]
    if way[-1] is dict:
        holder[piece] = draw(st.sampled_from([None, 1, "x"]))
        return secret
    old = holder[way[-1]]
    at = draw(st.integers(0, len(old)))
    one, other = draw(st.sampled_from(BETWEEN)), draw(st.sampled_from(BETWEEN))
    holder[way[-1]] = old[:at] + one + piece + other + old[at:]
    return secret


def open_places(data: Any) -> list[tuple[Any, ...]]:
    """The ways to everything that was sent, said or found in the runs of a transcript."""
    ways = []
    for number, run in enumerate(data["runs"]):
        request = ("runs", number, "request", "messages")
        ways += [(*request, *way) for way in places(run["request"]["messages"])]
        for place, turn in enumerate(run["takes"][0]["turns"]):
            here = ("runs", number, "takes", 0, "turns", place)
            for name in ("response", "results", "history"):
                ways += [(*here, name, *way) for way in places(turn.get(name))]
            for which, attempt in enumerate(turn.get("attempts", ())):
                error = (*here, "attempts", which, "error")
                ways += [(*error, *way) for way in places(attempt["error"])]
    return ways


@st.composite
def planted(draw: st.DrawFn, transcript: str) -> tuple[str, list[str]]:
    """A transcript with one to four secrets in different places, and the secrets."""
    data = json.loads(transcript)
    ways = st.lists(st.sampled_from(open_places(data)), min_size=1, max_size=4, unique_by=str)
    secrets = [plant(draw, data, way) for way in sorted(draw(ways), key=len, reverse=True)]
    return json.dumps(data), secrets


SEARCH = settings(
    max_examples=max(5, test_mutations.EXAMPLES // 10),
    deadline=None,
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("name", FIXTURES)
def test_nothing_planted_is_left(name: str, tmp_path: Path) -> None:
    """In any text or key, glued to anything: it goes in every form, and the run is the same."""
    path = tmp_path / "recording.json"
    path.write_bytes(FIXTURES[name])
    transcript = to_json(converted(load_transcript(path)))

    @SEARCH
    @given(planted(transcript))
    def holds(made: tuple[str, list[str]]) -> None:
        before = again(made[0])
        after, counts = redacted(before.transcript)
        text = to_json(after)
        left = [form for secret in made[1] for form in forms(secret) if form in text]
        assert left == []
        assert counts
        assert_replays(before, again(text))
        twice, more = redacted(again(text).transcript)
        assert to_json(twice) == text
        assert more == {}

    holds()


def petrel() -> dict[str, Any]:
    """A transcript of our own with secrets in every part of it."""
    key, path, mail = SHAPED["anthropic-key"][0], "/home/petra/log", "petra@petrel.example"
    both = {"en": f"By {mail}, in /srv/data/petrel.json", "ja": f"{mail} による"}
    block = tool_use("a", "look", path=path, api_key="a1b2c3d4e5f6g7h8i9")
    turn = {
        "response": response(text_block("I look."), block),
        "results": [tool_result("a", f"PETREL_TOKEN=a1b2c3d4e5f6g7h8i9 {path}", is_error=True)],
        "attempts": [{"status": 529, "error": {"message": mail}, "handled": True}],
        "inserted": [{"message": 0, "block": 0, "content": [text_block(mail)], "origin": path}],
    }
    return made_transcript(
        turn,
        answer("It is a1b2c3d4e5f6g7h8i9."),
        title=both,
        summary=both,
        notes=[{"at": "t0.call", "text": both}],
        provenance=[{"of": "/runs", "kind": "recorded", "source": both}],
        request={"system": [text_block(f"{key} {mail}")], "tools": [{"name": "look", mail: path}]},
        expect={
            "agent_loop": {
                "result": "It is a1b2c3d4e5f6g7h8i9.",
                "terminal_reason": "completed",
                "model_calls": 2,
                "tool_rounds": 1,
                "tool_calls": 1,
            }
        },
    )


def test_every_part_of_a_transcript_is_gone_through(capsys: Output, tmp_path: Path) -> None:
    """Texts about it, system, tools, keys, attempts, what was put in, what is expected."""
    path, out = write(tmp_path / "mine.json", petrel()), tmp_path / "out.json"
    assert call("convert", str(path), "--redact", "-o", str(out)) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    first, second = captured.err.splitlines()
    assert first.endswith("anthropic-key 1, secret 1, email 1, home 1, path 1")
    assert second == texts("en")("redact.look")
    text = out.read_text(encoding="utf-8")
    for secret in ("sk-ant", "petra", "a1b2c3d4", "/srv"):
        assert secret not in text
    assert text.count("[redacted:secret-1]") == 4
    assert "/home/user-1/log" in text
    assert call("check", str(out)) == 0
    assert_replays(load_transcript(path), load_transcript(out))


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_command_says_what_it_took_out(language: str, capsys: Output, tmp_path: Path) -> None:
    """On standard error, by kind, also where there is nothing; the transcript is on its own."""
    path = write(tmp_path / "mine.json", made_transcript(answer("Write to petra@petrel.example")))
    assert call("convert", str(path), "--redact", "--lang", language) == 0
    captured = capsys.readouterr()
    assert (
        "[redacted:email-1]"
        in json.loads(captured.out)["runs"][0]["takes"][0]["turns"][0]["response"]["content"][0][
            "text"
        ]
    )
    say = texts(language)
    assert captured.err.splitlines() == [say("redact.found", found="email 1"), say("redact.look")]
    path.write_text(captured.out, encoding="utf-8")
    assert call("convert", str(path), "--redact", "--lang", language) == 0
    again_said = capsys.readouterr()
    assert again_said.out == captured.out
    assert again_said.err.splitlines() == [say("redact.nothing"), say("redact.look")]
    assert call("convert", str(path), "--lang", language) == 0
    assert capsys.readouterr().err == ""


def test_the_file_s_name_and_paths_about_it_go() -> None:
    """A title that is a file's name, of a recording that was converted before, too."""
    name = {"en": "petra petrel.jsonl", "ja": "petra petrel.jsonl"}
    source = {"en": "From C:\\data\\petrel.json and /runs", "ja": "x"}
    told_of = [{"of": "/runs", "kind": "recorded", "source": source}]
    before = scenario(answer("fin"), title=name, provenance=told_of)
    made, counts = redacted(before.transcript)
    assert made.title.en == made.title.ja == "[redacted:file-1].jsonl"
    assert made.provenance[0].of == "/runs"
    assert made.provenance[0].source.en == "From [redacted:path-1] and /runs"
    assert counts == {"path": 1, "file": 1}


def test_the_table_of_the_readme_names_every_kind() -> None:
    """What is said to be found is what is found."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for kind in (*KINDS, "path", "file"):
        assert f"`{kind}`" in readme


def test_the_given_transcript_is_left_alone() -> None:
    """Redacting makes a new one."""
    before = again(json.dumps(petrel()))
    text = to_json(before.transcript)
    redacted(before.transcript)
    assert to_json(before.transcript) == text
