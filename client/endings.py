"""How a server ends a conversation: for good, or for now. Knows no message."""

from __future__ import annotations


class Dismissed(Exception):
    """The server ends the conversation for good; the text says why, in one line."""

    def __init__(self, text: str, code: str = "") -> None:
        super().__init__(text)
        self.code = code
        """The server's word for it."""


class TryLater(Exception):
    """The server takes no more people just now; the text says why."""
