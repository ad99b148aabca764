"""Abandoned tables are closed, and a full server closes those that are all but dead."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack

import pytest
from attrs import evolve

from engine.clock import Absence, Clock, ClockKind
from engine.table.words import CloseReason, Phase, TableClosed
from protocol.messages import Accepted
from server.app import App
from server.store.memory import MemoryStore
from server.store.port import Damaged, DirectoryRow, History, Unavailable
from tests.patience import until
from tests.server.absent import SETTINGS, entries, running, seats, settle
from tests.server.pace import Pace
from tests.server.peer import peer
from tests.server.tables.test_quotas import opened

HOUR = 3_600_000
FULL = evolve(SETTINGS, tables=2, waiting_seconds=1e6)


async def asleep(app: App, *codes: str) -> None:
    await until(lambda: not any(code in app.residents.tables for code in codes))


async def phase(app: App, code: str) -> int:
    row = await app.store.find(code)
    assert row is not None
    return row.phase


async def left(app: App, name: str, *others: str, bots: tuple[str, ...] = ()) -> str:
    """A table that some people opened and left."""
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(peer(app, name))
        code = await one.create(seats=1 + len(others) + max(1, len(bots)), bots=bots)
        for other in others:
            assert isinstance(
                await (await stack.enter_async_context(peer(app, other))).join(code), Accepted
            )
    await asleep(app, code)
    return code


async def test_the_table_that_was_left_first_gives_way() -> None:
    pace = Pace()
    async with running(pace, settings=FULL) as app, peer(app, "Zoe") as zoe:
        first = await left(app, "Ann")
        await pace.pass_by(HOUR // 2)
        second = await left(app, "Bob")
        assert await opened(zoe) == "too_many_tables", "people were there a short while ago"
        await pace.pass_by(HOUR // 2 + 60_000)
        assert await opened(zoe) == ""
        assert (await phase(app, first), await phase(app, second)) == (Phase.CLOSED, Phase.WAITING)
        events = (await entries(app, first))[-1].events
        assert any(isinstance(e, TableClosed) and e.reason is CloseReason.REAPED for e in events)
        assert await opened(zoe) == "too_many_tables"


async def test_a_game_with_bots_that_its_one_player_left_gives_way() -> None:
    """It would stay for a month."""
    pace = Pace()
    async with running(pace, settings=evolve(FULL, tables=1)) as app:
        code = await left(app, "Ann", bots=("easy",) * 2)
        await pace.pass_by(HOUR + 60_000)
        async with peer(app, "Zoe") as zoe:
            assert await opened(zoe) == ""
        assert await phase(app, code) == Phase.CLOSED


async def test_where_people_are_or_play_together_or_a_clock_runs_none_gives_way() -> None:
    pace = Pace()
    async with (
        running(pace, settings=evolve(FULL, tables=3)) as app,
        peer(app, "Ann") as ann,
        peer(app, "Zoe") as zoe,
    ):
        await ann.create()  # she stays
        together = await left(app, "Bob", "Cyd")
        async with peer(app, "Dan") as dan, peer(app, "Eve") as eve:
            clock = Clock(ClockKind.PER_MOVE, 50 * HOUR)
            timed = await dan.create(seats=2, clock=clock, absence=Absence.DEFAULT)
            await eve.join(timed)
        await asleep(app, together, timed)
        await pace.pass_by(20 * HOUR)
        assert await opened(zoe) == "too_many_tables"
        await pace.pass_by(53 * HOUR)
        await asleep(app, together, timed)
        assert await opened(zoe) == "", "after three days"
        assert await phase(app, together) == Phase.CLOSED


async def test_tables_of_one_person_go_before_older_ones_of_several() -> None:
    pace = Pace()
    async with running(pace, settings=FULL) as app, peer(app, "Zoe") as zoe:
        together = await left(app, "Bob", "Cyd")
        await pace.pass_by(80 * HOUR)
        alone = await left(app, "Ann")
        await pace.pass_by(2 * HOUR)
        assert await opened(zoe) == ""
        assert await phase(app, alone) == Phase.CLOSED
        assert await phase(app, together) == Phase.WAITING


async def test_a_game_that_its_people_looked_at_lately_does_not_give_way() -> None:
    """Nothing has happened there for days, but people were there."""
    pace = Pace()
    settings = evolve(SETTINGS, tables=2, waiting_seconds=3600, give_way_seconds=3600)
    async with running(pace, settings=settings) as app, peer(app, "Zoe") as zoe:
        async with peer(app, "Bob") as bob, peer(app, "Cyd") as cyd:
            code, token = await seats(app, bob, cyd), bob.token
        await asleep(app, code)
        await pace.pass_by(80 * HOUR)
        async with peer(app, "Bob", token) as bob:
            await bob.watch(code)
        await asleep(app, code)
        await pace.pass_by(30 * HOUR)
        await left(app, "Ann")  # what is known about sleeping tables is cleared up now
        assert await opened(zoe) == "too_many_tables"
        assert await phase(app, code) == Phase.PLAYING


class Counting(MemoryStore):
    """Counts the searches for idle tables."""

    looks = 0

    async def idle(self, phase: int, until: int) -> AsyncIterator[list[DirectoryRow]]:
        self.looks += 1
        async for rows in super().idle(phase, until):
            yield rows


async def test_a_search_in_vain_is_not_repeated_for_everybody_who_asks() -> None:
    """Such a search reads all tables that are open and idle."""
    pace, store = Pace(), Counting()
    async with (
        running(pace, store, evolve(FULL, tables=1)) as app,
        peer(app, "Ann") as ann,
        peer(app, "Zoe") as zoe,
    ):
        code = await ann.create()
        await pace.pass_by(2 * HOUR)
        store.looks = 0
        for _ in range(10):
            assert await opened(zoe) == "too_many_tables"
        assert 1 <= store.looks <= 2, "one of the tables that wait, one of those played"
        await ann.socket.close()
        await asleep(app, code)
        await pace.pass_by(2 * HOUR)
        assert await opened(zoe) == ""


class Torn(MemoryStore):
    """Some logs cannot be read."""

    def __init__(self) -> None:
        super().__init__()
        self.torn: set[str] = set()

    async def read(self, table: str, after: int = 0) -> History:
        if table in self.torn:
            raise Damaged("changed", table=table, number=1)
        return await super().read(table, after)


async def test_tables_that_cannot_be_read_keep_none_from_being_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.tables.reaping._MOST_AT_ONCE", 2)
    pace, store = Pace(), Torn()
    async with running(pace, store, evolve(SETTINGS, waiting_seconds=3600)) as app:
        store.torn |= {await left(app, name) for name in ("Ann", "Bob", "Cyd", "Dan")}
        await pace.pass_by(60_000)
        code = await left(app, "Eve")
        await pace.pass_by(2 * HOUR)
        assert await phase(app, code) == Phase.CLOSED


class Slow(MemoryStore):
    """A log that takes long to read, while somebody asks for its table."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = asyncio.Event()
        self.reading = asyncio.Event()
        self.asked = asyncio.Event()

    async def read(self, table: str, after: int = 0) -> History:
        self.reading.set()
        await self.go_on.wait()
        return await super().read(table, after)

    async def taken(self, codes: Collection[str]) -> set[str]:
        if self.reading.is_set():
            self.asked.set()
        return await super().taken(codes)


