"""What every store must do, whatever it is made of."""

from __future__ import annotations

import asyncio
import random

import pytest
from attrs import evolve

from server.store.port import (
    FORGET_AT_ONCE,
    START,
    Conflict,
    Held,
    Position,
    Row,
    SessionRow,
    Store,
    Unavailable,
)
from tests.server.store.streams import SEATED, add, bodies, body, fill, listed


@pytest.fixture
def store(either: Store) -> Store:
    return either


async def test_a_stream_is_read_as_it_was_appended(store: Store) -> None:
    position = await fill(store, "KIWI-42", 5)
    history = await store.read("KIWI-42")
    assert [row.number for row in history.rows] == [1, 2, 3, 4, 5]
    assert [row.body for row in history.rows] == [body("KIWI-42", n) for n in range(1, 6)]
    assert history.position == position


async def test_a_part_of_a_stream(store: Store) -> None:
    position = await fill(store, "KIWI-42", 5)
    for after in range(8):
        history = await store.read("KIWI-42", after)
        assert [row.number for row in history.rows] == list(range(after + 1, 6))
        assert history.position == position


async def test_an_unknown_stream_is_empty(store: Store) -> None:
    history = await store.read("NONE-1")
    assert (history.rows, history.position) == ((), START)
    assert await store.find("NONE-1") is None
    assert await store.tables() == []
    assert await store.directory() == []


async def test_writing_goes_on_from_what_was_read(store: Store) -> None:
    await fill(store, "KIWI-42", 3)
    history = await store.read("KIWI-42", 3)
    await add(store, "KIWI-42", history.position, 4)
    assert len(await bodies(store, "KIWI-42")) == 4


async def test_bodies_of_all_sizes(store: Store) -> None:
    position = START
    sizes = [0, 1, 100, 5000, 300_000]
    for number, size in enumerate(sizes, 1):
        row = Row(number, bytes(size))
        position = await store.append("KIWI-42", position, row, listed("KIWI-42", number))
    assert [len(found) for found in await bodies(store, "KIWI-42")] == sizes


async def test_a_late_append_loses_and_nothing_of_it_is_kept(store: Store) -> None:
    early = await fill(store, "KIWI-42", 2)
    late = await add(store, "KIWI-42", early, 3, deadline=77)
    for expect in (START, early, Position(late + 1000)):
        row = Row(3, b"late")
        with pytest.raises(Conflict):
            await store.append("KIWI-42", expect, row, listed("KIWI-42", 3, phase=4))
    assert await bodies(store, "KIWI-42") == [body("KIWI-42", n) for n in (1, 2, 3)]
    assert await store.find("KIWI-42") == listed("KIWI-42", 3, deadline=77)
    await add(store, "KIWI-42", late, 4)


async def test_numbers_have_no_gaps(store: Store) -> None:
    position = await fill(store, "KIWI-42", 2)
    for number in (1, 2, 4):
        with pytest.raises(Conflict):
            await add(store, "KIWI-42", position, number)
    await add(store, "KIWI-42", position, 3)


async def test_a_loser_does_not_fail_those_who_wait_with_it(store: Store) -> None:
    """B36: one of several appends at the same moment, for each place in the batch."""
    for loser in range(4):
        codes = [f"T{loser}-{n}" for n in range(4)]
        positions = [await fill(store, code, 2) for code in codes]
        positions[loser] = START
        results = await asyncio.gather(
            *(add(store, c, p, 3) for c, p in zip(codes, positions, strict=True)),
            return_exceptions=True,
        )
        assert [isinstance(result, Conflict) for result in results] == [
            n == loser for n in range(4)
        ]
        for n, code in enumerate(codes):
            assert len(await bodies(store, code)) == (2 if n == loser else 3)


