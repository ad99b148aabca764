"""The port of the store, which keeps the streams: what the server may ask of any store.

A store knows bytes, numbers and directory rows; it must not know what an entry, a game or a phase
means. Two classes implement the port: `memory.MemoryStore` and `sqlite.SqliteStore`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Collection, Sequence
from typing import NewType, Protocol

from attrs import field, frozen

Position = NewType("Position", int)
"""Where a stream ends. Opaque: it comes from `append` and `read` and goes back into `append`; no
caller may rely on how the next one follows from it."""

START = Position(0)
"""The position of a stream that has no entry yet."""


FORGET_AT_ONCE = 500
"""Sessions that one call drops."""
DELETE_AT_ONCE = 500
"""Entries of a retired table that one call deletes."""
ENDED = 3
"""The first of the phases of a table that has ended: nothing more happens there."""


@frozen
class Row:
    """One entry of a stream, as it is stored."""

    number: int
    """1, 2, 3, ... within the stream."""
    body: bytes = field(repr=False)


@frozen
class History:
    """What `read` found: the rows, and the position at which to append next."""

    rows: tuple[Row, ...]
    position: Position


@frozen
class Seated:
    """A person or bot that has a seat at an open table (one that waits or is played)."""

    seat: int
    """The table seat, from 0 on."""
    person: bytes | None
    """Public id; None for a bot."""
    name: str


@frozen
class DirectoryRow:
    """One table as the directory lists it: the newest facts of its stream. They are written in
    the same transaction as the entry that they follow from, and can be rebuilt from the log,
    except for `ran` and `saved`, which belong to the store and are not compared."""

    code: str
    game: str
    phase: int
    """`engine.table.words.Phase`; a plain number here."""
    listed: bool
    number: int
    """Number of the stream's last entry."""
    deadline: int | None
    """When something is due (milliseconds since 1970 UTC); None if nothing ever is."""
    creator: bytes
    """Public id of the session that opened the table."""
    create_id: bytes | None
    """The id of the command that opened it; unique together with `creator`."""
    updated: int
    """When the last entry was written (milliseconds since 1970 UTC)."""
    ruleset: str | None = None
    """None if it is not known because an earlier version wrote the row; so is `seats`."""
    seats: int | None = None
    """How many seats the table has."""
    seated: tuple[Seated, ...] = ()
    """Who sits there, by seat; empty for a table that has ended."""
    ran: int = field(default=0, eq=False)
    """How long servers had run on this database when the last entry was written
    (milliseconds, rounded down to the minute)."""
    saved: bool = field(default=False, eq=False)
    """Whether the record of an ended table is known to be saved, or there is none to save.
    Set by `mark_saved`; `append` ignores it."""


@frozen
class Held:
    """How many open tables one session has opened, and at how many it sits."""

    opened: int
    seats: int

    def plus(self, other: Held) -> Held:
        """The sum of both."""
        return Held(self.opened + other.opened, self.seats + other.seats)


@frozen
class Retired:
    """What is known of a retired table."""

    code: str
    record: str | None
    """Name of the file that holds its record; None if it has none."""


@frozen
class SessionRow:
    """One person's session. Never joined to streams, which hold only public ids."""

    token_hash: bytes = field(repr=False)
    """SHA-256 of the token; the token itself is not stored."""
    public: bytes
    """Public id, unique."""
    name: str
    created: int
    """Milliseconds since 1970 UTC, like `seen`: for people to read. Nothing expires by it."""
    seen: int
    used: int = 0
    """How long servers had run on this database when the session was last used
    (milliseconds)."""


class StoreError(Exception):
    """What a store can raise instead of returning a result. `code` is a stable word, `facts`
    explain it (never with a path or a secret)."""

    def __init__(self, code: str, **facts: int | str) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: dict[str, int | str] = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{name}={value}" for name, value in self.facts.items())
        return f"{self.code}({facts})" if facts else self.code


class Conflict(StoreError):
    """The stream certainly does not end at the expected position (or another table has the pair
    of creator and create_id). Nothing of this append happened."""


class Unavailable(StoreError):
    """Nothing happened; the same append may be tried again. The code is `queue_full`,
    `disk_full`, `locked`, `read_only`, `io_error`, `corrupt`, `too_big` or `closed`."""


class Unknown(StoreError):
    """The append may or may not have happened: read the stream before anything else."""


class Damaged(StoreError):
    """A stream does not hold what was written: `facts` name the table and the number."""


class StoreRefused(StoreError):
    """The store cannot be opened: another server uses it, a later version or another program
    made it. Nothing was touched. `str()` is one line for the operator."""


