"""Tables leave memory and come back from their logs, also after a restart: whole logs, damaged
ones and ones from a later version. Records that a crash kept from being saved are saved."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from io import BytesIO
from pathlib import Path

from attrs import evolve

from engine.game import find_game
from engine.table.words import Phase, TableOpened
from protocol.messages import (
    Accepted,
    Act,
    GetRecord,
    LeaveTable,
    Left,
    ListTables,
    Record,
    Refused,
    Snapshot,
    TableRow,
    Tables,
    Watch,
)
from protocol.record import read_record
from protocol.wire import Wire
from server.games import game_services
from server.store.port import START, Row
from tests.patience import until
from tests.server.moody import LastingStore
from tests.server.peer import QUIET, Peer, peer, server
from tests.server.tables.test_table import act, begun, catch_up


async def put(store: LastingStore, code: str, *bodies: bytes) -> None:
    """A stream of these rows, with a row in the directory like any other."""
    position = START
    for number, body in enumerate(bodies, 1):
        listed = evolve(
            (await store.directory())[0],
            code=code,
            number=number,
            create_id=os.urandom(8),
            listed=True,
            phase=1,
        )
        position = await store.append(code, position, Row(number, body), listed)


async def test_tables_that_cannot_be_read_are_refused_and_the_others_go_on() -> None:
    store = LastingStore()
    async with server(store=store) as app, peer(app, "Ann") as ann:
        code = await ann.create()
        token = ann.token
    entries = game_services("ra").entries
    body = (await store.read(code)).rows[0].body
    first = entries.decode(body)
    opened = first.events[0]
    assert isinstance(opened, TableOpened)
    future = evolve(first, events=(evolve(opened, rules=opened.rules + 1), *first.events[1:]))
    await put(store, "NOISE-10", os.urandom(50))
    await put(store, "GAP-10", body, body)
    await put(store, "FUTURE-10", entries.encode(future))
    kept = [await store.read(other) for other in await store.tables()]
    async with server(store=store) as app, peer(app, "", token) as ann:
        for broken in ("NOISE-10", "GAP-10", "FUTURE-10"):
            assert (await ann.ask(Watch(broken, 0), Refused)).code == "table_damaged"
        rows = (await ann.ask(ListTables(), Tables)).tables
        assert [row.code for row in rows] == [code]
        assert (await ann.watch(code)).seat == 0
        await ann.create()
    assert kept == [
        await store.read(other)
        for other in sorted(await store.tables())
        if other in {"NOISE-10", "GAP-10", "FUTURE-10", code}
    ]


async def test_who_asks_for_ever_other_tables_at_rest_has_to_wait() -> None:
    store = LastingStore()
    async with server(store=store) as app, peer(app, "Ann") as ann:
        codes = [await ann.create() for _ in range(8)]
    settings = evolve(QUIET, wake_burst=5, wake_rate=0.01)
    async with server(settings, store) as app, peer(app, "Eve") as eve, peer(app, "Bob") as bob:
        told = [await eve.ask(Watch(code, 0), (Snapshot, Refused)) for code in codes]
        assert [isinstance(one, Snapshot) for one in told] == [True] * 5 + [False] * 3
        assert {one.code for one in told if isinstance(one, Refused)} == {"too_fast"}
        assert isinstance(await eve.ask(Watch(codes[0], 0), (Snapshot, Refused)), Snapshot)
        await bob.watch(codes[7])
        await eve.watch(codes[7])


async def test_a_record_that_was_not_saved_is_saved_after_the_next_start(tmp_path: Path) -> None:
    settings = evolve(QUIET, memory=False, db=tmp_path / "ra.db", records=tmp_path / "records")
    async with server(settings) as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=tuple(find_game("ra").bots)[:2])
        await ann.play()
    path = tmp_path / "records" / f"{code}.ra"
    data = path.read_bytes()
    path.unlink()
    async with server(settings) as app:
        await app.residents.get(code)
        await app.archive.close()
        assert not path.exists(), "it was saved: the host took it away"
    with closing(sqlite3.connect(tmp_path / "ra.db", isolation_level=None)) as other:
        assert other.execute("UPDATE directory SET saved = 0").rowcount == 1
    async with server(settings):
        await until(path.exists)
    assert path.read_bytes() == data
    async with server(settings) as app, peer(app, "Bob") as bob:
        assert (await bob.ask(GetRecord(code), Record)).data == data
        assert read_record(BytesIO(data)).header.code == code


async def test_what_was_taken_back_stays_so_after_a_sleep() -> None:
    settings = evolve(QUIET, sleep_seconds=0.05)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create("miniature", "open", seats=2)
        await bob.join(code)
        while ann.public[1] is None:
            await ann.receive()
        wire = Wire(find_game("miniature").vocabulary)
        held = await ann.ask(hold(ann, wire), Accepted)
        seat, to = ann.public[3]
        assert (seat, to) == (0, held.number - 1)
        public = ann.public
        refused = await bob.ask(Act(b"not mine", 0, (6, to)), Refused)
        assert refused.code == "cannot_take_back"
        await ann.ask(Act(b"back", 0, (6, to)), Accepted)
        assert ann.public != public and ann.public[3] is None
        taken_back = ann.public
        for one in (ann, bob):
            await one.ask(LeaveTable(b"x"), Left)
        await until(lambda: code not in app.residents.tables)
        assert (await ann.watch(code)).public == taken_back
        assert await ann.ask(Act(b"back", 0, (6, to)), Accepted) == Accepted(b"back", 4)


def hold(one: Peer, wire: Wire) -> Act:
    asked = one.asked()
    assert asked is not None
    game = find_game("miniature")
    command = game.choices(wire.prompt.unpack(asked[1]))[0]
    return Act(b"hold", asked[0], wire.command.pack(command))


async def test_a_table_sleeps_when_nobody_attends_and_wakes_on_demand() -> None:
    settings = evolve(QUIET, sleep_seconds=0.05)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, actor = await begun(ann, bob)
        made = act(actor)
        number = (await actor.ask(made, Accepted)).number
        await catch_up(ann, bob)
        public = ann.public
        for one in (ann, bob):
            await one.ask(LeaveTable(b"x"), Left)
        await until(lambda: code not in app.residents.tables)
        assert (await ann.watch(code)).public == public
        await bob.watch(code)
        # once-only ids outlive the sleep
        assert (await actor.ask(made, Accepted)).number == number
        await asyncio.gather(ann.play(), bob.play())


async def test_seats_tables_and_sessions_outlive_a_restart() -> None:
    store = LastingStore()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        waiting = await ann.create(seats=3)
        code = await bob.create(seats=3, bots=("random",))
        await ann.join(code)
        await catch_up(ann, bob)
        before = ann.number
        tokens = (ann.token, bob.token)
    async with server(store=store) as app:
        async with peer(app, "", tokens[0]) as ann, peer(app, "", tokens[1]) as bob:
            rows = {row.code: row for row in await listed(ann)}
            assert rows[waiting].names == ("Ann",) and rows[waiting].phase is Phase.WAITING
            assert rows[code].phase is Phase.PLAYING
            assert (await ann.watch(code, before)).seat == 1
            assert (await bob.watch(code)).seat == 0
            await asyncio.gather(ann.play(), bob.play())


async def listed(one: Peer) -> tuple[TableRow, ...]:
    return (await one.ask(ListTables(), Tables)).tables


async def test_bots_go_on_after_a_restart_though_nobody_attends() -> None:
    store = LastingStore()
    store.most = 10  # the game is not over before the restart
    async with server(store=store) as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=("random",) * 3, sit=False)
    store.most = None
    async with server(store=store):
        await until(lambda: store._directory[code].phase == Phase.OVER)
