"""Three real plain clients and a real server play to the end, also through kills."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine.entry import Entry
from engine.stream import Stream
from tests.patience import PATIENCE
from tests.process.scripted import PlainClient
from tests.process.serving import ServerProcess, server_process
from tests.process.stored import stored, verify

KILLS = 10

WHO = ("Ann", "Bob", "Cy")


@asynccontextmanager
async def three_clients(
    server: ServerProcess, folder: Path
) -> AsyncIterator[tuple[str, list[PlainClient], list[asyncio.Task[None]]]]:
    """Three clients at one table: its code, the clients, and their playing."""
    clients = [PlainClient(server, folder, name, seed) for seed, name in enumerate(WHO)]
    playing: list[asyncio.Task[None]] = []
    try:
        await clients[0].start("--create", "--seats", "3")
        playing.append(asyncio.create_task(clients[0].follow()))
        code = (await clients[0].until(r"table: (\S+) ra standard waiting"))[1]
        for client in clients[1:]:
            await client.start(code)
            playing.append(asyncio.create_task(client.follow()))
            await client.until(f"{client.name} takes seat")
        yield code, clients, playing
    finally:
        for client in clients:
            await client.close()
        await asyncio.gather(*playing, return_exceptions=True)


def check_end(clients: list[PlainClient], entries: list[Entry]) -> None:
    """The log holds what the clients were told, once, and the result that they tell."""
    stream = Stream.replay(entries)
    assert stream.match is not None
    result = stream.match.result
    assert result is not None
    ids = [(entry.seat, entry.id) for entry in entries]
    assert len(set(ids)) == len(ids), "an action is stored twice"
    for seat, client in enumerate(clients):
        own = {entry.number for entry in entries if entry.seat in (seat, None)}
        assert set(client.accepted) <= own, "answered with another's action"
        assert len(client.accepted) == len(set(client.accepted)), "answered twice"
        (over,) = [line for line in client.lines if line.startswith("over:")]
        for name, points in zip(WHO, result.points, strict=True):
            assert re.search(rf"\b{name} (has )?{points}\b", over), over


async def test_a_game_by_typed_lines(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server, three_clients(server, tmp_path) as game:
        code, clients, playing = game
        async with asyncio.timeout(60):
            await asyncio.gather(*playing)
        check_end(clients, stored(server.database, code))
        assert [await client.quit() for client in clients] == [0, 0, 0]
    await verify(server.database, code)


@pytest.mark.timeout(300)
async def test_a_game_by_typed_lines_while_the_server_is_killed(tmp_path: Path) -> None:
    rng = random.Random(4)
    async with server_process(tmp_path) as server, three_clients(server, tmp_path) as game:
        code, clients, playing = game
        kill, due = asyncio.Event(), 2

        def count() -> None:
            nonlocal due
            due -= 1
            if due == 0:
                kill.set()

        for client in clients:
            client.on_accepted = count
        whole = asyncio.gather(*playing)
        for _ in range(KILLS):
            await asyncio.wait_for(kill.wait(), PATIENCE)
            await server.kill()
            await server.start()
            kill.clear()
            due = rng.randrange(1, 3)
        async with asyncio.timeout(60):
            await whole
        assert server.starts == KILLS + 1
        check_end(clients, stored(server.database, code))
        for client in clients:
            assert sum(line.startswith("link: connected") for line in client.lines) > KILLS / 2
    await verify(server.database, code)