async def test_of_two_appends_at_one_position_one_wins(store: Store) -> None:
    """B36: the same position, at the same moment, 500 times."""
    position = START
    for number in range(1, 501):
        results = await asyncio.gather(
            store.append("KIWI-42", position, Row(number, b"a"), listed("KIWI-42", number)),
            store.append("KIWI-42", position, Row(number, b"b"), listed("KIWI-42", number)),
            return_exceptions=True,
        )
        winners = [result for result in results if isinstance(result, int)]
        assert len(winners) == 1
        assert sum(isinstance(result, Conflict) for result in results) == 1
        position = Position(winners[0])
    assert len(await bodies(store, "KIWI-42")) == 500


async def test_streams_go_side_by_side(store: Store) -> None:
    async def one(code: str) -> None:
        await fill(store, code, 20)

    codes = [f"T-{n:02}" for n in range(30)]
    await asyncio.gather(*map(one, codes))
    assert await store.tables() == codes
    for code in codes:
        assert await bodies(store, code) == [body(code, n) for n in range(1, 21)]
        assert await store.find(code) == listed(code, 20)


async def test_more_at_one_moment_than_fits_one_batch(store: Store) -> None:
    codes = [f"T-{n:03}" for n in range(400)]
    await asyncio.gather(*(add(store, code, START, 1) for code in codes))
    results = await asyncio.gather(
        *(add(store, code, START, 1) for code in codes), return_exceptions=True
    )
    assert all(isinstance(result, Conflict) for result in results)
    assert await store.tables() == codes
    assert await store.directory() == [listed(code, 1) for code in codes]


async def test_the_directory_lists_what_its_tables_came_to(store: Store) -> None:
    await fill(store, "B-2", 2, phase=2, deadline=5, listed=False)
    await fill(store, "A-1", 1, phase=1)
    await fill(store, "C-3", 3, phase=3, create_id=None)
    assert [row.code for row in await store.directory()] == ["A-1", "B-2", "C-3"]
    assert [row.code for row in await store.directory([1, 2])] == ["A-1", "B-2"]
    assert await store.directory([]) == []
    found = await store.find("B-2")
    assert found == listed("B-2", 2, phase=2, deadline=5, listed=False)
    position = (await store.read("B-2")).position
    await add(store, "B-2", position, 3, phase=3, deadline=None)
    assert await store.find("B-2") == listed("B-2", 3, phase=3)


async def test_a_table_is_found_by_the_command_that_opened_it(store: Store) -> None:
    await fill(store, "A-1", 2)
    row = listed("A-1", 2)
    assert row.create_id is not None
    assert await store.find_created(row.creator, row.create_id) == row
    assert await store.find_created(b"somebody else", row.create_id) is None
    assert await store.find_created(row.creator, b"another id") is None


async def test_one_command_opens_one_table(store: Store) -> None:
    first = listed("A-1", 1)
    second = evolve(first, code="B-2")
    results = await asyncio.gather(
        store.append("A-1", START, Row(1, b"a"), first),
        store.append("B-2", START, Row(1, b"b"), second),
        add(store, "C-3", START, 1),
        return_exceptions=True,
    )
    assert [isinstance(result, Conflict) for result in results] == [False, True, False]
    assert isinstance(results[1], Conflict) and results[1].facts["table"] == "A-1"
    assert await store.tables() == ["A-1", "C-3"]


async def test_tables_opened_without_an_id_are_independent(store: Store) -> None:
    for code in ("A-1", "B-2"):
        await add(store, code, START, 1, creator=b"x", create_id=None)
    assert len(await store.directory()) == 2


async def test_sessions(store: Store) -> None:
    ann = SessionRow(b"hash of ann's token", b"ann", "Ann", 100, 100, 100)
    bob = SessionRow(b"hash of bob's token", b"bob", "Bob", 200, 200, 200)
    assert await store.get_session(ann.token_hash) is None
    await asyncio.gather(store.put_session(ann), store.put_session(bob))
    assert await store.get_session(ann.token_hash) == ann
    await store.put_session(evolve(ann, name="Anna", seen=1, used=300, created=300))
    renewed = evolve(ann, name="Anna", seen=1, used=300)
    assert await store.get_session(ann.token_hash) == renewed
    with pytest.raises(Conflict):
        await store.put_session(evolve(ann, token_hash=b"another token"))
    moved = await store.move_session(b"bob", b"a new token's hash")
    assert moved == evolve(bob, token_hash=b"a new token's hash")
    assert await store.get_session(bob.token_hash) is None
    assert await store.get_session(b"a new token's hash") == moved
    assert await store.move_session(b"nobody", b"x") is None
    assert await store.get_session(b"x") is None
    assert await store.forget_sessions(250) == 1
    assert await store.get_session(b"a new token's hash") is None
    assert await store.get_session(ann.token_hash) is not None
    assert await store.forget_sessions(250) == 0


