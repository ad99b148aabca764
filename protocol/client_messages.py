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
    """The first message: who is there. A token resumes a session."""

    open_ended: ClassVar[bool] = True
    version: Number
    """The newest version that the client speaks."""
    client: Name
    """Name and version of the program, for logs."""
    capabilities: Words
    """What the client can do beyond this version; unknown ones mean nothing."""
    locale: Word
    """Language tag of the client, such as `en` or `pt-BR`; may be empty."""
    name: Name
    """The name to be known by; with a token: empty keeps the session's name."""
    token: Token | None
    """That of a former `Welcome`; None for a new session."""


@frozen
class Create:
    """Open a table and attend it. Repeating the id gives the same table."""

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
    """Whether the list of tables shows it; else it is found by its code alone."""
    sit: bool
    """Whether the sender takes the first seat; the host in any case."""
    nonce: Nonce
    """The sender's share in the deal, by chance; read if it sits."""
    clock: Clock = field(default=Clock())
    """How much time the seats have."""
    absence: Absence = Absence.DEFAULT
    """What becomes of a seat whose time has run out, or that is voted absent."""


@frozen
class ListTables:
    """Ask for the listed tables, and for those where one has a seat."""


@frozen
class JoinTable:
    """Take a seat at a table and attend it."""

    id: Id
    code: Word
    """The table's code, or that of an `Invitation` to a seat."""
    nonce: Nonce
    """The sender's share in the deal, by chance."""


@frozen
class Watch:
    """Attend a table, as its seat if the session has one, else as a spectator.

    `since` is the last number the client has; what happened after it comes with the
    snapshot. 0: it has nothing; the latest of what happened comes, as far as the server has
    it at hand.
    """

    code: Word
    since: Number


@frozen
class LeaveTable:
    """Free one's seat while the table waits; stop attending it in any case.

    Where a seat is freed the answer is `Accepted`; `Left` comes in any case.
    """

    id: Id


@frozen
class StartMatch:
    """The host starts with the seats taken so far."""

    id: Id


@frozen
class CloseTable:
    """The host closes a waiting table."""

    id: Id


@frozen
class Act:
    """Answer the open prompt, or take back."""

    id: Id
    token: Number
    """That of the prompt; not read for taking back."""
    command: Tree
    """A member of the game's commands, or `TakeBack`."""


@frozen
class Say:
    """Chat at the table attended."""

    text: Text


@frozen
class Beat:
    """The client is alive; the server answers a Beat with a Heartbeat."""


@frozen
class GetTranscript:
    """Ask for the transcript of the table attended: what this audience was sent."""


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
    """Be back on one's own seat, that was played for."""

    id: Id


@frozen
class Invite:
    """Ask for a code by which somebody else may take the match seat of one absent."""

    id: Id
    seat: Seat


@frozen
class GetMoveCode:
    """Ask for a one-time code that carries this session to another device."""


@frozen
class AskHint:
    """Ask what the best bot would do in one's place; granted to those who play alone
    against bots, where the server does so at all. `Hint` answers."""

    id: Id
