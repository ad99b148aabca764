"""What fields of messages may hold: versions, sizes, and limits that many fields share.

`Annotated[T, range(low, beyond)]` bounds the value of an int, or a length (see `protocol.codec`).
"""

from __future__ import annotations

from typing import Annotated

from protocol.codec import Tree

VERSION = 2
OLDEST_VERSION = 1
SUBPROTOCOL = "ra.v1"


def added_in(version: int) -> dict[str, int]:
    """Metadata of a field that a later `version` of the protocol added: it stands at the end, a
    peer of an older version is never sent it, and it has its default there. Not for what is read
    without a version (`engine.entry.ADDED`)."""
    return {"since": version}


MAX_FROM_CLIENT = 1 << 14
"""The most bytes of a message from a client."""
MAX_FROM_SERVER = 1 << 22
"""The most bytes of a message from a server."""
MAX_FILE = MAX_FROM_SERVER - 1024
"""The most bytes of a file in a message: there is room for the rest of the message."""
MAX_SINCE = 4096
"""The most entries that a snapshot tells about."""

Id = Annotated[bytes, range(1, 17)]
"""The id of a command or of `AskHint`: chosen by the client, a new one for each in its session."""
Number = Annotated[int, range(1 << 63)]
"""The number of an entry; 0: before the first."""
Nonce = Annotated[bytes, range(16, 17)]
"""16 random bytes, the client's share in the deal."""
Token = Annotated[bytes, range(1, 65)]
"""The secret of a session, or its public id."""
Word = Annotated[str, range(65)]
"""A name given by the software: a game, ruleset, option, bot, code, error."""
Words = Annotated[tuple[Word, ...], range(17)]
Name = Annotated[str, range(257)]
"""A name given by a person. The server decides what is allowed; this is its bound."""
Text = Annotated[str, range(2049)]
"""What a person writes, or a detail."""
CleanText = Annotated[str, range(8193)]
"""What a person wrote, as the server cleaned it: that may need more characters."""
Millis = Annotated[int, range(1 << 32)]
"""Milliseconds."""
Facts = Annotated[tuple[tuple[Word, Text], ...], range(33)]
"""Names and values that explain a refusal."""
Seat = Annotated[int, range(256)]
"""The number of a seat, counted from 0."""
SeatCount = Annotated[int, range(256)]
"""How many seats."""
Trees = tuple[Tree, ...]
File = Annotated[bytes, range(MAX_FILE + 1)]