class Store(Protocol):
    """Streams, directory and sessions. All calls come from one event loop.

    Appends to different streams do not wait for each other; the caller makes sure that one
    stream has at most one append under way (a second one would conflict).

    An open table is one that waits or is played.
    """

    def append(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Awaitable[Position]:
        """Store `row` as the next entry of `table` and `directory` as its directory row, both
        or neither; both are on disk when this returns the position to expect next.

        Raises Conflict, Unavailable or Unknown when awaited.
        """
        ...

    async def read(self, table: str, after: int = 0) -> History:
        """The committed rows of `table` with numbers above `after`, ascending; no rows and
        START if there is no such stream. Raises Damaged, Unavailable."""
        ...

    async def find(self, code: str) -> DirectoryRow | None:
        """The directory row of one table."""
        ...

    async def find_created(self, creator: bytes, create_id: bytes) -> DirectoryRow | None:
        """The table that `creator` opened with the command `create_id`."""
        ...

    async def directory(self, phases: Collection[int] | None = None) -> list[DirectoryRow]:
        """All directory rows, or those in `phases`, ordered by code, however many there are."""
        ...

    async def tables(self) -> list[str]:
        """The codes of all streams in the log itself, ordered, however many there are."""
        ...

    # the directory, which returns no more rows than are needed

    async def listed(self, most: int) -> list[DirectoryRow]:
        """Up to `most` listed open tables, the last opened first."""
        ...

    async def seats_of(self, person: bytes) -> list[DirectoryRow]:
        """Open tables at which `person` has a seat, the one with the newest entry first."""
        ...

    async def count_open(self, creator: bytes | None = None) -> int:
        """How many tables are open, of all or of those that `creator` opened."""
        ...

    async def held(self, people: Collection[bytes]) -> dict[bytes, Held]:
        """What each of some sessions holds; those that hold nothing are left out."""
        ...

    async def taken(self, codes: Collection[str]) -> set[str]:
        """Which of `codes` a table has, or had before it was retired."""
        ...

    def due(self) -> AsyncIterator[list[DirectoryRow]]:
        """All open tables at which something will be due, in slices."""
        ...

    def idle(self, phase: int, until: int) -> AsyncIterator[list[DirectoryRow]]:
        """All tables in `phase` whose last entry is not newer than `until` (in terms of
        `DirectoryRow.ran`), the oldest first (of those of one age, the first opened), in
        slices."""
        ...

    def unsaved(self) -> AsyncIterator[list[DirectoryRow]]:
        """All ended tables that are not marked as saved, in slices."""
        ...

    def unseated(self) -> AsyncIterator[list[str]]:
        """The codes of all open tables for which an earlier version did not write who sits
        there, the last opened first, in slices."""
        ...

    def missing(self) -> AsyncIterator[list[str]]:
        """The codes of all tables that the directory lacks, in slices. It takes time in
        proportion to everything that is stored."""
        ...

    async def relist(self, rows: Sequence[DirectoryRow]) -> None:
        """Write rows made from the log where the directory lacks the row or its seats; what was
        written in the meantime stays. Raises Unavailable, Unknown."""
        ...

    async def mark_saved(self, codes: Collection[str]) -> None:
        """Note that the records of these ended tables are saved, or that they have none.
        Raises Unavailable, Unknown."""
        ...

    # retired tables

    async def retire(self, table: Retired, ran: int) -> None:
        """Retire an ended table: its log, seats and directory row go, its code stays taken.
        `ran` is how long servers have run. Raises Unavailable, Unknown."""
        ...

    async def sweep_retired(self) -> bool:
        """Delete some of what retired tables left (at most DELETE_AT_ONCE entries), and return
        whether there may be more. Raises Unavailable, Unknown."""
        ...

    async def retired(self, code: str) -> Retired | None:
        """The retired table that had this code, if there was one."""
        ...

    async def long_retired(self, until: int, most: int) -> list[Retired]:
        """Up to `most` tables that were retired when servers had run for no longer than
        `until`, the first retired first."""
        ...

    async def release(self, codes: Collection[str]) -> None:
        """Forget retired tables, so that other tables can get their codes. Raises Unavailable,
        Unknown."""
        ...

    # how long servers have run

    async def age(self) -> int:
        """How long servers have run on this database in total, as last stored by `keep_age`
        (milliseconds)."""
        ...

    async def keep_age(self, age: int) -> None:
        """Store that. Raises Unavailable, Unknown."""
        ...

    # sessions

    async def put_session(self, session: SessionRow) -> None:
        """Store a session; of one that is stored already, update the name and the time of its
        last use. Raises Conflict if another token has the public id, Unavailable, Unknown."""
        ...

    async def get_session(self, token_hash: bytes) -> SessionRow | None:
        """The session of a token."""
        ...

    async def move_session(self, public: bytes, token_hash: bytes) -> SessionRow | None:
        """Give the session `public` another token, which voids the old one. Returns the session
        as it is now, or None if there is none. Raises Unavailable, Unknown."""
        ...

    async def forget_sessions(self, used_before: int) -> int:
        """Drop sessions that were last used when servers had run for less than `used_before`
        and that have no seat at an open table, and return how many; no more than
        FORGET_AT_ONCE of them, so that no append waits for long."""
        ...

    async def close(self) -> None:
        """Finish what is under way, then release everything; later calls raise
        Unavailable("closed")."""
        ...
