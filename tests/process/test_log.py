"""What becomes of a server when its log cannot be written: nobody reads it any more, nobody
reads it and it is full, its disk is full, it is closed. The game does not depend on it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import struct
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path

import pytest

from engine.deal import Chance
from protocol.messages import Accepted, Act, Beat, Heartbeat, Refused
from tests.patience import PATIENCE, until
from tests.process.badlog import Stuck, full, gone, unread
from tests.process.locking import locked
from tests.process.player import RA, WIRE, connected
from tests.process.serving import program, server_process
from tests.server.peer import Peer, farewell
from tests.server.raw import HANDSHAKE

BAD = (gone, unread, full)
QUICK_LOCK = ("--store-lock-seconds", "0.1")


@pytest.fixture(params=BAD, ids=lambda kind: kind.__name__)
def log(request: pytest.FixtureRequest) -> Iterator[int]:
    """Where a log goes that cannot be written."""
    kind: Callable[[], AbstractContextManager[int]] = request.param
    with kind() as descriptor:
        yield descriptor


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url) as response:
        data: bytes = response.read()
    return data


def files(folder: Path) -> list[str]:
    """What a server left, but for its lock."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".lock")


async def next_act(one: Peer) -> Act:
    while (act := one.answer(RA, WIRE, Chance(b"log"))) is None:
        await one.receive()
    return act


async def answered(one: Peer, act: Act) -> Accepted | Refused:
    while True:
        message = await one.ask(act, (Accepted, Refused))
        if isinstance(message, Accepted | Refused) and message.id == act.id:
            return message


async def test_the_game_goes_on_whatever_becomes_of_the_log(log: int, tmp_path: Path) -> None:
    """It starts; what the database cannot take is refused, and granted afterwards; others of
    the same turn are answered; it drains."""
    async with (
        server_process(tmp_path, *QUICK_LOCK, stderr=log) as server,
        connected(server, "Ann") as ann,
        connected(server, "Bob") as bob,
    ):
        tables = [await one.create(bots=("random", "random")) for one in (ann, bob)]
        assert all(tables)
        acts = [await next_act(one) for one in (ann, bob)]
        with locked(server.database):
            answers = await asyncio.gather(answered(ann, acts[0]), answered(bob, acts[1]))
            for answer in answers:
                assert isinstance(answer, Refused) and answer.code == "store_unavailable"
            await bob.ask(Beat(), Heartbeat)
        for one, act in zip((ann, bob), acts, strict=True):
            assert isinstance(await answered(one, act), Accepted)
        assert server._process is not None
        server._process.terminate()
        for one in (ann, bob):
            assert (await farewell(one))[1] == 1012
        assert await asyncio.wait_for(server._process.wait(), PATIENCE) == 0
    assert files(tmp_path) == ["ra.db", "records"]


async def test_what_was_lost_is_counted_and_said_once_it_can_be(tmp_path: Path) -> None:
    """Whoever reads goes, and comes back."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    port = free_port()
    flags = (*QUICK_LOCK, "--log", "json", "--metrics-port", str(port))
    log = os.open(pipe, os.O_WRONLY)
    async with (
        server_process(tmp_path, *flags, stderr=log) as server,
        connected(server, "Ann") as ann,
    ):
        os.close(log)
        await ann.create(bots=("random", "random"))
        act = await next_act(ann)
        os.close(reading)
        with locked(server.database):
            for _ in range(3):
                assert isinstance(await answered(ann, act), Refused)

        def lost() -> int:
            page = fetch(f"http://127.0.0.1:{port}/metrics").decode()
            found = re.search(r"^ra_log_lines_lost_total (\d+)", page, re.MULTILINE)
            assert found is not None
            return int(found[1])

        while await asyncio.to_thread(lost) < 3:
            pass
        with pipe.open() as reader:
            lines = [json.loads(await asyncio.to_thread(reader.readline)) for _ in range(2)]
            assert [line["event"] for line in lines] == ["listening", "log_lost"]
            assert lines[1]["lines"] == await asyncio.to_thread(lost) == 3
            assert await server.terminate() == 0
            events = [json.loads(line)["event"] for line in reader]
    assert events == ["stopping", "stopped"]


@pytest.mark.parametrize("form", ["off", "json"])
async def test_a_peer_that_is_gone_is_written_to_no_more(form: str, tmp_path: Path) -> None:
    """Two thousand pings, and the connection reset: not one line for the many answers that
    nobody is there for."""
    ping = b"\x89\x80\0\0\0\0"
    async with server_process(tmp_path, "--log", form) as server:
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", server.port)) as peer:
                peer.sendall(HANDSHAKE % b"" + ping * 2000)
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        async with connected(server, "Ann") as ann:
            await ann.ask(Beat(), Heartbeat)
        assert await server.terminate() == 0
        assert server._process is not None and server._process.stderr is not None
        lines = (await server._process.stderr.read()).decode().splitlines()
    events = [json.loads(line)["event"] for line in lines]
    assert events == ([] if form == "off" else ["listening", "stopping", "stopped"])


async def test_who_asks_for_figures_and_goes_is_no_traceback(tmp_path: Path) -> None:
    port = free_port()
    flags = ("--log", "off", "--metrics-port", str(port))
    async with server_process(tmp_path, *flags) as server:
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", port)) as asking:
                asking.sendall(b"GET /met")
                asking.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await asyncio.to_thread(fetch, f"http://127.0.0.1:{port}/metrics")
        assert await server.terminate() == 0
        assert server._process is not None and server._process.stderr is not None
        assert await server._process.stderr.read() == b""


async def test_a_first_line_that_nobody_reads_holds_up_nothing(tmp_path: Path) -> None:
    """Its output and its log go into one pipe, which is full."""
    port = free_port()
    with closing(Stuck()) as stuck:
        command = [program("ra-server"), "--port", str(port), "--db", str(tmp_path / "ra.db")]
        process = await asyncio.create_subprocess_exec(
            *command, stdout=stuck.writing, stderr=stuck.writing
        )
        try:

            def reached() -> bool:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as peer:
                    peer.settimeout(PATIENCE)
                    peer.sendall(HANDSHAKE % b"")
                    return b" 101 " in peer.recv(4096)
                return False

            await until(reached)
            process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


@pytest.mark.parametrize(
    ("flags", "code"),
    [(("--port", "none"), 2), (("--host", "192.0.2.1", "--memory"), 1), (("check", "none.db"), 2)],
)
def test_a_complaint_that_cannot_be_said_changes_no_exit_code(
    flags: tuple[str, ...], code: int, log: int
) -> None:
    done = subprocess.run([program("ra-server"), *flags], stderr=log, timeout=PATIENCE)
    assert done.returncode == code


def test_a_log_that_is_closed_is_written_nowhere_else(tmp_path: Path) -> None:
    """The database does not get the number of a stream that is closed."""
    database = tmp_path / "ra.db"
    line = 'exec "$0" --port 0 --db "$1" 2>&-'
    command = ["/bin/sh", "-c", line, program("ra-server"), str(database)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and "listening" in process.stdout.readline()
        process.terminate()
        assert process.wait(PATIENCE) == 0
    assert b"event=" not in database.read_bytes()
    assert files(tmp_path) == ["ra.db", "records"]
