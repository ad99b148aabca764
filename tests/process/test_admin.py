"""`ra-server admin` beside a real server, beside one that was killed, and for other users."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from engine.entry import Cause
from engine.table.words import Close, CloseReason, Phase
from protocol.messages import SUBPROTOCOL, Update
from server.admin.command import main
from server.admin.messages import pack
from server.admin.socket import socket_path
from tests.process.serving import ServerProcess, program, run, server_process
from tests.process.stored import stored, verify
from tests.server.peer import Peer
from tests.server.test_admin import fill


@asynccontextmanager
async def peer(server: ServerProcess, name: str) -> AsyncIterator[Peer]:
    async with connect(server.uri, subprotocols=[SUBPROTOCOL], compression=None) as made:  # type: ignore[list-item]
        one = Peer(made)
        await one.hello(name)
        yield one


async def command(database: Path, *arguments: str) -> tuple[int, str, str]:
    """The command as a process: exit code, output, errors."""
    return await run(program("ra-server"), "admin", "--db", str(database), *arguments)


async def admin(database: Path, *arguments: str) -> tuple[int, str, str]:
    """The same within this process, which costs far less."""
    output, errors = StringIO(), StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        code = await asyncio.to_thread(main, ("--db", str(database), *arguments), {})
    return code, output.getvalue(), errors.getvalue()


async def listed(database: Path, note: str = "") -> dict[str, dict[str, Any]]:
    code, output, errors = await admin(database, "tables", "--json")
    assert code == 0 and (note in errors if note else not errors)
    return {table["code"]: table for table in json.loads(output)["tables"]}


async def test_tables_are_listed_shown_and_closed_beside_a_running_server(tmp_path: Path) -> None:
    async with (
        server_process(tmp_path, "--log", "json") as server,
        peer(server, "Ann") as ann,
        peer(server, "Bob") as bob,
        peer(server, "Eve") as eve,
    ):
        db = server.database
        running = await ann.create(seats=3, bots=("random",), listed=False)
        waiting = await bob.create(seats=4)
        await bob.join(running)
        await eve.watch(running)
        found = await listed(db)
        assert set(found) == {running, waiting}
        people = [(one["name"], one["bot"], one["here"]) for one in found[running]["people"]]
        assert people[:2] == [("Ann", None, True), ("Bob", None, True)]
        assert people[2][1:] == ("random", None)
        assert (found[running]["watching"], found[running]["listed"]) == (["Eve"], False)
        assert found[waiting]["phase"] == "waiting"
        assert [one and one["here"] for one in found[waiting]["people"]] == [
            False,
            None,
            None,
            None,
        ]

        code, output, _ = await admin(db, "show", running.lower())
        assert code == 0 and "Ann, connected" in output and "watching   Eve" in output
        code, output, errors = await command(db, "close", running)
        assert (code, output, errors) == (0, f"{running} is closed\n", "")
        for one in (ann, bob, eve):
            while one.view.table.phase is not Phase.CLOSED:
                await one.until(Update)
        await server.logs("admin_close")
        assert (await admin(db, "close", running))[0] == 1
        assert (await admin(db, "close", "KIWI-1"))[0] == 1
        assert set(await listed(db)) == {waiting}
        assert await server.terminate() == 0
        assert not socket_path(db).exists()
    last = stored(db, running)[-1]
    assert (last.command, last.cause) == (Close(CloseReason.ABANDONED), Cause.HOUSE)
    assert (await run(program("ra-server"), "check", str(db)))[0] == 0
    assert (db.parent / "records" / f"{running}.ra").exists()


async def test_after_kill_9_the_file_is_enough_and_the_next_server_is_reached(
    tmp_path: Path,
) -> None:
    async with server_process(tmp_path) as server:
        db = server.database
        async with peer(server, "Ann") as ann:
            first = await ann.create(seats=3, bots=("random", "random"))
            second = await ann.create(seats=2)
        await server.kill()
        assert socket_path(db).is_socket(), "nobody was left to take it away"
        found = await listed(db)
        assert set(found) == {first, second} and found[first]["watching"] is None
        assert await admin(db, "close", first) == (0, f"{first} is closed\n", "")
        assert (await admin(db, "close", first))[0] == 1
        assert (await admin(db, "show", first))[0] == 0
        await verify(db, first)
        assert (db.parent / "records" / f"{first}.ra").exists()
        assert (await run(program("ra-server"), "check", str(db)))[0] == 0
        await server.start()
        found = await listed(db)
        assert set(found) == {second} and found[second]["watching"] == []
        async with peer(server, "Bob") as bob:
            await bob.watch(second)
            assert (await admin(db, "close", second))[0] == 0
            while bob.view.table.phase is not Phase.CLOSED:
                await bob.until(Update)


@pytest.mark.parametrize("umask", [0o000, 0o777])
async def test_only_its_owner_may_open_the_socket_whatever_the_umask(
    umask: int, tmp_path: Path
) -> None:
    server = ServerProcess(tmp_path)
    before = os.umask(umask)
    try:
        await server.start()
    finally:
        os.umask(before)
    try:
        mode = socket_path(server.database).lstat().st_mode
        assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600
    finally:
        await server.close()


def as_somebody_else(path: Path) -> str:
    """What another user gets who opens the socket: the answer, or the system's refusal."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
            with socket.socket(socket.AF_UNIX) as made:
                made.settimeout(10)
                made.connect(str(path))
                made.sendall(pack({"do": "close", "code": "KIWI-1"}))
                os.write(write, made.recv(4096))
        except OSError as error:
            os.write(write, type(error).__name__.encode())
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read, "rb") as told:
        return told.read().decode()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
