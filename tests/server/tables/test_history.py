"""People who come to a table, for the first time or after an absence, are told what happened
there last, without a gap."""

from __future__ import annotations

import asyncio

import pytest
from attrs import evolve

from engine.deal import Chance
from engine.game import find_game
from protocol.messages import (
    LeaveTable,
    Left,
    Snapshot,
    Update,
)
from protocol.wire import Wire
from server.store.memory import MemoryStore
from tests.games import NAMES
from tests.patience import until
from tests.server.moody import MoodyStore
from tests.server.peer import QUIET, peer, server


@pytest.mark.parametrize(
    ("recent", "resume", "told"),
    [(8, 500, 8), (8, 3, 3), (8, 0, 0), (0, 500, 0)],
)
async def test_a_newcomer_is_told_the_latest(recent: int, resume: int, told: int) -> None:
    """Without a gap up to the last entry, like what is told to a client that has a number: as many
    as are in memory and may be told, so that no allowance is needed."""
    settings = evolve(QUIET, recent_entries=recent, resume_entries=resume, file_burst=1)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create(bots=("random",) * 3, sit=False)
        while not ann.over:
            await ann.receive()
        for _ in range(3):
            snapshot = await eve.watch(code)
            assert numbers(snapshot) == list(range(ann.number - told + 1, ann.number + 1))
        if told:
            assert (await eve.watch(code, ann.number - told)).since == snapshot.since


async def test_a_table_that_was_read_again_tells_the_latest_too() -> None:
    settings = evolve(QUIET, recent_entries=5, sleep_seconds=0.05)
    store = MemoryStore()
    async with server(settings, store) as app:
        async with peer(app, "Ann") as ann:
            code = await ann.create(bots=("random",) * 3, sit=False)
            while not ann.over:
                await ann.receive()
        await until(lambda: code not in app.residents.tables)
        async with peer(app, "Eve") as eve:
            snapshot = await eve.watch(code)
            assert numbers(snapshot) == list(range(ann.number - 4, ann.number + 1))


async def test_what_comes_while_the_store_is_read_leaves_no_gap() -> None:
    """More comes meanwhile than is kept in memory."""
    settings = evolve(QUIET, recent_entries=4)
    store = MoodyStore()
    async with server(settings, store) as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create(bots=("random",) * 3, sit=False)
        while ann.number < 10:
            await ann.receive()
        store.read_gate.clear()
        watching = asyncio.create_task(eve.watch(code, 2))
        reached = ann.number + 10
        while ann.number < reached:
            await ann.receive()
        store.read_gate.set()
        snapshot = await watching
        assert snapshot.number >= reached
        assert numbers(snapshot) == list(range(3, snapshot.number + 1))


async def test_of_a_young_table_all_is_told() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create()
        assert numbers(await eve.watch(code)) == [1]


async def test_nobody_is_told_what_others_alone_were_shown() -> None:
    """Where choices are sealed, a newcomer is told its own choice again, and nobody else's."""
    assert "miniature" in NAMES
    game = find_game("miniature")
    async with (
        server() as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
        peer(app, "Eve") as eve,
    ):
        code = await ann.create("miniature", seats=2)
        await bob.join(code)
        while (act := ann.answer(game, Wire(game.vocabulary), Chance(b"any"))) is None:
            await ann.receive()
        await ann.send(act)
        update = await ann.until(Update)
        assert update.private is not None and update.private[0] != ()
        own = (await ann.watch(code)).since
        assert (own[-1].number, own[-1].public) == (update.number, update.public[0])
        assert own[-1].private == update.private[0]
        for other in (bob, eve):
            told = (await other.watch(code)).since
            assert [one.public for one in told] == [one.public for one in own]
            assert all(one.private == () for one in told)


def numbers(snapshot: Snapshot) -> list[int]:
    return [happened.number for happened in snapshot.since]


@pytest.mark.parametrize("recent", [0, 4, 1000])
async def test_resuming_tells_what_happened_meanwhile_without_a_hole(recent: int) -> None:
    """Snapshots come while entries do. Each of 70 times, the numbers have no gap, and in the end
    a client has what a fresh snapshot says."""
    settings = evolve(QUIET, recent_entries=recent, message_rate=1e6, file_burst=1000)
    resumed = 0
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        while resumed < 70:
            code = await ann.create(bots=("random",) * 3, sit=False)
            await eve.watch(code)
            while not eve.over:
                seen = eve.number
                while not eve.over and eve.number < seen + 7:
                    await eve.receive()
                since = eve.number
                await eve.ask(LeaveTable(b"go"), Left)
                if resumed % 2:
                    await ann.until(Update)
                snapshot = await eve.watch(code, since)
                numbers = [happened.number for happened in snapshot.since]
                assert numbers == list(range(since + 1, snapshot.number + 1))
                resumed += 1
            kept = (eve.number, eve.public, eve.private)
            fresh = await eve.watch(code)
            assert kept == (fresh.number, fresh.public, fresh.private)


async def test_a_number_above_the_servers_gives_a_snapshot() -> None:
    async with server() as app, peer(app, "Ann") as ann:
        code = await ann.create()
        snapshot = await ann.watch(code, 10_000)
        assert (snapshot.number, snapshot.since) == (1, ())


async def test_after_too_much_a_snapshot_tells_nothing_of_it() -> None:
    settings = evolve(QUIET, resume_entries=5, recent_entries=3)
    async with server(settings) as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=("random",) * 3, sit=False)
        while not ann.over:
            await ann.receive()
        last = ann.number
        for missed, told in ((6, 0), (5, 5), (3, 3), (1, 1), (0, 0)):
            assert len((await ann.watch(code, last - missed)).since) == told


async def test_of_long_absences_only_so_many_are_told() -> None:
    settings = evolve(QUIET, recent_entries=2, file_burst=3, file_rate=0.01)
    async with server(settings) as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=("random",) * 3, sit=False)
        while not ann.over:
            await ann.receive()
        last = ann.number
        told = [len((await ann.watch(code, last - 10)).since) for _ in range(5)]
        assert told == [10, 10, 10, 0, 0]
        assert len((await ann.watch(code, last - 2)).since) == 2