async def test_whoever_has_a_seat_is_not_forgotten(store: Store) -> None:
    for name in ("ann", "bob"):
        row = SessionRow(f"hash of {name}".encode(), name.encode(), name, 1, 1, 1)
        await store.put_session(row)
    position = await add(store, "T-1", START, 1, seated=SEATED[:1])
    assert await store.forget_sessions(100) == 1
    assert await store.get_session(b"hash of ann") is not None
    await add(store, "T-1", position, 2, phase=3)
    assert await store.forget_sessions(100) == 1


async def test_many_old_sessions_are_dropped_a_few_at_a_time(store: Store) -> None:
    def row(n: int) -> SessionRow:
        return SessionRow(b"hash %d" % n, b"public %d" % n, "Ann", 1, 1, 1 if n else 9)

    await asyncio.gather(*(store.put_session(row(n)) for n in range(2 * FORGET_AT_ONCE + 2)))
    assert [await store.forget_sessions(5) for _ in range(4)] == [500, 500, 1, 0]
    assert await store.get_session(b"hash 0") is not None


async def test_a_closed_store_says_so(store: Store) -> None:
    await fill(store, "A-1", 1)
    await store.close()
    await store.close()
    with pytest.raises(Unavailable, match="closed"):
        await add(store, "A-1", START, 1)
    for call in (store.read("A-1"), store.directory(), store.tables(), store.find("A-1")):
        with pytest.raises(Unavailable, match="closed"):
            await call
    with pytest.raises(Unavailable, match="closed"):
        await store.put_session(SessionRow(b"t", b"p", "n", 1, 1))


async def test_random_work_against_a_plain_model(store: Store) -> None:
    """Many writers, right and wrong, at once; the store equals a list per table."""
    rng = random.Random(20260729)
    model: dict[str, list[bytes]] = {}
    positions: dict[str, Position] = {}

    async def one(code: str, serial: int) -> None:
        rows = model.setdefault(code, [])
        right = rng.random() < 0.7
        position = positions.get(code, START) if right else Position(rng.randrange(1, 999_983))
        right = position == positions.get(code, START)
        number = len(rows) + 1
        content = b"%d" % serial
        try:
            end = await store.append(code, position, Row(number, content), listed(code, number))
        except Conflict:
            assert not right
        else:
            assert right
            rows.append(content)
            positions[code] = end

    serial = 0
    for _ in range(60):
        codes = rng.sample([f"T-{n}" for n in range(12)], rng.randrange(1, 12))
        serial += 100
        await asyncio.gather(*(one(code, serial + n) for n, code in enumerate(codes)))
    for code, rows in model.items():
        assert await bodies(store, code) == rows
        found = await store.find(code)
        assert (found.number if found else 0) == len(rows)


async def test_what_sessions_have_is_counted(store: Store) -> None:
    ann, bob, eve = b"ann", b"bob", b"eve"
    await fill(store, "KIWI-42", 1, creator=ann, create_id=b"1", seated=SEATED)
    await fill(store, "KIWI-43", 1, creator=ann, create_id=b"2", seated=SEATED[:2])
    await fill(store, "KIWI-44", 1, creator=bob, create_id=b"3", phase=3, seated=())
    assert await store.held((ann, bob, eve)) == {ann: Held(2, 2), bob: Held(0, 1)}
    assert await store.held(()) == {}
    crowd = [number.to_bytes(12, "big") for number in range(1000)]
    assert await store.held((*crowd, ann)) == {ann: Held(2, 2)}
