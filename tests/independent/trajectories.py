"""Trajectories of agents: mini-swe-agent, SWE-agent, ATIF, and logs of inspect_ai.

mini-swe-agent: assistant messages are *replies*. Newer ones have ``tool_calls``; else the
actions that the agent noted, or one code block of bash, is the *request*, and the user's next
message the result. The role ``exit`` ends a run: it is the result of the last request where
that one submitted. Prompts: the first user's message, always one.

SWE-agent: each step is one reply, which the history holds again (but for steps that were not
sent any more; a demonstration is no reply). A reply's ``tool_calls``, else its action, are
requests; results are in the steps and in the history: how many of several calls were answered
is only known where every reply asked for one. One prompt where there is one user's message.

ATIF: each step of the agent is a *reply*, but copied ones and those with ``llm_call_count`` 0.
Results name their request; a sole result without a name answers a sole request, or shows one.

inspect_ai: assistant messages that were not given as input are *replies*; the messages of the
role ``tool`` are the results. Prompts and tokens: samples mix model calls of graders: unknown.
"""

from __future__ import annotations

import re
from typing import Any

from tests.independent.raw import Count, Object, each, obj, whole

_BLOCK = re.compile(r"```(?:mswea_bash_command|bash)[ \t]*\n(.*?)\n?```", re.DOTALL)


def is_mini(found: list[Any]) -> bool:
    """A trajectory that says so, or messages that tell how to act."""
    one = obj(found[0]) if found else {}
    info = obj(one.get("info"))
    if str(one.get("trajectory_format", "")).startswith("mini-swe-agent"):
        return True
    if isinstance(one.get("messages"), list):
        return any(name in info for name in ("mini_version", "exit_status", "submission"))
    entries = found[0] if len(found) == 1 and isinstance(found[0], list) else found
    told = str(entries[:2])
    return "mswea_bash_command" in told or "COMPLETE_TASK_AND_SUBMIT" in told


def mini(found: list[Any]) -> Count:
    """A trajectory of mini-swe-agent."""
    head = obj(found[0])
    entries = head["messages"] if isinstance(head.get("messages"), list) else found
    if len(entries) == 1 and isinstance(entries[0], list):
        entries = entries[0]
    replies = asked = answered = orphans = 0
    spent: int | None = None
    waiting: list[Any] = []
    for one in each(entries):
        role, extra = one.get("role"), obj(one.get("extra"))
        if role == "assistant":
            replies += 1
            waiting = _acts(one, extra)
            asked += len(waiting)
            used = obj(obj(extra.get("response")).get("usage")).get("completion_tokens")
            spent = spent if used is None else (spent or 0) + whole(used)
        elif role in ("tool", "user", "exit") and waiting and not extra.get("interrupt_type"):
            name = one.get("tool_call_id")
            if role == "exit" and extra.get("exit_status") != "Submitted":
                continue
            gone = waiting.index(name) if name in waiting else 0
            waiting.pop(gone)
            answered += 1
        elif role == "tool":
            orphans += 1
    return Count(replies, asked, answered, orphans, None, None, spent)


def _acts(one: Object, extra: Object) -> list[Any]:
    calls = [call.get("id") for call in each(one.get("tool_calls"))]
    if calls:
        return calls
    noted = each(extra.get("actions"))
    content = one.get("content")
    text = content if isinstance(content, str) else str(content)
    found = _BLOCK.findall(text)
    return [None] * (len(noted) or int(len(found) == 1))


def is_swe(lines: list[Object]) -> bool:
    """A history or steps."""
    marks = ("agent", "message_type", "thought", "action", "is_demo")
    return any(
        any("action" in step and "observation" in step for step in each(one.get("trajectory")))
        or any(mark in entry for entry in each(one.get("history")) for mark in marks)
        for one in lines
    )


