"""Writing the entries of one table: each with its row in the directory, and what is done
where a store cannot say what became of one. Knows no socket and no game.
"""

from __future__ import annotations

from typing import NamedTuple

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
    """Whether an entry is stored cannot be said: the log has to be read anew."""


class Ready(NamedTuple):
    """What is to be stored, decided and encoded."""

    draft: Draft
    row: Row
    listed: DirectoryRow


class Appender:
    """The one that writes a table's stream."""

    __slots__ = (
        "_code",
        "_context",
        "_create_id",
        "_creator",
        "_play",
        "_position",
        "_seated",
        "_seats",
    )

    def __init__(
        self,
        context: Context,
        play: GameServices,
        code: str,
        position: Position,
        creator: bytes,
        create_id: bytes | None,
    ) -> None:
        """`position` is where the stream of table `code` ends; `creator` opened it by the
        command `create_id`."""
        self._context = context
        self._play = play
        self._code = code
        self._position = position
        self._creator = creator
        self._create_id = create_id
        self._seats: tuple[Occupant | None, ...] | None = None
        """The seats that `_seated` was made of."""
        self._seated: tuple[Seated, ...] = ()

    def ready(self, draft: Draft) -> Ready:
        """A draft as it is to be stored."""
        entry = draft.entry
        row = Row(entry.number, self._play.entries.encode(entry))
        listed = directory_row(
            draft.seating,
            entry,
            self._creator,
            self._create_id,
            draft.wake_after(),
            seated=self._sitting(draft.seating),
            ran=self._context.age.minute(),
        )
        return Ready(draft, row, listed)

    def _sitting(self, seating: Seating) -> tuple[Seated, ...]:
        """Who sits at the table: made anew only when that changes."""
        if seating.seats is not self._seats:
            self._seats = seating.seats
            self._seated = seated_at(seating)
        return () if seating.ended else self._seated

    async def write(self, ready: Ready) -> None:
        """Store an entry. Raises StoreError if nothing happened, else Lost."""
        context, code = self._context, self._code
        try:
            self._position = await context.store.append(
                code, self._position, ready.row, ready.listed
            )
        except (Conflict, Unknown) as trouble:
            context.counters.store_failures += 1
            context.log.warning("store_unsure", table=code, code=trouble.code, why=explain(trouble))
            if not await self._was_written(ready.row):
                raise
        except StoreError as trouble:
            context.counters.store_failures += 1
            context.log.warning(
                "store_failure", table=code, code=trouble.code, why=explain(trouble)
            )
            raise

    async def _was_written(self, row: Row) -> bool:
        """The store cannot say, or others wrote: only the log knows. If it holds our row it
        was; if it ends before it nothing happened; else, or if it cannot be read now, Lost
        is raised."""
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
