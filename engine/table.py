"""The words of a table: what may be wished at one, and what can happen at it.

The kernel's own vocabulary, shared by all games; nothing here decides anything. Knows no
game; of people it knows a public id and a name, never a token.
"""

from __future__ import annotations

from enum import IntEnum

from attrs import frozen

from engine.entry import Command, Event, PublicEvent


class Phase(IntEnum):
    """Where a table stands."""

    WAITING = 1
    PLAYING = 2
    OVER = 3
    """The match ended by its rules."""
    CLOSED = 4
    """Ended otherwise: abandoned or reaped."""


class Closing(IntEnum):
    """Why a table was closed before its match ended."""

    ABANDONED = 1
    REAPED = 2


@frozen
class Open(Command):
    """Open a table; the sender becomes its host and, if `sit`, takes seat 0."""

    game: str
    ruleset: str
    options: tuple[str, ...]
    seats: int
    bots: tuple[str, ...]
    """Levels of the bots that take the last seats."""
    listed: bool
    """Whether the list of tables shows it."""
    sit: bool
    name: str
    nonce: bytes


@frozen
class Join(Command):
    """Take the first free seat."""

    name: str
    nonce: bytes


@frozen
class Leave(Command):
    """Free one's seat for good; only while the table waits."""


@frozen
class Start(Command):
    """Start with the seats taken so far (the host)."""


@frozen
class Close(Command):
    """End the table now (the host while it waits; the house at any time)."""

    reason: Closing


@frozen
class TakeBack(Command):
    """Undo one's own latest actions, back to the state of entry `to`."""

    to: int


COMMANDS: dict[int, type[Command]] = {
    1: Open,
    2: Join,
    3: Leave,
    4: Start,
    5: Close,
    6: TakeBack,
}


@frozen
class TableOpened(PublicEvent):
    code: str
    game: str
    rules: int
    ruleset: str
    options: tuple[str, ...]
    seats: int
    listed: bool
    host: bytes
    """Public id of the host's session."""
    commitment: bytes
    """Hash of the secret, 32 bytes; empty if the deal is supplied."""


@frozen
class SeatTaken(PublicEvent):
    seat: int
    name: str
    person: bytes | None
    """Public session id; None for a bot."""
    bot: str | None
    """A bot's level; None for a person."""
    nonce: bytes


@frozen
class SeatFreed(PublicEvent):
    seat: int
    host: bytes | None
    """Public id of the host from now on; None when nobody is left."""


@frozen
class MatchStarted(PublicEvent):
    ruleset: str
    options: tuple[str, ...]
    places: tuple[int, ...]
    """The table seat of each match seat, in order: gaps at the table are closed."""
    supplied: bool
    """Whether the deal was supplied instead of dealt from the secret."""


@frozen
class TakenBack(PublicEvent):
    seat: int
    """The match seat that took back."""
    to: int
    """The state is that of entry `to` again."""


@frozen
class TableClosed(PublicEvent):
    reason: Closing


@frozen
class Revealed(PublicEvent):
    """The secret behind the deal, shown at every kind of ending."""

    secret: bytes
    nonces: tuple[bytes, ...]
    """By match seat; empty if no match was started."""


EVENTS: dict[int, type[Event]] = {
    1: TableOpened,
    2: SeatTaken,
    3: SeatFreed,
    4: MatchStarted,
    5: TakenBack,
    6: TableClosed,
    7: Revealed,
}
"""All are public: these numbers are also those of the happenings."""