async def test_a_table_that_somebody_comes_back_to_just_then_stays() -> None:
    pace, store = Pace(), Slow()
    async with running(pace, store, evolve(FULL, tables=1)) as app, peer(app, "Zoe") as zoe:
        async with peer(app, "Ann") as ann:
            code, token = await ann.create(), ann.token
        await asleep(app, code)
        await pace.pass_by(2 * HOUR)
        async with peer(app, "", token) as ann:
            opening = asyncio.create_task(opened(zoe))
            await store.reading.wait()
            coming = asyncio.create_task(ann.watch(code))
            await store.asked.wait()
            store.go_on.set()
            await coming
            assert await opening == "too_many_tables"
            assert await phase(app, code) == Phase.WAITING


async def test_a_table_is_not_closed_if_somebody_comes_before_that_is_decided() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann:
        code = await ann.create(seats=3)
        table = app.residents.tables[code]
        subscribers = table.broadcast.subscribers
        there = dict(subscribers)
        subscribers.clear()
        assert table.close_unattended()
        subscribers.update(there)
        await settle(table)
        assert await phase(app, code) == Phase.WAITING


class Stuck(MemoryStore):
    """Closes nothing."""

    async def read(self, table: str, after: int = 0) -> History:
        raise Unavailable("io_error")


async def test_a_table_that_cannot_be_closed_makes_no_room() -> None:
    pace = Pace()
    async with running(pace, Stuck(), evolve(FULL, tables=1)) as app:
        await left(app, "Ann")
        await pace.pass_by(2 * HOUR)
        async with peer(app, "Zoe") as zoe:
            assert await opened(zoe) == "too_many_tables"
