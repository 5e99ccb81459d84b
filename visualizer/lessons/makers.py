"""Which function makes which kind of question."""

from __future__ import annotations

from visualizer.lessons import ask_counts, ask_limits, ask_next, ask_room, ask_stream, ask_tools
from visualizer.lessons.model import QuestionKind
from visualizer.lessons.questions import Maker

MAKERS: dict[QuestionKind, Maker] = {
    "next_flag": ask_next.next_flag,
    "next_line": ask_next.next_line,
    "next_phase": ask_next.next_phase,
    "sent": ask_counts.sent,
    "new": ask_counts.new,
    "returns_now": ask_next.returns_now,
    "returned": ask_next.returned,
    "exit": ask_next.way_out,
    "model_calls": ask_counts.model_calls,
    "tool_rounds": ask_counts.tool_rounds,
    "tool_calls": ask_counts.tool_calls,
    "sent_in_all": ask_counts.all_sent,
    "smallest_max_turns": ask_counts.smallest_max_turns,
    "never_read": ask_counts.never_read,
    "who_ended": ask_counts.who_ended,
    "who_next": ask_next.who_next,
    "could_share": ask_next.could_share,
    "outcome": ask_counts.outcome,
    "same_steps": ask_counts.same_steps,
    "first_limit": ask_limits.first_limit,
    "judge": ask_limits.judge,
    "num_turns": ask_stream.num_turns,
    "assistant_lines": ask_stream.assistant_lines,
    "subtype": ask_stream.subtype,
    "thread_sent": ask_stream.thread_sent,
    "fits": ask_tools.fits,
    "misfit": ask_tools.misfit,
    "largest_part": ask_room.largest_part,
    "unchanged": ask_room.unchanged,
}
