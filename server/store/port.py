"""The port to where streams are kept: what the server may ask of any store.

A store knows bytes, numbers and directory rows; it must not know what an entry, a game
or a phase means. Two classes fulfil the port: `memory.MemoryStore`, `sqlite.SqliteStore`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Iterable
from typing import NewType, Protocol

from attrs import field, frozen

Position = NewType("Position", int)
"""Where a stream ends. Opaque: it comes from `append` and `read` and goes back into
`append`; nobody may count on how the next one follows from it."""

START = Position(0)
"""The position of a stream that has no entry yet."""


FORGET_AT_ONCE = 500
"""Sessions dropped in one go."""


@frozen
class Row:
    """One entry of a stream as it is kept."""

    number: int
    """1, 2, 3, ... within the stream."""
    body: bytes = field(repr=False)


@frozen
class History:
    """What `read` found: the rows, and the position to append at next."""

    rows: tuple[Row, ...]
    position: Position


@frozen
class DirectoryRow:
    """One table as the directory lists it: the newest facts of its stream, written in
    the same transaction as the entry that they follow from, rebuildable from the log."""

    code: str
    game: str
    phase: int
    """`engine.table.Phase`; a plain number here."""
    listed: bool
    number: int
    """Number of the stream's last entry."""
    deadline: int | None
    """When something is due (milliseconds since 1970 UTC); None: never."""
    creator: bytes
    """Public id of the session that opened the table."""
    create_id: bytes | None
    """The id of the command that opened it: with `creator`, unique."""
    updated: int
    """When the last entry was written (milliseconds since 1970 UTC)."""


@frozen
class SessionRow:
    """One person's session. Never joined to streams, which know public ids alone."""

    token_hash: bytes = field(repr=False)
    """SHA-256 of the token; the token itself is not kept."""
    public: bytes
    """Public id, unique."""
    name: str
    created: int
    """Milliseconds since 1970 UTC, as `seen`."""
    seen: int


class StoreError(Exception):
    """What a store can answer instead of a result. `code` is a stable word, `facts`
    explain it (never a path or a secret)."""

    def __init__(self, code: str, **facts: int | str) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: dict[str, int | str] = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{name}={value}" for name, value in self.facts.items())
        return f"{self.code}({facts})" if facts else self.code


class Conflict(StoreError):
    """Proven: the stream does not end at the expected position (or the pair creator and
    create_id belongs to another table). Nothing of this append happened."""


class Unavailable(StoreError):
    """Nothing happened; the same append may be tried again. Codes: `queue_full`,
    `disk_full`, `locked`, `read_only`, `io_error`, `corrupt`, `too_big`, `closed`."""


class Unknown(StoreError):
    """The append may or may not have happened: read the stream before anything else."""


class Damaged(StoreError):
    """What is kept of a stream is not what was written: `facts` name table and number."""


class Refused(StoreError):
    """The store cannot be opened: in use by another server, of a later version, not ours.
    Nothing was touched. `str()` is one line for the operator."""


class Store(Protocol):
    """Streams, directory, sessions. All calls come from one event loop.

    Appends of different streams do not wait for each other; the caller sees to it that
    one stream has at most one append under way (a second one would conflict).
    """

    def append(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Awaitable[Position]:
        """Keep `row` as the next entry of `table` and `directory` as its directory row,
        both or neither, on disk before this returns: the position to expect next.

        Raises Conflict, Unavailable or Unknown when awaited.
        """
        ...

    async def read(self, table: str, after: int = 0) -> History:
        """The committed rows of `table` with numbers beyond `after`, ascending; no rows
        and START for a stream that is not there. Raises Damaged, Unavailable."""
        ...

    async def find(self, code: str) -> DirectoryRow | None:
        """The directory row of one table."""
        ...

    async def find_created(self, creator: bytes, create_id: bytes) -> DirectoryRow | None:
        """The table that `creator` opened with the command `create_id`."""
        ...

    async def directory(self, phases: Collection[int] | None = None) -> list[DirectoryRow]:
        """All directory rows, or those in `phases`, ordered by code."""
        ...

    async def tables(self) -> list[str]:
        """The codes of all streams in the log itself, ordered."""
        ...

    async def rebuild(self, directory: Iterable[DirectoryRow]) -> None:
        """Replace the whole directory (made from the log) in one transaction."""
        ...

    async def put_session(self, session: SessionRow) -> None:
        """Keep a session; of one that is kept already, the name and the time last seen.
        Raises Conflict if another token has the public id, Unavailable, Unknown."""
        ...

    async def get_session(self, token_hash: bytes) -> SessionRow | None:
        """The session of a token."""
        ...

    async def move_session(self, public: bytes, token_hash: bytes) -> SessionRow | None:
        """Give the session `public` another token; the one before it is good no more.
        The session as it is now; None if there is none. Raises Unavailable, Unknown."""
        ...

    async def forget_sessions(self, seen_before: int) -> int:
        """Drop sessions last seen before a time, not more than FORGET_AT_ONCE of them, so
        that no append waits for long: how many."""
        ...

    async def close(self) -> None:
        """Finish what is under way, then let go of everything; later calls raise
        Unavailable("closed")."""
        ...
