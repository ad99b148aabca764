"""The server is killed again and again during a game of lean clients, also in the middle
of what follows an answer: nothing that was acknowledged is lost, nothing happens twice,
everybody goes on by themselves. (`test_plain_clients` does it under real clients.)"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from engine.entry import Entry
from engine.stream import Stream
from server.games import game_services
from tests.process.player import Player, three_players
from tests.process.serving import server_process
from tests.process.stored import stored, verify

KILLS = 15


async def play_through(players: list[Player]) -> None:
    async with asyncio.timeout(100):
        await asyncio.gather(*(player.play() for player in players))


def check_end(players: list[Player], entries: list[Entry]) -> None:
    """What the players know, what they were promised and what is stored agree."""
    stream = Stream.replay(entries)
    assert stream.match is not None and stream.match.result is not None
    public = game_services("ra").projector.public(stream)
    by_id = {(entry.seat, entry.id): entry.number for entry in entries if entry.seat is not None}
    acts = [entry for entry in entries if entry.seat is not None]
    assert len(by_id) == len(acts), "an action is stored twice"
    for seat, player in enumerate(players):
        assert player.public == public
        assert player.private == game_services("ra").projector.private(stream, seat)
        for id, number in player.acknowledged.items():
            assert by_id[(seat, id)] == number
    numbers = set(range(players[0].number - len(players[0].told) + 1, players[0].number + 1))
    assert set(players[0].told) == numbers, "something was never told"
    for player in players[1:]:
        shared = player.told.keys() & players[0].told.keys()
        assert all(player.told[n] == players[0].told[n] for n in shared)
    sent = sum(len(player.acknowledged) for player in players)
    assert sent == len(acts), "an action was never answered"


async def test_a_game_through_a_real_server(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        players = await three_players(server, 1)
        await play_through(players)
        check_end(players, stored(server.database, players[0].code))
        assert await server.terminate() == 0
    await verify(server.database, players[0].code)


@pytest.mark.timeout(240)
async def test_kill_9_at_any_moment_after_an_acknowledged_action(tmp_path: Path) -> None:
    rng = random.Random(20260731)
    async with server_process(tmp_path) as server:
        players = await three_players(server, 2)
        kills, due = 0, rng.randrange(1, 4)
        to_kill = asyncio.Event()

        def count() -> None:
            nonlocal due
            due -= 1
            if due == 0 and kills < KILLS:
                to_kill.set()

        for player in players:
            player.on_accepted = count
        playing = asyncio.create_task(play_through(players))
        while kills < KILLS and not playing.done():
            waiting = asyncio.create_task(to_kill.wait())
            await asyncio.wait((waiting, playing), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if not to_kill.is_set():
                break
            if rng.random() < 0.5:
                # in the middle of what follows: reading, deciding, committing, telling
                await asyncio.sleep(rng.random() * 0.003)
            await server.kill()
            kills += 1
            to_kill.clear()
            due = rng.randrange(1, 4)
            await server.start()
        await playing
        assert kills == KILLS
        check_end(players, stored(server.database, players[0].code))
        assert all(player.resumes > KILLS / 2 for player in players)
    await verify(server.database, players[0].code)
