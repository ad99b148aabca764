"""The clock on the wall is years off for a while, as that of a machine without a battery is
when it boots: nothing that is kept is forgotten, given up or retired for that."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.clock import Absence, Clock, ClockKind
from protocol.messages import Accepted, GetRecord, ListTables, Record, StartMatch, Tables
from tests.process.player import connected
from tests.process.wall import Wall, walled

YEAR = 365 * 86_400
AGES = ("--session-days", "1", "--abandoned-days", "1", "--retire-days", "1", "--record-days", "1")


@pytest.fixture
def wall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wall:
    return Wall(tmp_path, monkeypatch)


@pytest.mark.parametrize("first", [-int(time.time()) + 60, 10 * YEAR], ids=["1970", "ahead"])
async def test_c05_a_clock_that_is_far_off_costs_nobody_anything(
    first: int, tmp_path: Path, wall: Wall
) -> None:
    """Wrong at first, right while the server runs, then wrong the other way about."""
    async with walled(tmp_path, wall, first, *AGES) as running:
        async with connected(running, "Ann") as ann, connected(running, "Bob") as bob:
            waiting = await ann.create(seats=3, listed=False)
            clock = Clock(ClockKind.PER_MOVE, 3_600_000)
            timed = await bob.create(seats=2, listed=False, clock=clock, absence=Absence.DEFAULT)
            played = await bob.create(seats=3, listed=False)
            await ann.join(played)
            await bob.ask(StartMatch(b"go"), Accepted)
            over = await ann.create(seats=2, bots=("random",) * 2, sit=False)
            while not ann.over:
                await ann.receive()
            tokens = ann.token, bob.token
            wall.off(0)  # while everybody is connected
            async with connected(running, "", tokens[0]) as back:
                assert back.person == ann.person
        for off in (-first, 0):
            wall.off(off)
            assert await running.terminate() == 0
            await running.start()
            async with (
                connected(running, "", tokens[0]) as ann,
                connected(running, "", tokens[1]) as bob,
            ):
                mine = (await ann.ask(ListTables(), Tables)).tables
                assert {row.code for row in mine} == {waiting, played}, off
                mine = (await bob.ask(ListTables(), Tables)).tables
                assert {row.code for row in mine} == {timed, played}, off
                assert (await bob.watch(played)).seat == 0
                assert (await ann.watch(played)).seat == 1
                assert (await bob.watch(timed)).seat == 0
                assert (await ann.ask(GetRecord(over), Record)).data
                await ann.watch(over)
