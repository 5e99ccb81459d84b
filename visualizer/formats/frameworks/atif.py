"""ATIF: the trajectory format of Harbor, in which many agents keep their runs.

A file is a list of steps by the user, the system or the agent. A step of the agent is one
reply with its tool calls and what was observed. Some agents know no tool calls: what they
observed then answers what their reply said, as a request that is inferred. Steps that are
marked as copied only say again what was sent before. A trajectory may go on in another file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from visualizer.formats.blocks import blocks_of
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.frameworks.atif_steps import (
    Step,
    answered_by,
    calls_in,
    content_of,
    draft_of,
    first_of,
    message_of,
    observed_in,
)
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.replies import (
    give,
    parts_of,
    result,
    sent_with,
    text_of,
    tools_of,
    usage_of,
)
from visualizer.formats.telling.stretches import Stretches, Thread
from visualizer.transcript.history import History
from visualizer.transcript.records import ApiObject

DEEPEST = 10
"""Trajectories of subagents inside one another."""

_AGENT = ("agent", "assistant")
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,200}")


def claims(sample: Sample) -> bool:
    """Whether a file holds trajectories with steps."""
    return any(map(_is_trajectory, sample.items))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in trajectories."""
    found = [(number, one) for number, one in decoded.items if _is_trajectory(one)]
    outside.findings.count("format.other_line", len(decoded.items) - len(found), kind="?")
    stretches, thread = _begun(outside)
    further = False  # a file that belongs to the one before has numbers from 1 on again
    after = [*(number for number, _ in found[1:]), 0]
    for (number, one), following in zip(found, after, strict=False):
        if not further:
            stretches.finish()
            stretches, thread = _begun(outside)
        further = 0 < following <= number
        _tell(stretches, one, thread, 0, further)
    stretches.finish()


def _begun(outside: Outside) -> tuple[Stretches, Thread]:
    stretches = Stretches(outside)
    return stretches, stretches.thread()


def beside(path: Path, decoded: Decoded) -> Iterator[Path]:
    """The file that a trajectory goes on in: one with a plain name, in the same folder."""
    items = decoded.items
    name = items[0][1].get("continued_trajectory_ref") if len(items) == 1 else None
    if isinstance(name, str) and _PLAIN.fullmatch(name):
        other = path.parent / name
        if other.is_file() and not other.is_symlink():
            yield other


def _is_trajectory(one: dict[str, Any]) -> bool:
    steps = one.get("steps")
    if not isinstance(steps, list) or not ("schema_version" in one or "agent" in one):
        return False
    return any(isinstance(step, dict) and "source" in step for step in steps[:5])


def _tell(
    stretches: Stretches, trajectory: Step, thread: Thread, depth: int, further: bool = False
) -> None:
    """One trajectory, then those of the subagents that it holds; it may go on ``further``."""
    teller = _Teller(stretches, trajectory, thread)
    teller.tell(further)
    known = teller.started
    held = trajectory.get("subagent_trajectories")
    for one in held if isinstance(held, list) and depth < DEEPEST else []:
        if isinstance(one, dict) and _is_trajectory(one):
            names = (str(one.get("trajectory_id")), str(one.get("session_id")))
            starter = next((known[name] for name in names if name in known), None)
            _tell(stretches, one, stretches.thread(side=True, starter=starter), depth + 1)


