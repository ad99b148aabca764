"""The changes that a client's listeners are told, one at a time and in order. Does not know any
rule."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeAlias

from attrs import frozen

from client.state.scene import Scene, SeatPrompt
from protocol.messages import Presence, TableRow


class ConnectionStatus(Enum):
    """The state of the connection to the server."""

    CONNECTING = "connecting"
    ONLINE = "online"
    WAITING = "waiting"
    """The connection broke; the next try comes by itself."""
    ENDED = "ended"


@frozen
class ConnectionChanged:
    """The state of the connection changed."""

    status: ConnectionStatus
    detail: str = ""
    """Why, in one line; empty if there is nothing to say."""
    wait: float = 0
    """Seconds until the next try (WAITING)."""


@frozen
class Greeted:
    """The server knows us now."""

    name: str
    resumed: bool
    """Whether this is the session we had before."""


@frozen
class Forgotten:
    """The server does not know the session that we had, and has given us a new one."""

    name: str
    """Our name from now on."""


@frozen
class Listed:
    """The list of tables came."""

    tables: tuple[TableRow, ...]


@frozen
class Attended:
    """A whole table came: after joining, watching, reconnecting or a gap."""

    scene: Scene
    missed: tuple[tuple[int, tuple[Any, ...]], ...]
    """(number, happenings) of the entries since the last number we had, or of the latest ones
    if we had none of this table."""
    elapsed: int = 0
    """Milliseconds since the last entry, where a clock runs."""


@frozen
class Rewound:
    """The server's table has fewer entries than we saw, or other ones. `Attended` follows; it
    comes first if we did not attend the table before."""

    code: str
    seen: int
    """The last entry that we saw."""
    now: int
    """The last entry that the server has; equal to `seen` if that entry is another one now."""


@frozen
class Stepped:
    """One entry was added to the table."""

    number: int
    happenings: tuple[Any, ...]
    """Typed; the public ones come first."""
    scene: Scene
    """The table after the entry."""


@frozen
class Prompted:
    """The viewer's seat is asked something new."""

    asked: SeatPrompt
    scene: Scene


@frozen
class CommandAccepted:
    """A command was carried out by entry `number`."""

    id: bytes
    number: int


@frozen
class RequestRefused:
    """A request was refused; nothing has changed."""

    id: bytes | None
    code: str
    facts: tuple[tuple[str, str], ...]
    text: str
    """The reason in our own words, one line."""
    command: Any = None
    """The command that was refused; None if it was no command of ours."""


@frozen
class Chatted:
    """Somebody at the table said something."""

    who: str
    text: str


@frozen
class PresenceChanged:
    """Who is at the table changed."""

    presence: Presence


@frozen
class Departed:
    """We no longer attend a table."""

    code: str


@frozen
class InvitationCame:
    """A code came by which somebody can take the match seat of an absent player."""

    seat: int
    code: str


@frozen
class MoveCodeCame:
    """The one-time code came that carries this session to another device."""

    code: str
    seconds: int
    """How long the code is valid."""


@frozen
class FairnessJudged:
    """A match is over and its secret is shown: we know whether the server kept its word."""

    fair: bool
    text: str
    """What was found, in one line."""


@frozen
class Hinted:
    """The hint came: what the best bot would do in our place."""

    token: int
    """The token of the prompt that the hint is for."""
    command: Any
    """Typed."""
    reason: str


@frozen
class FileCame:
    """A file that we asked for came."""

    kind: str
    """`record` or `transcript`."""
    code: str
    data: bytes


Change: TypeAlias = (
    ConnectionChanged
    | Greeted
    | Forgotten
    | Listed
    | Attended
    | Rewound
    | Stepped
    | Prompted
    | CommandAccepted
    | RequestRefused
    | Chatted
    | PresenceChanged
    | Departed
    | InvitationCame
    | MoveCodeCame
    | Hinted
    | FairnessJudged
    | FileCame
)
