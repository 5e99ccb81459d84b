"""A run as an SDK shows it to its caller: a stream of messages, and a result at its end.

None of it comes from the SDK: ``stream`` works the lines out from a run, by what was measured
of one version of the client and what its documentation says; ``ending`` is the result line,
``chain`` what a loop sends where the server keeps the conversation, ``report`` all this as
text and JSON.
"""

from visualizer.sdk.chain import Link, chain_of
from visualizer.sdk.ending import CLIENT, differences, remark, said_of
from visualizer.sdk.lines import Event
from visualizer.sdk.stream import Row, Stream, stream_of

__all__ = [
    "CLIENT",
    "Event",
    "Link",
    "Row",
    "Stream",
    "chain_of",
    "differences",
    "remark",
    "said_of",
    "stream_of",
]
