"""A real server with a time of the tests' own, and the people who are absent from it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from attrs import evolve

from engine.clock import Clock, ClockKind
from engine.deal import Chance
from engine.entry import Cause, Entry
from engine.game import find_game
from engine.stream import Stream
from engine.table.words import Phase
from engine.verify import failed, verify
from protocol.messages import (
    Accepted,
    Act,
    FromClient,
    Refused,
)
from protocol.wire import Wire
from server.app import App, serve
from server.games import game_services
from server.settings import Settings
from server.store.memory import MemoryStore
from server.tables.table import Table
from tests.patience import until
from tests.server.pace import Pace
from tests.server.peer import QUIET, Peer

SETTINGS = evolve(
    QUIET, vote_seconds=20.0, silent_seconds=60.0, host_seconds=30.0, sleep_seconds=0.05
)
BANK = Clock(ClockKind.BANK, 60_000, 1_000)
DAYS = Clock(ClockKind.PER_MOVE, 3 * 86_400_000)
WIRE = Wire(find_game("ra").vocabulary)


@asynccontextmanager
async def running(
    pace: Pace, store: MemoryStore | None = None, settings: Settings = SETTINGS
) -> AsyncIterator[App]:
    async with serve(settings, store, pace) as app:
        yield app


async def entries(app: App, code: str) -> list[Entry]:
    stored = await app.store.read(code)
    codec = game_services((await app.residents.get(code)).stream.game.name).entries
    return [codec.decode(row.body) for row in stored.rows]


async def sound(app: App, code: str) -> list[Entry]:
    """The log folds to what is in memory, and is derived again."""
    log = await entries(app, code)
    live = (await app.residents.get(code)).stream
    folded = Stream.replay(log)
    assert (folded.number, folded.clocks) == (live.number, live.clocks)
    assert folded.seating.sitting_in == live.seating.sitting_in
    result = None if folded.match is None else folded.match.result
    assert not failed(verify(log, result))
    return log


def acted(log: list[Entry], cause: Cause) -> list[Entry]:
    return [entry for entry in log if entry.cause is cause]


async def command(one: Peer, message: FromClient) -> Accepted | Refused:
    answer = await one.ask(message, (Accepted, Refused))
    assert isinstance(answer, (Accepted, Refused))
    return answer


async def seats(app: App, *people: Peer, **fields: Any) -> str:
    """A match of `people`, all there: its code."""
    code = await people[0].create(seats=len(people), **fields)
    for one in people[1:]:
        await one.join(code)
    for one in people:
        while one.view.table.phase is not Phase.PLAYING:
            await one.receive()
    return code


async def until_number(one: Peer, number: int) -> None:
    while one.number < number:
        await one.receive()


async def settle(table: Table) -> None:
    """Until the table has done all that waits in its inbox."""
    await until(lambda: not table.inbox and table.inbox.idle)


async def asked(table: Table) -> int:
    await settle(table)
    assert table.stream.match is not None
    return min(table.stream.match.asked)


def answer(one: Peer) -> Act:
    act = one.answer(find_game("ra"), WIRE, Chance(b"any"))
    assert act is not None
    return act
