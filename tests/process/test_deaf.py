"""B09: one who attends and never reads costs the others nothing, and is let go."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic

import psutil
import pytest

from engine.deal import Chance
from protocol.messages import Accepted, Refused, Said, Say
from tests.bench.offending import HANDSHAKE, close_code, connect, frame, hello, rest
from tests.patience import PATIENCE
from tests.process.player import RA, WIRE, connected
from tests.process.serving import server_process
from tests.server.peer import Peer

GAMES = 20
GENEROUS = ("--tables-per-new-session", "20")
TALKATIVE = ("--chat-rate", "10000", "--chat-cells", "2000", "--message-rate", "10000")
SLOWEST = 0.5
"""Seconds for an action to be answered, beyond a few times what it takes on this machine
while everybody listens."""


@pytest.mark.parametrize(
    ("flags", "codes"),
    [
        # too much waits for it / no answer to a ping
        (("--outbox-bytes", "16384", "--ping-seconds", "60"), {1013, 0}),
        (("--ping-seconds", "1"), {1011, 0}),
    ],
    ids=["outbox", "ping"],
)
async def test_b09_a_spectator_that_never_reads_slows_nobody_and_is_dropped(
    flags: tuple[str, ...], codes: set[int], tmp_path: Path
) -> None:
    """Twenty games of bots, and one with a person, which it attends one after another."""
    async with server_process(tmp_path, *flags, *TALKATIVE, *GENEROUS) as server:
        process = psutil.Process(server.pid)
        async with connected(server, "Host") as host:
            tables = [
                await host.create(bots=("random",) * 3, sit=False, listed=False)
                for _ in range(GAMES)
            ]
        async with connected(server, "Cy") as cy:
            await cy.create(bots=("random", "random"))
            most = SLOWEST + 4 * await play(cy)
        before = process.memory_info().rss
        deaf = connect(server.port)
        deaf.sendall(HANDSHAKE + hello("Deaf"))
        for code in tables:
            deaf.sendall(frame(5, code, 0))
        async with connected(server, "Ann") as ann:
            code = await ann.create(bots=("random", "random"))
            deaf.sendall(frame(5, code, 0))
            assert await play(ann) < most
            # and words enough to fill what the system keeps for it
            begin, port = monotonic(), deaf.getsockname()[1]
            while await asyncio.to_thread(serves, process, port):
                assert monotonic() - begin < PATIENCE
                for _ in range(20):
                    await ann.ask(Say("x" * 2000), (Said, Refused))
            assert process.memory_info().rss - before < 48 << 20
            assert close_code(rest(deaf, 2.0)) in codes
            other = await ann.create(bots=("random", "random"))
            assert other != code and await play(ann) < most


async def play(one: Peer) -> float:
    """Play to the end: the longest that an action took to be answered, in seconds."""
    chance, slowest = Chance(b"deaf"), 0.0
    while not one.over:
        act = one.answer(RA, WIRE, chance)
        if act is None:
            await one.receive()
            continue
        begin = monotonic()
        await one.ask(act, Accepted)
        slowest = max(slowest, monotonic() - begin)
    return slowest


def serves(process: psutil.Process, port: int) -> bool:
    """Whether the server still has the connection of a client's port."""
    return any(one.raddr and one.raddr.port == port for one in process.net_connections())
