"""Trajectories of mini-swe-agent: messages of a chat, with what the agent made of them beside.

Newer ones have tool calls. Older ones act by one code block in the text: that is a request, and
the next message its result, both marked as inferred. The oldest are nothing but the list of
messages; a role ``exit`` says how the run ended.
"""

from __future__ import annotations

import re
from typing import Any

from visualizer.formats.blocks import entries
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.replies import (
    Draft,
    count_of,
    give,
    parts_of,
    result,
    sent_with,
    text_of,
    usage_of,
)
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.records import ApiObject, Turn

Entry = dict[str, Any]
_ROLES = ("system", "user", "assistant", "tool", "exit")
_ACTION = re.compile(r"```(?:mswea_bash_command|bash)[ \t]*\n(.*?)\n?```", re.DOTALL)
_TOLD = ("mswea_bash_command", "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL")
_TOOL = "bash"


def claims(sample: Sample) -> bool:
    """Whether a file is a trajectory, or only its messages."""
    if sample.shape != "object":
        return _is_bare(sample.items)
    return any(map(_is_recording, sample.items))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the run in a trajectory."""
    recording: Entry = decoded.items[0][1] if decoded.items else {}
    if decoded.shape != "object":
        recording = {"messages": [one for _, one in decoded.items]}
    _Teller(outside, recording).tell()


def _is_recording(one: Entry) -> bool:
    said = one.get("trajectory_format")
    if isinstance(said, str) and said.startswith("mini-swe-agent"):
        return True
    info = _object(one.get("info"))
    known = any(name in info for name in ("mini_version", "exit_status", "submission"))
    return known and isinstance(one.get("messages"), list)


def _is_bare(items: list[Entry]) -> bool:
    """Whether a list is of messages whose first ones tell the agent how to act."""
    if not items or any(one.get("role") not in _ROLES for one in items[:4]):
        return False
    told = any(mark in text_of(one.get("content")) for one in items[:2] for mark in _TOLD)
    acts = any(
        one["role"] == "assistant" and len(_ACTION.findall(text_of(one.get("content")))) == 1
        for one in items[:4]
    )
    return told and acts


class _Teller:
    """Says the messages as events."""

    def __init__(self, outside: Outside, recording: Entry) -> None:
        self.findings = outside.findings
        self.stretches = Stretches(outside)
        self.thread = self.stretches.thread()
        messages = recording.get("messages")
        self.messages: list[Any] = messages if isinstance(messages, list) else []
        self.info = _object(recording.get("info"))
        self.config = _object(self.info.get("config"))
        self.system: str | None = None
        self.turn: Turn | None = None
        self.waiting: list[str] = []
        self.calls = 0
        self.failed = 0
        self.end: ApiObject = {}

    def tell(self) -> None:
        """All messages, then how the run ended."""
        for entry in self.messages:
            if not isinstance(entry, dict):
                self.findings.count("format.no_object")
                continue
            self._take(entry)
            self._sent()
        self._end()
        self.stretches.finish()
        self._sent()

    def _take(self, entry: Entry) -> None:
        role, content = entry.get("role"), parts_of(entry.get("content"))
        if role == "system" and self.system is None and not self.calls:
            self.system = text_of(content)
        elif role == "assistant":
            self._reply(entry)
        elif role == "tool" or (role == "user" and self._is_result(entry)):
            self._answer(entry, content)
        elif role == "user":
            self._asked(content)
        elif role == "exit":
            self._exit(entry)
        else:
            self.findings.count("format.other_line", kind=str(role))

    def _is_result(self, entry: Entry) -> bool:
        return bool(self.waiting) and "interrupt_type" not in _extra(entry)

    def _asked(self, content: str | list[ApiObject]) -> None:
        """What a user, or the agent where a reply could not be used, put in."""
        self.waiting = []
        if not self.calls:
            self.thread.prompt({"role": "user", "content": content})
        elif content:
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            self.thread.insert(blocks, "user")

    def _reply(self, entry: Entry) -> None:
        self.calls += 1
        draft = Draft()
        draft.think(entry.get("reasoning_content"))
        text = text_of(entry.get("content"))
        draft.say(text)
        for at, call in enumerate(entries(entry.get("tool_calls")), 1):
            function = _object(call.get("function"))
            made = f"call-{self.calls}-{at}"
            draft.ask(function.get("name"), function.get("arguments"), call.get("id"), made)
        if not draft.requests:
            for at, command in enumerate(_commands(entry, text), 1):
                draft.infer_request(_TOOL, {"command": command}, f"call-{self.calls}-{at}")
        came = _object(_extra(entry).get("response"))
        choices = entries(came.get("choices"))
        raw = choices[0].get("finish_reason") if choices else None
        model = came["model"] if isinstance(came.get("model"), str) else None
        usage = usage_of(came.get("usage"))
        self.turn = self.thread.reply(*draft.message(raw, model=model, usage=usage))
        self.waiting = list(draft.requests)

    def _answer(self, entry: Entry, content: str | list[ApiObject]) -> None:
        """What running a command gave; without an id it answers the first that waits."""
        name = entry.get("tool_call_id")
        code = _extra(entry).get("returncode")
        failed = isinstance(code, int) and code != 0
        if isinstance(name, str):
            self.thread.results([result(name, content, failed)])
        elif self.waiting:
            name = self.waiting[0]
            give(self.thread, self.turn, result(name, content, failed))
        else:
            self.thread.results([result(None, content, failed)])
        if name in self.waiting:
            self.waiting.remove(name)

    def _exit(self, entry: Entry) -> None:
        extra = _extra(entry)
        status = extra.get("exit_status")
        if isinstance(status, str):
            self.end = {"end": status}
        said = status if isinstance(status, str) else self.info.get("exit_status")
        if said == "Submitted" and self.waiting:
            self.waiting = self.waiting[-1:]  # the call that submitted: this is what it gave
            self._answer(entry, parts_of(entry.get("content") or extra.get("submission")))
        raised = extra.get("exception_str")
        if isinstance(raised, str) and not self.waiting:
            error = {"type": str(status), "message": raised}
            self.failed += 1
            self.thread.failed(None, {"type": "error", "error": error})

    def _end(self) -> None:
        """What the file says of the end: its status, the cap, the calls it counted."""
        status = self.info.get("exit_status")
        if isinstance(status, str):
            self.end = {"end": status}
        counted = count_of(_object(self.info.get("model_stats")).get("api_calls"))
        cap = count_of(_object(self.config.get("agent")).get("step_limit"))
        if counted:
            self.end["api_calls"] = counted
            held = self.calls + self.failed
            self.findings.count("format.calls_missing", max(0, counted - held))
        if self.end.get("end") == "LimitsExceeded" and 0 < cap <= self.calls:
            self.thread.cap(cap)
        if self.end:
            self.thread.ended(self.end)

    def _sent(self) -> None:
        model = _object(self.config.get("model")).get("model_name")
        sent_with(self.thread, model, self.system)


def _commands(entry: Entry, text: str) -> list[str]:
    """What the agent was asked to run: as it noted it, else the one code block."""
    noted = [one.get("command") for one in entries(_extra(entry).get("actions"))]
    if noted:
        return [one for one in noted if isinstance(one, str)]
    found = _ACTION.findall(text)
    return [str(found[0]).strip()] if len(found) == 1 else []


def _extra(entry: Entry) -> Entry:
    return _object(entry.get("extra"))


def _object(value: Any) -> Entry:
    return value if isinstance(value, dict) else {}


FORMAT = Format("mini-swe-agent", 6, claims, read)
