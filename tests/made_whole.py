"""A transcript with everything in it that a transcript can hold."""

from __future__ import annotations

from typing import Any

from tests.made import TEXT, answer, response, round_of, text_block, tool_result, tool_use

USAGE = {"input_tokens": 900, "output_tokens": 20, "cache_read_input_tokens": 100}
SCHEMA = {
    "type": "object",
    "properties": {"item": {"type": "string", "pattern": "^[a-z]+$", "enum": ["a", "b", "c", "d"]}},
    "required": ["item"],
}
TOOLS = [{"name": "look", "description": "Looks.", "input_schema": SCHEMA}]
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
ASK = {"role": "user", "content": [text_block("Look into it.")]}
SUMMARY = {"role": "user", "content": "So far: a was found."}


def inserted(**more: Any) -> dict[str, Any]:
    """Blocks that the host put into the first message."""
    return {"message": 0, "block": 0, "content": [text_block("A reminder.")], **more}


FIRST = round_of(
    "a",
    attempts=[
        {"status": 529, "error": OVERLOADED, "retry_after": 1.5},
        {"status": None, "error": {}, "handled": True},
    ],
    inserted=[inserted(origin="reminder")],
    inferred=["/response/stop_reason"],
)
FIRST["response"]["usage"] = USAGE
SECOND = {
    "response": response(
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        text_block("I go on."),
        tool_use("b", item="b"),
        usage=USAGE,
        id="msg_1",
        model="model-x",
    ),
    "results": [tool_result("b", "no", is_error=True)],
    "request": {"max_tokens": 1000},
}
SUMMED_UP = {
    **answer("A summary was enough."),
    "history": [SUMMARY],
    "compacted": True,
}
TAKES = [
    {"name": "first", "turns": [FIRST, SECOND, answer("done", inserted=[])]},
    {"name": "again", "base": "first", "after": 1, "turns": [round_of("c"), answer("other")]},
    {"name": "summed", "base": "again", "after": 2, "turns": [SUMMED_UP]},
    {"name": "stuck", "turns": [round_of("d", repeats=True)]},
    {"name": "fails", "turns": [{"response": None, "attempts": FIRST["attempts"]}]},
]
REQUEST = {"model": "model-x", "system": "Be brief.", "tools": TOOLS, "max_tokens": 1000}
SUBAGENT = {
    "id": "sub",
    "parent": {"run": "main", "tool_use_id": "a"},
    "started_by": "subagent",
    "request": {"messages": [ASK], "system": [text_block("Be kind.")]},
    "takes": [{"name": "only", "turns": [round_of("e"), answer()]}],
    "uncapped": True,
}
LATER = {
    "id": "later",
    "started_by": "resume",
    "request": {"messages": [ASK], "after": {"run": "main", "messages": 6}, "model": "model-x"},
    "takes": [{"name": "only", "turns": [answer("again", attempts=[])]}],
    "max_turns": 5,
    "recorded": {"subtype": "success", "num_turns": 1, "total_cost_usd": 0.25},
}
SETTINGS = {
    "max_turns": 8,
    "limits": {
        "max_budget_usd": 0.5,
        "max_total_tokens": 40_000,
        "context_tokens": 9_000,
        "max_result_chars": 500,
    },
    "prices": {"input": 3.0, "output": 15.0, "cache_write": 3.75, "cache_read": 0.3},
    "loop": "production",
    "run": "main",
    "take": "first",
    "policy": {"allow": ["loo*"], "deny": ["rm?"], "ask": ["write"]},
    "decisions": {"t1.approve": "allow"},
}
COUNTS = {"model_calls": 3, "tool_rounds": 2, "tool_calls": 2}
WHOLE: dict[str, Any] = {
    "format_version": 1,
    "title": TEXT,
    "summary": TEXT,
    "provenance": [
        {"of": "/runs", "kind": "authored", "source": TEXT},
        {"of": "/runs/0/takes/0", "kind": "scripted", "source": TEXT},
    ],
    "notes": [{"at": "t0.check", "text": TEXT, "loop": "production", "max_turns": 8}],
    "runs": [
        {"id": "main", "request": {"messages": [ASK], **REQUEST}, "takes": TAKES},
        SUBAGENT,
        LATER,
    ],
    "settings": SETTINGS,
    "expect": {"production": {"result": "done", "terminal_reason": "completed", **COUNTS}},
}
"""Several runs and takes, failures, rewritten histories, and a host that limits."""

IN_A_WORLD: dict[str, Any] = {
    "format_version": 1,
    "title": TEXT,
    "summary": TEXT,
    "world": {
        "pages": [{"title": "log", "text": "log 3"}, {"title": "chart", "text": ""}],
        "tools": {"look": {"argument": "item"}},
        "missing": "No such page.",
    },
    "runs": [
        {
            "id": "main",
            "request": {"messages": [{"role": "user", "content": "Look into it."}]},
            "takes": [
                {
                    "name": "only",
                    "turns": [
                        {
                            "response": response(tool_use("a", item="Log"), usage=USAGE),
                            "results": [tool_result("a", "log 3")],
                        },
                        answer(),
                    ],
                }
            ],
        }
    ],
    "settings": {"max_turns": 3},
}
"""Tools that really look things up."""
