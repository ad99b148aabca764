"""What a client's listeners are told, one at a time and in order. Knows no rule."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeAlias

from attrs import frozen

from client.state.scene import OpenPrompt, Scene
from protocol.messages import Presence, TableRow


class Status(Enum):
    """How the link to the server stands."""

    CONNECTING = "connecting"
    ONLINE = "online"
    WAITING = "waiting"
    """The connection broke; the next try comes by itself."""
    ENDED = "ended"


@frozen
class Linked:
    """The link's status changed."""

    status: Status
    detail: str = ""
    """Why, in one line; empty if there is nothing to say."""
    wait: float = 0
    """Seconds until the next try (WAITING)."""


@frozen
class Greeted:
    """The server knows us now."""

    name: str
    resumed: bool
    """Whether it is the session we had before."""


@frozen
class Forgotten:
    """The server does not know the session that we had; we have a new one."""

    name: str
    """Ours from now on."""


@frozen
class Listed:
    tables: tuple[TableRow, ...]


@frozen
class Attended:
    """The table anew: after joining, watching, reconnecting or a gap."""

    scene: Scene
    missed: tuple[tuple[int, tuple[Any, ...]], ...]
    """(number, happenings) of the entries since the last number we had; of the latest ones,
    if we had none of this table."""
    elapsed: int = 0
    """Milliseconds since the last entry, where a clock runs."""


@frozen
class Rewound:
    """The server has less of our table, or another, than we saw. `Attended` follows; it comes
    first if we did not attend the table when we were told."""

    code: str
    seen: int
    """The last entry that we saw."""
    now: int
    """The last one that the server has; the same as `seen` if it is not the one we saw."""


@frozen
class Stepped:
    """One entry of the table."""

    number: int
    happenings: tuple[Any, ...]
    """Typed, the public ones first."""
    scene: Scene
    """The table after it."""


@frozen
class Prompted:
    """The viewer's seat is asked something new."""

    asked: OpenPrompt
    scene: Scene


@frozen
class CommandAccepted:
    """A command was carried out by entry `number`."""

    id: bytes
    number: int


@frozen
class RequestRefused:
    """A message was not granted; nothing has changed."""

    id: bytes | None
    code: str
    facts: tuple[tuple[str, str], ...]
    text: str
    """The reason in our own words, one line."""
    command: Any = None
    """What was not granted; None: it was no command of ours."""


@frozen
class Chatted:
    who: str
    text: str


@frozen
class PresenceChanged:
    presence: Presence


@frozen
class Departed:
    """We attend no table any more."""

    code: str


@frozen
class InvitationCame:
    """Whoever joins with `code` takes the match seat of somebody absent."""

    seat: int
    code: str


@frozen
class MoveCodeCame:
    """The one-time code that carries this session to another device."""

    code: str
    seconds: int
    """How long it is good for."""


@frozen
class FairnessJudged:
    """A match is over and its secret is shown: whether the server kept its word."""

    fair: bool
    text: str
    """What was found, in one line."""


@frozen
class Hinted:
    """What the best bot would do in our place."""

    token: int
    """That of the prompt it is for."""
    command: Any
    """Typed."""
    reason: str


@frozen
class FileCame:
    kind: str
    """`record` or `transcript`."""
    code: str
    data: bytes


Change: TypeAlias = (
    Linked
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
