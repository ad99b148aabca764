"""Every message, both directions, with its limits. Tags and the order of fields never
change; later versions add fields at the end.

A message is the tuple of its tag and its fields. What the game defines (commands,
views, happenings) are trees here; `protocol.wire` reads them. Both ends speak the
version that hello and welcome agree on, and are strict about it; only the messages
that agree on it (`open_ended`) may have more fields than the receiver knows.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, ClassVar

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

Id = Annotated[bytes, range(1, 17)]
"""A command's id: chosen by the client, once for each command of a session."""
Number = Annotated[int, range(1 << 63)]
"""The number of an entry; 0: before the first."""
Nonce = Annotated[bytes, range(16, 17)]
"""16 bytes by chance, the client's share in the deal."""
Token = Annotated[bytes, range(1, 65)]
"""The secret of a session, or its public id."""
Word = Annotated[str, range(65)]
"""A name that the software gives: a game, ruleset, option, bot, code, error."""
Words = Annotated[tuple[Word, ...], range(17)]
Name = Annotated[str, range(257)]
"""A name that a person gives; what is allowed is the server's rule, this is its bound."""
Text = Annotated[str, range(2049)]
"""What a person says, or a detail."""
Line = Annotated[str, range(8193)]
"""What a person said, as the server cleaned it: that may need more characters."""
Millis = Annotated[int, range(1 << 32)]
"""Milliseconds."""
Facts = Annotated[tuple[tuple[Word, Text], ...], range(33)]
"""Names and values that explain a refusal."""
Seat = Annotated[int, range(256)]
Trees = tuple[Tree, ...]
File = Annotated[bytes, range(MAX_FROM_SERVER)]

# from client to server


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
    """Name of the game: `ra`."""
    ruleset: Word
    """One of the game's rulesets."""
    options: Words
    """Names of the options that are on, sorted."""
    seats: int
    bots: Words
    """Levels of the bots that take the last seats: `random`, `easy`."""
    listed: bool
    """Whether the list of tables shows it; else it is found by its code alone."""
    sit: bool
    """Whether the sender takes the first seat; the host in any case."""
    nonce: Nonce
    """The sender's share in the deal, by chance; read if it sits."""


@frozen
class ListTables:
    """Ask for the listed tables."""


@frozen
class JoinTable:
    """Take a seat at a table and attend it."""

    id: Id
    code: Word
    nonce: Nonce
    """The sender's share in the deal, by chance."""


@frozen
class Watch:
    """Attend a table, as its seat if the session has one, else as a spectator.

    `since` is the last number the client has (0: none); what happened after it comes
    with the snapshot.
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


# from server to client


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
    """One listed table."""

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
    """The listed tables."""

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
    since: tuple[Happened, ...]
    """What happened after the number asked for; empty if that cannot be said."""


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

CLIENT_CODEC: Codec[FromClient] = Codec(FROM_CLIENT, max_bytes=MAX_FROM_CLIENT)
"""Messages from client to server."""
SERVER_CODEC: Codec[FromServer] = Codec(FROM_SERVER, max_bytes=MAX_FROM_SERVER)
"""Messages from server to client."""
