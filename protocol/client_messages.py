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
    """The name to be known by; with a token, an empty name keeps that of the session."""
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
    """Whether the list of tables shows it; otherwise only its code finds it."""
    sit: bool
    """Whether the sender takes the first seat; the sender is the host in any case."""
    nonce: Nonce
    """The sender's share in the deal, by chance; read if it sits."""
    clock: Clock = field(default=Clock())
    """How much time the seats have."""
    absence: Absence = Absence.DEFAULT
    """What becomes of a seat whose time has run out, or that is voted absent."""


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
    """The sender's share in the deal, by chance."""


@frozen
class Watch:
    """Attend a table: at one's seat, if the session has one, else as a spectator.

    `since` is the last number that the client has; what happened after it comes with the snapshot.
    0: the client has nothing, and gets the latest of what happened, as far as the server has it at
    hand.
    """

    code: Word
    since: Number


@frozen
class LeaveTable:
    """Free one's seat while the table waits, and stop attending it in any case.

    If a seat is freed, the answer is `Accepted`; `Left` comes in any case.
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
    """The token of the prompt; not read for taking back."""
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
    """Return to one's own seat, which somebody plays for."""

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
    """Ask what the best bot would do in one's place. Granted to people who play alone against bots,
    if the server gives hints at all. `Hint` is the answer."""

    id: Id
