"""A store that fails when a test says so, and else is the memory store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from enum import Enum, auto

from server.store.memory import MemoryStore
from server.store.port import (
    DirectoryRow,
    History,
    Position,
    Row,
    StoreError,
    Unavailable,
    Unknown,
)


class Mood(Enum):
    """What the next append does."""

    WELL = auto()
    UNAVAILABLE = auto()
    UNKNOWN_NOT_WRITTEN = auto()
    UNKNOWN_WRITTEN = auto()


class MoodyStore(MemoryStore):
    """`mood` holds until it is changed; `unreadable` makes every read fail."""

    def __init__(self) -> None:
        super().__init__()
        self.mood = Mood.WELL
        self.unreadable = False
        self.unread = 0
        """Tables that could not be read so far."""
        self.gate = asyncio.Event()
        """Appends wait while it is closed (`clear`)."""
        self.gate.set()
        self.read_gate = asyncio.Event()
        """What was read is given when it is open."""
        self.read_gate.set()
        self.most: int | None = None
        """The number beyond which no entry can be stored: no table comes to its end."""

    def append(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Awaitable[Position]:
        return self._moody(table, expect, row, directory)

    async def _moody(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Position:
        await self.gate.wait()
        if self.mood is Mood.UNAVAILABLE or (self.most is not None and row.number > self.most):
            raise Unavailable("disk_full")
        if self.mood is Mood.UNKNOWN_NOT_WRITTEN:
            raise Unknown("io_error")
        position = await super().append(table, expect, row, directory)
        if self.mood is Mood.UNKNOWN_WRITTEN:
            raise Unknown("io_error")
        return position

    async def read(self, table: str, after: int = 0) -> History:
        if self.unreadable:
            self.unread += 1
            raise Unavailable("io_error")
        history = await super().read(table, after)
        await self.read_gate.wait()
        return history

    async def find_created(self, creator: bytes, create_id: bytes) -> DirectoryRow | None:
        if self.unreadable:
            raise Unavailable("io_error")
        return await super().find_created(creator, create_id)


class LastingStore(MoodyStore):
    """One that outlives the server that used it."""

    async def close(self) -> None:
        """Nothing: the next server goes on with it."""


__all__ = ["LastingStore", "Mood", "MoodyStore", "StoreError"]
