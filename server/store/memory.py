"""A store that keeps everything in memory: for tests, and for a server that may forget.

Its answers must not differ from those of the durable store. Its positions have gaps, so that no
caller comes to rely on them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Collection, Sequence

from attrs import evolve

from server.store.port import (
    ENDED,
    FORGET_AT_ONCE,
    START,
    Conflict,
    DirectoryRow,
    Held,
    History,
    Position,
    Retired,
    Row,
    SessionRow,
    StoreError,
    Unavailable,
)

_GAP = 3


class MemoryStore:
    """Implements `server.store.port.Store`."""

    def __init__(self) -> None:
        self._streams: dict[str, list[Row]] = {}
        self._directory: dict[str, DirectoryRow] = {}
        self._created: dict[tuple[bytes, bytes], str] = {}
        self._retired: dict[str, tuple[Retired, int]] = {}
        self._sessions: dict[bytes, SessionRow] = {}
        self._age = 0
        self._closed = False

    def append(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Awaitable[Position]:
        future: asyncio.Future[Position] = asyncio.get_running_loop().create_future()
        try:
            future.set_result(self._append(table, expect, row, directory))
        except StoreError as error:
            future.set_exception(error)
        return future

    def _append(self, table: str, expect: Position, row: Row, directory: DirectoryRow) -> Position:
        self._check_open()
        rows = self._streams.get(table, [])
        if expect != _position(rows):
            raise Conflict("moved", table=table, number=len(rows))
        if row.number != len(rows) + 1 or directory.number != row.number:
            raise Conflict("out_of_order", table=table, number=len(rows))
        if directory.create_id is not None:
            pair = (directory.creator, directory.create_id)
            other = self._created.get(pair, table)
            if other != table:
                raise Conflict("created", table=other)
            self._created[pair] = table
        if table in self._retired:
            raise Conflict("retired", table=table)
        self._streams.setdefault(table, rows).append(row)
        before = self._directory.get(table)
        saved = before is not None and before.saved
        self._directory[table] = evolve(directory, code=table, saved=saved)
        return _position(rows)

    async def read(self, table: str, after: int = 0) -> History:
        self._check_open()
        rows = self._streams.get(table, [])
        return History(tuple(rows[after:]), _position(rows))

    async def find(self, code: str) -> DirectoryRow | None:
        self._check_open()
        return self._directory.get(code)

    async def find_created(self, creator: bytes, create_id: bytes) -> DirectoryRow | None:
        self._check_open()
        code = self._created.get((creator, create_id))
        return None if code is None else self._directory.get(code)

    async def directory(self, phases: Collection[int] | None = None) -> list[DirectoryRow]:
        self._check_open()
        rows = sorted(self._directory.values(), key=lambda row: row.code)
        return [row for row in rows if phases is None or row.phase in phases]

    async def tables(self) -> list[str]:
        self._check_open()
        return sorted(self._streams)

    # the directory, which returns no more rows than are needed

    def _open(self) -> list[DirectoryRow]:
        """The open tables, the first opened first."""
        self._check_open()
        rows = [self._directory.get(code) for code in self._streams]
        return [row for row in rows if row is not None and row.phase < ENDED]

    async def listed(self, most: int) -> list[DirectoryRow]:
        return [row for row in reversed(self._open()) if row.listed][:most]

    async def seats_of(self, person: bytes) -> list[DirectoryRow]:
        rows = [row for row in reversed(self._open()) if person in _people(row)]
        return sorted(rows, key=lambda row: (row.ran, row.updated), reverse=True)

    async def count_open(self, creator: bytes | None = None) -> int:
        return sum(creator is None or row.creator == creator for row in self._open())

    async def held(self, people: Collection[bytes]) -> dict[bytes, Held]:
        opened = Counter(row.creator for row in self._open())
        seats = Counter(one.person for row in self._open() for one in row.seated)
        return {p: Held(opened[p], seats[p]) for p in people if opened[p] or seats[p]}

    async def taken(self, codes: Collection[str]) -> set[str]:
        self._check_open()
        return {code for code in codes if code in self._streams or code in self._retired}

    async def due(self) -> AsyncIterator[list[DirectoryRow]]:
        yield [row for row in self._open() if row.deadline is not None]

    async def idle(self, phase: int, until: int) -> AsyncIterator[list[DirectoryRow]]:
        self._check_open()
        rows = [self._directory.get(code) for code in self._streams]
        idle = [r for r in rows if r is not None and r.phase == phase and r.ran <= until]
        yield sorted(idle, key=lambda row: row.ran)

    async def unsaved(self) -> AsyncIterator[list[DirectoryRow]]:
        self._check_open()
        yield [row for row in self._directory.values() if row.phase >= ENDED and not row.saved]

    async def unseated(self) -> AsyncIterator[list[str]]:
        yield [row.code for row in reversed(self._open()) if row.seats is None]

    async def missing(self) -> AsyncIterator[list[str]]:
        self._check_open()
        yield [code for code in self._streams if code not in self._directory]

    async def relist(self, rows: Sequence[DirectoryRow]) -> None:
        self._check_open()
        for row in rows:
            before = self._directory.get(row.code)
            if before is None:
                before = evolve(row, ran=self._age)
                if row.create_id is not None:
                    self._created[row.creator, row.create_id] = row.code
            elif before.number != row.number or before.seats is not None:
                continue
            self._directory[row.code] = evolve(
                before, ruleset=row.ruleset, seats=row.seats, seated=row.seated
            )

    async def mark_saved(self, codes: Collection[str]) -> None:
        self._check_open()
        for code in codes:
            row = self._directory.get(code)
            if row is not None and row.phase >= ENDED:
                self._directory[code] = evolve(row, saved=True)

    # retired tables

    async def retire(self, table: Retired, ran: int) -> None:
        self._check_open()
        row = self._directory.get(table.code)
        if row is None or row.phase < ENDED:
            return
        del self._directory[table.code], self._streams[table.code]
        if row.create_id is not None:
            self._created.pop((row.creator, row.create_id), None)
        self._retired[table.code] = table, ran

    async def sweep_retired(self) -> bool:
        self._check_open()
        return False

    async def retired(self, code: str) -> Retired | None:
        self._check_open()
        return self._retired.get(code, (None, 0))[0]

    async def long_retired(self, until: int, most: int) -> list[Retired]:
        self._check_open()
        return [table for table, ran in self._retired.values() if ran <= until][:most]

    async def release(self, codes: Collection[str]) -> None:
        self._check_open()
        for code in codes:
            self._retired.pop(code, None)

    # how long servers have run

    async def age(self) -> int:
        self._check_open()
        return self._age

    async def keep_age(self, age: int) -> None:
        self._check_open()
        self._age = max(self._age, age)

    # sessions

    async def put_session(self, session: SessionRow) -> None:
        self._check_open()
        for other in self._sessions.values():
            if other.public == session.public and other.token_hash != session.token_hash:
                raise Conflict("not_unique")
        before = self._sessions.get(session.token_hash, session)
        self._sessions[session.token_hash] = evolve(
            before, name=session.name, seen=session.seen, used=session.used
        )

    async def get_session(self, token_hash: bytes) -> SessionRow | None:
        self._check_open()
        return self._sessions.get(token_hash)

    async def move_session(self, public: bytes, token_hash: bytes) -> SessionRow | None:
        self._check_open()
        for key, session in self._sessions.items():
            if session.public == public:
                del self._sessions[key]
                moved = evolve(session, token_hash=token_hash)
                self._sessions[token_hash] = moved
                return moved
        return None

    async def forget_sessions(self, used_before: int) -> int:
        seated = {person for row in self._open() for person in _people(row)}
        old = [
            key
            for key, session in self._sessions.items()
            if session.used < used_before and session.public not in seated
        ]
        for key in old[:FORGET_AT_ONCE]:
            del self._sessions[key]
        return len(old[:FORGET_AT_ONCE])

    async def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise Unavailable("closed")


def _people(row: DirectoryRow) -> set[bytes]:
    return {one.person for one in row.seated if one.person is not None}


def _position(rows: list[Row]) -> Position:
    return Position(len(rows) * _GAP) if rows else START
