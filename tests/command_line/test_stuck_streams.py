"""Streams of the client that nobody reads, and that are full: it ends by itself where it has
only something to complain of, waits where its output is wanted, and hears Ctrl-C meanwhile."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.client.typed_runs import command, surroundings
from tests.client.typed_runs import run as typed_run
from tests.house.places import ROOT
from tests.patience import PATIENCE, until
from tests.process.badlog import Stuck

RECORD = "tests/golden/two-players.ra"
REPLAY = [sys.executable, "-m", "client.replay"]
DEMO = [sys.executable, "-m", "client.demo"]


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    with closing(Stuck()) as made:
        yield made


COMPLAINTS = [
    (command("--bogus"), 2),
    (command("127.0.0.1:1", "--plain", "--name", "Ann"), 1),
    (command("127.0.0.1:1"), 1),
    ([*REPLAY, "--bogus"], 2),
    ([*REPLAY, "/nowhere", "--plain"], 3),
    ([*DEMO, "--record", "/nowhere/at/all"], 1),
]


@pytest.mark.parametrize(("words", "code"), COMPLAINTS, ids=lambda one: str(one)[-30:])
def test_a_complaint_that_nobody_reads_changes_nothing(
    words: list[str], code: int, stuck: Stuck, tmp_path: Path
) -> None:
    done = subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stuck.writing,
        cwd=ROOT,
        env=surroundings(tmp_path),
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout) == (code, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="what a process waits for is told by Linux")
@pytest.mark.parametrize(
    "words",
    [
        command("--solo", "2", "--plain"),
        [*REPLAY, RECORD, "--plain"],
        DEMO,
    ],
    ids=["client", "replay", "demo"],
)
async def test_ctrl_c_where_nobody_reads_the_output(
    words: list[str], stuck: Stuck, tmp_path: Path
) -> None:
    process = await asyncio.create_subprocess_exec(
        *words,
        stdin=subprocess.DEVNULL,
        stdout=stuck.writing,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=surroundings(tmp_path),
    )
    try:
        doing = Path(f"/proc/{process.pid}/wchan")
        await until(lambda: re.search("pipe_write|(?<!ep_)poll", doing.read_text()))
        process.send_signal(signal.SIGINT)
        _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert (process.returncode, errors) == (130, b"")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


LINES = """
import signal, sys
from client.cli.terminal import Writer
signal.signal(signal.SIGINT, lambda *_: None)  # as where a loop is told of it, and stands still
Writer(sys.stdout)("\\n".join(["x" * 3000] * 100))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="what a process waits for is told by Linux")
async def test_ctrl_c_in_a_text_of_many_lines_of_which_some_fit() -> None:
    reading, writing = os.pipe()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LINES, stdout=writing, stderr=subprocess.PIPE, cwd=ROOT
    )
    try:
        doing = Path(f"/proc/{process.pid}/wchan")
        await until(lambda: re.search("pipe_write|(?<!ep_)poll", doing.read_text()))
        process.send_signal(signal.SIGINT)
        _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert errors.endswith(b"KeyboardInterrupt\n")
    finally:
        os.close(reading)
        os.close(writing)
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_a_server_that_is_gone_is_answered_no_more(tmp_path: Path) -> None:
    """Thousands of pings, and the connection reset: one line says what there is to say."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await reader.readuntil(b"\r\n\r\n")
        found = re.search(rb"Sec-WebSocket-Key: (\S+)", asked)
        assert found is not None
        magic = found[1] + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Protocol: ra.v1\r\nSec-WebSocket-Accept: "
            + base64.b64encode(hashlib.sha1(magic, usedforsecurity=False).digest())
            + b"\r\n\r\n"
            + b"\x89\x00" * 5000
        )
        handle = writer.get_extra_info("socket")
        handle.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        where = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        done = await typed_run(tmp_path, where, "--plain", "--name", "Ann")
    assert done.code == 1
    assert done.err.startswith("ra-client: cannot connect to ") and done.err.count("\n") == 1
