"""A server's log that a test can read."""

from __future__ import annotations

from typing import Any

from server.log import NullLog


class Book(NullLog):
    """All that was logged: events with their facts."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, dict[str, Any]]] = []
        self.lost = 0

    def info(self, event: str, **facts: Any) -> None:
        self.lines.append((event, facts))

    warning = error = info

    def drop(self) -> None:
        self.lost += 1

    def seats_in_trouble(self) -> list[int]:
        """The seats of bots of which trouble was logged, once for each time."""
        return [facts["seat"] for event, facts in self.lines if event == "bot_trouble"]
