"""What the Gemini CLI prints with ``--output-format stream-json``: a line an event.

Words come in pieces. Nothing says which calls came in one reply: here a reply ends where the
result of one of its calls is followed by something else of the model. Tokens are told of the
whole run only.
"""

from __future__ import annotations

from typing import Any

from visualizer.formats.blocks import entry
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.replies import Draft, result, sent_with, tokens_of
from visualizer.formats.telling.stretches import Stretches
from visualizer.transcript.records import ApiObject

Line = dict[str, Any]


def claims(sample: Sample) -> bool:
    """Whether lines that only this client prints are among the first ones."""
    return any(map(_is_line, sample.items))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in what was printed."""
    reader = _Reader(Stretches(outside))
    for _, line in decoded.items:
        reader.take(line)
    reader.finish()


def _is_line(line: Line) -> bool:
    match line.get("type"):
        case "init":
            return isinstance(line.get("session_id"), str) and "model" in line
        case "tool_use":
            return isinstance(line.get("tool_id"), str) and "tool_name" in line
        case "result":
            return isinstance(line.get("stats"), dict)
    return False


class _Reader:
    """Says lines as events; a reply is whole where something else comes."""

    def __init__(self, stretches: Stretches) -> None:
        self.stretches = stretches
        self.findings = stretches.outside.findings
        self.thread = stretches.thread()
        self._session: Any = None
        self._model: Any = None
        self._draft: Draft | None = None
        self._results: list[ApiObject] = []
        self._replies = 0

    def take(self, line: Line) -> None:
        """One line."""
        kind = line.get("type")
        match kind:
            case "init":
                self._init(line)
            case "message" if isinstance(line.get("content"), str):
                self._message(line)
            case "tool_use":
                self._call(line)
            case "tool_result":
                self._result(line)
            case "error":
                shown = line.get("severity")
                self.findings.count("format.other_line", kind=f"error/{str(shown)[:40]}")
            case "result":
                self._end(line)
            case _:
                shown = kind if isinstance(kind, str) else "?"
                self.findings.count("format.other_line", kind=shown[:40])

    def finish(self) -> None:
        """All lines are in."""
        self._close()
        self.stretches.finish()

    def _init(self, line: Line) -> None:
        self._close()
        if self._session not in (None, line.get("session_id")):
            self.thread = self.stretches.thread()
        self._session, self._model = line.get("session_id"), line.get("model")
        self.thread.anew()

    def _message(self, line: Line) -> None:
        if line.get("role") == "user":
            self._close()
            self.thread.prompt({"role": "user", "content": line["content"]})
            return
        draft = self._reply()
        last = draft.content[-1] if draft.content else {}
        if line.get("delta") is True and last.get("type") == "text":
            last["text"] += line["content"]
        else:
            draft.say(line["content"])

    def _call(self, line: Line) -> None:
        draft = self._reply()
        made = f"reply-{self._replies + 1}-call-{len(draft.requests) + 1}"
        draft.ask(line.get("tool_name"), line.get("parameters"), line.get("tool_id"), made)

    def _reply(self) -> Draft:
        """The reply that is going on, or a new one."""
        if self._results:
            self._close()
        if self._draft is None:
            self._draft = Draft()
        return self._draft

    def _result(self, line: Line) -> None:
        failed = line.get("status") == "error"
        said = entry(line.get("error")).get("message")
        given = line.get("output")
        content = next((one for one in (given, said) if isinstance(one, str)), "")
        name = line.get("tool_id")
        self._results.append(result(name, content, failed))

    def _close(self) -> None:
        """A reply and its results are whole."""
        draft, results = self._draft, self._results
        self._draft, self._results = None, []
        if draft is not None:
            self._replies += 1
            self.thread.reply(*draft.message())
            sent_with(self.thread, self._model)
        for block in results:
            self.thread.results([block])

    def _end(self, line: Line) -> None:
        self._close()
        status, stats = line.get("status"), entry(line.get("stats"))
        error = entry(line.get("error"))
        if status == "error" and error:
            told = {"type": "api_error", "message": str(error.get("message", ""))}
            self.thread.failed(None, {"type": "error", "error": told})
        sent, received = stats.get("input_tokens"), stats.get("output_tokens")
        usage = tokens_of(sent, received, stats.get("cached"))
        self.thread.ended({"end": str(status), **({"usage": usage} if usage else {})})


FORMAT = Format("gemini-stream", 43, claims, read)
