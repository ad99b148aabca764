"""A message to the person at the screen that goes away by itself. Does not read a clock."""

from __future__ import annotations

from collections.abc import Callable

from client.net.conversation import Conversation

SHORT, LONG = 8.0, 30.0
"""Seconds that a notice stays: SHORT for why a key did nothing, LONG for an answer to a request."""


class Notices:
    """The notice that is shown, if any. A new one replaces it."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self.tell("", _always)

    def tell(
        self, text: str, true: Callable[[], bool] | None = None, seconds: float = SHORT
    ) -> None:
        """Show a notice while `true()` holds (None: until anything happens at the table), but no
        longer than `seconds`."""
        number = self._number()
        self._text = text
        self._true = true or (lambda: self._number() == number)
        self._seconds = seconds
        self._until: float | None = None

    def stay(self, text: str, seconds: float = SHORT) -> None:
        """Show a notice for `seconds`, whatever happens."""
        self.tell(text, _always, seconds)

    @property
    def text(self) -> str:
        """The notice that is shown now; empty if there is none."""
        return self._text if self._true() else ""

    def tick(self, now: float) -> float | None:
        """Drop the notice if its time is over; seconds until then, None if there is no notice. Its
        time begins with the first call."""
        if not self._text:
            return None
        if self._until is None:
            self._until = now + self._seconds
        if now >= self._until:
            self._text = ""
            return None
        return self._until - now

    def _number(self) -> tuple[str, int] | None:
        """The latest entry of the table."""
        scene = self._conversation.model.scene
        return None if scene is None else (scene.table.code, scene.number)


def _always() -> bool:
    return True


def sentence(text: str) -> str:
    """A reason as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
