"""The records of a Gemini CLI session, put together: each message as it was said last.

A session is one document, or a line a record: messages, and notes that change what was there
before. A note may say all messages that are sent from now on: where that only adds to them it
is no more than further messages, else the history was rewritten.
"""

from __future__ import annotations

import json
from typing import Any

from visualizer.formats.blocks import entries, entry
from visualizer.formats.gemini.parts import Entry, responses

SET, PUSH, REWIND, REWRITTEN = "$set", "$push", "$rewindTo", "$rewritten"
_SAID = ("user", "gemini")
_EMPTY: tuple[Any, ...] = (None, "", [], {})


class Log:
    """What a session tells, in the order in which it was said first.

    Beside messages there are the notes that a conversation goes on from before a message, and
    ``$rewritten``, with the messages that are its history from there on.
    """

    def __init__(self, records: list[Entry]) -> None:
        self.told: list[Entry] = []
        self._live: dict[str, int | None] = {}
        self._sent: dict[str, Entry] = {}
        self._session: Any = None
        for one in records:
            self._take(one)

    def _take(self, one: Entry) -> None:
        changed = entry(one.get(SET))
        heads = "sessionId" in one and "type" not in one
        if heads:
            self._head(one)
        if isinstance(one.get("messages"), list):
            for message in entries(one["messages"]):
                self._put(message)
        elif isinstance(changed.get("messages"), list):
            self._sync(entries(changed["messages"]))
        elif PUSH in one:
            for message in _pushed(entry(one[PUSH]).get("messages")):
                self._put(message)
        elif one.get("type") == "message_update" and isinstance(one.get("id"), str):
            self._update(one)
        elif isinstance(one.get("id"), str) and "type" in one:
            self._put(one)
        elif not heads:
            self._rewind(one.get(REWIND))
            self.told.append(one)

    def _head(self, one: Entry) -> None:
        """The head of a session: what was said in another one is no part of it."""
        if one["sessionId"] != self._session:
            self._session, self._live, self._sent = one["sessionId"], {}, {}
        self.told.append({name: value for name, value in one.items() if name != "messages"})

    def _put(self, message: Entry) -> None:
        """A message, or the same again with more in it."""
        name = message.get("id")
        self._sent.pop(str(name), None)
        if not isinstance(name, str):
            self.told.append(message)
        elif name not in self._live:
            self._live[name] = len(self.told)
            self.told.append(message)
        elif (place := self._live[name]) is not None:
            self.told[place] = message

    def _update(self, changed: Entry) -> None:
        """Some fields of a message, which are new."""
        place = self._live.get(changed["id"])
        if place is None:
            self.told.append(changed)
        else:
            more = {name: value for name, value in changed.items() if name != "type"}
            self.told[place] = {**self.told[place], **more}

    def _rewind(self, name: Any) -> None:
        """What was said from a message on may be said anew."""
        if name in self._live:
            names = list(self._live)
            for later in names[names.index(name) :]:
                del self._live[later]

    def _sync(self, messages: list[Entry]) -> None:
        """All messages, as they are sent from now on."""
        new = {one["id"]: one for one in messages if isinstance(one.get("id"), str)}
        if any(self._differs(name, new) for name in self._live):
            self.told.append({REWRITTEN: messages})
            self._live = {name: self._live.get(name) for name in new}
            self._sent = new
            return
        for message in messages:
            name = message.get("id")
            place = self._live.get(name) if isinstance(name, str) else None
            if place is None:
                self._put(message)
            elif name not in self._sent:
                self.told[place] = _filled(self.told[place], message)

    def _differs(self, name: str, new: dict[str, Entry]) -> bool:
        """Whether a message is not sent any more, or not as it was."""
        place = self._live[name]
        if place is None or self.told[place].get("type") not in _SAID:
            return False
        return name not in new or _is_other(self._sent.get(name, self.told[place]), new[name])


def messages_set(one: Entry) -> list[Entry]:
    """The messages in a note that says all of them."""
    return entries(entry(one.get(SET)).get("messages"))


def _pushed(value: Any) -> list[Entry]:
    """What is added to a list: one, or several."""
    many = entry(value).get("$each", value)
    return entries(many) if isinstance(many, list) else [one for one in [entry(many)] if one]


def _is_other(old: Entry, new: Entry) -> bool:
    """Whether two versions of a message say something else, not only more."""
    words, others = words_of(old), words_of(new)
    if words and words != others:
        return True
    gave, gives = _results(old), _results(new)
    return any(name in gives and gives[name] != told for name, told in gave.items())


def words_of(message: Entry) -> str:
    """What a message says, without thoughts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    said = (one for one in entries(content) if one.get("thought") is not True)
    return "".join(str(one["text"]) for one in said if "text" in one)


def _results(message: Entry) -> dict[str, str]:
    calls = entries(message.get("toolCalls"))
    found = ((str(one.get("id")), responses(one.get("result"))) for one in calls)
    return {name: json.dumps(gave, sort_keys=True) for name, gave in found if gave}


def _filled(old: Entry, new: Entry) -> Entry:
    """A message with what a later version of it has more."""
    more = {name: value for name, value in new.items() if value not in _EMPTY}
    said = old.get("content")
    return {**old, **more, "content": said if said not in _EMPTY else new.get("content")}
