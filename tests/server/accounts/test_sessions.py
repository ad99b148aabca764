"""One session for a person, one connection for a session, and a way to another device."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from attrs import evolve

from engine.game import find_game
from protocol.messages import (
    VERSION,
    Accepted,
    Beat,
    GetMoveCode,
    GetRecord,
    GetTranscript,
    Heartbeat,
    Hello,
    JoinTable,
    LeaveTable,
    Left,
    ListTables,
    MoveCode,
    Record,
    Refused,
    StartMatch,
    Tables,
    Transcript,
    Welcome,
)
from server.store.memory import MemoryStore
from tests.patience import until
from tests.process.player import connected
from tests.process.serving import server_process
from tests.server.peer import QUIET, Peer, farewell, peer, server


async def dismissed(one: Peer) -> tuple[int | None, str, int]:
    """(close code, word, retry) once the server has closed."""
    closing, code = await farewell(one)
    return code, closing.code, closing.retry


# one connection


async def test_a_second_connection_takes_over_and_the_first_is_told() -> None:
    async with server() as app, peer(app, "Ann") as first:
        code = await first.create()
        async with peer(app, "", first.token) as second:
            assert await dismissed(first) == (4002, "taken_over", 0)
            assert (await second.watch(code)).seat == 0
            assert app.sessions.connected == 1
            assert len(app.residents.tables[code].broadcast.subscribers) == 1
        assert app.counters.dropped == 0 and app.counters.faults == 0


async def test_a_late_close_of_the_first_changes_nothing() -> None:
    """The first one's line is dead: its end comes long after the second one's hello."""
    async with server(evolve(QUIET, close_seconds=0.3)) as app, peer(app, "Ann") as first:
        code = await first.create()
        first.socket.transport.pause_reading()
        async with peer(app, "", first.token) as second, peer(app, "Bob") as bob:
            await second.watch(code)
            await bob.watch(code)
            await until(lambda: len(app.endpoint.connections) == 2)
            assert app.sessions.connected == 2
            assert isinstance(await second.ask(Beat(), Heartbeat), Heartbeat)
            # the seat is still here for those who look
            assert len(app.residents.tables[code].broadcast.presence().seats) == 3
            assert app.residents.tables[code].broadcast.presence().seats[0] == 1
        first.socket.transport.abort()


async def test_twenty_connections_at_once_leave_one() -> None:
    async with server() as app, peer(app, "Ann") as first:
        crowd = [peer(app, "", first.token) for _ in range(20)]
        made = await asyncio.gather(*[one.__aenter__() for one in crowd])
        await until(lambda: len(app.endpoint.connections) == 1)
        assert app.sessions.connected == 1

        def alive() -> list[Peer]:
            return [one for one in made if one.socket.close_code is None]

        # Each of the others learns of its end a moment after the server.
        await until(lambda: len(alive()) == 1)
        await alive()[0].ask(Beat(), Heartbeat)
        await asyncio.gather(*[one.__aexit__(None, None, None) for one in crowd])


async def test_rates_outlive_the_connection() -> None:
    async with server(evolve(QUIET, create_burst=2, create_rate=0.01)) as app:
        token = None
        for turn in range(3):
            async with peer(app, "Ann", token) as ann:
                token = ann.token
                refused = await ann.join("NONE-99")
                assert isinstance(refused, Refused) and refused.code == "no_table"
                if turn == 0:
                    await ann.create()
                    await ann.create()
                else:
                    await ann.send(JoinTable(os.urandom(8), "NONE-99", b"n" * 16))
                    list_ = (await ann.ask(ListTables(), Tables)).tables
                    answer = await ann.join(list_[0].code)
                    assert isinstance(answer, Refused) and answer.code == "too_fast"


# seats


async def test_who_left_in_the_lobby_has_no_seat_when_the_match_runs() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        async with peer(app, "Gone") as gone:
            code = await ann.create(seats=3)
            await gone.join(code)
            await gone.ask(LeaveTable(b"bye"), Left)
            await bob.join(code)
            assert bob.seat == 1, "the seat was free for good"
            await ann.ask(StartMatch(b"go"), Accepted)
            again = await gone.join(code)
            assert isinstance(again, Refused) and again.code == "already_started"
            assert (await gone.watch(code)).seat is None
            # nor by the id of the join that was granted before
            async with peer(app, "", gone.token) as back:
                assert (await back.watch(code)).seat is None
        # who leaves a match that runs keeps the seat
        await bob.ask(LeaveTable(b"out"), Left)
        assert (await bob.watch(code)).seat == 1


# tokens


def hello(token: bytes | None, name: str) -> Hello:
    return Hello(VERSION, "tests/1", (), "en", name, token)


async def test_a_token_is_good_for_a_documented_age_and_no_longer() -> None:
    store = MemoryStore()
    async with server(evolve(QUIET, session_days=30), store) as app:
        async with peer(app, "Ann") as ann:
            pass
        (row,) = store._sessions.values()
        day = 86_400_000
        for age, same in ((29 * day, True), (31 * day, False)):
            store._sessions = {row.token_hash: evolve(row, used=row.used - age)}
            async with peer(app, None) as back:
                welcome = await back.ask(hello(ann.token, "Ann"), Welcome)
                assert (welcome.session == ann.person) is same
                assert (welcome.token is None) is same


async def test_nothing_that_is_written_or_sent_holds_a_token_or_its_hash(tmp_path: Path) -> None:
    """A whole match through a real server with log, database, records and transcripts: of
    the token only the hash is anywhere, and that in the table of sessions alone."""
    flags = ("--log", "json", "--records", str(tmp_path / "records"))
    files: list[bytes] = []
    async with server_process(tmp_path, *flags) as running:
        async with connected(running, "Ann") as ann, connected(running, "Eve") as eve:
            code = await ann.create("ra", bots=tuple(find_game("ra").bots)[:2])
            await eve.watch(code)
            await ann.play()
            while not eve.over:
                await eve.receive()
            files += [(await one.ask(GetTranscript(), Transcript)).data for one in (ann, eve)]
            files.append((await eve.ask(GetRecord(code), Record)).data)
            moved = (await ann.ask(GetMoveCode(), MoveCode)).code.encode()
            async with connected(running, "", moved) as new:
                await new.watch(code)
                tokens = [ann.token, eve.token, new.token]
            sent_to_eve = b"".join(eve.frames[1:])
        assert await running.terminate() == 0
        assert running._process is not None and running._process.stderr is not None
        log = await running._process.stderr.read()
    assert json.loads(log.splitlines()[0])["event"] == "listening"
    files += contents(tmp_path / "records", "*.ra")
    assert len(files) == 4
    database = b"".join(contents(tmp_path, "ra.db*"))
    for token in tokens:
        assert token is not None and len(token) * 8 >= 128
        digest = sha256(token).digest()
        for form in (token, token.hex().encode(), digest, digest.hex().encode()):
            for text in (log, sent_to_eve, *files):
                assert form not in text
            assert form not in database or form == digest
    live = sha256(tokens[2] or b"").digest()
    assert database.count(live) >= 1
    without_sessions(tmp_path / "ra.db", tokens)


def contents(folder: Path, names: str) -> list[bytes]:
    return [path.read_bytes() for path in folder.glob(names)]


def without_sessions(path: Path, tokens: list[bytes | None]) -> None:
    """No table of the database but that of sessions holds a hash of a token."""
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master") if name]
        for name in ("streams", "entries", "directory"):
            assert name in names
            cells = [cell for row in database.execute(f"SELECT * FROM {name}") for cell in row]
            for token in tokens:
                digest = sha256(token or b"").digest()
                assert not any(isinstance(cell, bytes) and digest in cell for cell in cells)
