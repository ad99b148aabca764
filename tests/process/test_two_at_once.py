"""B36: two servers on one database, programs beside the server, two sockets of one seat."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic

from attrs import evolve

from engine.deal import Chance
from engine.entry import Entry
from engine.stream import Stream
from protocol.messages import (
    VERSION,
    Accepted,
    Beat,
    Heartbeat,
    Hello,
    ListTables,
    Refused,
    Tables,
    Watch,
)
from server.games import game_services
from server.store.memory import MemoryStore
from tests.process.locking import locked
from tests.process.patient import play_patiently
from tests.process.player import RA, WIRE, connected, three_players
from tests.process.serving import program, run, server_process
from tests.process.stored import stored, verify
from tests.server.peer import QUIET, Peer, peer, server

LOCKED_SECONDS = 3.0
RACES = 500


async def test_b36_a_second_server_on_the_same_database_is_refused(tmp_path: Path) -> None:
    """B36: one line that names the holder, exit code 1, and the first goes on."""
    async with server_process(tmp_path) as first:
        players = await three_players(first, 7)
        status, output, errors = await run(
            program("ra-server"), "--port", "0", "--db", str(first.database)
        )
        assert (status, output) == (1, "")
        assert errors.count("\n") == 1 and str(first.pid) in errors, errors
        assert "Traceback" not in errors
        async with asyncio.timeout(60):
            await asyncio.gather(*(player.play() for player in players))
        # And once the first is gone, however it went, the next one starts.
        await first.kill()
        await first.start()


async def test_b36_a_write_lock_of_another_program_stops_nobody_for_long(
    tmp_path: Path,
) -> None:
    """B36: a write lock is held for three seconds while games run: whoever asks, lists,
    beats or acts is answered within a second; afterwards the games go on by themselves,
    with nothing lost or doubled; the replay command reads all the while."""
    async with server_process(tmp_path) as running:
        async with connected(running, "Ann") as ann, connected(running, "Bob") as bob:
            bots = await bob.create(bots=("random", "random"))
            code = await ann.create(bots=("random", "random"))
            playing = asyncio.create_task(play_patiently(bob))
            usual = await slowest_ask(ann)
            with locked(running.database):
                begin = monotonic()
                slowest = 0.0
                while monotonic() - begin < LOCKED_SECONDS:
                    slowest = max(slowest, await slowest_ask(ann))
                    act = ann.answer(RA, WIRE, Chance(b"a"))
                    if act is not None:
                        asked = monotonic()
                        await ann.send(act)
                        answer = await ann.until(Refused)
                        assert answer.code == "store_unavailable"
                        slowest = max(slowest, monotonic() - asked)
                    status, output, _ = await run(
                        program("ra-replay"),
                        *("--json", "--db", str(running.database), "--table", code),
                    )
                    assert status == 0 and output
                    await asyncio.sleep(0.05)  # a person's pace; the lock is held by time
                assert slowest < 1 + 4 * usual, (slowest, usual)
            await asyncio.gather(playing, play_patiently(ann))
        for table in (code, bots):
            entries = stored(running.database, table)
            stream = Stream.replay(entries)
            assert stream.match is not None and stream.match.result is not None
        await verify(running.database, code)


async def test_b36_an_old_and_a_new_socket_of_one_seat_race_five_hundred_times() -> None:
    """B36: a second client takes the seat over while the first one acts, and answers the
    same prompt: the first action alone counts, and the log holds one entry of it."""
    store = MemoryStore()
    settings = evolve(QUIET, message_rate=100_000.0, message_burst=100_000)
    races, chance = 0, Chance(os.urandom(32))
    async with server(settings, store) as app, AsyncExitStack() as stack:
        one = await stack.enter_async_context(peer(app, "Ann"))
        code = ""
        while races < RACES:
            if not code or one.over:
                code = await one.create(bots=("random", "random"))
            acts = (one.answer(RA, WIRE, chance), one.answer(RA, WIRE, chance))
            if acts[0] is None or acts[1] is None:
                await one.receive()
                continue
            # both say at once what they have to say; nobody waits for anybody
            other = await stack.enter_async_context(peer(app, None))
            await one.send(acts[0])
            hello = Hello(VERSION, "tests/1", (), "en", "", one.token)
            for message in (hello, Watch(code, 0), acts[1]):
                await other.send(message)
            other.token = one.token
            late = await answer_to(other, acts[1].id)
            await one.socket.wait_closed()
            assert one.socket.close_code == 4002
            ids = (acts[0].id, acts[1].id)
            acted = [entry for entry in await newest(store, code) if entry.id in ids]
            assert len(acted) == 1, "one prompt was answered twice, or never"
            assert isinstance(late, Accepted) == (acted[0].id == acts[1].id)
            if isinstance(late, Refused):
                assert late.code in ("stale_prompt", "no_prompt", "not_running")
            one, races = other, races + 1
        numbers = [row.number for row in (await store.read(code)).rows]
        assert numbers == list(range(1, len(numbers) + 1))


async def slowest_ask(one: Peer) -> float:
    """Ask what needs no store: the longest that an answer takes, in seconds."""
    slowest = 0.0
    for message, kind in ((Beat(), Heartbeat), (ListTables(), Tables)):
        asked = monotonic()
        await one.ask(message, kind)
        slowest = max(slowest, monotonic() - asked)
    return slowest


async def newest(store: MemoryStore, code: str) -> list[Entry]:
    """The newest entries of a table."""
    rows = (await store.read(code)).rows
    return [game_services("ra").entries.decode(row.body) for row in rows[-40:]]


async def answer_to(player: Peer, id: bytes) -> Accepted | Refused:
    while True:
        message = await player.receive()
        if isinstance(message, Accepted | Refused) and message.id == id:
            return message


async def test_b36_the_replay_command_reads_during_play(tmp_path: Path) -> None:
    """B36: a reader beside the server disturbs nobody, and reads whole entries."""
    async with server_process(tmp_path) as running:
        players = await three_players(running, 8)
        playing = asyncio.gather(*(player.play() for player in players))
        command = ("--json", "--db", str(running.database), "--table", players[0].code)
        lines = 0
        while not playing.done():
            status, output, errors = await run(program("ra-replay"), *command)
            assert status == 0, errors
            assert output.count("\n") >= lines
            lines = output.count("\n")
        await playing
        assert lines > 1
