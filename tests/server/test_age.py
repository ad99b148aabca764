"""What is kept grows old while servers run, whatever the clock on the wall says and however often
they start: sessions, and the database's age itself. (Tables are in `test_retirement`.)"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from attrs import evolve

from protocol.messages import LeaveTable, Left
from server.age import Age
from server.app import App, serve
from server.store.memory import MemoryStore
from server.store.port import StoreError, Unavailable
from server.store.sqlite import SqliteStore
from tests.server.moody import LastingStore
from tests.server.pace import Pace
from tests.server.peer import QUIET, peer

DAY = 86_400_000
SETTINGS = evolve(QUIET, session_days=30)


async def greeted_again(app: App, token: bytes | None) -> bool:
    """Whether a token still leads to its session."""
    async with peer(app, "Somebody", token) as one:
        return one.token is None or one.token == token


async def test_sessions_grow_old_over_many_starts_and_by_no_clock_on_the_wall() -> None:
    store, token = LastingStore(), None
    for day in (0, 9_999, -9_999):  # by the wall
        pace = Pace()
        pace.day += day * DAY
        async with serve(SETTINGS, store, pace) as app:
            if token is None:
                async with peer(app, "Ann") as ann:
                    token = ann.token
            async with peer(app, "Bob") as bob:
                assert bob.token != token
            await pace.pass_by(9 * DAY)
            await app.sessions.forget_old()
            assert sha256(token or b"").digest() in store._sessions
    async with serve(SETTINGS, store, pace := Pace()) as app:
        assert await store.age() == 27 * DAY
        await pace.pass_by(4 * DAY)
        await app.sessions.forget_old()
        assert len(store._sessions) == 2, "neither Ann's is left, nor the first of Bob's"
        async with peer(app, "Ann", token) as ann:
            assert ann.token not in (None, token)


async def test_a_session_with_a_seat_is_kept_and_forgotten_only_after_it() -> None:
    store, pace = LastingStore(), Pace()
    settings = evolve(SETTINGS, waiting_seconds=1e8)
    async with serve(settings, store, pace) as app, peer(app, "Ann") as ann:
        code = await ann.create(seats=3, listed=False)
        token = ann.token
    async with serve(settings, store, pace) as app:
        await pace.pass_by(400 * DAY)
        await app.sessions.forget_old()
        assert len(store._sessions) == 1
        async with peer(app, "", token) as ann:
            assert (await ann.watch(code)).seat == 0
            await ann.ask(LeaveTable(b"bye"), Left)
    async with serve(settings, store, pace) as app:
        await pace.pass_by(29 * DAY)
        await app.sessions.forget_old()
        assert len(store._sessions) == 1, "it was used not long ago"
        await pace.pass_by(2 * DAY)
        await app.sessions.forget_old()
        assert not store._sessions


async def test_a_connected_session_is_in_use() -> None:
    pace = Pace()
    settings = evolve(SETTINGS, ping_seconds=1000)
    async with serve(settings, MemoryStore(), pace) as app, peer(app, "Ann") as ann:
        for _ in range(3):
            await pace.pass_by(25 * DAY)
            await app.sessions.forget_old()
        token = ann.token
        async with peer(app, "", token) as again:
            assert again.person == ann.person


async def test_the_age_goes_on_from_where_it_was_kept(tmp_path: Path) -> None:
    pace = Pace()
    for start in range(3):
        store = SqliteStore(tmp_path / "ra.db")
        age = Age(store, pace)
        await age.start()
        assert age.now() == age.begin == start * 90_000
        pace.time += 90_000
        assert (age.now(), age.minute()) == (
            (start + 1) * 90_000,
            (start + 1) * 90_000 // 60_000 * 60_000,
        )
        await age.keep()
        pace.time += 50_000  # which is lost: the server is killed
        await store.close()
        pace.time += 10**12  # no server runs


async def test_a_store_that_cannot_be_written_is_found_out_at_the_start() -> None:
    class Full(MemoryStore):
        async def keep_age(self, age: int) -> None:
            raise Unavailable("disk_full")

    with pytest.raises(StoreError, match="disk_full"):
        async with serve(QUIET, Full()):
            pass
