"""What a loop may take beside the model and the tools: recognised by its parameter's name.

Each is a probe: it gives the loop what a host would give, and makes a step of it. A loop
that takes none of them is not affected; one whose scenario says nothing of a collaborator
keeps its own default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any, NamedTuple

from visualizer.engine.recorder import Recorder
from visualizer.engine.tracer import Tracer
from visualizer.loops import DENIED_BY_POLICY, DENIED_BY_USER, Decision
from visualizer.messages import freeze_block
from visualizer.run.limits import Budget, cut_text
from visualizer.run.timeline import Approval, Compaction, Cut, LimitCheck, Saw, Stop, Wait
from visualizer.transcript.settings import Choice, Policy, Settings

LONGEST_WAIT = 1e9
"""Seconds that no loop asks to wait; beyond them a number is no length of time."""


class Host:
    """The collaborators of one drive, as a scenario's settings say."""

    def __init__(
        self,
        settings: Settings,
        max_turns: int | None,
        recorder: Recorder,
        tracer: Tracer,
        summaries: bool,
    ) -> None:
        self._recorder = recorder
        self._tracer = tracer
        self._policy = settings.policy or Policy(allow=[] if settings.decisions else ["*"])
        self._decisions = settings.decisions
        self._most_chars = settings.limits.max_result_chars
        self._budget = Budget(settings.limits, settings.prices, max_turns)
        self._full = full = settings.limits.context_tokens
        limited = self._budget.bounds or full is not None
        self._offers = {
            "sleep": _Offer(self.sleep),
            "limits": _Offer(_Limits(self.hit, self._budget.context_is_full), limited),
            "truncate": _Offer(self.truncate, self._most_chars is not None),
            "summarise": _Offer(self.summarise, full is not None or summaries),
            "approve": _Offer(self.approve, bool(settings.policy or settings.decisions)),
        }

    def keywords(self, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
        """What to pass to a loop with these parameters.

        Where the settings say nothing of a collaborator, the loop's default holds, if it has one.
        """
        return {
            name: offer.probe
            for name, offer in self._offers.items()
            if (wanted := parameters.get(name)) is not None
            and wanted.kind in _BY_NAME
            and (offer.said or wanted.default is Parameter.empty)
        }

    def sleep(self, seconds: float) -> None:
        """A wait. Nothing waits: it is a step that says for how long.

        Raises ``ValueError`` for what is no length of time, as sleeping would.
        """
        if not 0 <= seconds < LONGEST_WAIT:
            raise ValueError(f"no length of time: {seconds!r}")
        with self._tracer.probe() as where:
            if where is None:
                return
            opened = self._recorder.host("wait", where)
            last = self._recorder.calls[-1] if self._recorder.calls else None
            opened.about = Wait(float(seconds), last.error if last else None)
            self._recorder.saw(Saw("waited", value=opened.about.seconds))

    def hit(self, usage: Mapping[str, Any] | None) -> str | None:
        """The limits are asked after a reply: which one is used up, None for none."""
        with self._tracer.probe() as where:
            found = self._budget.hit(usage)
            if where is not None and self._budget.bounds:
                opened = self._recorder.host("limit", where)
                opened.about = LimitCheck(self._budget.uses, found)
                self._recorder.saw(Saw("limit", name=found or ""))
        return found

    def approve(self, call: Any) -> Decision:
        """Whether a call may run: as the policy says, else as was decided at this place.

        Where a person must decide and nobody did, the run stops: nothing is made up.
        """
        name = str(call.name)
        verdict, rule = self._policy.verdict(name)
        with self._tracer.probe() as where:
            choice: Choice | None = None if verdict == "ask" else verdict
            if where is not None:
                opened = self._recorder.host("approve", where)
                if verdict == "ask":
                    choice = self._decisions.get(opened.place)
                asked = {"type": "tool_use", "id": call.id, "name": name, "input": call.input}
                opened.about = Approval(freeze_block(asked), choice, verdict == "ask", rule)
                self._recorder.saw(Saw("approved", value=choice))
            if choice is None:
                self._recorder.stop_run(Stop("undecided", opened.place if where else ""))
        if choice == "allow":
            return Decision(True)
        return Decision(False, DENIED_BY_USER if verdict == "ask" else DENIED_BY_POLICY)

    def truncate(self, result: dict[str, Any]) -> dict[str, Any]:
        """A tool's result, cut where its text is longer than the host lets in."""
        before = freeze_block(result)
        text, most = before.result_text, self._most_chars
        if most is None or len(text) <= most or not _is_text(result.get("content")):
            return result
        cut = {**result, "content": cut_text(text, most)}
        with self._tracer.probe() as where:
            if where is not None:
                opened = self._recorder.host("truncate", where)
                opened.about = Cut(before, freeze_block(cut), most)
                self._recorder.saw(Saw("cut", start=len(text), stop=most))
        return cut

    def summarise(self, messages: list[Any]) -> list[dict[str, Any]]:
        """The messages that were recorded in place of these: a summary is not made up."""
        with self._tracer.probe() as where:
            if where is not None:
                opened = self._recorder.host("compact", where)
                seen = self._recorder.seen_now
                opened.about = Compaction(*seen, self._budget.held, self._full)
            made = self._recorder.summary(messages)
            if where is not None:
                self._recorder.saw(Saw("compacted", start=len(messages), stop=len(made)))
        return made


class _Offer(NamedTuple):
    """A probe, and whether the settings say anything of it."""

    probe: Any
    said: bool = True


class _Limits(NamedTuple):
    """What a loop gets as ``limits``."""

    hit: Callable[[Mapping[str, Any] | None], str | None]
    context_is_full: Callable[..., bool]


def _is_text(content: Any) -> bool:
    """Whether a result is text alone: what else there is can't be cut."""
    if isinstance(content, str):
        return True
    return isinstance(content, list) and all(
        isinstance(block, dict) and block.get("type") == "text" for block in content
    )


_BY_NAME = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
