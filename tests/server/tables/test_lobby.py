"""Opening, joining, starting, leaving, closing, listing: by friends and by strangers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from typing import Any

import msgpack
import pytest
from attrs import evolve
from websockets.exceptions import ConnectionClosed

from engine.table.words import Phase
from protocol.messages import (
    Accepted,
    CloseTable,
    Create,
    JoinTable,
    LeaveTable,
    Left,
    ListTables,
    Refused,
    Snapshot,
    StartMatch,
    Tables,
    Update,
    Watch,
)
from server.app import App
from server.store.memory import MemoryStore
from server.store.port import DirectoryRow, Position, Row
from tests.patience import PATIENCE
from tests.server.moody import LastingStore
from tests.server.peer import QUIET, Peer, peer, server


def create(**fields: Any) -> Create:
    made = Create(b"id", "ra", "standard", (), 3, (), True, True, b"n" * 16)
    return evolve(made, **fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"seats": 0},
        {"seats": 1},
        {"seats": 6},
        {"seats": -1},
        {"seats": 10**9},
        {"game": "chess"},
        {"game": ""},
        {"ruleset": "none"},
        {"options": ("none",)},
        {"bots": ("none",)},
        {"bots": ("random",) * 3},
        {"bots": ("random",) * 16},
    ],
)
async def test_tables_that_cannot_be_are_refused(fields: dict[str, Any]) -> None:
    async with server() as app, peer(app) as ann:
        refused = await ann.ask(create(**fields), Refused)
        assert (refused.code, refused.id) == ("bad_options", b"id")
        assert not app.residents.tables and not await app.store.tables()


@pytest.mark.parametrize("seats", [True, "3", None, 3.0])
async def test_seats_that_are_no_number_end_the_connection(seats: object) -> None:
    async with server() as app, peer(app) as ann:
        await ann.socket.send(
            msgpack.packb([2, b"id", "ra", "standard", [], seats, [], True, True, b"n" * 16])
        )
        with pytest.raises(ConnectionClosed):
            await ann.until(Tables)


async def test_opening_again_with_the_same_id_is_the_same_table() -> None:
    async with server() as app, peer(app) as first, peer(app, "", first.token) as ann:
        await ann.send(create())
        both = [await ann.ask(create(), Snapshot), await ann.ask(create(), Snapshot)]
        assert len({snapshot.public[0] for snapshot in both}) == 1
        assert (await ann.ask(create(seats=4), Refused)).code == "id_reused"
        assert len(await app.store.tables()) == 1
        async with peer(app, "Bob") as bob:  # the same id of another person is another command
            await bob.ask(create(), Snapshot)
        assert len(await app.store.tables()) == 2


async def test_of_20_that_join_5_seats_at_once_5_sit_and_the_others_are_told() -> None:
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server())
        host = await stack.enter_async_context(peer(app, "Host"))
        code = await host.create(seats=5, sit=False)
        crowd = [await stack.enter_async_context(peer(app, f"P{n}")) for n in range(20)]
        told = await asyncio.gather(*[one.join(code) for one in crowd])
        seated = [one for one, answer in zip(crowd, told, strict=True) if type(answer) is Accepted]
        assert sorted(one.seat or 0 for one in seated) == [0, 1, 2, 3, 4]
        codes = {answer.code for answer in told if isinstance(answer, Refused)}
        assert codes <= {"table_full", "already_started"}


async def test_joining_twice_is_the_same_seat() -> None:
    async with server() as app, peer(app) as ann:
        code = await ann.create(seats=4)
        async with peer(app, "", ann.token) as twin:
            await _join_twice(app, code, ann, twin)


async def _join_twice(app: App, code: str, ann: Peer, twin: Peer) -> None:
    assert isinstance(await twin.join(code), Accepted)
    assert isinstance(await twin.join(code.lower()), Accepted)
    assert twin.seat == ann.seat == 0
    assert app.residents.tables[code].stream.number == 1


async def test_only_the_host_starts_and_closes_and_only_a_waiting_table() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        async with peer(app, "Eve") as eve:
            code = await ann.create(seats=4)
            assert (await ann.ask(StartMatch(b"1"), Refused)).code == "too_few_players"
            await bob.join(code)
            await eve.watch(code)
            for other in (bob, eve):
                assert (await other.ask(StartMatch(b"s"), Refused)).code == "not_host"
                assert (await other.ask(CloseTable(b"c"), Refused)).code == "not_host"
            started = await ann.ask(StartMatch(b"2"), Accepted)
            assert await ann.ask(StartMatch(b"2"), Accepted) == started
            assert (await ann.ask(StartMatch(b"3"), Refused)).code == "already_started"
            assert (await ann.ask(CloseTable(b"4"), Refused)).code == "already_started"
            refused = await eve.join(code)
            assert isinstance(refused, Refused) and refused.code == "already_started"
            # somebody who leaves a running match keeps the seat
            await bob.ask(LeaveTable(b"5"), Left)
            assert (await bob.watch(code)).seat == 1


async def test_when_the_host_leaves_the_next_one_is_host() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create(seats=4, bots=("random",))
        await bob.join(code)
        await ann.ask(LeaveTable(b"bye"), Left)
        await bob.until(Update)
        assert bob.view.table.host == 1
        await bob.ask(StartMatch(b"go"), Accepted)
        async with peer(app, "Cid") as cid:
            assert (await cid.watch(code)).seat is None


async def test_when_everybody_has_left_a_waiting_table_is_closed() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create(bots=("random",))
        await eve.watch(code)
        await ann.ask(LeaveTable(b"bye"), Left)
        while not eve.over:
            await eve.receive()
        assert eve.view.table.phase is Phase.CLOSED
        assert (await eve.ask(ListTables(), Tables)).tables == ()


async def test_a_closed_table_says_so_and_is_listed_no_more() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create()
        hidden = await bob.create(listed=False)
        listed = (await ann.ask(ListTables(), Tables)).tables
        assert [(row.code, row.names, row.taken) for row in listed] == [(code, ("Ann",), 1)]
        await ann.ask(CloseTable(b"c"), Accepted)
        assert ann.view.table.phase is Phase.CLOSED and ann.view.table.secret is not None
        assert (await ann.ask(ListTables(), Tables)).tables == ()
        refused = await bob.join(code)
        assert isinstance(refused, Refused) and refused.code == "table_closed"
        assert isinstance(await ann.join(hidden), Accepted)


async def test_where_one_sits_is_shown_to_oneself_listed_or_not() -> None:
    async with (
        server(evolve(QUIET, list_tables=2)) as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
        peer(app, "Eve") as eve,
    ):

        async def seen(by: Peer) -> list[str]:
            return [row.code for row in (await by.ask(ListTables(), Tables)).tables]

        listed = await ann.create()
        hidden = await bob.create(seats=2, listed=False)
        assert [await seen(by) for by in (ann, bob, eve)] == [[listed], [hidden, listed], [listed]]
        assert isinstance(await ann.join(hidden), Accepted)
        assert await seen(ann) == [hidden, listed], "also while it is played"
        (row, _) = (await ann.ask(ListTables(), Tables)).tables
        assert (row.phase, row.names) == (Phase.PLAYING, ("Bob", "Ann"))
        newer = [await eve.create(), await eve.create()]
        assert await seen(ann) == [hidden, listed], "their own come before the newest of all"
        assert await seen(eve) == newer[::-1]
        await bob.create(listed=False)
        await bob.ask(LeaveTable(b"bye"), Left)
        assert hidden in await seen(bob), "a seat in a match is kept"
        other = await eve.create(listed=False)
        assert other in await seen(eve)
        await eve.ask(CloseTable(b"c"), Accepted)
        assert other not in await seen(eve)


async def test_where_one_sits_is_shown_after_a_restart_once_somebody_came() -> None:
    store = LastingStore()
    async with server(QUIET, store) as app, peer(app, "Ann") as ann:
        hidden, token = await ann.create(listed=False), ann.token
    async with (
        server(QUIET, store) as app,
        peer(app, "Ann", token) as ann,
        peer(app, "Eve") as eve,
    ):
        await eve.watch(hidden)
        (row,) = (await ann.ask(ListTables(), Tables)).tables
        assert row.code == hidden
        assert (await eve.ask(ListTables(), Tables)).tables == ()


async def test_spectators_are_limited_and_seats_are_not() -> None:
    async with server(evolve(QUIET, watchers=1)) as app, peer(app, "Ann") as ann:
        code = await ann.create()
        async with peer(app, "Eve") as eve, peer(app, "Bob") as bob:
            await eve.watch(code)
            await bob.send(JoinTable(os.urandom(8), code, b"n" * 16))
            assert (await bob.until(Snapshot)).seat == 1
            async with peer(app, "Cid") as cid:
                refused = await cid.ask(Watch(code, 0), Refused)
                assert refused.code == "too_many_watchers"


async def test_one_connection_attends_one_table() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        first = await ann.create()
        second = await ann.create()
        assert [
            len(app.residents.tables[code].broadcast.subscribers) for code in (first, second)
        ] == [
            0,
            1,
        ]
        await bob.join(first)
        seen = len(ann.frames)
        await ann.ask(ListTables(), Tables)
        kinds = {frame[1] for frame in ann.frames[seen:]}
        assert 5 not in kinds, "an update of a table that is not attended"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
async def test_b44_tables_of_two_to_five_seats_are_there(seats: int) -> None:
    async with server() as app, peer(app) as ann:
        await ann.create(seats=seats)
        assert len(ann.view.table.seats) == seats


async def test_b44_numbers_that_are_none_are_refused_or_end_that_connection() -> None:
    """0, 1, 6, true, "3", 10**9, 10**30: only the connection that sent it suffers."""
    async with server() as app, peer(app, "Ann") as ann:
        for seats in (0, 1, 6, -1, 10**9, (1 << 62), True, "3", None, [3]):
            async with peer(app, "Odd") as odd:
                await odd.socket.send(
                    msgpack.packb(
                        [2, b"id", "ra", "standard", [], seats, [], True, True, b"n" * 16]
                    )
                )
                try:
                    assert (await odd.until(Refused)).code == "bad_options"
                    assert type(seats) is int
                except ConnectionClosed:
                    assert odd.socket.close_code == 1002
        assert not await app.store.tables()
        await ann.create()


async def test_b44_while_a_match_runs_nothing_of_the_lobby_is_done_by_anybody() -> None:
    """Joining, leaving, starting and closing a running match: by the host, a seat, a stranger."""
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        async with peer(app, "Eve") as eve:
            code = await ann.create(seats=3)
            await bob.join(code)
            await ann.ask(StartMatch(b"go"), Accepted)
            await eve.watch(code)
            number = app.residents.tables[code].stream.number
            for one in (ann, bob, eve):
                for said in (StartMatch(os.urandom(8)), CloseTable(os.urandom(8))):
                    refused = await one.ask(said, Refused)
                    assert refused.code in ("already_started", "not_host")
            stranger = await eve.join(code)
            assert isinstance(stranger, Refused) and stranger.code == "already_started"
            for one, seat in ((ann, 0), (bob, 1)):
                again = await one.join(code)
                assert isinstance(again, Accepted) or again.code == "already_started"
                await one.ask(LeaveTable(os.urandom(8)), Left)
                assert (await one.watch(code)).seat == seat
            await eve.ask(LeaveTable(os.urandom(8)), Left)
            stream = app.residents.tables[code].stream
            assert stream.number == number and stream.seating.phase is Phase.PLAYING
            await asyncio.wait_for(asyncio.gather(ann.play(), bob.play()), PATIENCE)


async def test_b44_the_same_token_from_many_sockets_is_one_seat() -> None:
    async with server() as app, peer(app, "Host") as host, AsyncExitStack() as stack:
        code = await host.create(seats=5)
        first = await stack.enter_async_context(peer(app, "Ann"))
        assert isinstance(await first.join(code), Accepted)
        for _ in range(5):
            again = await stack.enter_async_context(peer(app, "", first.token))
            answer = await again.join(code)
            assert isinstance(answer, Accepted) or answer.code == "already_seated"
            assert (await again.watch(code)).seat == 1
        seats = app.residents.tables[code].stream.seating.seats
        assert sum(seat is not None for seat in seats) == 2


async def test_b44_an_address_that_fills_tables_with_itself_is_one_person_a_seat() -> None:
    """Twenty sockets join five seats at once, and those who got one join again: still five."""
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server())
        host = await stack.enter_async_context(peer(app, "Host"))
        code = await host.create(seats=5, sit=False)
        crowd = [await stack.enter_async_context(peer(app, f"P{n}")) for n in range(20)]
        for _ in range(2):
            await asyncio.gather(*[one.join(code) for one in crowd])
        seats = app.residents.tables[code].stream.seating.seats
        persons = [seat.person for seat in seats if seat is not None]
        assert len(persons) == len(set(persons)) == 5


class _Gated(MemoryStore):
    """A store that stores no entry after a table's second one until `gate` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.waits = asyncio.Event()

    def append(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Awaitable[Position]:
        return self._gated(table, expect, row, directory)

    async def _gated(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Position:
        if row.number > 2:
            self.waits.set()
            await self.gate.wait()
        return await super().append(table, expect, row, directory)


@pytest.mark.parametrize("bots", [(), ("random",)])
async def test_a_table_that_everybody_left_is_listed_to_nobody(bots: tuple[str, ...]) -> None:
    """It is closed a moment later; meanwhile nobody can start it."""
    store = _Gated()
    async with server(store=store) as app, peer(app) as ann, peer(app, "Boris") as boris:
        code = await ann.create(bots=bots)
        assert [row.code for row in (await boris.ask(ListTables(), Tables)).tables] == [code]
        await ann.ask(LeaveTable(b"leave"), Left)
        await asyncio.wait_for(store.waits.wait(), PATIENCE)
        for one in (ann, boris):
            assert (await one.ask(ListTables(), Tables)).tables == ()
        store.gate.set()
        assert (await ann.ask(ListTables(), Tables)).tables == ()
