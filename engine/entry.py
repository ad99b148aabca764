"""The unit of the log, and the bases of everything a game is made of.

Does not know games or encodings.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from attrs import field, frozen

ADDED = {"added": True}
"""Metadata of a field that was added after entries with its class had been stored: it stands at the
end, and takes its default where it is missing. For words of the log, and for messages that are sent
before a version is agreed on; any other message has all its fields."""

Audience = int | None
"""A seat number, or None for everybody (spectators included)."""


class Command:
    """What somebody wants to do, in the imperative. Frozen attrs classes derive from it."""

    __slots__ = ()


class Prompt:
    """What one seat may do now: everything it may do, and nothing else."""

    __slots__ = ()

    public: ClassVar[bool] = True
    """Whether the content is public knowledge; if so it is part of the public view."""


class View:
    """What an audience may know now, built up from nothing."""

    __slots__ = ()


class Happening:
    """What an audience may know of one event."""

    __slots__ = ()


class Event:
    """A fact with its outcome, in the past tense.

    `show` decides who may know of it; the default is nobody.
    """

    __slots__ = ()

    reveals: ClassVar[bool] = False
    """Whether chance or something hidden came to light: it cannot be taken back."""

    def show(self, audience: Audience) -> Happening | None:
        """What `audience` may know: for None the public part, for a seat what it learns beyond
        that. Nothing, unless an event says otherwise."""
        return None


class PublicEvent(Event, Happening):
    """An event without secrets: it is its own happening, shown to everybody."""

    __slots__ = ()

    def show(self, audience: Audience) -> Happening | None:
        return self if audience is None else None


class Cause(IntEnum):
    """Where an entry came from."""

    COMMAND = 1
    TIMEOUT = 2
    BOT = 3
    HOUSE = 4
    """The server itself: opening a table, closing a dead one."""


@frozen
class Sealed:
    """What chance decided, and the secret behind it: in no view, happening, log line or export
    before the end."""

    secret: bytes = field(repr=False)
    """32 bytes; empty for a deal that was supplied."""
    deal: object | None = field(default=None, repr=False)
    """The game's deal (an attrs class of the game); None before the match starts."""


@frozen
class Entry:
    """One accepted command (or timeout, or start) with the events that followed."""

    number: int
    """1, 2, 3, ... without gaps within a table's stream."""
    time: int
    """Milliseconds since 1970-01-01 UTC by the server's clock; for people to read,
    never for order."""
    cause: Cause
    seat: int | None
    """The match seat that acted; None for what is done at the table, not in the game."""
    person: bytes | None
    """Public id of the session that acted; None for bots, timers and the server itself."""
    id: bytes | None
    """The id that the sender chose for the command; None where nobody sent it."""
    command: Command | None
    events: tuple[Event, ...]
    sealed: Sealed | None = None
    clocks: tuple[int, ...] | None = field(default=None, metadata=ADDED)
    """Milliseconds left by match seat after the entry; None without a clock, and before
    the match."""
