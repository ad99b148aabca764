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
    CleanText,
    Facts,
    File,
    Id,
    Millis,
    Name,
    Number,
    Seat,
    SeatCount,
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
    """The version spoken from now on: the lower of both sides' newest ones."""
    server: Name
    """Name and version of the server, for logs."""
    session: Token
    """Public id of the session."""
    token: Token | None
    """The secret that resumes it; None if the client already has it."""
    name: str
    """The session's name as others see it: cleaned, perhaps cut."""
    heartbeat: Millis
    """The longest time between heartbeats, in milliseconds."""
    vote_gone: Millis = field(default=120_000, metadata=ADDED)
    """Milliseconds after which a seat that is asked and has no connection may be voted absent
    (`Vote`)."""
    vote_silent: Millis = field(default=600_000, metadata=ADDED)
    """The same, for a seat that has a connection."""


@frozen
class TooOld:
    """The client's version is no longer served; the connection closes."""

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
    seats: SeatCount
    """How many seats the table has."""
    taken: SeatCount
    """How many of them are taken, bots included."""
    names: tuple[str, ...]
    """The names of those who sit there, by seat."""


@frozen
class Tables:
    """The listed tables that wait or are played, the newest first; before them the others where the
    receiver has a seat, which nobody else is shown. After a restart a server lists only those of
    them where something has happened or somebody has come since; all can be reached by their
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
    """The views as of `number`; replaces everything the client had."""

    number: Number
    seat: Seat | None
    """The receiver's match seat, or table seat while the table waits; None: spectator."""
    public: Tree
    """A `PublicView`."""
    private: Tree
    """A `PrivateView`; None for spectators and before the match starts."""
    since: Annotated[tuple[Happened, ...], range(MAX_SINCE + 1)]
    """What happened after the number asked for, or the latest of it for a client that has nothing;
    empty if the server cannot say. Without a gap, up to `number`."""
    elapsed: Millis = 0
    """Milliseconds of the running clocks since the last entry; 0 without a clock."""
    host: bool = field(default=False, metadata=added_in(2))
    """Whether the receiver is the table's host, with or without a seat."""


@frozen
class Update:
    """What one entry brought. A part is (happened, delta)."""

    number: Number
    """One more than the number of the message before."""
    public: tuple[Trees, Tree]
    private: tuple[Trees, Tree] | None
    """None if nothing in it is for the receiver alone."""


@frozen
class Accepted:
    """Entry `number` carried out the command `id`, now or before."""

    id: Id
    number: Number


class Peer(IntEnum):
    """Who plays a seat, and whether they are there."""

    AWAY = 0
    HERE = 1
    BOT = 2


@frozen
class Presence:
    """Who is there. It is in no stream, so it has no number."""

    seats: tuple[Peer | None, ...]
    """By table seat; None is free."""
    watchers: Number
    """How many people attend without a seat."""


@frozen
class Said:
    """A line of chat. It is kept nowhere, and is also sent to its speaker."""

    seat: Seat | None
    """Table seat of the speaker; None for a spectator."""
    name: str
    """The speaker's name."""
    text: CleanText


@frozen
class Refused:
    """A message was refused; nothing has changed."""

    id: Id | None
    """The command's id, if it had one that could be read."""
    code: Word
    """Why, as a word that stays: see Refusals."""
    facts: Facts
    detail: Text
    """Short English text for logs and foreign clients."""


@frozen
class Heartbeat:
    """The server is alive; `number` is the current number of the table attended (0: none)."""

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
    """The connection no longer attends a table."""

    code: Word


@frozen
class Closing:
    """The server is about to stop or to drop this connection."""

    code: Word
    """Why, as a word that stays: see Closing."""
    detail: Text
    """Short English text for logs and foreign clients."""
    retry: Millis
    """Milliseconds to wait before connecting again; 0: do not connect again."""


@frozen
class Invitation:
    """The code by which somebody may take a seat: to be sent as the code of a `JoinTable`, once,
    and soon."""

    seat: Seat
    """Match seat."""
    code: Word


@frozen
class MoveCode:
    """The one-time code that carries the session to another device, which sends it as the token of
    its `Hello`, in ASCII. The session moves once that device sends a message after its `Welcome`;
    until then the first device keeps it, and the code stays valid."""

    code: Word
    seconds: Number
    """How long it is valid."""


@frozen
class Hint:
    """What the best bot would do in the receiver's place, knowing what that seat knows."""

    id: Id
    """The id of the `AskHint`."""
    token: Number
    """The token of the prompt it is for."""
    command: Tree
    """A member of the game's commands that answers the prompt."""
    reason: Text
    """Why, in one sentence of plain English."""
