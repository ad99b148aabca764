"""Every message, both directions. Tags and the order of fields never change; later
versions add fields at the end.

A message is the tuple of its tag and its fields. What the game defines (commands,
views, happenings) are trees here; `protocol.wire` reads them.
"""

from __future__ import annotations

from enum import IntEnum

from attrs import frozen

from protocol.codec import Codec, Tree
from protocol.views import Phase

VERSION = 1
OLDEST_VERSION = 1
SUBPROTOCOL = "ra.v1"

MAX_FROM_CLIENT = 1 << 14
"""Bytes of a message from a client at the most."""
MAX_FROM_SERVER = 1 << 22
"""Bytes of a message from a server at the most."""

Facts = tuple[tuple[str, str], ...]
"""Names and values that explain a refusal."""

# from client to server


@frozen
class Hello:
    """The first message: who is there. A token resumes a session."""

    version: int
    client: str
    """Name and version of the program, for logs."""
    capabilities: tuple[str, ...]
    locale: str
    name: str
    """The name to be known by; with a token: empty keeps the session's name."""
    token: bytes | None


@frozen
class Create:
    """Open a table and attend it. Repeating the id gives the same table."""

    id: bytes
    game: str
    ruleset: str
    options: tuple[str, ...]
    seats: int
    bots: tuple[str, ...]
    listed: bool
    sit: bool
    nonce: bytes


@frozen
class ListTables:
    """Ask for the listed tables."""


@frozen
class JoinTable:
    """Take a seat at a table and attend it."""

    id: bytes
    code: str
    nonce: bytes


@frozen
class Watch:
    """Attend a table, as its seat if the session has one, else as a spectator.

    `since` is the last number the client has (0: none); what happened after it comes
    with the snapshot.
    """

    code: str
    since: int


@frozen
class LeaveTable:
    """Free one's seat while the table waits; stop attending it in any case."""

    id: bytes


@frozen
class StartMatch:
    """The host starts with the seats taken so far."""

    id: bytes


@frozen
class CloseTable:
    """The host closes a waiting table."""

    id: bytes


@frozen
class Act:
    """Answer the open prompt, or take back."""

    id: bytes
    token: int
    command: Tree


@frozen
class Say:
    """Chat at the table attended."""

    text: str


@frozen
class Beat:
    """The client is alive; the server answers a Beat with a Heartbeat."""


@frozen
class GetTranscript:
    """Ask for the transcript of the table attended: what this audience was sent."""


@frozen
class GetRecord:
    """Ask for the record of an ended table."""

    code: str


# from server to client


@frozen
class Welcome:
    """The session is granted or resumed."""

    version: int
    server: str
    session: bytes
    """Public id of the session."""
    token: bytes | None
    """The secret that resumes it; None if the client already has it."""
    name: str
    heartbeat: int
    """Milliseconds between heartbeats at the most."""


@frozen
class TooOld:
    """The client's version is not served any more; the connection closes."""

    oldest: int
    newest: int
    detail: str


@frozen
class TableRow:
    """One listed table."""

    code: str
    game: str
    ruleset: str
    phase: Phase
    seats: int
    taken: int
    names: tuple[str, ...]


@frozen
class Tables:
    tables: tuple[TableRow, ...]


@frozen
class Happened:
    """What one entry brought, as this audience may know it."""

    number: int
    public: tuple[Tree, ...]
    private: tuple[Tree, ...]


@frozen
class Snapshot:
    """The views as of `number`; replaces all that the client had."""

    number: int
    seat: int | None
    """The receiver's match seat, or table seat while the table waits; None: spectator."""
    public: Tree
    """A `PublicView`."""
    private: Tree
    """A `PrivateView`; None for spectators and before the match starts."""
    since: tuple[Happened, ...]
    """What happened after the number asked for; empty if that cannot be said."""


@frozen
class Update:
    """What one entry brought. A part is (happened, delta)."""

    number: int
    """One more than that of the message before."""
    public: tuple[tuple[Tree, ...], Tree]
    private: tuple[tuple[Tree, ...], Tree] | None


@frozen
class Accepted:
    """The command `id` was carried out by entry `number` (now or before)."""

    id: bytes
    number: int


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
    watchers: int


@frozen
class Said:
    seat: int | None
    """Table seat of the speaker; None for a spectator."""
    name: str
    text: str


@frozen
class Refused:
    """A message was not granted; nothing has changed."""

    id: bytes | None
    """The command's id, where it had one that could be read."""
    code: str
    facts: Facts
    detail: str
    """Short English text for logs and foreign clients."""


@frozen
class Heartbeat:
    """The server is alive; `number` is the attended table's current one (0: none)."""

    number: int


@frozen
class Transcript:
    """A transcript file of the table attended."""

    code: str
    data: bytes


@frozen
class Record:
    """The record file of an ended table."""

    code: str
    data: bytes


@frozen
class Left:
    """The connection attends no table any more."""

    code: str


@frozen
class Closing:
    """The server is about to stop or to drop this connection."""

    code: str
    detail: str
    retry: int
    """Milliseconds to wait before connecting again; 0: do not."""


FromClient = (
    Hello | Create | ListTables | JoinTable | Watch | LeaveTable | StartMatch | CloseTable
    | Act | Say | Beat | GetTranscript | GetRecord
)  # fmt: skip
FromServer = (
    Welcome | TooOld | Tables | Snapshot | Update | Accepted | Presence | Said | Refused
    | Heartbeat | Transcript | Record | Left | Closing
)  # fmt: skip

FROM_CLIENT: dict[int, type[FromClient]] = {
    1: Hello,
    2: Create,
    3: ListTables,
    4: JoinTable,
    5: Watch,
    6: LeaveTable,
    7: StartMatch,
    8: CloseTable,
    9: Act,
    10: Say,
    11: Beat,
    12: GetTranscript,
    13: GetRecord,
}
FROM_SERVER: dict[int, type[FromServer]] = {
    1: Welcome,
    2: TooOld,
    3: Tables,
    4: Snapshot,
    5: Update,
    6: Accepted,
    7: Presence,
    8: Said,
    9: Refused,
    10: Heartbeat,
    11: Transcript,
    12: Record,
    13: Left,
    14: Closing,
}

CLIENT_CODEC: Codec[FromClient] = Codec(FROM_CLIENT)
"""Messages from client to server."""
SERVER_CODEC: Codec[FromServer] = Codec(FROM_SERVER)
"""Messages from server to client."""
