"""Who comes to a table with nothing is told the latest of what happened there."""

from __future__ import annotations

import pytest
from attrs import evolve

from engine.deal import Chance
from engine.game import find_game
from protocol.messages import Snapshot, Update
from protocol.wire import Wire
from server.store.memory import MemoryStore
from tests.games import NAMES
from tests.patience import until
from tests.server.peer import QUIET, peer, server


@pytest.mark.parametrize(
    ("recent", "resume", "told"),
    [(8, 500, 8), (8, 3, 3), (8, 0, 0), (0, 500, 0)],
)
async def test_who_has_nothing_is_told_the_latest(recent: int, resume: int, told: int) -> None:
    """Without a gap up to the last, and what is told to who has a number; as many as are in
    memory and may be told, so that no allowance of any kind is needed."""
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


async def test_of_a_young_table_all_is_told() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create()
        assert numbers(await eve.watch(code)) == [1]


async def test_nobody_is_told_what_others_alone_were_shown() -> None:
    """Where choices are sealed: who comes anew is told its own again, and no one else's."""
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
