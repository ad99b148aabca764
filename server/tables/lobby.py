"""All tables: opening them, finding them by code, listing them, waking them.

A table is in memory while somebody attends it or something is due; else its log is
enough. Knows no socket and no game.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Container, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from engine.deal import NONCE_BYTES, SECRET_BYTES
from engine.entry import Entry
from engine.errors import BrokenLog, IllegalAction
from engine.stream import Repeat, Stream, Wish, open_stream
from engine.table import Open, Phase
from protocol.codec import ProtocolError
from protocol.messages import Create, TableRow
from server.bots.room import BotRoom
from server.config import Settings
from server.log import Log
from server.metrics import Counters
from server.people.sessions import Person
from server.play import Play, find_play
from server.refusals import Denied, Refusal, Unsure
from server.store.port import (
    START,
    Conflict,
    Damaged,
    DirectoryRow,
    History,
    Row,
    Store,
    StoreError,
    Unavailable,
    Unknown,
)
from server.tables.codes import choose, clean_code
from server.tables.directory import directory_row, whole_directory
from server.tables.due import due_of
from server.tables.house import House
from server.tables.invitations import Invitations
from server.tables.register import Register
from server.tables.resting import Resting
from server.tables.table import Table
from server.tables.timers import RETRY_MS, Alarm, Ticker

_TRIES = 8
_WAKES = 4
"""Tables whose logs are read at once: each is in memory as a whole meanwhile."""
_DAMAGED_MS = 60_000
"""Time after which a damaged table's log is read again: it may have been mended."""
_DAMAGED_MOST_MS = 3_600_000
"""The same for the house's own sake, after many times."""


