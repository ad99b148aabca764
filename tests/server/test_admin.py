"""What an operator is told and may do, in bounds: whoever speaks at the local socket, and
whatever the database holds."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, redirect_stdout, suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from engine.stream import Request, Stream, open_stream
from engine.table.words import Open, Phase, Start
from protocol.messages import Beat, Heartbeat
from server.admin import socket as admin_socket
from server.admin.command import main
from server.admin.messages import MOST_BYTES, MOST_CODES, pack, unpack
from server.admin.offline import StoredTables
from server.admin.orders import AdminExit
from server.admin.requests import close_table
from server.admin.socket import BoundSocket, SocketUnavailable, socket_path
from server.app import App
from server.games import game_services
from server.log import Log
from server.refusals import Denied
from server.stdio import CannotPrint
from server.store.port import START, Row
from server.store.sqlite import SqliteStore
from server.tables.directory import directory_row
from tests.patience import PATIENCE
from tests.server.book import Book
from tests.server.peer import QUIET, peer, server

CODES = ("ACORN-10", "BADGE-10", "CABIN-10", "DAISY-10", "EAGLE-10")


@asynccontextmanager
async def kept(folder: Path, *, log: Log | None = None, **settings: Any) -> AsyncIterator[App]:
    """A server with a database."""
    stored = evolve(QUIET, memory=False, db=folder / "ra.db", **settings)
    async with server(stored, log=log) as app:
        yield app


async def order(database: Path, *arguments: str) -> int:
    """The command, beside what this loop serves."""
    return await asyncio.to_thread(main, ("--db", str(database), *arguments), {})


async def fill(database: Path, *codes: str, name: str = "Ann") -> None:
    """Tables that wait, as a server would have stored them."""
    play, store = game_services("ra"), SqliteStore(database)
    for code in codes:
        command = Open("ra", "standard", (), 3, (), True, True, name, bytes(16))
        entry = open_stream(
            command,
            id=code.encode(),
            person=b"a public id!",
            code=code,
            secret=bytes(32),
            bot_nonces=(),
            time=1_700_000_000_000,
            game=play.game,
        )
        seating = Stream(entry, lambda _: play.game).seating
        row = directory_row(seating, entry, b"a public id!", code.encode())
        await store.append(code, START, Row(1, play.entries.encode(entry)), row)
    await store.close()


# what is told


async def test_a_page_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = tmp_path / "ra.db"
    await fill(database, *CODES)
    assert await order(database, "tables", "--limit", "2") == AdminExit.DONE
    heading, *lines, end = capsys.readouterr().out.splitlines()
    assert heading.split()[:2] == ["CODE", "GAME"]
    assert [line.split()[0] for line in lines] == ["ACORN-10", "BADGE-10"]
    assert end == "2 tables, 3 more: --after BADGE-10"
    assert await order(database, "tables", "--after", "BADGE-10", "--json") == AdminExit.DONE
    told = json.loads(capsys.readouterr().out)
    assert [table["code"] for table in told["tables"]] == list(CODES[2:])
    assert told["more"] == 0
    assert await order(database, "tables", "--limit", "0") == AdminExit.DONE
    assert capsys.readouterr().out.endswith("5 tables\n")


async def test_stored_texts_steer_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "ra.db"
    await fill(database, "KIWI-10", name="\x1b[2J\u202eevil\x9b\x7f\n")
    for arguments in (("tables",), ("show", "KIWI-10"), ("tables", "--json"), ("show", "\x1b[2J")):
        await order(database, *arguments)
    told = capsys.readouterr()
    shown = told.out + told.err
    assert "evil" in shown
    assert all(character.isprintable() for character in shown.replace("\n", ""))


async def test_nothing_hidden_and_no_id_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with kept(tmp_path) as app, peer(app) as ann:
        code = await ann.create("miniature", "veiled", seats=2, bots=("easy",))
        assert await order(tmp_path / "ra.db", "show", code, "--json") == AdminExit.DONE
        table = json.loads(capsys.readouterr().out)
    assert set(table) == {
        *("code", "game", "ruleset", "options", "rules", "phase", "listed", "seats", "people"),
        *("host", "clock", "absence", "asked", "winners", "entries", "opened", "updated"),
        "watching",
    }
    assert set(table["people"][0]) == {"name", "bot", "played_by", "here"}
    assert table["asked"] == [], "who is asked is hidden there"


async def test_a_log_that_cannot_be_read_is_said_and_the_others_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "ra.db"
    await fill(database, "KIWI-10", "KIWI-11")
    import sqlite3

    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE entries SET body = x'00' WHERE stream = 1")
        connection.commit()
    assert await order(database, "tables") == AdminExit.DONE
    _, first, second, _ = capsys.readouterr().out.splitlines()
    assert first.endswith("(its log cannot be read)") and second.endswith("Ann")
    for do in ("show", "close"):
        assert await order(database, do, "KIWI-10") == AdminExit.REFUSED
        assert "its log cannot be read here" in capsys.readouterr().err


async def test_usage_and_what_is_no_database_end_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in ((), ("nonsense",), ("show",), ("tables", "--limit", "-1")):
        with pytest.raises(SystemExit) as end:
            await order(tmp_path / "ra.db", *arguments)
        assert end.value.code == AdminExit.UNUSABLE
    (tmp_path / "text").write_text("no database")
    for name in ("nothing", "text", "."):
        for line in ("tables", "show KIWI-10", "close KIWI-10"):
            assert await order(tmp_path / name, *line.split()) == AdminExit.UNUSABLE
    assert os.listdir(tmp_path) == ["text"], "nothing is made"  # noqa: PTH208
    assert "Traceback" not in capsys.readouterr().err


async def test_the_database_is_the_servers_own_unless_another_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await fill(tmp_path / "ra.db", "KIWI-10")
    environment = {"RA_DB": str(tmp_path / "ra.db")}
    assert await asyncio.to_thread(main, ("show", "kiwi 10"), environment) == AdminExit.DONE
    assert "table      KIWI-10" in capsys.readouterr().out


@pytest.mark.parametrize("database", ["~nobody-of-this-name/ra.db", ""])
async def test_without_a_home_the_database_has_to_be_named(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", "/nowhere/at/all")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert await asyncio.to_thread(main, ("tables",), {"RA_DB": database}) == AdminExit.UNUSABLE
    assert capsys.readouterr().err.count("\n") == 1


# what is done


async def test_a_sleeping_table_is_closed_as_well(tmp_path: Path) -> None:
    async with kept(tmp_path, sleep_seconds=0.05) as app:
        async with peer(app) as ann:
            code = await ann.create(seats=2)
        async with asyncio.timeout(PATIENCE):
            while code in app.residents.tables:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert await order(tmp_path / "ra.db", "close", code) == AdminExit.DONE
        row = await app.store.find(code)
        assert row is not None and row.phase == 4


async def test_a_table_whose_inbox_watchers_have_filled_is_closed_as_well(tmp_path: Path) -> None:
    async with kept(tmp_path, inbox=8) as app, peer(app) as ann, peer(app, "Eve") as eve:
        code = await ann.create(seats=2)
        await eve.watch(code)
        table = app.residents.tables[code]
        (watcher,) = [one for one in table.broadcast.subscribers if one.seat is None]
        with suppress(Denied):
            while True:  # nothing is taken out before this turn of the loop ends
                table.inbox.put(watcher, Request(Start(), bytes(16), watcher.person))
        assert await close_table(table) == table.stream.number
        assert table.stream.seating.phase is Phase.CLOSED


@pytest.mark.parametrize("served", [True, False])
async def test_several_are_closed_at_once_each_by_itself(
    served: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "ra.db"
    await fill(database, *CODES)
    codes = ("ACORN-10", "KIWI-99", "badge 10", "ACORN-10", "CABIN-10")
    if served:
        async with kept(tmp_path):
            assert await order(database, "close", *codes) == AdminExit.REFUSED
    else:
        assert await order(database, "close", *codes) == AdminExit.REFUSED
    told = capsys.readouterr()
    assert told.out == "ACORN-10 is closed\nBADGE-10 is closed\nCABIN-10 is closed\n"
    said = [line for line in told.err.splitlines() if line.startswith("ra-server admin: ")]
    missing, ended = said  # between lines of the server's log
    assert "KIWI-99" in missing and ended.endswith("ACORN-10: it has ended already")
    assert await order(database, "tables", "--json") == AdminExit.DONE
    left = json.loads(capsys.readouterr().out)["tables"]
    assert [table["code"] for table in left] == ["DAISY-10", "EAGLE-10"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
@pytest.mark.parametrize("served", [True, False])
async def test_all_are_closed_though_it_cannot_be_printed(served: bool, tmp_path: Path) -> None:
    database = tmp_path / "ra.db"
    await fill(database, *CODES)
    async with AsyncExitStack() as stack:
        if served:
            await stack.enter_async_context(kept(tmp_path))
        with Path("/dev/full").open("w") as full, redirect_stdout(full):  # noqa: ASYNC230
            with pytest.raises(CannotPrint):
                await order(database, "close", *CODES[:3])
    with closing(StoredTables(database)) as stored:
        assert [row.code for row in stored.open_tables("")] == list(CODES[3:])


async def test_a_server_that_does_not_answer_leaves_it_unsure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "ra.db"
    await fill(database, "KIWI-10")
    monkeypatch.setattr(admin_socket, "_ANSWER_SECONDS", 0.1)
    with closing(BoundSocket(socket_path(database))):  # nobody accepts
        assert await order(database, "close", "KIWI-10") == AdminExit.UNSURE
        assert await order(database, "tables") == AdminExit.DONE
    assert "who is connected is not known" in capsys.readouterr().err


# who speaks at the socket


async def say(path: Path, *lines: bytes) -> list[dict[str, Any]]:
    """What is answered to some lines, until the other end hangs up."""
    reader, writer = await asyncio.open_unix_connection(path)
    writer.writelines(lines)
    answers = []
    try:
        for _ in lines:
            line = await asyncio.wait_for(reader.readline(), PATIENCE)
            if not line:
                break
            answers.append(unpack(line))
    except ConnectionError:
        pass
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    return answers


async def test_what_is_no_request_is_refused_and_the_next_is_answered(
    tmp_path: Path, book: Book
) -> None:
    bad = [
        *(b"\n", b"\xff\xfe\n", b"[]\n", b"[" * 100_000 + b"\n", b"{}\n", b'{"do": []}\n'),
        *(pack({"do": "stop"}), pack({"do": "close"}), pack({"do": "close", "code": 7})),
        pack({"do": "present", "codes": ["KIWI-10"] * (MOST_CODES + 1)}),
        pack({"do": "present", "codes": [None]}),
    ]
    async with kept(tmp_path, log=book) as app:
        path = socket_path(tmp_path / "ra.db")
        *answers, last = await say(path, *bad, pack({"do": "present", "codes": []}))
        assert {answer["trouble"] for answer in answers} == {"unknown_request"}
        assert last == {"tables": {}}
        odd = await say(path, pack({"do": "close", "code": "\x1b[2J" * 100}))
        assert odd[0]["trouble"] == "no_table"
        assert await say(path, b"x" * (MOST_BYTES + 10)) == []
        assert await say(path, pack({"do": "present", "codes": []})) == [{"tables": {}}]
        assert app.counters.faults == 0
    assert "admin_fault" not in [event for event, _ in book.lines]


async def test_who_is_silent_or_never_reads_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_socket, "_LINE_SECONDS", 0.3)
    async with kept(tmp_path) as app, peer(app) as ann:
        path = socket_path(tmp_path / "ra.db")
        silent = [await asyncio.open_unix_connection(path) for _ in range(4)]
        deaf = socket.socket(socket.AF_UNIX)
        deaf.setblocking(False)
        deaf.connect(str(path))
        many = pack({"do": "present", "codes": ["KIWI-10"] * MOST_CODES}) * 200
        with suppress(BlockingIOError):
            while True:
                deaf.send(many)
        for _ in range(10):
            await asyncio.wait_for(ann.ask(Beat(), Heartbeat), PATIENCE)
        assert await say(path, pack({"do": "present", "codes": []})) == [{"tables": {}}]
        for reader, writer in silent:
            assert await asyncio.wait_for(reader.read(), PATIENCE) == b"", "hung up on"
            writer.close()
        deaf.close()


async def test_beyond_some_connections_they_are_hung_up_on(tmp_path: Path) -> None:
    async with kept(tmp_path):
        path = socket_path(tmp_path / "ra.db")
        there = [await asyncio.open_unix_connection(path) for _ in range(20)]
        ends = [asyncio.ensure_future(reader.read()) for reader, _ in there]
        await asyncio.wait(ends, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        assert any(end.done() for end in ends) and not all(end.done() for end in ends)
        for _, writer in there:
            writer.close()
        for end in ends:
            end.cancel()


# the socket


def test_a_socket_is_not_bound_twice_and_goes_with_its_server(tmp_path: Path) -> None:
    path = tmp_path / "ra.db.admin"
    first = BoundSocket(path)
    with pytest.raises(SocketUnavailable, match="another program listens there"):
        BoundSocket(path)
    assert path.is_socket()
    path.unlink()
    second = BoundSocket(path)
    first.close()
    assert path.is_socket(), "the name is another's by now"
    second.close()
    assert not path.exists()


def test_a_folder_that_is_not_there_or_may_not_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(SocketUnavailable):
        BoundSocket(tmp_path / "nowhere" / "ra.db.admin")
    if os.geteuid() != 0:
        tmp_path.chmod(0o500)
        with pytest.raises(SocketUnavailable):
            BoundSocket(tmp_path / "ra.db.admin")
        tmp_path.chmod(0o700)


def test_one_database_has_one_socket_by_whatever_name(tmp_path: Path) -> None:
    (tmp_path / "ra.db").touch()
    (tmp_path / "link.db").symlink_to("ra.db")
    assert socket_path(tmp_path / "link.db") == socket_path(tmp_path / "ra.db")
    long = [socket_path(tmp_path / (letter * 200)) for letter in "ab"]
    assert long[0] != long[1] and all(len(path.name) < 64 for path in long)