async def test_another_user_is_refused_by_the_mode_and_by_who_it_is() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        os.chmod(name, 0o755)  # noqa: PTH101
        async with server_process(folder) as server:
            path = socket_path(server.database)
            assert await asyncio.to_thread(as_somebody_else, path) == "PermissionError"
            path.chmod(0o666)
            answer = await asyncio.to_thread(as_somebody_else, path)
            assert json.loads(answer)["trouble"] == "not_yours"


@pytest.mark.parametrize("encoding", ["latin-1"])
async def test_names_that_an_encoding_does_not_have_are_escaped(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(tmp_path / "ra.db", "KIWI-10", name="Жук")
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    for order in ("tables", "show KIWI-10"):
        code, output, errors = await command(tmp_path / "ra.db", *order.split())
        assert (code, errors) == (0, "") and r"\u0416\u0443\u043a" in output
    code, _, errors = await command(tmp_path / "ra.db", "show", os.fsdecode(b"\xff"))
    assert code == 1 and "there is no table of this code" in errors


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can look after others' servers")
async def test_what_root_makes_beside_a_database_is_its_owners() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        async with server_process(folder) as server:
            db = server.database
            async with peer(server, "Ann") as ann:
                code = await ann.create(seats=3, bots=("random", "random"))
            assert await server.terminate() == 0
        own = [folder, *everything(folder)]
        for path in own:
            os.chown(path, 65534, 65534)
        (folder / "ra.db.lock").unlink()
        assert await command(db, "close", code) == (0, f"{code} is closed\n", "")
        made = everything(folder)
        assert folder / "ra.db.lock" in made and folder / "records" / f"{code}.ra" in made
        assert {path.stat().st_uid for path in made} == {65534}


def everything(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))


async def test_a_long_path_with_umlauts_has_a_socket_too(tmp_path: Path) -> None:
    folder = tmp_path / ("lange Wörter 'und' \"Zeichen\" " * 4) / ("ü" * 60)
    folder.mkdir(parents=True)
    server = ServerProcess(folder)
    server.database = folder / ("sehr lange Tische " * 6 + "ä.db")
    await server.start()
    try:
        async with peer(server, "Ann") as ann:
            code = await ann.create(seats=2)
            found = await listed(server.database)
            assert found[code]["people"][0]["here"] is True
            assert (await admin(server.database, "close", code))[1] == f"{code} is closed\n"
        assert await server.terminate() == 0
    finally:
        await server.close()
    assert not list(folder.glob("*.admin")) + list(folder.glob(".*.admin"))


@pytest.mark.parametrize("found", ["a file", "a link", "a socket in use"])
async def test_what_is_no_socket_of_ours_is_left_alone(found: str, tmp_path: Path) -> None:
    path = socket_path(tmp_path / "ra.db")
    other = socket.socket(socket.AF_UNIX)
    match found:
        case "a file":
            path.write_text("mine")
        case "a link":
            path.symlink_to(tmp_path / "nowhere")
        case _:
            other.bind(str(path))
            other.listen(1)
    before = path.lstat()
    async with server_process(tmp_path, "--log", "json") as server:
        await server.logs("admin_unavailable")
        async with peer(server, "Ann") as ann:
            code = await ann.create(seats=2)
            if not path.is_socket():
                assert code in await listed(server.database, "the server does not listen")
                status, _, errors = await admin(server.database, "close", code)
                assert status == 2 and "another server uses it" in errors
        assert await server.terminate() == 0
    assert os.path.samestat(path.lstat(), before)
    other.close()


async def test_a_second_server_leaves_the_first_ones_socket_alone(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        second = ServerProcess(tmp_path)
        with pytest.raises(AssertionError, match="another server uses it"):
            await second.start()
        async with peer(server, "Ann") as ann:
            code = await ann.create(seats=2)
            assert (await admin(server.database, "close", code))[1] == f"{code} is closed\n"


async def test_a_server_in_memory_has_no_socket(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.command = lambda: [program("ra-server"), "--memory", "--port", "0", "--log", "off"]  # type: ignore[method-assign]
    await server.start()
    try:
        assert not os.listdir(tmp_path)  # noqa: PTH208
        status, _, errors = await admin(server.database, "tables")
        assert status == 2 and "no such file" in errors
    finally:
        await server.close()