class Lobby:
    """The tables of one server."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        bots: BotRoom,
        counters: Counters,
        log: Log,
        ended: Callable[[Table], None],
        ticker: Ticker | None = None,
    ) -> None:
        """`ended` is told every table that is over when it ends or wakes."""
        ticker = ticker or Ticker()
        self._settings = settings
        self._store = store
        self._log = log
        self._ended = ended
        self._house = House(
            settings,
            store,
            bots,
            counters,
            log,
            changed=self._changed,
            asleep=self._asleep,
            ticker=ticker,
        )
        self._ticker = ticker
        self._resting = Resting(
            ticker,
            self._wake_due,
            self._give_up,
            waiting_seconds=settings.waiting_seconds,
            abandoned_days=settings.abandoned_days,
        )
        self.invitations = Invitations(ticker, settings.invite_seconds)
        self.tables: dict[str, Table] = {}
        """Those in memory."""
        self._register = Register()
        self._few = asyncio.Semaphore(_WAKES)
        self._folding = ThreadPoolExecutor(1, thread_name_prefix="fold")
        self._waking: dict[str, asyncio.Task[Table]] = {}
        self._damaged: dict[str, int] = {}
        """Tables whose log cannot be read, with when that is tried again, by the ticker."""
        self._patience: dict[str, int] = {}
        """Such tables that the house wants to wake: milliseconds until the next time."""
        self._again_later: dict[str, Alarm] = {}
        """Tables that could not be woken, with when that is tried again."""
        self._background: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    # start and stop

    async def start(self, saved: Container[str]) -> None:
        """Learn of all tables; wake those where something is due, and those that are over
        and not among the `saved` ones."""
        due = []
        now = self._ticker.now()
        for row in await whole_directory(self._store, self._log):
            if row.phase == Phase.OVER and row.code not in saved:
                due.append(row.code)
            if self._register.found(row):
                left = None if row.deadline is None else max(0, row.deadline - row.updated)
                # what a stopped server did not wait for is given back: all that was left;
                # those that are due now are woken one after the other
                at_once = left == 0
                self._resting.add(row.code, row.phase, row.updated, now, left, alarm=not at_once)
                if at_once:
                    due.append(row.code)
        if due:
            self._background = asyncio.create_task(self._wake_all(due))

    async def _wake_all(self, codes: list[str]) -> None:
        for code in codes:
            await self._try_awake(code)

    def _wake_due(self, code: str) -> None:
        self._again_later.pop(code, None)
        self._later(self._try_awake(code))

    def _give_up(self, code: str) -> None:
        self._later(self._try_awake(code, reap=True))

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
            self._house.counters.faults += 1
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
        if not self._stopping:
            alarm = self._again_later.get(code)
            if alarm is None:
                alarm = Alarm(self._ticker, lambda: self._wake_due(code))
                self._again_later[code] = alarm
            alarm.set(ms)

    async def stop(self) -> None:
        """Let every table finish the wish that it carries out, and no other."""
        self._stopping = True
        self._resting.stop()
        for alarm in self._again_later.values():
            alarm.set(None)
        waiting: list[asyncio.Task[Any]] = [*self._waking.values(), *self._tasks]
        if self._background is not None:
            waiting.append(self._background)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        self._folding.shutdown(wait=False, cancel_futures=True)
        tables = tuple(self.tables.values())
        ends = await asyncio.gather(*[table.stop() for table in tables], return_exceptions=True)
        for table, end in zip(tables, ends, strict=True):
            if isinstance(end, Exception):
                self._house.counters.faults += 1
                self._log.error("table_fault", table=table.code, error=end)

    # finding

    def sleeps(self, text: str) -> bool:
        """Whether a table has to be read from its log to be had."""
        code = clean_code(text)
        return code in self._register.games and code not in self.tables

    async def awake(self, text: str) -> Table:
        """The table of a code, in memory; raises Denied(NO_TABLE, TABLE_DAMAGED, STOPPING)
        and StoreError."""
        code = clean_code(text)
        table = self.tables.get(code) if code else None
        if table is not None:
            return table
        if code is None or code not in self._register.games:
            raise Denied(Refusal.NO_TABLE, "there is no such table")
        if self._is_damaged(code):
            raise Denied(Refusal.TABLE_DAMAGED, "this table's log cannot be read")
        if self._stopping:
            raise Denied(Refusal.STOPPING, "the server is about to stop")
        waking = self._waking.get(code)
        if waking is None:
            waking = self._waking[code] = asyncio.create_task(self._wake(code))
            waking.add_done_callback(lambda _: self._waking.pop(code, None))
        try:
            return await asyncio.shield(waking)
        except asyncio.CancelledError:
            if waking.cancelled():
                raise Denied(Refusal.STOPPING, "the server is about to stop") from None
            raise

    async def _wake(self, code: str) -> Table:
        try:
            play = find_play(self._register.games[code])
            async with self._few:
                history = await self._store.read(code)
                loop = asyncio.get_running_loop()
                # a thread for this alone: what else waits for one is not behind it
                entries, stream = await loop.run_in_executor(self._folding, _fold, play, history)
            since = self._resting.since(code)
            table = Table(self._house, play, entries, stream, history.position, since)
        except (IllegalAction, BrokenLog, ProtocolError, Damaged) as error:
            raise self._note_damaged(code, error) from None
        except StoreError:
            raise
        except Exception as error:
            # a fault of a game's, say: the other tables shall not stand still for it
            self._house.counters.faults += 1
            raise self._note_damaged(code, error) from None
        self._damaged.pop(code, None)
        self._patience.pop(code, None)
        self._resting.pop(code)
        self.tables[code] = table
        self._changed(table)
        return table

    def _is_damaged(self, code: str) -> bool:
        until = self._damaged.get(code)
        return until is not None and until > self._ticker.now()

    def _note_damaged(self, code: str, error: Exception) -> Denied:
        if code not in self._damaged:  # said once, however often it is asked for
            self._log.error("table_damaged", table=code, error=error)
        self._damaged[code] = self._ticker.now() + _DAMAGED_MS
        return Denied(Refusal.TABLE_DAMAGED, "this table's log cannot be read")

    # opening

    async def create(self, person: Person, message: Create) -> tuple[Table, int]:
        """Open a table, or find the one that this message opened before: the table and
        the number of its opening entry.

        Raises IllegalAction, Denied, StoreError and Unsure.
        """
        command = Open(
            message.game,
            message.ruleset,
            message.options,
            message.seats,
            message.bots,
            message.listed,
            message.sit,
            person.name,
            message.nonce,
            message.clock,
            message.absence,
        )
        found = await self._store.find_created(person.public, message.id)
        if found is not None:
            return await self._again(found, person, message.id, command)
        if self._stopping:
            raise Denied(Refusal.STOPPING, "the server is about to stop")
        self._check_room(person)
        play = find_play(command.game)
        # checked before chance is asked for as many nonces as there are bots
        open_count = min(len(command.bots), 256)
        for _ in range(_TRIES):
            entry = open_stream(
                command,
                id=message.id,
                person=person.public,
                code=choose(self._register.games),
                secret=secrets.token_bytes(SECRET_BYTES),
                bot_nonces=tuple(secrets.token_bytes(NONCE_BYTES) for _ in range(open_count)),
                time=self._ticker.wall(),
                game=play.game,
            )
            try:
                table = await self._open(play, entry, person.public)
            except (Conflict, Unknown) as trouble:
                found = await self._find_out(person, message.id)
                if found is not None:
                    return await self._again(found, person, message.id, command)
                if isinstance(trouble, Unknown):
                    raise Unavailable(trouble.code, **trouble.facts) from None  # it did not
                continue
            return table, 1
        raise Denied(Refusal.FAULT, "no code is free")

    async def _find_out(self, person: Person, id: bytes) -> DirectoryRow | None:
        """What an append that may have happened came to; raises Unsure."""
        try:
            return await self._store.find_created(person.public, id)
        except StoreError:
            raise Unsure from None

    async def _open(self, play: Play, entry: Entry, creator: bytes) -> Table:
        stream = Stream(entry, lambda _: play.game)
        seating = stream.seating
        code = seating.code
        directory = directory_row(seating, entry, creator, entry.id, due_of(stream))
        row = Row(1, play.entries.encode(entry))
        self._register.games[code] = seating.game
        try:
            position = await self._store.append(code, START, row, directory)
        except StoreError:
            self._register.games.pop(code, None)
            raise
        self._register.opened(code, creator)
        table = Table(self._house, play, [entry], stream, position)
        self.tables[code] = table
        self._changed(table)
        return table

    async def _again(
        self, found: DirectoryRow, person: Person, id: bytes, command: Open
    ) -> tuple[Table, int]:
        if found.code not in self._register.games:
            self._register.found(found)  # an opening that seemed to fail did not
        table = await self.awake(found.code)
        draft = table.stream.draft(Wish(command, id, person.public), 0)
        assert isinstance(draft, Repeat)
        return table, draft.number

    def _check_room(self, person: Person) -> None:
        settings = self._settings
        of_one, of_all = settings.tables_per_session, settings.tables
        self._register.check_room(person.public, of_one=of_one, of_all=of_all)
        if not person.creates.take():
            raise Denied(Refusal.TOO_FAST, "you open tables too fast")

    # listing

    async def listed(self) -> tuple[TableRow, ...]:
        """The listed tables that wait or are played, newest first."""
        rows, listed = [], self._register.listed
        for code in list(listed)[: -self._settings.list_tables - 1 : -1]:
            row = listed.get(code)
            if row is None and code in listed:
                try:
                    await self.awake(code)
                except (Denied, StoreError):
                    continue
                row = listed.get(code)
            if row is not None:
                rows.append(row)
        return tuple(rows)

    def _changed(self, table: Table) -> None:
        self._register.changed(table)
        if table.stream.seating.ended:
            self._ended(table)

    def _asleep(self, table: Table) -> None:
        if self.tables.get(table.code) is not table:
            return
        del self.tables[table.code]
        seating = table.stream.seating
        if not seating.ended and not self._stopping:
            self._resting.add(table.code, seating.phase, table.updated, table.since, table.due_in())


def _fold(play: Play, history: History) -> tuple[list[Entry], Stream]:
    entries = [play.entries.decode(row.body) for row in history.rows]
    return entries, Stream.replay(entries, lambda _: play.game)
