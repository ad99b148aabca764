"""What the full-screen application asks of the state behind it: typed text, time, the end.

Does not know about the toolkit, tables or games.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Protocol

from attrs import frozen


class Ask(Enum):
    """What a field asks for."""

    NAME = "Your name"
    CODE = "Code of the table"
    CHAT = "Say"
    STEP = "Go to step"


class Location(Enum):
    """Where the person is."""

    NAMING = "naming"
    CONNECTING = "connecting"
    LOBBY = "lobby"
    FORM = "form"
    """Filling in a new table."""
    ROOM = "room"
    """At a table that waits."""
    TABLE = "table"


class Page(Enum):
    """The pages of the screen itself. A game's own pages are named by their keys."""

    HELP = "help"
    LOG = "log"
    LEAVE = "leave?"
    """Asks whether to leave a running game."""
    START = "start?"
    """Asks whether to start the game."""
    CLOSE = "close?"
    """Asks whether to close the table."""


@frozen
class Field:
    """A line of text that is being typed."""

    ask: Ask
    text: str = ""
    """The text that it starts with."""
    offered: bool = False
    """Whether that text gives way to what is typed, unless the cursor is moved first."""


@frozen
class Leaving:
    """How the program ends: its exit code, and a line to print on the restored terminal."""

    code: int = 0
    text: str = ""
    error: bool = False
    """Whether the line is an error message."""


class Interactive(Protocol):
    """The state that the application shows and hands what is typed."""

    field: Field | None
    """The text that is being typed; None: keys are keys."""
    left: Leaving | None
    """Set when the program is to end."""

    def enter(self, text: str) -> None:
        """The field was sent off with this text."""

    def cancel(self) -> None:
        """The field was given up."""

    def paste(self, text: str) -> None:
        """Text was pasted where there is no field."""

    def tick(self, now: float) -> float | None:
        """Do what is due; seconds until the next time, None: nothing is to come."""

    def leave(self, code: int = 0, text: str = "", *, error: bool = False) -> None:
        """End the program; the first call counts."""

    @property
    def styles(self) -> Mapping[str, str]:
        """Style classes beside those of every screen."""
