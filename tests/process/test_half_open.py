"""B43, the server's side: links that are half open are noticed within a written bound, the
seat is kept, and a quiet table's links are kept busy and stay."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from time import monotonic

import pytest

from protocol.messages import Heartbeat, Peer, Presence
from server.config import parse
from server.settings import Settings
from tests.client.wire_cutter import proxy
from tests.process.player import connected
from tests.process.scripted import PlainClient
from tests.process.serving import server_process
from tests.server.peer import Peer as Lean

PING, CLOSE = 0.8, 0.3
BOUND = 2 * PING + CLOSE
"""Seconds after which a link that is half open is over: a ping comes within one interval,
has the same time to be answered, and then the peer has a moment to close."""
SLACK = 5.0
"""For a machine that is busy."""
FLAGS = (
    *("--ping-seconds", str(PING), "--close-seconds", str(CLOSE)),
    *("--heartbeat-seconds", "0.1"),
)


async def until_seat_is(watcher: Lean, peer: Peer) -> float:
    """Wait until the table's first seat is shown so: the seconds it took."""
    begin = monotonic()
    while True:
        presence = await watcher.until(Presence)
        if presence.seats[0] is peer:
            return monotonic() - begin


async def test_b43_a_stopped_client_is_shown_away_in_time_and_keeps_its_seat(
    tmp_path: Path,
) -> None:
    """SIGSTOP a real client: its link stays open and nothing comes. Then it goes on."""
    async with server_process(tmp_path, *FLAGS) as server:
        client = PlainClient(server, tmp_path, "Ann", 1)
        try:
            await client.start("--create", "--seats", "2")
            following = asyncio.create_task(client.follow())
            code = (await client.until(r"table: (\S+) ra standard waiting"))[1]
            async with connected(server, "Bob") as bob:
                await bob.watch(code)
                while bob.view.table.seats[0] is None:
                    await bob.receive()  # the host sits down after the table is there
                assert client._process is not None
                os.kill(client._process.pid, signal.SIGSTOP)
                try:
                    assert await until_seat_is(bob, Peer.AWAY) < BOUND + SLACK
                    # others still play: the seat is taken, and the table goes on
                    await bob.join(code)
                    while bob.public[1] is None:
                        await bob.receive()
                    assert bob.view.table.seats[0] is not None
                finally:
                    os.kill(client._process.pid, signal.SIGCONT)
                await until_seat_is(bob, Peer.HERE)
                await client.until("The match starts")
            following.cancel()
        finally:
            await client.close()


async def test_b43_a_link_that_swallows_everything_is_noticed_and_the_seat_resumed(
    tmp_path: Path,
) -> None:
    async with server_process(tmp_path, *FLAGS) as server, proxy(server.port) as between:
        direct, server.port = server.port, between.port
        async with connected(server, "Ann") as ann, connected(server, "Bob") as lost:
            code = await lost.create(seats=2)
            await ann.watch(code)
            server.port = direct
            async with connected(server, "Cy") as cy:
                await cy.watch(code)
                between.freeze()
                assert await until_seat_is(cy, Peer.AWAY) < BOUND + SLACK
                async with connected(server, "", lost.token) as again:
                    assert (await again.watch(code)).seat == 0
                    await until_seat_is(cy, Peer.HERE)


async def test_b43_a_quiet_table_is_never_silent_and_its_links_stay(tmp_path: Path) -> None:
    """Nobody moves for many ping intervals: a heartbeat comes at each of its times, which
    no setting can put further apart than 25 s, and nobody is dropped."""
    async with server_process(tmp_path, *FLAGS) as server, connected(server, "Ann") as ann:
        await ann.create(seats=2)
        begin = last = monotonic()
        gaps = []
        while last - begin < 4 * PING:
            await ann.until(Heartbeat)
            gaps.append(monotonic() - last)
            last = monotonic()
        assert len(gaps) > 5 and max(gaps) < 0.1 + SLACK, gaps
    standard = Settings()
    assert 2 * standard.ping_seconds + standard.close_seconds <= 42, "the page says 42 s"
    with pytest.raises(SystemExit):
        parse(["--heartbeat-seconds", "25.1"])
    assert parse(["--heartbeat-seconds", "25"]).heartbeat_seconds == 25
