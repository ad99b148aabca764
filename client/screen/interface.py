"""What the full-screen application serves: lines to draw, keys, typed text, the leaving.

Knows no toolkit, no table and no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Protocol

from attrs import frozen

from client.screen.lines import Line


class Ask(Enum):
    """What a field asks for."""

    NAME = "Your name"
    CODE = "Code of the table"
    CHAT = "Say"
    STEP = "Go to step"


class Place(Enum):
    """Where the person is."""

    NAMING = "naming"
    CONNECTING = "connecting"
    LOBBY = "lobby"
    OPENING = "opening"
    """Filling in a new table."""
    ROOM = "room"
    """At a table that waits."""
    TABLE = "table"


@frozen
class Field:
    """A line of text that is being typed."""

    ask: Ask
    text: str = ""
    """What stands in it at first."""
    offered: bool = False
    """Whether that gives way to what is typed, unless the cursor is moved first."""


@frozen
class Leaving:
    """The end: with this exit code, and a line to be printed on the restored terminal."""

    code: int = 0
    text: str = ""
    error: bool = False
    """Whether the line is an error's."""


class ScreenInterface(Protocol):
    """What the application shows and serves."""

    field: Field | None
    left: Leaving | None
    """Set when the program is to end."""

    def lines(self, columns: int, rows: int) -> list[Line]: ...
    def press(self, key: str) -> None: ...
    def enter(self, text: str) -> None: ...
    def cancel(self) -> None: ...
    def paste(self, text: str) -> None: ...
    def tick(self, now: float) -> float | None:
        """Do what is due; seconds until the next time, None: nothing is to come."""

    def leave(self, code: int = 0, text: str = "", *, error: bool = False) -> None: ...
    def styles(self) -> Mapping[str, str]: ...
