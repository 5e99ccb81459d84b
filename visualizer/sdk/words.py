"""The lines of a stream in words: a row for each, and what there is to know about one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from visualizer.describe import call_line, label_of, result_line, value_text
from visualizer.describe.phrases import excerpt, join, safe
from visualizer.i18n import Texts
from visualizer.messages import Block
from visualizer.run.timeline import Run
from visualizer.sdk.ending import CLIENT, differences, remark
from visualizer.sdk.lines import Event
from visualizer.sdk.stream import Row, Stream

ROW = 400
"""Cells of a row, at the most: more than any screen is wide."""
_RESULT = ("num_turns", "stop_reason", "result")
_KNOWN = ("init", "api_retry", "compact_boundary", "permission_denied", "informational")
_SILENT = ("check", "append", "wait", "limit", "approve", "truncate", "rewrite")


def kind_text(event: Event) -> str:
    """The type of a line, as the stream has it."""
    found = event.line.get("type")
    return safe(found, 20) if isinstance(found, str) else "?"


def name_text(event: Event) -> str:
    """What tells it apart from others of its type: subtype or block type."""
    return "" if event.name == event.line.get("type") else safe(event.name, 22)


def message_id(event: Event) -> str:
    """The message id of an assistant line; ``""`` for others."""
    message = event.line.get("message")
    found = message.get("id") if isinstance(message, Mapping) else None
    return safe(found, 20) if isinstance(found, str) else ""


def summary(run: Run, event: Event, texts: Texts) -> str:
    """What a line says, on one row."""
    if event.kind == "assistant":
        return f"{message_id(event)}  {_block(run, event.line, texts)}"
    if event.kind == "user":
        return _block(run, event.line, texts)
    if event.kind == "result":
        said = [f"{name} {value_text(event.line[name])}" for name in _RESULT if name in event.line]
        return texts("sdk.comma").join(said)
    if event.kind == "stream_event":
        return _raw(event.line.get("event"))
    return _system(event, texts)


def explained(stream: Stream, row: Row, texts: Texts) -> str:
    """What there is to know about a row, in a few sentences."""
    event, run = row.event, stream.run
    if event is None:
        step = run.step(row.step)
        phase = step.phase
        if phase == "end":
            return result_text(stream, texts)
        if phase == "execute" and step.result is not None:
            return texts("sdk.silent.execute")
        return texts(f"sdk.silent.{phase}" if phase in _SILENT else "sdk.silent.other")
    if event.kind == "assistant":
        about = texts("sdk.about.assistant", part=event.part, parts=event.parts, reply=event.reply)
    elif event.kind == "user":
        about = texts(f"sdk.about.{'result_of_tool' if event.name == 'tool_result' else 'note'}")
    elif event.kind == "stream_event":
        about = texts("sdk.about.stream_event")
    elif event.kind == "result":
        return join([result_text(stream, texts), *_checked(stream, texts)], texts)
    else:
        about = texts(f"sdk.about.{event.name if event.name in _KNOWN else 'other'}")
    return join([about, texts("sdk.recorded") if event.recorded else ""], texts)


def counts_text(stream: Stream, texts: Texts) -> str:
    """``num_turns`` beside what it is taken for, in one line; ``""`` before the run's end."""
    run = stream.run
    if run.steps[-1].phase != "end":
        return ""
    cap = str(run.max_turns) if run.max_turns is not None else texts("sdk.none")
    turns = str(stream.num_turns) if stream.num_turns is not None else "-"
    return texts(
        "sdk.counts",
        turns=turns,
        calls=run.model_calls,
        cap=cap,
        assistants=stream.count("assistant"),
        ids=stream.message_ids,
        users=stream.count("user"),
    )


def result_text(stream: Stream, texts: Texts) -> str:
    """The result line in words: whether it has a ``result``, and how ``num_turns`` came about."""
    event, run = stream.result, stream.run
    if event is None:
        return texts(f"sdk.about.{'result_later' if stream.stretch.goes_on else 'no_result'}")
    line = event.line
    said = [texts(f"sdk.about.{'has_result' if 'result' in line else 'lacks_result'}")]
    if event.recorded:
        return join([*said, texts("sdk.recorded")], texts)
    key = "cap_and_one" if run.terminal_reason == "max_turns" else "users_and_one"
    users = stream.count("user") + stream.stretch.users
    said.append(texts(f"sdk.about.{key}", n=stream.num_turns, users=users))
    if denials := line.get("permission_denials"):
        said.append(texts.count("sdk.about.denials", len(denials)))
    if more := remark(run):
        said.append(texts(f"sdk.remark.{more}", client=CLIENT))
    return join(said, texts)


def _checked(stream: Stream, texts: Texts) -> list[str]:
    """Whether the client's own line says the same, where there is one."""
    if stream.said is None or stream.result is None or stream.result.recorded:
        return []
    found = differences(stream.result.line, stream.said)
    if not found:
        return [texts("sdk.checked.same", client=CLIENT)]
    return [
        texts("sdk.checked.differs", field=name, ours=value_text(one), theirs=value_text(other))
        for name, one, other in found
    ]


def _system(event: Event, texts: Texts) -> str:
    line = event.line
    if event.name == "init":
        model = line.get("model")
        names = ", ".join(map(str, line.get("tools") or ()))
        said = texts("sdk.row.init", tools=safe(names, ROW) or texts("sdk.none"))
        return f"{safe(model, 40)}  {said}" if isinstance(model, str) else said
    if event.name == "api_retry":
        return safe(f"{line.get('error_status')} {line.get('error')}", ROW)
    if event.name == "permission_denied":
        return safe(f"{line.get('tool_name')}  {line.get('message', '')}", ROW)
    text = line.get("content", line.get("message", line.get("suggestion", "")))
    return safe(text, ROW) if isinstance(text, str) else ""


def _block(run: Run, line: Mapping[str, Any], texts: Texts) -> str:
    block = block_of(line)
    if block is None:
        return ""
    if block.type == "tool_use":
        return call_line(block, label_of(run, block.id))
    if block.type == "tool_result":
        return result_line(block, label_of(run, block.tool_use_id), texts)
    return excerpt(block.text, ROW) if block.type == "text" else f"({safe(block.type, 20)})"


def block_of(line: Mapping[str, Any]) -> Block | None:
    """The block that an assistant or user line carries."""
    message = line.get("message")
    content = message.get("content") if isinstance(message, Mapping) else None
    if isinstance(content, str):
        return Block({"type": "text", "text": content})
    one = content[0] if isinstance(content, list) and content else None
    return Block(one) if isinstance(one, Mapping) else None


def _raw(event: Any) -> str:
    delta = event.get("delta") if isinstance(event, Mapping) else None
    if not isinstance(delta, Mapping):
        return ""
    for name in ("text", "partial_json", "stop_reason"):
        if name in delta:
            return f"{name} {value_text(delta[name], ROW)}"
    return ""
