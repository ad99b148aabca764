"""Tables that nobody attends, and tables that are lost while somebody does: whatever fails, they
continue by themselves, and nobody is left without an answer."""

from __future__ import annotations

import asyncio
import os

import pytest
from attrs import evolve
from websockets.exceptions import ConnectionClosed

from engine.table.words import Phase
from protocol.messages import (
    Accepted,
    Closing,
    JoinTable,
    LeaveTable,
    Refused,
    Snapshot,
    Vote,
    Watch,
)
from server.store.memory import MemoryStore
from server.store.port import Damaged, DirectoryRow, History, Position, Row, Unavailable
from tests.patience import until
from tests.server.absent import asked, command, running, seats
from tests.server.moody import LastingStore, Mood
from tests.server.pace import Pace
from tests.server.peer import QUIET, peer, server

SHORT = evolve(QUIET, sleep_seconds=0.1)


class Failing(LastingStore):
    """Reads fail `failures` times."""

    def __init__(self) -> None:
        super().__init__()
        self.failures = 0
        self.broken: BaseException | None = None

    async def read(self, table: str, after: int = 0) -> History:
        if self.failures:
            self.failures -= 1
            raise Unavailable("io_error")
        return await super().read(table, after)

    async def _moody(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Position:
        position = await super()._moody(table, expect, row, directory)
        if self.broken is not None:
            error, self.broken = self.broken, None
            raise error
        return position

    async def length(self, code: str) -> int:
        return len((await MemoryStore.read(self, code)).rows)


async def until_longer(store: Failing, code: str, than: int) -> None:
    await until(lambda: store._directory[code].number > than)


@pytest.mark.parametrize("mood", [Mood.UNAVAILABLE, Mood.UNKNOWN_NOT_WRITTEN, Mood.UNKNOWN_WRITTEN])
async def test_bots_alone_go_on_when_the_store_is_well_again(mood: Mood) -> None:
    store = Failing()
    async with server(SHORT, store) as app:
        async with peer(app, "Ann") as ann:
            code = await ann.create(bots=("random",) * 3, sit=False)
            store.mood = mood
            store.unreadable = mood is not Mood.UNAVAILABLE
            assert store._directory[code].phase == Phase.PLAYING
        await asyncio.sleep(4 * SHORT.sleep_seconds)  # so long that it would leave memory
        stood = await store.length(code)
        store.mood, store.unreadable = Mood.WELL, False
        await until_longer(store, code, stood + 5)


@pytest.mark.parametrize("fault", ["read", "fold"])
async def test_one_table_that_cannot_wake_keeps_no_other_asleep(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Failing()
    store.most = 10
    async with server(store=store) as app, peer(app, "Ann") as ann:
        made = [await ann.create(bots=("random",) * 3, sit=False) for _ in range(3)]
    first, *others = sorted(made)
    stood, store.most = {code: await store.length(code) for code in made}, None
    if fault == "read":
        store.failures = 1
        others = sorted(made)
    else:
        from server.tables import residents

        fold = residents._fold
        broken = (await store.read(first)).rows[0]

        def faulty(history: History) -> object:
            if history.rows[0] == broken:
                raise ZeroDivisionError("a fault of one game's")
            return fold(history)

        monkeypatch.setattr(residents, "_fold", faulty)
    async with server(store=store) as app, peer(app, "Ann") as ann:
        for code in others:
            await until_longer(store, code, stood[code])
        if fault == "fold":
            assert (await ann.ask(Watch(first, 0), Refused)).code == "table_damaged"
            assert app.counters.faults == 1
            assert first in app.residents._retries, "it is tried again"


async def test_somebody_who_only_sent_a_request_is_told_when_its_table_is_lost() -> None:
    store = Failing()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create()
        id, nonce = os.urandom(8), os.urandom(16)
        store.mood, store.failures = Mood.UNKNOWN_WRITTEN, 1
        await bob.send(JoinTable(id, code, nonce))
        for one in (bob, ann):
            assert (await one.until(Closing)).code == "table_lost"
            with pytest.raises(ConnectionClosed):
                await one.receive()
        store.mood = Mood.WELL
        async with peer(app, "", bob.token) as again:
            assert isinstance(await again.join(code, id), Refused), "another nonce"
            assert await again.ask(JoinTable(id, code, nonce), Accepted) == Accepted(id, 2)


async def test_nobody_attends_a_table_that_was_lost_while_its_past_was_read() -> None:
    store = Failing()
    settings = evolve(QUIET, recent_entries=1)
    async with server(settings, store) as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create(seats=4)
        async with peer(app, "Bob") as bob, peer(app, "Dan") as dan:
            await bob.join(code)
            await dan.join(code)
            store.read_gate.clear()
            await eve.send(Watch(code, 1))
            lost = app.residents.tables[code]
            await until(lambda: lost.history.reading > 0)
            store.mood, store.failures = Mood.UNKNOWN_WRITTEN, 1
            await bob.send(LeaveTable(os.urandom(8)))
            await bob.until(Closing)
        store.mood = Mood.WELL
        store.read_gate.set()
        told = await eve.until((Closing, Snapshot))
        assert isinstance(told, Closing) and told.code == "table_lost"
        assert not lost.broadcast.subscribers
        async with peer(app, "", eve.token) as again:
            assert (await again.watch(code)).number == 4


async def test_somebody_who_waits_for_a_table_when_the_server_stops_is_told_to_come_back() -> None:
    store = Failing()
    async with server(store=store) as app, peer(app, "Ann") as ann:
        code = await ann.create()
    async with server(store=store) as app, peer(app, "", ann.token) as ann:
        store.read_gate.clear()
        await ann.send(Watch(code, 0))
        await until(lambda: code in app.residents._reading)
        await app.stop()
        assert (await ann.until(Refused)).code == "stopping"
        with pytest.raises(ConnectionClosed) as end:
            await ann.until(Snapshot)
        assert end.value.rcvd is not None and end.value.rcvd.code == 1012


@pytest.mark.parametrize("error", [RuntimeError("?"), asyncio.CancelledError()])
async def test_what_is_stored_is_never_answered_as_if_nothing_happened(
    error: BaseException,
) -> None:
    """An unexpected fault in the middle of the table's own task."""
    store = Failing()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create()
        store.broken = error
        id, nonce = os.urandom(8), os.urandom(16)
        await ann.send(LeaveTable(os.urandom(8)))
        told = await ann.until((Closing, Refused))
        assert isinstance(told, Closing) and told.code == "table_lost"
        assert code not in app.residents.tables
        joined = await bob.ask(JoinTable(id, code, nonce), (Accepted, Refused))
        assert isinstance(joined, Refused), "Ann had left, and the table is closed"


async def test_a_table_wants_to_be_in_memory_only_while_no_person_alone_is_asked() -> None:
    store = Failing()
    async with server(SHORT, store) as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=("random", "random"))
        while ann.asked() is None:
            await ann.receive()
        table = app.residents.tables[code]
        assert table.stream.wake_after() is None
        listed = await store.find(code)
        assert listed is not None and listed.deadline is None
        store.most = table.stream.number  # so that the game of bots does not come to its end
        bots = await ann.create(bots=("random",) * 3, sit=False)
        assert app.residents.tables[bots].stream.wake_after() == 0


class Torn(Failing):
    """A store that cannot read one of its tables for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.torn = ""
        self.tries = 0

    async def read(self, table: str, after: int = 0) -> History:
        if table == self.torn:
            self.tries += 1
            raise Damaged("changed", table=table, number=1)
        return await super().read(table, after)


async def test_a_damaged_table_is_tried_again_ever_more_seldom_and_goes_on_when_mended() -> None:
    store, pace = Torn(), Pace()
    store.most = 10
    async with server(store=store) as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=("random",) * 3, sit=False)
    stood, store.torn, store.most = await store.length(code), code, None
    async with running(pace, store) as app:
        await until(lambda: store.tries == 1)
        await pace.pass_by(59_000)
        assert store.tries == 1
        for tries in (2, 3, 4):
            await pace.pass_by(61_000 << (tries - 2))
            await until(lambda tries=tries: store.tries == tries)  # type: ignore[misc]
        store.torn = ""
        await pace.pass_by(3_600_000)
        await until_longer(store, code, stood)


async def test_somebody_absent_is_played_for_when_the_store_is_well_again() -> None:
    """Everybody has left by then; what could not be stored is tried again."""
    store, pace = Failing(), Pace()
    async with running(pace, store) as app:
        async with peer(app, "Ann") as ann, peer(app, "Bob") as bob, peer(app, "Cyd") as cyd:
            code = await seats(app, ann, bob, cyd)
            table = await app.residents.get(code)
            seat = await asked(table)
            await pace.pass_by(60_000)
            first, second = (one for one in (ann, bob, cyd) if one.seat != seat)
            assert isinstance(await command(first, Vote(os.urandom(8), seat)), Accepted)
            store.most = table.stream.number + 2  # the vote, and that somebody sits out
            await command(second, Vote(os.urandom(8), seat))
            await until(lambda: table.stream.number == store.most)
        for _ in range(3):
            await pace.pass_by(1_000)
            await asyncio.sleep(0.1)  # in which it would leave memory
        stood, store.most = store.most, None
        assert await store.length(code) == stood
        await pace.pass_by(1_000)
        await until_longer(store, code, stood)
