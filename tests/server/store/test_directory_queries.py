"""What every store's directory must say, and what becomes of tables that are retired."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

import pytest
from attrs import evolve

from server.store.port import START, Conflict, Retired, Store
from tests.server.store.streams import SEATED, add, fill, listed, lose

T = TypeVar("T")


@pytest.fixture
def store(either: Store) -> Store:
    return either


async def slices(found: AsyncIterator[list[T]]) -> list[T]:
    return [one async for some in found for one in some]


async def test_a_row_that_is_lacking_can_be_made_anew(store: Store) -> None:
    for n in range(3):
        await fill(store, f"T-{n}", n + 1, phase=2, seated=SEATED)
    assert await slices(store.missing()) == []
    before = await store.directory()
    await lose(store, "DELETE FROM directory WHERE number < 3")
    assert await slices(store.missing()) == ["T-0", "T-1"]
    await store.relist([evolve(row, phase=1) for row in before])
    assert await slices(store.missing()) == []
    after = await store.directory()
    assert after == [evolve(row, phase=1) for row in before[:2]] + before[2:]
    assert await store.seats_of(b"ann") == list(reversed(after))
    row = before[1]
    assert row.create_id is not None
    assert await store.find_created(row.creator, row.create_id) == after[1]
    position = await add(store, "T-1", (await store.read("T-1")).position, 3)
    await add(store, "T-1", position, 4)
    assert await store.find("T-1") == listed("T-1", 4)


async def test_seats_that_an_earlier_version_did_not_write_are_learnt(store: Store) -> None:
    unknown = {"ruleset": None, "seats": None, "seated": ()}
    for n in range(5):
        await fill(store, f"T-{n}", 2, phase=n % 4 + 1, **unknown)
    assert await slices(store.unseated()) == ["T-4", "T-1", "T-0"]
    await add(store, "T-1", (await store.read("T-1")).position, 3, phase=2, seated=SEATED)
    known = [evolve(row, ruleset="r", seats=3, seated=SEATED) for row in await store.directory()]
    await store.relist([row for row in known if row.code in ("T-0", "T-1", "T-4")])
    assert await slices(store.unseated()) == []
    assert {row.code for row in await store.seats_of(b"ann")} == {"T-0", "T-1", "T-4"}
    found = await store.find("T-1")
    assert found == listed("T-1", 3, phase=2, seated=SEATED), "what was written meanwhile stays"


async def test_who_sits_where_follows_every_entry(store: Store) -> None:
    position = await add(store, "T-1", START, 1, seated=SEATED[:1])
    position = await add(store, "T-1", position, 2, phase=2, seated=SEATED)
    position = await add(store, "T-1", position, 3, phase=2, seated=SEATED)
    await fill(store, "T-2", 1, seated=SEATED[:1])
    assert [row.code for row in await store.seats_of(b"ann")] == ["T-1", "T-2"]
    assert await store.seats_of(b"bob") == [listed("T-1", 3, phase=2, seated=SEATED)]
    assert await store.seats_of(b"nobody") == []
    position = await add(store, "T-1", position, 4, phase=2, seated=SEATED[1:])
    assert [row.code for row in await store.seats_of(b"ann")] == ["T-2"]
    await add(store, "T-1", position, 5, phase=3)
    assert await store.seats_of(b"bob") == []
    assert await store.find("T-1") == listed("T-1", 5, phase=3)


async def test_seats_of_many_tables_written_at_once(store: Store) -> None:
    codes = [f"T-{n:03}" for n in range(100)]
    await asyncio.gather(*(add(store, code, START, 1, seated=SEATED) for code in codes))
    loser = add(store, codes[0], START, 1, seated=())
    rest = [(await store.read(code)).position for code in codes]
    twos = [add(store, c, p, 2, seated=SEATED[1:]) for c, p in zip(codes, rest, strict=True)]
    results = await asyncio.gather(loser, *twos, return_exceptions=True)
    assert isinstance(results[0], Conflict)
    assert {row.code for row in await store.seats_of(b"bob")} == set(codes)
    assert await store.seats_of(b"ann") == []


async def test_the_directory_is_asked_for_no_more_than_is_needed(store: Store) -> None:
    for n in range(12):
        due = None if n % 2 else 500 + n
        ran = 60_000 * n
        await fill(store, f"T-{n:02}", 1, phase=n % 4 + 1, listed=n > 3, deadline=due, ran=ran)
    assert [row.code for row in await store.listed(3)] == ["T-09", "T-08", "T-05"]
    assert len(await store.listed(9)) == 4
    assert await store.count_open() == 6
    assert await store.count_open(listed("T-00", 1).creator) == 1
    assert await store.count_open(listed("T-02", 1).creator) == 0
    assert await store.taken(["T-00", "T-99", "T-03"]) == {"T-00", "T-03"}
    assert [row.code for row in await slices(store.due())] == ["T-00", "T-04", "T-08"]
    idle = await slices(store.idle(2, 300_000))
    assert [(row.code, row.ran) for row in idle] == [("T-01", 60_000), ("T-05", 300_000)]


async def test_many_rows_come_in_slices_that_leave_none_out(store: Store) -> None:
    codes = [f"T-{n:03}" for n in range(500)]
    rows = [add(store, c, START, 1, phase=3, ran=60_000 * (n % 7)) for n, c in enumerate(codes)]
    await asyncio.gather(*rows)
    assert [row.code for row in await slices(store.unsaved())] == codes
    idle = await slices(store.idle(3, 300_000))
    assert [row.ran for row in idle] == sorted(60_000 * (n % 7) for n in range(500) if n % 7 < 6)
    assert len({row.code for row in idle}) == len(idle)
    await store.mark_saved(codes[:499])
    assert [row.code for row in await slices(store.unsaved())] == codes[499:]
    assert [row.saved for row in await store.directory()][-2:] == [True, False]


async def test_a_retired_table_is_gone_but_for_its_code(store: Store) -> None:
    await fill(store, "OVER-1", 1200, phase=3, seated=())
    await fill(store, "OPEN-2", 2, phase=2, seated=SEATED)
    over = Retired("OVER-1", "OVER-1.ra")
    for table in (over, Retired("OPEN-2", None), Retired("NONE-3", None)):
        await store.retire(table, 70)
    assert await store.find("OVER-1") is None
    assert (await store.read("OVER-1")).rows == (), "although its log may still be there"
    assert not await store.retired("OPEN-2") and not await store.retired("NONE-3")
    while await store.sweep_retired():
        assert await slices(store.missing()) == []
    assert (await store.read("OVER-1")).rows == () and await store.retired("OVER-1") == over
    assert await store.tables() == ["OPEN-2"]
    assert await store.taken(["OVER-1", "OPEN-2"]) == {"OVER-1", "OPEN-2"}
    with pytest.raises(Conflict, match="retired"):
        await add(store, "OVER-1", START, 1)
    assert await store.long_retired(69, 9) == []
    assert await store.long_retired(70, 9) == [over]
    await store.release(["OVER-1"])
    assert await store.taken(["OVER-1"]) == set()
    await add(store, "OVER-1", START, 1)


async def test_how_long_servers_ran_is_kept_and_never_goes_back(store: Store) -> None:
    assert await store.age() == 0
    await store.keep_age(700)
    await store.keep_age(500)
    assert await store.age() == 700
