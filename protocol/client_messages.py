"""Every message from a client to a server. See `protocol.messages`."""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from engine.clock import Absence, Clock
from protocol.codec import Tree
from protocol.fields import (
    Id,
    Name,
    Nonce,
    Number,
    Seat,
    Text,
    Token,
    Word,
    Words,
)


@frozen
class Hello:
    """The first message: who the client is. A token resumes a session."""

    open_ended: ClassVar[bool] = True
    version: Number
    """The newest version that the client speaks."""
    client: Name
    """Name and version of the program, for logs."""
    capabilities: Words
    """What the client can do beyond this version; the server ignores what it does not know."""
    locale: Word
    """Language tag of the client, such as `en` or `pt-BR`; may be empty."""
    name: Name
    """The sender's name at tables. With a token, an empty name keeps the session's name."""
    token: Token | None
    """The token of an earlier `Welcome`; None for a new session."""


@frozen
class Create:
    """Open a table and attend it. A repeated id gives the same table."""

    id: Id
    game: Word
    """Name of the game."""
    ruleset: Word
    """One of the game's rulesets."""
    options: Words
    """Names of the options that are on, sorted."""
    seats: int
    bots: Words
    """Levels of the bots that take the last seats, each one of the game's."""
    listed: bool
    """Whether the list of tables shows it; otherwise it is found only by its code."""
    sit: bool
    """Whether the sender takes the first seat; the sender is the host in any case."""
    nonce: Nonce
    """The sender's random share in the deal; read if the sender sits."""
    clock: Clock = field(default=Clock())
    """How much time the seats have."""
    absence: Absence = Absence.DEFAULT
    """What happens to a seat whose time has run out, or that is voted absent."""


@frozen
class ListTables:
    """Ask for the listed tables, and those where the sender has a seat."""


@frozen
class JoinTable:
    """Take a seat at a table and attend it."""

    id: Id
    code: Word
    """The table's code, or that of an `Invitation` to a seat."""
    nonce: Nonce
    """The sender's random share in the deal."""


@frozen
class Watch:
    """Attend a table: at the sender's seat, or as a spectator if the sender has none.

    `since` is the number of the last entry that the client has; the snapshot tells what happened
    after it. 0: the client has nothing, and the snapshot tells the last entries that the server has
    in memory.
    """

    code: Word
    since: Number


@frozen
class LeaveTable:
    """Stop attending the table, and give up the sender's seat if the table still waits.

    `Left` is the answer; if a seat is freed, `Accepted` comes, too.
    """

    id: Id


@frozen
class StartMatch:
    """Start the match with the seats taken so far. Only the host may."""

    id: Id


@frozen
class CloseTable:
    """Close a waiting table. Only the host may."""

    id: Id


@frozen
class Act:
    """Answer the open prompt, or take back."""

    id: Id
    token: Number
    """The token of the prompt; not read for taking back."""
    command: Tree
    """A member of the game's commands, or `TakeBack`."""


@frozen
class Say:
    """Say a line of chat at the table attended."""

    text: Text


@frozen
class Beat:
    """The client is alive; the server answers a Beat with a Heartbeat."""


@frozen
class GetTranscript:
    """Ask for the transcript of the table attended: everything that the sender's seat, or a
    spectator, was sent there."""


@frozen
class GetRecord:
    """Ask for the record of an ended table."""

    code: Word


@frozen
class Vote:
    """Say that a match seat is absent: it was asked long ago and does not answer."""

    id: Id
    seat: Seat


@frozen
class Return:
    """Play the sender's seat again, after a bot or the default action played for it."""

    id: Id


@frozen
class Invite:
    """Ask for a code by which somebody else may take the match seat of an absent player."""

    id: Id
    seat: Seat


@frozen
class GetMoveCode:
    """Ask for a one-time code that carries this session to another device."""


@frozen
class AskHint:
    """Ask what the best bot would do in the sender's place. Granted to people who play alone
    against bots, if the server gives hints at all. `Hint` is the answer."""

    id: Id