class _Teller:
    """Says the steps of one trajectory as events."""

    def __init__(self, stretches: Stretches, trajectory: dict[str, Any], thread: Thread) -> None:
        self.findings = stretches.outside.findings
        self.thread = thread
        steps = trajectory["steps"]
        self.steps: list[Step] = [one for one in steps if isinstance(one, dict)]
        self.findings.count("format.no_object", len(steps) - len(self.steps))
        agent = trajectory.get("agent")
        self.agent: dict[str, Any] = agent if isinstance(agent, dict) else {}
        self.tools = tools_of(self.agent.get("tool_definitions"))
        self.further = trajectory.get("continued_trajectory_ref")
        self.system: str | None = None
        self.started: dict[str, str] = {}
        self.places = {
            name: at
            for at, step in reversed(list(enumerate(self.steps)))
            for call in calls_in(step)
            if isinstance(name := first_of(call, "tool_call_id", "id", "call_id"), str)
        }
        self.early: dict[int, list[ApiObject]] = {}

    def tell(self, further: bool) -> None:
        """All steps, in their order; ``further`` where those of the next file follow."""
        copied: list[ApiObject] = []
        for at, step in enumerate(self.steps):
            if step.get("is_copied_context") is True:
                copied += self._messages(at, step)
                self.findings.count("format.copied")
                continue
            if copied:
                self._rewrite(copied)
                copied = []
            self._step(at, step)
            sent_with(self.thread, self._model(step), self.system, self.tools)
        if copied:
            self._rewrite(copied)
        if isinstance(self.further, str) and not further:
            self.thread.ended({"end": "continued", "continued_trajectory_ref": self.further})

    def _step(self, at: int, step: Step) -> None:
        source = step.get("source")
        if source in _AGENT and step.get("llm_call_count") != 0:
            self._reply(at, step)
        elif source == "user":
            self.thread.prompt({"role": "user", "content": parts_of(message_of(step))})
            self._results(at, step, [])
        else:
            self._host(step, str(source))
            if source not in _AGENT:
                self._results(at, step, [])

    def _host(self, step: Step, source: str) -> None:
        """What neither the user nor the model said."""
        content = parts_of(message_of(step))
        if source in _AGENT:
            self.findings.count("format.synthetic")
            for one in observed_in(step):
                self._refers(one, answered_by(one))
                content = [*blocks_of(content or []), *blocks_of(content_of(one))]
        blocks = blocks_of(content or [])
        if source == "system" and self.thread.latest is None and self.system is None:
            self.system = text_of(message_of(step)) or None
        elif blocks:
            self.thread.insert(blocks, source)

    def _reply(self, at: int, step: Step) -> None:
        draft = draft_of(at, step)
        raw = step.get("stop_reason", step.get("finish_reason"))
        model, usage = self._model(step), usage_of(step.get("metrics"))
        turn = self.thread.reply(*draft.message(raw, model=model, usage=usage))
        for block in self.early.pop(at, []):
            self.thread.results([block])
        self._results(at, step, draft.requests, turn)
        more = step.get("llm_call_count")
        if isinstance(more, int) and more > 1:
            self.findings.count("format.calls_missing", more - 1)

    def _results(self, at: int, step: Step, requests: list[str], turn: Any = None) -> None:
        results = observed_in(step)
        ids = [answered_by(one) for one in results]
        free = [name for name in requests if name not in ids]
        bare = sum(not isinstance(name, str) for name in ids)
        for one, name in zip(results, ids, strict=True):
            content = content_of(one)
            self._refers(one, name)
            if isinstance(name, str) and self.places.get(name, -1) > at:
                self.findings.count("format.early_result")
                self.early.setdefault(self.places[name], []).append(result(name, content))
            elif isinstance(name, str):
                self.thread.results([result(name, content)])
            elif len(free) == bare == 1:
                give(self.thread, turn, result(free[0], content))
            elif content:
                self.findings.count("format.orphan_result")
                self.thread.insert(blocks_of(content), "observation")

    def _refers(self, one: dict[str, Any], name: Any) -> None:
        """Which subagent worked on a request."""
        refs = one.get("subagent_trajectory_ref")
        for ref in refs if isinstance(refs, list) else [refs]:
            known = ref if isinstance(ref, dict) and isinstance(name, str) else {}
            for key in ("trajectory_id", "session_id"):
                if isinstance(known.get(key), str):
                    self.started.setdefault(known[key], name)

    def _model(self, step: Step) -> str | None:
        for name in (step.get("model_name"), self.agent.get("model_name")):
            if isinstance(name, str):
                return name
        return None

    def _rewrite(self, messages: list[ApiObject]) -> None:
        """What is sent from now on begins with steps that were copied from earlier ones."""
        history = History()
        for message in messages:
            history.append(message)
        began = self.thread.latest is not None
        self.thread.rewritten(history, "rewritten" if began else "resume")

    def _messages(self, at: int, step: Step) -> list[ApiObject]:
        """A copied step as the messages that it was sent as."""
        source = step.get("source")
        if source not in _AGENT:
            if source == "system" and self.system is None:
                self.system = text_of(message_of(step)) or None
                return []
            return [{"role": "user", "content": parts_of(message_of(step))}]
        draft = draft_of(at, step)
        made: list[ApiObject] = [{"role": "assistant", "content": draft.content}]
        results = []
        for one, asked in zip(observed_in(step), draft.requests, strict=False):
            name = answered_by(one)
            content = content_of(one)
            results.append(result(name if isinstance(name, str) else asked, content))
        return [*made, {"role": "user", "content": results}] if results else made


FORMAT = Format("atif", 60, claims, read, beside, by_line=True)
