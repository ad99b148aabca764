"""What fields of messages may hold: versions, sizes, and the limits that many share.

`Annotated[T, range(low, beyond)]` bounds an int's value or a length (see
`protocol.codec`).
"""

from __future__ import annotations

from typing import Annotated

from protocol.codec import Tree

VERSION = 2
OLDEST_VERSION = 1
SUBPROTOCOL = "ra.v1"


def added_in(version: int) -> dict[str, int]:
    """Metadata of a field that came with a later `version` of the protocol: it stands at the
    end, a peer of an older version is never sent it, and there it has its default."""
    return {"since": version}


MAX_FROM_CLIENT = 1 << 14
"""Bytes of a message from a client at the most."""
MAX_FROM_SERVER = 1 << 22
"""Bytes of a message from a server at the most."""
MAX_FILE = MAX_FROM_SERVER - 1024
"""Bytes of a file in a message: there is room for the rest of it."""
MAX_SINCE = 4096
"""Entries that a snapshot tells of at the most."""

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
File = Annotated[bytes, range(MAX_FILE + 1)]
