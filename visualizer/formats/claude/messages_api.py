"""Calls of the Messages API: request and response, many of them, or only the messages."""

from __future__ import annotations

from typing import Any

from visualizer.formats.decoding.batches import message_result, tell_apart
from visualizer.formats.decoding.decode import Decoded
from visualizer.formats.decoding.exchanges import Exchange, are_messages, entries, exchange_of
from visualizer.formats.outside import Format, Outside, Sample
from visualizer.formats.telling.conversations import Conversations


def claims(sample: Sample) -> bool:
    """Whether the first entries are exchanges, or all of them messages."""
    found = entries(sample.items)
    return bool(found) and (are_messages(found) or any(map(_exchange, found)))


def read(decoded: Decoded, outside: Outside) -> None:
    """Find the runs in recorded calls."""
    found = entries([one for _, one in decoded.items])
    if are_messages(found):
        found = [{"messages": found}]
    exchanges = [_exchange(entry) for entry in found]
    tell_apart(found, exchanges)
    outside.findings.count("format.other_provider", exchanges.count(None))
    Conversations(outside).read([one for one in exchanges if one is not None])


def _exchange(entry: dict[str, Any]) -> Exchange | None:
    return message_result(entry) or exchange_of(entry)


FORMAT = Format("messages-api", 10, claims, read)