def swe(lines: list[Object]) -> Count:
    """Trajectories of SWE-agent, one an object."""
    replies = asked = answered = 0
    sure = True
    for one in lines:
        steps = [
            step
            for step in each(one.get("trajectory"))
            if str(step.get("response") or "").strip() or str(step.get("action") or "").strip()
        ]
        history = each(one.get("history"))
        said = [
            entry
            for entry in history
            if entry.get("role") == "assistant" and not entry.get("is_demo")
        ]
        sure = sure and len({entry.get("agent") for entry in history}) <= 1
        replies += max(len(steps), len(said))
        counts = [_of_reply(entry) for entry in said]
        counts += [_of_reply(step) for step in steps[len(said) :]]
        sure = sure and all(number <= 1 for number in counts)
        asked += sum(counts)
        results = [entry for entry in history if entry.get("role") in ("tool", "user")]
        seen = [entry for entry in results if entry.get("message_type") == "observation"]
        observed = [step for step in steps if isinstance(step.get("observation"), str)]
        answered += max(len(observed), len(seen))
        sure = sure and bool(observed or not counts)
    if not sure:
        return Count(replies if len(lines) == 1 else None)
    return Count(replies, asked, min(asked, answered), None)


def _of_reply(entry: Object) -> int:
    return len(each(entry.get("tool_calls"))) or int(bool(str(entry.get("action") or "").strip()))


def is_atif(lines: list[Object]) -> bool:
    """Steps with a source, in a trajectory that names its schema or its agent."""
    return any(
        any("source" in step for step in each(one.get("steps")))
        and ("schema_version" in one or "agent" in one)
        for one in lines
    )


def atif(lines: list[Object]) -> Count:
    """Trajectories of one file; those that they hold of subagents, too."""
    replies = asked = prompts = 0
    spent: int | None = None
    requests: set[Any] = set()
    results: list[Any] = []
    sure = True
    stack = [(one, False) for one in lines]
    while stack:
        one, side = stack.pop()
        held = each(one.get("subagent_trajectories"))
        stack += [(other, True) for other in held]
        sure = sure and not held and not one.get("continued_trajectory_ref")
        for at, step in enumerate(each(one.get("steps"))):
            if step.get("is_copied_context") is True:
                continue
            prompts += step.get("source") == "user" and not side
            calls = [
                _name(call, "tool_call_id", "id", "call_id")
                for call in each(step.get("tool_calls"))
            ]
            observation = step.get("observation")
            seen = each(obj(observation).get("results"))
            given = [_name(r, "source_call_id", "tool_call_id", "call_id") for r in seen]
            said = step.get("source") in ("agent", "assistant") and step.get("llm_call_count") != 0
            if said:
                replies += 1
                metrics = obj(step.get("metrics"))
                if "completion_tokens" in metrics:
                    spent = (spent or 0) + whole(metrics["completion_tokens"])
                if isinstance(observation, str) or (given == [None] and not calls):
                    calls, given = [f"step {at}"], [f"step {at}"]
                elif given == [None] and len(calls) == 1:
                    given = calls
                sure = sure and requests.isdisjoint(calls)
                asked += len(calls)
                requests |= set(calls)
            results += given
    answered = len(requests & set(results)) if sure else None
    orphans = sum(one not in requests for one in results) if sure else None
    return Count(
        replies if sure else None, asked if sure else None, answered, orphans, prompts, 0, spent
    )


def _name(one: Object, *names: str) -> Any:
    return next((one[name] for name in names if one.get(name) is not None), None)


def is_inspect(lines: list[Object]) -> bool:
    """A log: an evaluation with its samples."""
    return any(isinstance(one.get("eval"), dict) and "samples" in one for one in lines)


def inspect(lines: list[Object]) -> Count:
    """All samples of a log."""
    replies = asked = answered = orphans = 0
    sure = True
    for sample in [sample for one in lines for sample in each(one.get("samples"))]:
        messages = each(sample.get("messages"))
        sure = sure and (bool(messages) or not each(sample.get("events")))
        said = [
            one
            for one in messages
            if one.get("role") == "assistant" and one.get("source") != "input"
        ]
        calls = [call.get("id") for one in said for call in each(one.get("tool_calls"))]
        given = [one.get("tool_call_id") for one in messages if one.get("role") == "tool"]
        sure = sure and len(calls) == len(set(calls))
        replies += len(said)
        asked += len(calls)
        answered += len(set(calls) & set(given))
        orphans += sum(name not in calls for name in given)
    return Count(replies, asked, answered, orphans) if sure else Count()
