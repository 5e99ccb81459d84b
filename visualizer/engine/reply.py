"""What a loop gets from its model: a reply, and the tool calls in it.

The loop can't tell them from those of a live client. What it reads of them is observed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from visualizer.errors import Problem
from visualizer.i18n import texts
from visualizer.messages import Message, copy_json


class Misused(TypeError):
    """The model, the tools, a reply or a call was used in a way that can't be meant.

    Raised in the loop. Its text is English; ``slip`` says the same in any language.
    """

    def __init__(self, key: str, **values: object) -> None:
        self.slip = Problem("", key, values)
        super().__init__(self.slip.text(texts("en")))


class ToolCall:
    """One tool request: ``id``, ``name`` and ``input`` (a copy that may be changed)."""

    def __init__(self, id: str, name: str, input: Any) -> None:
        self.id = id
        self.name = name
        self.input = input

    def __repr__(self) -> str:
        return f"ToolCall(id={self.id!r}, name={self.name!r}, input={self.input!r})"

    def __getitem__(self, key: object) -> NoReturn:
        raise Misused("slip.call_item")


class Reply:
    """One reply of the model. Reading ``stop_reason`` and ``tool_calls`` is observed."""

    def __init__(
        self,
        message: Message,
        response: dict[str, Any],
        on_flag: Callable[[Reply, str | None], None],
        on_tool_calls: Callable[[Reply], None],
    ) -> None:
        self._message = message
        self._response = response
        self._on_flag = on_flag
        self._on_tool_calls = on_tool_calls
        self._stored: dict[str, Any] | None = message.to_json()
        self._calls = [ToolCall(b.id, b.name, copy_json(b.input)) for b in message.tool_calls]

    def __repr__(self) -> str:
        flag, text = self._response.get("stop_reason"), self._message.text
        return f"Reply(stop_reason={flag!r}, text={text!r})"

    def __getitem__(self, key: object) -> NoReturn:
        raise Misused("slip.reply_item")

    @property
    def stop_reason(self) -> str | None:
        """Why the model stopped."""
        value: str | None = self._response.get("stop_reason")
        self._on_flag(self, value)
        return value

    @property
    def tool_calls(self) -> list[ToolCall]:
        """The tools it asks for, in order."""
        self._on_tool_calls(self)
        return list(self._calls)

    @property
    def text(self) -> str:
        """Its text, ``""`` where it has none."""
        return self._message.text

    @property
    def content(self) -> list[dict[str, Any]]:
        """Its content blocks, freshly copied."""
        blocks: list[dict[str, Any]] = self._message.to_json()["content"]
        return blocks

    @property
    def usage(self) -> dict[str, Any] | None:
        """Recorded token counts, None where there are none."""
        usage: dict[str, Any] | None = copy_json(self._response.get("usage"))
        return usage

    @property
    def stop_details(self) -> dict[str, Any] | None:
        """Recorded details of a refusal, None where there are none."""
        details: dict[str, Any] | None = copy_json(self._response.get("stop_details"))
        return details

    def as_message(self) -> dict[str, Any]:
        """The reply as the message to append, a new one each time."""
        stored, self._stored = self._stored, None
        return self._message.to_json() if stored is None else stored
