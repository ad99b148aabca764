"""A store that keeps everything in memory: for tests, and for a server that may forget.

It must not be told from the durable one by its answers. Its positions have gaps, so
that nobody gets used to counting on them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection, Iterable

from attrs import evolve

from server.store.port import (
    FORGET_AT_ONCE,
    START,
    Conflict,
    DirectoryRow,
    History,
    Position,
    Row,
    SessionRow,
    StoreError,
    Unavailable,
)

_GAP = 3


class MemoryStore:
    """Fulfils `server.store.port.Store`."""

    def __init__(self) -> None:
        self._streams: dict[str, list[Row]] = {}
        self._directory: dict[str, DirectoryRow] = {}
        self._created: dict[tuple[bytes, bytes], str] = {}
        self._sessions: dict[bytes, SessionRow] = {}
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
        self._streams.setdefault(table, rows).append(row)
        self._directory[table] = evolve(directory, code=table)
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

    async def rebuild(self, directory: Iterable[DirectoryRow]) -> None:
        self._check_open()
        self._directory = {row.code: row for row in directory}
        self._created = {
            (row.creator, row.create_id): row.code
            for row in self._directory.values()
            if row.create_id is not None
        }

    async def put_session(self, session: SessionRow) -> None:
        self._check_open()
        for other in self._sessions.values():
            if other.public == session.public and other.token_hash != session.token_hash:
                raise Conflict("not_unique")
        before = self._sessions.get(session.token_hash, session)
        self._sessions[session.token_hash] = evolve(before, name=session.name, seen=session.seen)

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

    async def forget_sessions(self, seen_before: int) -> int:
        self._check_open()
        old = [key for key, session in self._sessions.items() if session.seen < seen_before]
        for key in old[:FORGET_AT_ONCE]:
            del self._sessions[key]
        return len(old[:FORGET_AT_ONCE])

    async def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise Unavailable("closed")


def _position(rows: list[Row]) -> Position:
    return Position(len(rows) * _GAP) if rows else START
