"""The port to where streams are kept: what the server may ask of any store.

A store knows bytes, numbers and directory rows; it must not know what an entry, a game
or a phase means. Two classes fulfil the port: `memory.MemoryStore`, `sqlite.SqliteStore`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Collection, Sequence
from typing import NewType, Protocol

from attrs import field, frozen

Position = NewType("Position", int)
"""Where a stream ends. Opaque: it comes from `append` and `read` and goes back into
`append`; nobody may count on how the next one follows from it."""

START = Position(0)
"""The position of a stream that has no entry yet."""


FORGET_AT_ONCE = 500
"""Sessions dropped in one go."""
DELETE_AT_ONCE = 500
"""Entries of a retired table deleted in one go."""
ENDED = 3
"""Phases from here on are ended: nothing more happens at such a table."""


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
class Seated:
    """Somebody who has a seat at a table that waits or is played."""

    seat: int
    """The table seat, from 0 on."""
    person: bytes | None
    """Public id; None for a bot."""
    name: str


@frozen
class DirectoryRow:
    """One table as the directory lists it: the newest facts of its stream, written in
    the same transaction as the entry that they follow from, rebuildable from the log
    (but for `ran` and `saved`, which are the store's own and not compared)."""

    code: str
    game: str
    phase: int
    """`engine.table.words.Phase`; a plain number here."""
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
    ruleset: str | None = None
    """None: not known; an earlier version wrote the row, as for `seats`."""
    seats: int | None = None
    """How many seats the table has."""
    seated: tuple[Seated, ...] = ()
    """Who sits there, by seat; nobody at a table that has ended."""
    ran: int = field(default=0, eq=False)
    """How long servers had run on this database when the last entry was written
    (milliseconds, rounded down to the minute)."""
    saved: bool = field(default=False, eq=False)
    """Whether the record of an ended table is known to be saved, or there is none to save.
    Set by `mark_saved`; what `append` is given is not looked at."""


@frozen
class Held:
    """How many tables that wait or are played one session has opened, and at how many of
    them it sits."""

    opened: int
    seats: int

    def plus(self, other: Held) -> Held:
        """What both have together."""
        return Held(self.opened + other.opened, self.seats + other.seats)


@frozen
class Retired:
    """What is known of a table that was given up."""

    code: str
    record: str | None
    """Name of the file that its record is in; None: it has none."""


@frozen
class SessionRow:
    """One person's session. Never joined to streams, which know public ids alone."""

    token_hash: bytes = field(repr=False)
    """SHA-256 of the token; the token itself is not kept."""
    public: bytes
    """Public id, unique."""
    name: str
    created: int
    """Milliseconds since 1970 UTC, as `seen`: for people to read. Nothing expires by it."""
    seen: int
    used: int = 0
    """How long servers had run on this database when the session was last used
    (milliseconds)."""


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


class StoreRefused(StoreError):
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
        """All directory rows, or those in `phases`, ordered by code: as many as there are."""
        ...

    async def tables(self) -> list[str]:
        """The codes of all streams in the log itself, ordered: as many as there are."""
        ...

    # the directory, asked for no more than is needed

    async def listed(self, most: int) -> list[DirectoryRow]:
        """Listed tables that wait or are played, the last opened first."""
        ...

    async def seats_of(self, person: bytes) -> list[DirectoryRow]:
        """Tables that wait or are played where `person` has a seat, the newest news first."""
        ...

    async def count_open(self, creator: bytes | None = None) -> int:
        """How many tables wait or are played, of all or of those that `creator` opened."""
        ...

    async def held(self, people: Collection[bytes]) -> dict[bytes, Held]:
        """What each of some sessions has; those that have nothing are left out."""
        ...

    async def taken(self, codes: Collection[str]) -> set[str]:
        """Those of `codes` that a table has, or had before it was retired."""
        ...

    def due(self) -> AsyncIterator[list[DirectoryRow]]:
        """All tables that wait or are played where something will be due, in slices."""
        ...

    def idle(self, phase: int, until: int) -> AsyncIterator[list[DirectoryRow]]:
        """All tables in `phase` whose last entry is not newer than `until` (as
        `DirectoryRow.ran`), the oldest first (of the same age, the first opened), in slices."""
        ...

    def unsaved(self) -> AsyncIterator[list[DirectoryRow]]:
        """All ended tables that are not marked as saved, in slices."""
        ...

    def unseated(self) -> AsyncIterator[list[str]]:
        """The codes of all tables that wait or are played of which an earlier version did
        not write who sits there, the last opened first, in slices."""
        ...

    def missing(self) -> AsyncIterator[list[str]]:
        """The codes of all tables that the directory lacks, in slices. The time it takes
        grows with all that is kept."""
        ...

    async def relist(self, rows: Sequence[DirectoryRow]) -> None:
        """Put rows made from the log where the directory lacks the row or the seats; what
        was written meanwhile stays. Raises Unavailable, Unknown."""
        ...

    async def mark_saved(self, codes: Collection[str]) -> None:
        """Note that the records of these ended tables are saved, or that there are none to
        save. Raises Unavailable, Unknown."""
        ...

    # what is given up

    async def retire(self, table: Retired, ran: int) -> None:
        """Give up an ended table: log, seats and directory row go, the code stays taken.
        `ran` is how long servers have run. Raises Unavailable, Unknown."""
        ...

    async def sweep_retired(self) -> bool:
        """Delete some of what retired tables left (at most DELETE_AT_ONCE entries): whether
        there may be more. Raises Unavailable, Unknown."""
        ...

    async def retired(self, code: str) -> Retired | None:
        """The table of this code that was retired, if there was one."""
        ...

    async def long_retired(self, until: int, most: int) -> list[Retired]:
        """Tables that were retired when servers had not run for longer than
        `until`, the first retired first."""
        ...

    async def release(self, codes: Collection[str]) -> None:
        """Forget retired tables: their codes may be given again. Raises Unavailable,
        Unknown."""
        ...

    # how long servers have run

    async def age(self) -> int:
        """How long servers have run on this database, all together, as `keep_age` was last
        told (milliseconds)."""
        ...

    async def keep_age(self, age: int) -> None:
        """Keep that. Raises Unavailable, Unknown."""
        ...

    # sessions

    async def put_session(self, session: SessionRow) -> None:
        """Keep a session; of one that is kept already, the name and when it was last used.
        Raises Conflict if another token has the public id, Unavailable, Unknown."""
        ...

    async def get_session(self, token_hash: bytes) -> SessionRow | None:
        """The session of a token."""
        ...

    async def move_session(self, public: bytes, token_hash: bytes) -> SessionRow | None:
        """Give the session `public` another token; the old one is void.
        The session as it is now; None if there is none. Raises Unavailable, Unknown."""
        ...

    async def forget_sessions(self, used_before: int) -> int:
        """Drop sessions that were last used when servers had run for less than
        `used_before`, and that have no seat at a table that waits or is played; not more
        than FORGET_AT_ONCE of them, so that no append waits for long: how many."""
        ...

    async def close(self) -> None:
        """Finish what is under way, then let go of everything; later calls raise
        Unavailable("closed")."""
        ...
