"""Which tables are in memory: one comes back from its log when it is asked for, or when the
house has something to do at it; what cannot be read is tried again later.

Knows nothing of how tables are opened and listed, no socket and no game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from engine.entry import Entry
from engine.errors import BrokenLog, IllegalAction
from engine.stream import Stream
from protocol.codec import ProtocolError
from server.games import game_services
from server.refusals import Denied, Refusal, retired
from server.store.port import Damaged, History, StoreError
from server.tables.codes import clean_code
from server.tables.context import Context
from server.tables.directory import game_of
from server.tables.reaping import SWEEP_MS, Reaping, longest_alone
from server.tables.sleepers import Sleepers
from server.tables.startup_scan import StartupScan
from server.tables.table import Table
from server.tables.timers import RETRY_MS, Alarm

_WAKES = 4
"""Tables whose logs are read at once: each is in memory as a whole meanwhile."""
_CLOSING_SECONDS = 5.0
"""Time for a table that gives way to be read and closed."""
_DAMAGED_MS = 60_000
"""Time after which a damaged table's log is read again: it may have been mended."""
_DAMAGED_MOST_MS = 3_600_000
"""The same for the house's own sake, after many times."""
_SEATS_SECONDS = 1.0
"""Time that a start gives to learning who sits where, with an older version's database; it
goes on beside the work."""


