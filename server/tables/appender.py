"""Appends the entries of one table to its stream, each together with the table's row in the
directory, and finds out what happened when the store cannot say. Does not know about sockets or
games.
"""

from __future__ import annotations

from engine.stream import Draft
from engine.table.state import Occupant, Seating
from server.games import GameServices
from server.startup_errors import explain
from server.store.port import (
    Conflict,
    DirectoryRow,
    Position,
    Row,
    Seated,
    StoreError,
    Unknown,
)
from server.tables.context import Context
from server.tables.directory import directory_row, seated_at


class Lost(Exception):
    """Nobody can say whether an entry is stored: the log has to be read again."""


class NotEncoded(Exception):
    """An entry is not stored because it cannot be encoded, by a fault (`error`) of a game's."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class Appender:
    """The only writer of one table's stream."""

    __slots__ = (
        "_code",
        "_context",
        "_create_id",
        "_creator",
        "_position",
        "_seated",
        "_seats",
        "_services",
    )

    def __init__(
        self,
        context: Context,
        services: GameServices,
        code: str,
        position: Position,
        creator: bytes,
        create_id: bytes | None,
    ) -> None:
        """`position` is where the stream of table `code` ends; `creator` opened the table with
        the command `create_id`."""
        self._context = context
        self._services = services
        self._code = code
        self._position = position
        self._creator = creator
        self._create_id = create_id
        self._seats: tuple[Occupant | None, ...] | None = None
        """The seats that `_seated` was made from."""
        self._seated: tuple[Seated, ...] = ()

    async def append(self, draft: Draft) -> None:
        """Store the entry of a draft. Raises NotEncoded and StoreError if it is not stored, and
        Lost if nobody knows."""
        context, code = self._context, self._code
        try:
            row, directory = self._encode(draft)
        except Exception as error:
            raise NotEncoded(error) from error
        try:
            self._position = await context.store.append(code, self._position, row, directory)
        except (Conflict, Unknown) as why:
            context.counters.store_failures += 1
            context.log.warning("store_unsure", table=code, code=why.code, why=explain(why))
            if not await self._was_written(row):
                raise
        except StoreError as why:
            context.counters.store_failures += 1
            context.log.warning("store_failure", table=code, code=why.code, why=explain(why))
            raise

    def _encode(self, draft: Draft) -> tuple[Row, DirectoryRow]:
        entry = draft.entry
        row = Row(entry.number, self._services.entries.encode(entry))
        directory = directory_row(
            draft.seating,
            entry,
            self._creator,
            self._create_id,
            draft.wake_after(),
            seated=self._seated_at(draft.seating),
            ran=self._context.age.minute(),
        )
        return row, directory

    def _seated_at(self, seating: Seating) -> tuple[Seated, ...]:
        """Who sits at the table, made again only when that changes."""
        if seating.seats is not self._seats:
            self._seats = seating.seats
            self._seated = seated_at(seating)
        return () if seating.ended else self._seated

    async def _was_written(self, row: Row) -> bool:
        """Whether the log holds our row, when the store cannot say or somebody else wrote. It
        does not if the log still ends before it. Otherwise, or if the log cannot be read now,
        Lost is raised."""
        try:
            history = await self._context.store.read(self._code, after=row.number - 1)
        except StoreError:
            raise Lost from None
        if history.rows == (row,):
            self._position = history.position
            return True
        if history.rows or history.position != self._position:
            raise Lost
        return False
