"""Drives loops over recordings and observes them.

``replay`` is the way in. From the outside to the inside: ``drive`` (one run), ``tracer`` (probes
and lines), ``recorder`` (steps), ``ledger`` (what the messages hold), ``recorded`` (the model
and the tools), ``context`` (when a reply may be given). ``child`` is for loops from outside,
``loop_file`` loads them, ``slips`` tells what they mix up.
"""

from visualizer.engine.replay import replay
from visualizer.loops import RequestFailed

__all__ = ["RequestFailed", "replay"]
