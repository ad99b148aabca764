"""The words of a table: what people may ask for there, and what can happen.

The kernel's own vocabulary, shared by all games; decides nothing. Does not know games; knows people
by a public id and a name, never by a token.
"""

from __future__ import annotations

from enum import IntEnum

from attrs import evolve, field, frozen

from engine.clock import Absence, Clock
from engine.entry import ADDED, Audience, Command, Happening, PublicEvent


class Phase(IntEnum):
    """Where a table stands."""

    WAITING = 1
    PLAYING = 2
    OVER = 3
    """The match ended by its rules."""
    CLOSED = 4
    """Ended in another way: abandoned or reaped."""


class CloseReason(IntEnum):
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
    clock: Clock = field(default=Clock(), metadata=ADDED)
    absence: Absence = field(default=Absence.DEFAULT, metadata=ADDED)


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
    """End the table now (the host while it waits; the server at any time)."""

    reason: CloseReason


@frozen
class TakeBack(Command):
    """Undo one's own latest actions, back to the state of entry `to`."""

    to: int


@frozen
class Vote(Command):
    """Say that a match seat is absent (anybody who plays on another one)."""

    seat: int


@frozen
class Return(Command):
    """Return to one's own seat, in the place of the bot or the default action."""


@frozen
class Substitute(Command):
    """Take the match seat of somebody absent, by invitation."""

    seat: int
    name: str


@frozen
class SitOut(Command):
    """Let somebody absent, on a match seat, be played for until the return (the server)."""

    seat: int
    bot: str
    """Level of the bot that sits in; empty: the game's default action is played."""


@frozen
class PassHost(Command):
    """Make another seated person the host of a waiting table (the server)."""

    person: bytes
    """Public id."""


COMMANDS: dict[int, type[Command]] = {
    1: Open,
    2: Join,
    3: Leave,
    4: Start,
    5: Close,
    6: TakeBack,
    7: Vote,
    8: Return,
    9: Substitute,
    10: SitOut,
    11: PassHost,
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
    clock: Clock = field(default=Clock(), metadata=ADDED)
    absence: Absence = field(default=Absence.DEFAULT, metadata=ADDED)


@frozen
class SeatTaken(PublicEvent):
    seat: int
    """The table seat."""
    name: str
    person: bytes | None
    """Public session id; None for a bot."""
    bot: str | None
    """A bot's level; None for a person."""
    nonce: bytes
    """The seat's share in the deal, 16 bytes; shown empty: it is told at the end."""

    def show(self, audience: Audience) -> Happening | None:
        return evolve(self, nonce=b"") if audience is None else None


@frozen
class SeatFreed(PublicEvent):
    seat: int
    """The table seat."""
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
    reason: CloseReason


@frozen
class Revealed(PublicEvent):
    """The secret behind the deal, shown whenever and however a table ends."""

    secret: bytes
    nonces: tuple[bytes, ...]
    """By match seat; empty if no match was started."""


@frozen
class Voted(PublicEvent):
    seat: int
    """The match seat that is said to be absent."""
    by: int
    """The match seat that says so."""


@frozen
class SatIn(PublicEvent):
    seat: int
    """The match seat that is played for until its owner returns."""
    bot: str
    """Level of the bot that sits in; empty: the game's default action is played."""


@frozen
class Returned(PublicEvent):
    seat: int
    """The match seat whose owner is back."""


@frozen
class Substituted(PublicEvent):
    seat: int
    """The match seat that somebody else plays from now on."""
    name: str
    person: bytes
    """Public session id."""


@frozen
class HostPassed(PublicEvent):
    host: bytes
    """Public id of the host from now on."""


EVENTS: dict[int, type[PublicEvent]] = {
    1: TableOpened,
    2: SeatTaken,
    3: SeatFreed,
    4: MatchStarted,
    5: TakenBack,
    6: TableClosed,
    7: Revealed,
    8: Voted,
    9: SatIn,
    10: Returned,
    11: Substituted,
    12: HostPassed,
}
"""All are public: these numbers are also those of the happenings."""


@frozen
class TimedOut(Happening):
    """Nobody acted for a seat in time, or the default action is played for it (its time is always
    up, also at tables without a clock): whatever else the entry brings was not done by the seat's
    owner. Told from the entry's cause, and no event: logs do not hold it."""

    seat: int
    """The match seat."""
    default: bool
    """Whether the game's default action is played for it now; else somebody sits in from now on."""


HAPPENINGS: dict[int, type[Happening]] = {**EVENTS, 31: TimedOut}
"""What may be shown of a table. Happenings that are no events count down from 31: an event never
has one of those numbers."""
