"""Trajectories of SWE-agent: the history that was sent, and the steps with what came of them.

The history is the better source: it has the messages, with tool calls where the model made
any. Older models act by their text: the action that SWE-agent took from it is a request, and
the message that follows is its result, both marked as inferred. The steps have what the history
ends before: the last observation, and steps that were not sent any more.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import entries
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.outside import Findings, Format, Outside, Sample
from visualizer.formats.telling.replies import Draft, give, parts_of, result, sent_with, text_of
from visualizer.formats.telling.stretches import Stretches, Thread
from visualizer.transcript.records import ApiObject, Turn

Entry = dict[str, Any]
_MARKS = ("agent", "message_type", "thought", "action", "is_demo")
_SHELL = "shell"


def claims(sample: Sample) -> bool:
    """Whether a file holds a history or steps of SWE-agent."""
    return any(map(_is_recording, sample.items))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in trajectories."""
    for _, one in decoded.items:
        if _is_recording(one):
            _Teller(outside, one).tell()
        else:
            outside.findings.count("format.other_line", kind="?")


def _is_recording(one: Entry) -> bool:
    history, steps = entries(one.get("history")), entries(one.get("trajectory"))
    if any("action" in step and "observation" in step for step in steps):
        return True
    return any("role" in entry and any(mark in entry for mark in _MARKS) for entry in history)


class _Teller:
    """Says one trajectory as events; each agent in it has a conversation of its own."""

    def __init__(self, outside: Outside, recording: Entry) -> None:
        self.outside = outside
        self.stretches = Stretches(outside)
        self.history = entries(recording.get("history"))
        self.steps = entries(recording.get("trajectory"))
        info = recording.get("info")
        self.info: Entry = info if isinstance(info, dict) else {}
        self.agents: dict[str, _Agent] = {}
        self.number = 0

    def tell(self) -> None:
        """The history, the steps beyond it, and the end."""
        history = self.history or self._first_sent()
        main = str(next((one["agent"] for one in history if "agent" in one), ""))
        for entry in history:
            name = str(entry.get("agent", main))
            self._agent(name, name != main).take(entry, self._next(entry))
        agent = self._agent(main, False)
        for step in self._beyond(agent):
            agent.step(step, self._next({"role": "assistant"}))
        said = self._said(agent)
        if said:
            agent.thread.ended(said)
        self.stretches.finish()
        for one in self.agents.values():
            one.sent()

    def _agent(self, name: str, side: bool) -> _Agent:
        if name not in self.agents:
            self.agents[name] = _Agent(self.stretches.thread(side=side), self.outside.findings)
        return self.agents[name]

    def _next(self, entry: Entry) -> int:
        self.number += entry.get("role") == "assistant"
        return self.number

    def _first_sent(self) -> list[Entry]:
        """What the first step was asked with, where the file has no history."""
        first = self.steps[0] if self.steps else {}
        sent = entries(first.get("query")) or entries(first.get("messages"))
        return [one for one in sent if one.get("role") in ("system", "user")]

    def _beyond(self, agent: _Agent) -> list[Entry]:
        """The steps after the last one that the history holds; completes that one."""
        replies, steps = agent.actions, self.steps
        if not replies:
            return steps
        same = [at for at, step in enumerate(steps) if _text(step, "action") == replies[-1]]
        if not same:
            return []
        at = len(replies) - 1 if len(replies) - 1 in same else same[-1]
        observation = steps[at].get("observation")
        if agent.waiting and isinstance(observation, str):
            agent.answer(observation, agent.waiting[:1])
        return steps[at + 1 :]

    def _said(self, agent: _Agent) -> ApiObject:
        said: ApiObject = {}
        status, stats = self.info.get("exit_status"), self.info.get("model_stats")
        if isinstance(status, str):
            said["end"] = status
        calls = stats.get("api_calls") if isinstance(stats, dict) else None
        if isinstance(calls, int) and not isinstance(calls, bool) and calls > 0:
            said["api_calls"] = calls
            held = sum(len(one.actions) for one in self.agents.values())
            self.outside.findings.count("format.calls_missing", max(0, calls - held))
        return said


class _Agent:
    """One agent's conversation."""

    def __init__(self, thread: Thread, findings: Findings) -> None:
        self.thread = thread
        self.findings = findings
        self.system: str | None = None
        self.turn: Turn | None = None
        self.waiting: list[str] = []
        self.actions: list[str] = []
        self.inferred: set[str] = set()

    def take(self, entry: Entry, number: int) -> None:
        """One message of the history."""
        role, content = entry.get("role"), parts_of(entry.get("content"))
        if entry.get("is_demo"):
            said = "assistant" if role == "assistant" else "user"
            self.thread.prompt({"role": said, "content": content}, asks=False)
        elif role == "system" and self.system is None and not self.actions:
            self.system = text_of(content)
        elif role == "assistant":
            self._reply(entry, number)
        elif role == "tool" or (role == "user" and self.waiting):
            ids = entry.get("tool_call_ids") or entry.get("tool_call_id")
            self.answer(content, ids if isinstance(ids, list) else [ids])
        elif role == "user":
            self.waiting = []
            self.thread.prompt({"role": "user", "content": content})
        elif content:
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            self.thread.insert(blocks, str(role))
        self.sent()

    def answer(self, content: Any, ids: list[Any]) -> None:
        """An observation, for the calls with these ids, else for the one that waits."""
        told = [one for one in ids if isinstance(one, str)]
        inferred = not told or told[0] in self.inferred
        named: list[str | None] = [*(told or self.waiting[:1])]
        for name in named or [None]:
            block = result(name, content)
            if inferred and name is not None:
                give(self.thread, self.turn, block)
            else:
                self.thread.results([block])
            if name in self.waiting:
                self.waiting.remove(name)

    def step(self, step: Entry, number: int) -> None:
        """A step that the history does not hold any more."""
        if not _text(step, "response") and not _text(step, "action"):
            return  # how the run ended, not what a model said
        self._reply({**step, "content": step.get("response")}, number)
        if self.waiting and isinstance(step.get("observation"), str):
            self.answer(step["observation"], self.waiting[:1])
        self.sent()

    def _reply(self, entry: Entry, number: int) -> None:
        draft = Draft()
        for block in entries(entry.get("thinking_blocks")):
            if isinstance(block.get("type"), str):
                draft.content.append(block)
        content = parts_of(entry.get("content"))
        draft.say(content if isinstance(content, str) else text_of(content))
        for at, call in enumerate(entries(entry.get("tool_calls")), 1):
            function = call.get("function")
            function = function if isinstance(function, dict) else {}
            made = f"step-{number}-call-{at}"
            draft.ask(function.get("name"), function.get("arguments"), call.get("id"), made)
        action = _text(entry, "action")
        self.inferred = set()
        if action and not draft.requests:
            draft.infer_request(_SHELL, {"command": action}, f"step-{number}")
            self.inferred = set(draft.requests)
        self.turn = self.thread.reply(*draft.message())
        self.waiting = list(draft.requests)
        self.actions.append(action)

    def sent(self) -> None:
        """The system prompt belongs to each run."""
        sent_with(self.thread, system=self.system)


def _text(entry: Entry, name: str) -> str:
    value = entry.get(name)
    return value.strip() if isinstance(value, str) else ""


FORMAT = Format("swe-agent", 61, claims, read, by_line=True)
