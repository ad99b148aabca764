"""Every message from a server to a client. See `protocol.messages`."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, ClassVar

from attrs import field, frozen

from engine.entry import ADDED
from engine.table.words import Phase
from protocol.codec import Tree
from protocol.fields import (
    MAX_SINCE,
    Facts,
    File,
    Id,
    Line,
    Millis,
    Name,
    Number,
    Seat,
    Text,
    Token,
    Trees,
    Word,
    added_in,
)


@frozen
class Welcome:
    """The session is granted or resumed."""

    open_ended: ClassVar[bool] = True
    version: Number
    """The version spoken from here on: the lower of both sides' newest ones."""
    server: Name
    """Name and version of the server, for logs."""
    session: Token
    """Public id of the session."""
    token: Token | None
    """The secret that resumes it; None if the client already has it."""
    name: str
    """The session's name as others see it: cleaned, perhaps cut."""
    heartbeat: Millis
    """Milliseconds between heartbeats at the most."""
    vote_gone: Millis = field(default=120_000, metadata=ADDED)
    """Milliseconds after which a seat that is asked and has no connection may be voted
    absent (`Vote`)."""
    vote_silent: Millis = field(default=600_000, metadata=ADDED)
    """The same, of one that has a connection."""


@frozen
class TooOld:
    """The client's version is not served any more; the connection closes."""

    open_ended: ClassVar[bool] = True
    oldest: Number
    """The oldest version that the server serves."""
    newest: Number
    """The newest version that it serves."""
    detail: Text
    """Short English text."""


@frozen
class TableRow:
    """One table of the list."""

    code: Word
    game: Word
    ruleset: Word
    phase: Phase
    seats: Seat
    """How many seats the table has."""
    taken: Seat
    """How many of them are taken, bots included."""
    names: tuple[str, ...]
    """Of those who sit there, by seat."""


@frozen
class Tables:
    """The listed tables that wait or are played, the newest first; before them the others where
    the receiver has a seat, which nobody else is shown. Of those a server that was started
    anew tells only where something happened or somebody came since; all are there, by their
    codes."""

    tables: tuple[TableRow, ...]


@frozen
class Happened:
    """What one entry brought, as this audience may know it."""

    number: Number
    public: Trees
    """What everybody may know: happenings."""
    private: Trees
    """What the receiver's seat alone may know: happenings."""


@frozen
class Snapshot:
    """The views as of `number`; replaces all that the client had."""

    number: Number
    seat: Seat | None
    """The receiver's match seat, or table seat while the table waits; None: spectator."""
    public: Tree
    """A `PublicView`."""
    private: Tree
    """A `PrivateView`; None for spectators and before the match starts."""
    since: Annotated[tuple[Happened, ...], range(MAX_SINCE + 1)]
    """What happened after the number asked for, or the latest of it for who has nothing;
    empty if that cannot be said. Without a gap, up to `number`."""
    elapsed: Millis = 0
    """Milliseconds of the running clocks since the last entry; 0 without a clock."""
    host: bool = field(default=False, metadata=added_in(2))
    """Whether the receiver is the table's host, with a seat or without."""


@frozen
class Update:
    """What one entry brought. A part is (happened, delta)."""

    number: Number
    """One more than that of the message before."""
    public: tuple[Trees, Tree]
    private: tuple[Trees, Tree] | None
    """None if nothing of it is the receiver's alone."""


@frozen
class Accepted:
    """The command `id` was carried out by entry `number` (now or before)."""

    id: Id
    number: Number


class Peer(IntEnum):
    """How a seat is taken part in."""

    AWAY = 0
    HERE = 1
    BOT = 2


@frozen
class Presence:
    """Who is there; in no stream, so it has no number."""

    seats: tuple[Peer | None, ...]
    """By table seat; None is free."""
    watchers: Number
    """How many attend without a seat."""


@frozen
class Said:
    """A line of chat; kept nowhere, and also sent to its speaker."""

    seat: Seat | None
    """Table seat of the speaker; None for a spectator."""
    name: str
    """The speaker's name."""
    text: Line


@frozen
class Refused:
    """A message was not granted; nothing has changed."""

    id: Id | None
    """The command's id, where it had one that could be read."""
    code: Word
    """Why, as a word that stays: see Refusals."""
    facts: Facts
    detail: Text
    """Short English text for logs and foreign clients."""


@frozen
class Heartbeat:
    """The server is alive; `number` is the attended table's current one (0: none)."""

    number: Number


@frozen
class Transcript:
    """A transcript file of the table attended."""

    code: Word
    data: File
    """The whole file."""


@frozen
class Record:
    """The record file of an ended table."""

    code: Word
    data: File
    """The whole file."""


@frozen
class Left:
    """The connection attends no table any more."""

    code: Word


@frozen
class Closing:
    """The server is about to stop or to drop this connection."""

    code: Word
    """Why, as a word that stays: see Closing."""
    detail: Text
    """Short English text for logs and foreign clients."""
    retry: Millis
    """Milliseconds to wait before connecting again; 0: do not."""


@frozen
class Invitation:
    """The code by which somebody may take a seat: to be sent as that of a `JoinTable`,
    once, and soon."""

    seat: Seat
    """Match seat."""
    code: Word


@frozen
class MoveCode:
    """The one-time code that carries the session to another device, whose `Hello` names
    it as its token, in ASCII. It is carried once that device says something after its
    `Welcome`: until then the device before keeps it, and the code is good."""

    code: Word
    seconds: Number
    """How long it is good for."""


@frozen
class Hint:
    """What the best bot would do in the receiver's place, knowing what its seat knows."""

    id: Id
    """Of the `AskHint`."""
    token: Number
    """That of the prompt it is for."""
    command: Tree
    """A member of the game's commands that answers the prompt."""
    reason: Text
    """Why, in one sentence of plain English."""
