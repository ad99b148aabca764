"""Every message, in both directions, with its limits. Tags and the order of fields never change;
later versions add fields at the end.

A message is the tuple of its tag and its fields. Whatever the game defines (commands, views,
happenings) is a tree here, which `protocol.wire` reads. Both ends speak the version that hello and
welcome agree on, and are strict about it; only the messages that agree on it (`open_ended`) may
have more fields than the receiver knows.
"""

from __future__ import annotations

from functools import cache

from protocol.client_messages import (
    Act,
    AskHint,
    Beat,
    CloseTable,
    Create,
    GetMoveCode,
    GetRecord,
    GetTranscript,
    Hello,
    Invite,
    JoinTable,
    LeaveTable,
    ListTables,
    Return,
    Say,
    StartMatch,
    Vote,
    Watch,
)
from protocol.codec import Codec
from protocol.fields import (
    MAX_FROM_CLIENT,
    MAX_FROM_SERVER,
    OLDEST_VERSION,
    SUBPROTOCOL,
    VERSION,
    Facts,
)
from protocol.server_messages import (
    Accepted,
    Closing,
    Happened,
    Heartbeat,
    Hint,
    Invitation,
    Left,
    MoveCode,
    Peer,
    Presence,
    Record,
    Refused,
    Said,
    Snapshot,
    TableRow,
    Tables,
    TooOld,
    Transcript,
    Update,
    Welcome,
)

FromClient = (
    Hello | Create | ListTables | JoinTable | Watch | LeaveTable | StartMatch | CloseTable
    | Act | Say | Beat | GetTranscript | GetRecord | Vote | Return | Invite | GetMoveCode
    | AskHint
)  # fmt: skip
FromServer = (
    Welcome | TooOld | Tables | Snapshot | Update | Accepted | Presence | Said | Refused
    | Heartbeat | Transcript | Record | Left | Closing | Invitation | MoveCode
    | Hint
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
    14: Vote,
    15: Return,
    16: Invite,
    17: GetMoveCode,
    18: AskHint,
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
    15: Invitation,
    16: MoveCode,
    17: Hint,
}


@cache
def client_codec(version: int) -> Codec[FromClient]:
    """Messages from client to server, as `version` of the protocol has them."""
    return Codec(FROM_CLIENT, max_bytes=MAX_FROM_CLIENT, version=version)


@cache
def server_codec(version: int) -> Codec[FromServer]:
    """Messages from server to client, as `version` of the protocol has them."""
    return Codec(FROM_SERVER, max_bytes=MAX_FROM_SERVER, version=version)


CLIENT_CODEC = client_codec(VERSION)
"""Messages from client to server, in the newest version."""
SERVER_CODEC = server_codec(VERSION)
"""Messages from server to client, in the newest version."""

__all__ = [
    "CLIENT_CODEC",
    "FROM_CLIENT",
    "FROM_SERVER",
    "MAX_FROM_CLIENT",
    "MAX_FROM_SERVER",
    "OLDEST_VERSION",
    "SERVER_CODEC",
    "SUBPROTOCOL",
    "VERSION",
    "Accepted",
    "Act",
    "AskHint",
    "Beat",
    "CloseTable",
    "Closing",
    "Create",
    "Facts",
    "FromClient",
    "FromServer",
    "GetMoveCode",
    "GetRecord",
    "GetTranscript",
    "Happened",
    "Heartbeat",
    "Hello",
    "Hint",
    "Invitation",
    "Invite",
    "JoinTable",
    "LeaveTable",
    "Left",
    "ListTables",
    "MoveCode",
    "Peer",
    "Presence",
    "Record",
    "Refused",
    "Return",
    "Said",
    "Say",
    "Snapshot",
    "StartMatch",
    "TableRow",
    "Tables",
    "TooOld",
    "Transcript",
    "Update",
    "Vote",
    "Watch",
    "Welcome",
    "client_codec",
    "server_codec",
]