class Residents:
    """The tables in memory, and how the others come to be there."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = context.store
        self._log = context.log
        self._ticker = context.ticker
        self.tables: dict[str, Table] = {}
        """Those in memory."""
        self._sleepers = Sleepers(
            context.ticker, self._wake_due, known_ms=longest_alone(context.settings)
        )
        self._reaping = Reaping(context.settings, context.store, context.age, self.may_close)
        self._sweeper = Alarm(context.ticker, self._sweep)
        self._few = asyncio.Semaphore(_WAKES)
        self._checkpoints = ThreadPoolExecutor(1, thread_name_prefix="fold")
        self._reading: dict[str, asyncio.Task[Table]] = {}
        """Tables on their way into memory: one task for each, however many ask."""
        self.damaged: dict[str, int] = {}
        """Tables whose log cannot be read, with when that is tried again, by the ticker."""
        self._patience: dict[str, int] = {}
        """Such tables that the house wants to wake: milliseconds until the next time."""
        self._again_later: dict[str, Alarm] = {}
        """Tables that could not be woken, with when that is tried again."""
        self._closing: set[str] = set()
        """Tables that are being closed for want of room."""
        self._background: asyncio.Task[None] | None = None
        self.seats_known = asyncio.Event()
        """Whether the directory says who sits where, after an upgrade."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.stopping = False
        """Whether no more tables come into memory."""

    # start and stop

    async def start(
        self, saved: Callable[[list[str]], Awaitable[list[str]]], mended: Callable[[], None]
    ) -> None:
        """Begin to look for the tables where something is due, and for those that are over
        and whose records are not `saved`; `mended` is told what changes the list (see
        `StartupScan`)."""
        roll = StartupScan(
            self._store,
            self._log,
            self._checkpoints,
            self._sleepers,
            self.tables,
            self._try_awake,
            saved,
            mended,
            self.seats_known,
        )
        self._background = asyncio.create_task(roll.run())
        self._sweeper.set(SWEEP_MS)
        with suppress(TimeoutError):
            await asyncio.wait_for(self.seats_known.wait(), _SEATS_SECONDS)

    async def stop(self) -> None:
        """Let every table finish the wish that it carries out, and no other."""
        self.stopping = True
        self._sleepers.stop()
        self._sweeper.set(None)
        for alarm in self._again_later.values():
            alarm.set(None)
        waiting: list[asyncio.Task[Any]] = [*self._reading.values(), *self._tasks]
        if self._background is not None:
            waiting.append(self._background)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        self._checkpoints.shutdown(wait=False, cancel_futures=True)
        tables = tuple(self.tables.values())
        ends = await asyncio.gather(*[table.stop() for table in tables], return_exceptions=True)
        for table, end in zip(tables, ends, strict=True):
            if isinstance(end, Exception):
                self._context.counters.faults += 1
                self._log.error("table_fault", table=table.code, error=end)

    # for those who ask

    async def sleeps(self, text: str) -> bool:
        """Whether a table is there, but has to be read from its log. Raises StoreError."""
        code = clean_code(text)
        if code is None or code in self.tables:
            return False
        try:
            return bool(await self._store.taken((code,)))
        except Damaged:
            return True  # reading it will say what is wrong

    async def awake(self, text: str) -> Table:
        """The table of a code, in memory; raises Denied(NO_TABLE, TABLE_RETIRED,
        TABLE_DAMAGED, STOPPING) and StoreError."""
        code = clean_code(text)
        table = self.tables.get(code) if code else None
        if table is not None:
            return table
        if code is None:
            raise Denied(Refusal.NO_TABLE, "there is no such table")
        if self._is_damaged(code):
            raise Denied(Refusal.TABLE_DAMAGED, "this table's log cannot be read")
        if self.stopping:
            raise Denied(Refusal.STOPPING, "the server is about to stop")
        reading = self._reading.get(code)
        if reading is None:
            reading = self._reading[code] = asyncio.create_task(self._wake(code))
            reading.add_done_callback(lambda _: self._reading.pop(code, None))
        try:
            return await asyncio.shield(reading)
        except asyncio.CancelledError:
            if reading.cancelled():
                raise Denied(Refusal.STOPPING, "the server is about to stop") from None
            raise

    async def _wake(self, code: str) -> Table:
        try:
            async with self._few:
                history = await self._store.read(code)
                if not history.rows:
                    raise await self._gone(code)
                loop = asyncio.get_running_loop()
                # a thread for this alone: what else waits for one is not behind it
                entries, stream = await loop.run_in_executor(self._checkpoints, _fold, history)
            since = self._sleepers.since(code)
            play = game_services(stream.seating.game)
            table = Table(self._context, play, entries, stream, history.position, since)
        except (IllegalAction, BrokenLog, ProtocolError, Damaged) as error:
            raise self._note_damaged(code, error) from None
        except (StoreError, Denied):
            raise
        except Exception as error:
            # a fault of a game's, say: the other tables shall not stand still for it
            self._context.counters.faults += 1
            raise self._note_damaged(code, error) from None
        self.damaged.pop(code, None)
        self._patience.pop(code, None)
        self._sleepers.pop(code)
        self.add(table)
        return table

    async def _gone(self, code: str) -> Denied:
        """Why there is nothing to be read of a table."""
        if await self._store.retired(code):
            return retired()
        return Denied(Refusal.NO_TABLE, "there is no such table")

    def _is_damaged(self, code: str) -> bool:
        until = self.damaged.get(code)
        return until is not None and until > self._ticker.now()

    def _note_damaged(self, code: str, error: Exception) -> Denied:
        if code not in self.damaged:  # said once, however often it is asked for
            self._log.error("table_damaged", table=code, error=error)
        self.damaged[code] = self._ticker.now() + _DAMAGED_MS
        return Denied(Refusal.TABLE_DAMAGED, "this table's log cannot be read")

    def add(self, table: Table) -> None:
        """A table is in memory now."""
        self.tables[table.code] = table
        self._context.changed(table)

    def left(self, table: Table) -> None:
        """A table has left memory."""
        if self.tables.get(table.code) is not table:
            return
        del self.tables[table.code]
        if not table.stream.seating.ended and not self.stopping:
            self._sleepers.add(table.code, table.since, table.due_in())

    # for the house

    def _wake_due(self, code: str) -> None:
        self._again_later.pop(code, None)
        self._later(self._try_awake(code))

    def may_close(self, code: str, alone_ms: int) -> bool:
        """Whether a table that rests may be closed, since it is given up or for want of room:
        it can be read, nothing will be due there, nobody was there for so long, and it is not
        being closed."""
        if code in self.tables or code in self._reading or code in self.damaged:
            return False
        if code in self._closing or self._sleepers.has_alarm(code):
            return False
        return self._sleepers.alone(code) >= alone_ms

    async def close_idle(self, code: str) -> bool:
        """Close a table that nobody attends: whether that came about."""
        self._closing.add(code)
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                table = await self.awake(code)
                await asyncio.sleep(0)  # whoever waits for the same table comes first
                closed = asyncio.Event()
                if table.reap(lambda _: closed.set()):
                    await closed.wait()
                return table.stream.seating.ended
        except (Denied, StoreError, TimeoutError):
            return False
        finally:
            self._closing.discard(code)

    def give_up(self, code: str) -> None:
        """Close a table, unless somebody comes to it first."""
        self._later(self._try_awake(code, reap=True))

    def _sweep(self) -> None:
        self._sweeper.set(SWEEP_MS)
        self._later(self._reap())

    async def _reap(self) -> None:
        try:
            await self._reaping.sweep(self.give_up)
        except StoreError:
            pass  # the next time, then

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _try_awake(self, code: str, *, reap: bool = False) -> None:
        """Wake a table that the house has something to do at: now, or else later."""
        try:
            table = await self.awake(code)
        except (StoreError, Denied) as why:
            if not reap:  # which is tried again in any case
                self._wake_later(code, why)
        except Exception as error:
            self._context.counters.faults += 1
            self._wake_later(code, self._note_damaged(code, error))
        else:
            if reap:
                table.reap()

    def _wake_later(self, code: str, why: StoreError | Denied) -> None:
        """The one rule for what the house could not wake: it is tried again, soon if the
        store failed, and ever more seldom if the log cannot be read."""
        if isinstance(why, Denied) and why.code is not Refusal.TABLE_DAMAGED:
            return  # it is not there, or the server stops
        ms = RETRY_MS
        if isinstance(why, Denied):
            ms = self._patience.get(code, _DAMAGED_MS + RETRY_MS)
            self._patience[code] = min(2 * ms, _DAMAGED_MOST_MS)
        if not self.stopping:
            alarm = self._again_later.get(code)
            if alarm is None:
                alarm = Alarm(self._ticker, lambda: self._wake_due(code))
                self._again_later[code] = alarm
            alarm.set(ms)


def _fold(history: History) -> tuple[list[Entry], Stream]:
    play = game_services(game_of(history.rows))
    entries = [play.entries.decode(row.body) for row in history.rows]
    return entries, Stream.replay(entries, lambda _: play.game)
