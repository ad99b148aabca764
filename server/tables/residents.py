"""The tables in memory: each is read from its log when somebody asks for it, or when the
server itself has something to do there.

A log that cannot be read is tried again later. Does not know how tables are opened or listed,
nor about sockets or games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from engine.entry import Entry
from engine.errors import BrokenLog, IllegalAction
from engine.stream import Stream
from protocol.codec import ProtocolError
from server.games import GameServices, game_services
from server.refusals import Denied, RefusalCode, retired
from server.store.port import Damaged, History, Position, StoreError
from server.tables.codes import clean_code
from server.tables.context import Context
from server.tables.directory import game_of
from server.tables.sleepers import Sleepers
from server.tables.table import Table
from server.tables.timers import RETRY_MS, Alarm

_READS_AT_ONCE = 4
"""Logs that are read at once: each is in memory as a whole meanwhile."""
_DAMAGED_MS = 60_000
"""Time after which a damaged log may be read again: it may have been mended."""
_DAMAGED_MOST_MS = 3_600_000
"""The longest time between two attempts of the server itself to read a damaged log."""


class Residents:
    """The tables in memory, and how the others get there."""

    def __init__(
        self, context: Context, changed: Callable[[Table], None], *, remember_ms: int
    ) -> None:
        """`changed` is called with each table that comes into memory, and whenever the seats
        or the phase of one there have changed. A table that leaves memory is remembered for
        at least `remember_ms`."""
        self._context = context
        self._store = context.store
        self._log = context.log
        self._ticker = context.ticker
        self._changed = changed
        self.tables: dict[str, Table] = {}
        """Those in memory, by code."""
        self.sleepers = Sleepers(context.ticker, self._wake_due, remember_ms)
        self.folding = ThreadPoolExecutor(1, thread_name_prefix="fold")
        """The thread in which logs are folded; nothing else waits for it."""
        self.damaged: dict[str, int] = {}
        """Tables whose log cannot be read: when it may be tried again, by the ticker."""
        self._reading_slots = asyncio.Semaphore(_READS_AT_ONCE)
        self._reading: dict[str, asyncio.Task[Table]] = {}
        """Tables that are being read: one task each, however many ask."""
        self._patience: dict[str, int] = {}
        """Damaged tables that the server wants in memory, each with the milliseconds until the
        attempt after the next one."""
        self._retries: dict[str, Alarm] = {}
        """Tables that the server could not wake, with the alarms for the next attempt."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.stopping = False
        """Whether no more tables come into memory."""

    async def stop(self) -> None:
        """Let every table finish the request that it is carrying out, and no other."""
        self.stopping = True
        self.sleepers.stop()
        for alarm in self._retries.values():
            alarm.set(None)
        waiting: list[asyncio.Task[Any]] = [*self._reading.values(), *self._tasks]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        self.folding.shutdown(wait=False, cancel_futures=True)
        tables = tuple(self.tables.values())
        ends = await asyncio.gather(*[table.stop() for table in tables], return_exceptions=True)
        for table, end in zip(tables, ends, strict=True):
            if isinstance(end, Exception):
                self._context.counters.faults += 1
                self._log.error("table_fault", table=table.code, error=end)

    # for people

    async def is_asleep(self, text: str) -> bool:
        """Whether the table with this code exists but is not in memory. Raises StoreError."""
        code = clean_code(text)
        if code is None or code in self.tables:
            return False
        try:
            return bool(await self._store.taken((code,)))
        except Damaged:
            return True  # reading it will say what is wrong

    async def get(self, text: str) -> Table:
        """The table with this code, read from its log if it is not in memory. Raises
        Denied(NO_TABLE, TABLE_RETIRED, TABLE_DAMAGED, STOPPING) and StoreError."""
        code = clean_code(text)
        table = self.tables.get(code) if code else None
        if table is not None:
            return table
        if code is None:
            raise Denied(RefusalCode.NO_TABLE, "there is no such table")
        if self._is_damaged(code):
            raise Denied(RefusalCode.TABLE_DAMAGED, "this table's log cannot be read")
        if self.stopping:
            raise Denied(RefusalCode.STOPPING, "the server is about to stop")
        reading = self._reading.get(code)
        if reading is None:
            reading = self._reading[code] = asyncio.create_task(self._read(code))
            reading.add_done_callback(lambda _: self._reading.pop(code, None))
        try:
            return await asyncio.shield(reading)
        except asyncio.CancelledError:
            if reading.cancelled():
                raise Denied(RefusalCode.STOPPING, "the server is about to stop") from None
            raise

    async def _read(self, code: str) -> Table:
        try:
            async with self._reading_slots:
                history = await self._store.read(code)
                if not history.rows:
                    raise await self._nothing_stored(code)
                loop = asyncio.get_running_loop()
                entries, stream = await loop.run_in_executor(self.folding, _fold, history)
            services = game_services(stream.seating.game)
            since = self.sleepers.since(code)
            table = self._table(services, entries, stream, history.position, since)
        except (IllegalAction, BrokenLog, ProtocolError, Damaged) as error:
            raise self._note_damaged(code, error) from None
        except (StoreError, Denied):
            raise
        except Exception as error:
            # a fault in a game, for example, must not stop the other tables
            self._context.counters.faults += 1
            raise self._note_damaged(code, error) from None
        self.damaged.pop(code, None)
        self._patience.pop(code, None)
        self.sleepers.pop(code)
        self._add(table)
        return table

    async def _nothing_stored(self, code: str) -> Denied:
        """The refusal for a table that has no log."""
        if await self._store.retired(code):
            return retired()
        return Denied(RefusalCode.NO_TABLE, "there is no such table")

    def _is_damaged(self, code: str) -> bool:
        until = self.damaged.get(code)
        return until is not None and until > self._ticker.now()

    def _note_damaged(self, code: str, error: Exception) -> Denied:
        if code not in self.damaged:  # logged once, however often it is asked for
            self._log.error("table_damaged", table=code, error=error)
        self.damaged[code] = self._ticker.now() + _DAMAGED_MS
        return Denied(RefusalCode.TABLE_DAMAGED, "this table's log cannot be read")

    # coming and leaving

    def add_new(
        self, services: GameServices, entry: Entry, stream: Stream, position: Position
    ) -> Table:
        """Keep a table in memory that was opened just now, by `entry`."""
        table = self._table(services, [entry], stream, position, None)
        self._add(table)
        return table

    def _table(
        self,
        services: GameServices,
        entries: list[Entry],
        stream: Stream,
        position: Position,
        since: int | None,
    ) -> Table:
        return Table(
            self._context,
            services,
            entries,
            stream,
            position,
            since,
            changed=self._changed,
            left=self._left,
        )

    def _add(self, table: Table) -> None:
        self.tables[table.code] = table
        self._changed(table)

    def _left(self, table: Table) -> None:
        """A table has left memory."""
        if self.tables.get(table.code) is not table:
            return
        del self.tables[table.code]
        if not table.stream.seating.ended and not self.stopping:
            self.sleepers.add(table.code, table.since, table.due_in())

    # for the server itself

    def unattended_ms(self, code: str) -> int | None:
        """How many milliseconds nobody has attended a table, at most what `Sleepers` knows;
        None if it is in memory, cannot be read, or has something due."""
        if code in self.tables or code in self._reading or code in self.damaged:
            return None
        return None if self.sleepers.has_alarm(code) else self.sleepers.alone(code)

    async def wake(self, code: str) -> None:
        """Bring a table into memory because something is due there: now, or else later."""
        try:
            await self.get(code)
        except (StoreError, Denied) as why:
            self._retry_later(code, why)
        except Exception as error:
            self._context.counters.faults += 1
            self._retry_later(code, self._note_damaged(code, error))

    def _wake_due(self, code: str) -> None:
        self._retries.pop(code, None)
        task = asyncio.get_running_loop().create_task(self.wake(code))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _retry_later(self, code: str, why: StoreError | Denied) -> None:
        """Try again soon if the store failed, and less and less often if the log cannot be
        read."""
        if isinstance(why, Denied) and why.code is not RefusalCode.TABLE_DAMAGED:
            return  # the table does not exist, or the server is stopping
        ms = RETRY_MS
        if isinstance(why, Denied):
            ms = self._patience.get(code, _DAMAGED_MS + RETRY_MS)
            self._patience[code] = min(2 * ms, _DAMAGED_MOST_MS)
        if not self.stopping:
            alarm = self._retries.get(code)
            if alarm is None:
                alarm = Alarm(self._ticker, lambda: self._wake_due(code))
                self._retries[code] = alarm
            alarm.set(ms)


def _fold(history: History) -> tuple[list[Entry], Stream]:
    services = game_services(game_of(history.rows))
    entries = [services.entries.decode(row.body) for row in history.rows]
    return entries, Stream.replay(entries, lambda _: services.game)
