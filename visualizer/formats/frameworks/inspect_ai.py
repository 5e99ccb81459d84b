"""Logs of inspect_ai: samples of an evaluation, each a conversation with the model.

A sample has the messages at its end, and mostly events: each call of the model with its
flags and tokens, found by the message that it gave. Long texts are kept once and referred to.
"""

from __future__ import annotations

import json
from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.frameworks.inspect_blocks import message_blocks, resolved, usage_of
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.replies import Draft, result, sent_with, text_of, tools_of
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.records import ApiObject

Entry = dict[str, Any]
_MARKS = ("plan", "status", "samples", "results", "stats")


def claims(sample: Sample) -> bool:
    """Whether a file is a log."""
    return any(map(_is_log, sample.items))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in a log: those of each sample."""
    for _, log in decoded.items:
        if not _is_log(log):
            outside.findings.count("format.other_line", kind="?")
            continue
        model = entry(log.get("eval")).get("model")
        samples = log.get("samples")
        for sample in samples if isinstance(samples, list) else []:
            if isinstance(sample, dict):
                _Teller(outside, sample, model).tell()
            else:
                outside.findings.count("format.no_object")


def _is_log(one: Entry) -> bool:
    return isinstance(one.get("eval"), dict) and any(name in one for name in _MARKS)


class _Teller:
    """Says the messages of one sample as events."""

    def __init__(self, outside: Outside, sample: Entry, model: Any) -> None:
        self.findings = outside.findings
        self.stretches = Stretches(outside)
        self.thread = self.stretches.thread()
        self.model = model
        kept = entry(sample.get("attachments"))
        self.sample = sample
        self.calls = self._calls(kept)
        self.messages = self._messages(kept)
        self.system: str | None = None
        self.tools = None
        for call in self.calls:
            self.tools = self.tools or tools_of(call.get("tools"))
        self.replied = 0

    def tell(self) -> None:
        """All messages, with the failed calls before them, then the end."""
        told = {_key(message): call for call in self.calls if (message := _given(call))}
        failures, waiting = self._failures()
        said = set()
        for number, message in enumerate(self.messages):
            said.add(_key(message))
            if message.get("role") == "assistant" and not _was_input(message):
                for error in failures.get(_key(message), []):
                    self.thread.failed(None, error, handled=True)
                self._reply(message, told.get(_key(message), {}), number)
            else:
                self._other(message)
            self._sent()
        self.findings.count("format.beside_calls", sum(one not in said for one in told))
        self._end(waiting)
        self.stretches.finish()
        self._sent()

    def _calls(self, kept: Entry) -> list[Entry]:
        found = [one for one in entries(self.sample.get("events")) if one.get("event") == "model"]
        names = ("input", "output", "tools", "error")
        return [
            {name: resolved(one.get(name), kept)[0] for name in names} | {"model": one.get("model")}
            for one in found
        ]

    def _messages(self, kept: Entry) -> list[Entry]:
        """The sample's messages; where it holds none, those of its last call."""
        value, missing = resolved(self.sample.get("messages"), kept)
        self.findings.count("format.missing_attachment", missing)
        found = entries(value)
        if not found and self.calls:
            last = self.calls[-1]
            found = entries(last.get("input"))
            if (given := _given(last)) is not None:
                found.append(given)
        return found

    def _failures(self) -> tuple[dict[str, list[ApiObject]], list[ApiObject]]:
        """Failed calls before each reply that came then, and those that none came after."""
        before: dict[str, list[ApiObject]] = {}
        waiting: list[ApiObject] = []
        for call in self.calls:
            given = _given(call)
            if call.get("error") and given is None:
                error = {"type": "error", "message": str(call["error"])[:2000]}
                waiting.append({"type": "error", "error": error})
            elif given is not None:
                before.setdefault(_key(given), []).extend(waiting)
                waiting = []
        return before, waiting

    def _other(self, message: Entry) -> None:
        """What the model did not say."""
        role, content = message.get("role"), message.get("content")
        blocks = message_blocks(content)
        if role == "tool":
            self._result(message)
        elif role == "system" and not self.replied and self.system is None:
            self.system = text_of(blocks)
        elif role == "assistant":
            self.thread.prompt({"role": "assistant", "content": blocks}, asks=False)
        elif role == "user" and (not self.replied or _was_input(message)):
            self.thread.prompt({"role": "user", "content": blocks})
        elif role in ("user", "system"):
            self.thread.insert(blocks, str(role))
        else:
            self.findings.count("format.other_line", kind=str(role))

    def _result(self, message: Entry) -> None:
        error = entry(message.get("error"))
        content: Any = message_blocks(message.get("content"))
        if error and not content:
            content = str(error.get("message", ""))
        answers = message.get("tool_call_id")
        self.thread.results([result(answers, content, bool(error))])

    def _reply(self, message: Entry, call: Entry, number: int) -> None:
        draft = Draft()
        draft.content += message_blocks(message.get("content"))
        for at, one in enumerate(entries(message.get("tool_calls")), 1):
            made = f"message-{number + 1}-call-{at}"
            draft.ask(one.get("function"), one.get("arguments"), one.get("id"), made)
        output = entry(call.get("output")) or self._last_output(message)
        choice = next(iter(entries(output.get("choices"))), {})
        model = next((m for m in (output.get("model"), message.get("model")) if _is_text(m)), None)
        usage = usage_of(output.get("usage"))
        self.thread.reply(*draft.message(choice.get("stop_reason"), model=model, usage=usage))
        self.replied += 1

    def _last_output(self, message: Entry) -> Entry:
        """The sample's output, where it is this message's."""
        output = entry(self.sample.get("output"))
        given = _given({"output": output})
        return output if given is not None and _key(given) == _key(message) else {}

    def _end(self, waiting: list[ApiObject]) -> None:
        limit, error = entry(self.sample.get("limit")), entry(self.sample.get("error"))
        for one in waiting[-1:] if error else []:
            self.thread.failed(None, one)
        most = limit.get("limit")
        if limit.get("type") == "turn" and isinstance(most, (int, float)) and most >= 1:
            self.thread.cap(int(most))
        if limit:
            self.thread.ended({"end": f"{limit.get('type')} limit", "limit": most})
        elif error:
            self.thread.ended({"end": "error", "error": str(error.get("message", ""))})

    def _sent(self) -> None:
        sent_with(self.thread, self.model, self.system, self.tools)


def _given(call: Entry) -> Entry | None:
    """The message that a call gave."""
    choices = entries(entry(call.get("output")).get("choices"))
    message = choices[0].get("message") if choices else None
    return message if isinstance(message, dict) else None


def _key(message: Entry) -> str:
    """What a message is known by: its id, where it has one, else what it says."""
    name = message.get("id")
    if isinstance(name, str):
        return name
    return json.dumps([message.get("content"), message.get("tool_calls")], sort_keys=True)


def _was_input(message: Entry) -> bool:
    return message.get("source") == "input"


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


FORMAT = Format("inspect-ai", 62, claims, read, by_line=True)
