"""A request that waits in a table's inbox is decided by the state when its turn comes, and
spectators leave room for players there."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from attrs import evolve

from engine.clock import Absence
from engine.entry import Cause, Entry
from engine.ra.words.commands import InvokeRa, Pass
from engine.stream import Request
from engine.table.words import Return, SitOut, Substitute, Vote
from protocol.messages import Accepted, Refused, StartMatch
from server.app import App
from server.tables.table import Table
from tests.patience import PATIENCE, until
from tests.server.absent import entries, sound
from tests.server.addresses import crowd, needs_two_addresses
from tests.server.moody import MoodyStore
from tests.server.peer import QUIET, peer, server

EVE = b"eve's public id"


async def queued(app: App, table: Table, *requests: Request) -> list[Entry]:
    """The entries that requests led to, all submitted before the first is decided."""
    number = table.stream.number
    decided: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    for request in requests:
        table.inbox.put(None, request)
    seats = table.stream.seating.seats
    here = next(o.person for o in seats if o is not None and o.person != turn(table).person)
    table.inbox.put(None, Request(Return(), None, here), decided.set_result)
    await asyncio.wait_for(decided, PATIENCE)
    await sound(app, table.code)
    return [entry for entry in await entries(app, table.code) if entry.number > number]


def turn(table: Table, cause: Cause = Cause.COMMAND) -> Request:
    """The default action of the seat that is asked, sent by its owner or for it."""
    match: Any = table.stream.match
    (seat,) = match.asked
    default = match.game.default(match.state, seat)
    occupant = table.stream.seating.occupant(seat)
    assert occupant is not None
    who = occupant.person if cause is Cause.COMMAND else None
    return Request(default, None, who, seat, match.asked[seat].token, cause)


async def test_an_owner_whose_seat_was_taken_meanwhile_does_not_play_it() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create(seats=2, absence=Absence.SUBSTITUTE)
        assert isinstance(await bob.join(code), Accepted)
        table = await app.residents.get(code)
        acts = turn(table)
        assert acts.seat is not None
        done = await queued(
            app,
            table,
            Request(SitOut(acts.seat, ""), token=acts.token, cause=Cause.HOUSE),
            Request(Substitute(acts.seat, "Eve"), None, EVE),
            acts,
            evolve(acts, person=EVE),
        )
        people = [entry.person for entry in done if entry.seat == acts.seat]
        assert acts.person not in people
        assert EVE in people


async def test_a_seat_that_acted_before_the_votes_took_effect_is_not_played_for() -> None:
    """The vote is enough, and the server's request comes after the seat's own action: the seat is
    not called absent, although it is asked again by then."""
    async with (
        server(evolve(QUIET, vote_seconds=0.0, silent_seconds=0.0)) as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
    ):
        code = await ann.create(seats=2)
        assert isinstance(await bob.join(code), Accepted)
        table = await app.residents.get(code)
        acts = turn(table)
        assert acts.seat is not None
        seat, number = acts.seat, table.stream.number
        other = table.stream.seating.occupant(1 - seat)
        assert other is not None
        done = await queued(
            app,
            table,
            Request(Vote(seat), None, other.person),
            evolve(acts, command=InvokeRa()),
            Request(Pass(), None, other.person, 1 - seat, number + 2),
        )
        assert [type(entry.command) for entry in done] == [Vote, InvokeRa, Pass]
        assert table.stream.match is not None and seat in table.stream.match.asked
        assert await queued(app, table) == [], "what the server itself asked for is refused"
        assert table.stream.seating.stand_in(seat) is None


async def test_a_timeout_that_waited_does_not_play_for_somebody_who_is_back() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create(seats=2)
        assert isinstance(await bob.join(code), Accepted)
        table = await app.residents.get(code)
        late = turn(table, Cause.TIMEOUT)
        assert await queued(app, table, late) == []
        done = await queued(app, table, turn(table), late)
        assert [entry.cause for entry in done] == [Cause.COMMAND]


@needs_two_addresses
async def test_spectators_do_not_fill_a_tables_inbox() -> None:
    store = MoodyStore()
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(evolve(QUIET, inbox=8), store))
        ann = await stack.enter_async_context(peer(app, "Ann"))
        code = await ann.create(seats=3)
        eve, bob = await crowd(app, stack, 2)
        await eve.watch(code)
        store.gate.clear()
        joining = asyncio.create_task(bob.join(code))
        table = app.residents.tables[code]
        await until(lambda: not table.inbox.idle)
        for n in range(10):
            await eve.send(StartMatch(b"eve%d" % n))
        busy = [(await eve.until(Refused)).code for _ in range(6)]
        assert busy == ["busy"] * 6
        await ann.send(StartMatch(b"ann"))
        await until(lambda: len(table.inbox) == 5)
        store.gate.set()
        assert isinstance(await joining, Accepted)
        assert [(await eve.until(Refused)).code for _ in range(4)] == ["not_host"] * 4
        assert isinstance(await ann.until((Accepted, Refused)), Accepted)
