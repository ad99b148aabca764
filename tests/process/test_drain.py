"""B33: the server is asked to stop, by either signal, whatever goes on: it ends in time
with the right code, says 1012, loses nothing, and its port is free at once."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic

import pytest

from engine.deal import Chance
from protocol.messages import Accepted, Act, Beat, Heartbeat, Refused
from tests.patience import PATIENCE
from tests.process.locking import locked
from tests.process.player import RA, WIRE, connected, three_players
from tests.process.serving import ServerProcess, server_process
from tests.process.stored import stored, verify
from tests.process.test_killed import check_end, play_through
from tests.server.peer import Peer, farewell
from tests.server.test_app import mute

SECONDS = 5.0
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


async def ended(server: ServerProcess) -> tuple[int, float]:
    """The exit code, and how long it took from now."""
    assert server._process is not None
    begin = monotonic()
    code = await asyncio.wait_for(server._process.wait(), PATIENCE)
    return code, monotonic() - begin


def answer(one: Peer) -> Act | None:
    return one.answer(RA, WIRE, Chance(b"drain"))


async def at_turn(one: Peer) -> Act:
    """Wait until something is asked of the seat."""
    while (act := answer(one)) is None:
        await one.receive()
    return act


async def sent(one: Peer, act: Act) -> None:
    """Say `act`, and wait until the server is about to store it: it answers what a
    connection says in order, and reads nothing more, no signal either, before its tables
    have begun what they were told."""
    await one.send(act)
    await one.ask(Beat(), Heartbeat)
    await one.ask(Beat(), Heartbeat)


@pytest.mark.parametrize("which", SIGNALS, ids=lambda which: which.name)
async def test_b33_with_nobody_there_it_ends_at_once(which: int, tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        os.kill(server.pid, which)
        code, seconds = await ended(server)
        assert code == 0 and seconds < SECONDS
        await server.start()


@pytest.mark.parametrize("which", SIGNALS, ids=lambda which: which.name)
async def test_b33_idle_deaf_and_playing_are_told_and_come_back(which: int, tmp_path: Path) -> None:
    """Five idle clients, one that never answers the close, one that never shook hands,
    bots in the middle of a game, and a seat of it."""
    async with server_process(tmp_path) as server, AsyncExitStack() as stack:
        idle = [await stack.enter_async_context(connected(server, f"I{n}")) for n in range(5)]
        ann = await stack.enter_async_context(connected(server, "Ann"))
        await idle[0].create(bots=("easy",) * 5, seats=5, sit=False)
        code = await ann.create(bots=("easy", "easy"))
        await at_turn(ann)
        stack.enter_context(mute(server.port))
        _, silent = await asyncio.open_connection("127.0.0.1", server.port)
        stack.callback(silent.transport.abort)
        os.kill(server.pid, which)
        for closing_, number in await asyncio.gather(*[farewell(one) for one in (ann, *idle)]):
            assert (closing_.code, number) == ("restart", 1012) and closing_.retry > 0
        exit_code, seconds = await ended(server)
        assert exit_code == 0 and seconds < SECONDS
        await server.start()  # on the same port, at once
        async with connected(server, "", ann.token) as back:
            snapshot = await back.watch(code)
            assert (back.seat, snapshot.number) == (0, len(stored(server.database, code)))


@pytest.mark.parametrize("which", SIGNALS, ids=lambda which: which.name)
async def test_b33_an_append_under_way_is_stored_and_told(which: int, tmp_path: Path) -> None:
    flags = ("--store-lock-seconds", "30", "--drain-seconds", "60", "--log", "json")
    async with server_process(tmp_path, *flags) as server:
        async with connected(server, "Ann") as ann, connected(server, "Bob") as bob:
            code = await ann.create(seats=2)
            await bob.join(code)
            while ann.public[1] is None:
                await ann.receive()
            while bob.public[1] is None:
                await bob.receive()
            actor = ann if answer(ann) is not None else bob
            made = answer(actor)
            assert made is not None
            with locked(server.database) as other:
                await sent(actor, made)
                os.kill(server.pid, which)
                await server.logs("stopping")
                other.execute("ROLLBACK")
                accepted = await actor.until((Accepted, Refused))
            assert isinstance(accepted, Accepted) and accepted.id == made.id
            for one in (ann, bob):
                assert (await farewell(one))[1] == 1012
            assert (await ended(server))[0] == 0
            assert stored(server.database, code)[-1].id == made.id
            assert stored(server.database, code)[-1].number == accepted.number


async def test_b33_a_disk_that_never_answers_is_left_behind(tmp_path: Path) -> None:
    flags = ("--store-lock-seconds", "60", "--drain-seconds", "1", "--store-close-seconds", "0.5")
    async with server_process(tmp_path, *flags) as server:
        async with connected(server, "Ann") as ann:
            await ann.create(bots=("random", "random"))
            made = await at_turn(ann)
            with locked(server.database):
                await sent(ann, made)
                os.kill(server.pid, signal.SIGTERM)
                closing_, number = await farewell(ann)
                assert (closing_.code, number) == ("restart", 1012)
                code, seconds = await ended(server)
                assert code == 1 and seconds < SECONDS
        assert server._process is not None and server._process.stderr is not None
        said = (await server._process.stderr.read()).decode()
        assert "event='store_stuck'" in said
        assert said.endswith("\nra-server: the database did not answer; left behind\n")


@pytest.mark.parametrize("which", SIGNALS, ids=lambda which: which.name)
async def test_b33_a_second_signal_ends_what_the_first_could_not(
    which: int, tmp_path: Path
) -> None:
    flags = ("--store-lock-seconds", "60", "--drain-seconds", "60", "--store-close-seconds", "60")
    async with server_process(tmp_path, *flags, "--log", "json") as server:
        async with connected(server, "Ann") as ann:
            await ann.create(bots=("random", "random"))
            made = await at_turn(ann)
            with locked(server.database):
                await sent(ann, made)
                os.kill(server.pid, which)
                await server.logs("stopping")
                assert server._process is not None and server._process.returncode is None
                os.kill(server.pid, which)
                code, seconds = await ended(server)
                assert code == 1 and seconds < SECONDS
        await server.start()


async def test_b33_players_go_on_by_themselves_through_restarts(tmp_path: Path) -> None:
    """A game through three restarts in good order: what was acknowledged is there, nothing
    twice, everybody in the same seat."""
    async with server_process(tmp_path) as server:
        players = await three_players(server, 33)
        playing = asyncio.create_task(play_through(players))
        accepted = asyncio.Event()
        for player in players:
            player.on_accepted = accepted.set
        for _ in range(3):
            accepted.clear()
            await asyncio.wait_for(accepted.wait(), PATIENCE)
            assert await server.terminate() == 0
            await server.start()
        await playing
        check_end(players, stored(server.database, players[0].code))
        assert all(player.resumes >= 3 for player in players)
    await verify(server.database, players[0].code)
