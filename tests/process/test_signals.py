"""C20: what a host does to a server's terminal and process without thinking of the server:
the window is closed, the host logs out, the program is put aside and taken up again. Those
who play are told, and nothing is lost by it. (SIGTERM and a plain SIGHUP: `test_drain`.)"""

from __future__ import annotations

import asyncio
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import psutil
import pytest

from engine.clock import Clock, ClockKind
from engine.deal import Chance
from engine.entry import Cause
from protocol.messages import Accepted, Act, Beat, Heartbeat
from tests.patience import PATIENCE, until
from tests.process.player import RA, WIRE, connected
from tests.process.serving import ServerProcess, program, server_process
from tests.process.stored import stored
from tests.server.peer import Peer, farewell

SPAN_MS = 3_500
HALT_SECONDS = 4.0

OWN_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Becomes a program whose terminal is its standard input."""


class Window:
    """A terminal in which a program runs; `close` is how its host leaves it."""

    def __init__(self, *command: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", OWN_TERMINAL, *command],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self.said = ""

    async def until(self, find: str) -> re.Match[str]:
        """Wait until something stands there."""
        async with asyncio.timeout(PATIENCE):
            while (found := re.search(find, self.said)) is None:
                self.said += (await asyncio.to_thread(os.read, self._master, 4096)).decode()
        return found

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def close(self) -> None:
        os.close(self._master)


@asynccontextmanager
async def window(*command: str) -> AsyncIterator[Window]:
    made = Window(*command)
    try:
        yield made
    finally:
        made.process.kill()
        made.process.wait()


def served(folder: Path) -> tuple[str, ...]:
    return (program("ra-server"), "--port", "0", "--db", str(folder / "ra.db"))


async def address(window: Window, folder: Path) -> ServerProcess:
    """Where the server in a window listens."""
    server = ServerProcess(folder)
    server.port = int((await window.until(r"listening on 127\.0\.0\.1:(\d+)"))[1])
    return server


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".lock")


async def test_a_window_that_is_closed_is_a_server_that_drains(tmp_path: Path) -> None:
    """The terminal itself is gone then, and with it what the log is written to."""
    async with window(*served(tmp_path)) as host:
        server = await address(host, tmp_path)
        async with connected(server, "Ann") as ann:
            await ann.create(bots=("random", "random"))
            host.close()
            closing, code = await farewell(ann)
        assert (closing.code, code) == ("restart", 1012)
        assert await asyncio.to_thread(host.process.wait, PATIENCE) == 0
    assert files(tmp_path) == ["ra.db", "records"]


async def test_a_window_that_is_closed_with_a_shell_in_it(tmp_path: Path) -> None:
    """The system and the shell both say so: a second hang-up is no second request."""
    async with window("/bin/sh", "-i") as host:
        host.type(shlex.join(served(tmp_path)))
        server = await address(host, tmp_path)
        (child,) = psutil.Process(host.process.pid).children()
        async with connected(server, "Ann") as ann:
            await ann.create(bots=("random", "random"))
            host.close()
            with suppress(ProcessLookupError):
                child.send_signal(signal.SIGHUP)
            closing, code = await farewell(ann)
        assert (closing.code, code) == ("restart", 1012)
        await until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
    assert files(tmp_path) == ["ra.db", "records"]


async def test_a_terminal_that_wants_nothing_from_the_background_stops_no_server(
    tmp_path: Path,
) -> None:
    """`stty tostop`: whoever writes there from the background is stopped by the system."""
    async with window("/bin/bash", "--norc", "-i") as host:
        host.type(f"stty tostop; {shlex.join(served(tmp_path))} &")
        server = await address(host, tmp_path)
        async with connected(server, "Ann") as ann:
            await ann.ask(Beat(), Heartbeat)
            for child in psutil.Process(host.process.pid).children():
                child.send_signal(signal.SIGTERM)
            assert (await farewell(ann))[1] == 1012


@pytest.mark.parametrize("line", ["exec nohup SERVER", "trap '' HUP; exec SERVER"])
async def test_what_is_to_outlive_its_terminal_does(line: str, tmp_path: Path) -> None:
    command = line.replace("SERVER", shlex.join(served(tmp_path)))
    process = await asyncio.create_subprocess_exec(
        *("/bin/sh", "-c", command), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        listening = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
        server = ServerProcess(tmp_path)
        server.port = int(listening.rsplit(b":", 1)[1])
        async with connected(server, "Ann") as ann:
            for number in (signal.SIGHUP, signal.SIGHUP, signal.SIGPIPE):
                process.send_signal(number)
                await ann.ask(Beat(), Heartbeat)
            process.terminate()
            assert (await farewell(ann))[1] == 1012
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def next_act(one: Peer) -> Act:
    while (act := one.answer(RA, WIRE, Chance(b"signals"))) is None:
        await one.receive()
    return act


async def test_time_in_which_the_server_was_put_aside_is_nobodys(tmp_path: Path) -> None:
    """Ctrl-Z and `fg`: nobody could play meanwhile, and nobody has lost time."""
    clock = Clock(ClockKind.PER_MOVE, SPAN_MS)
    async with server_process(tmp_path) as server, connected(server, "Ann") as ann:
        code = await ann.create(seats=2, bots=("random",), clock=clock)
        act = await next_act(ann)
        os.kill(server.pid, signal.SIGSTOP)
        await asyncio.sleep(HALT_SECONDS)
        os.kill(server.pid, signal.SIGCONT)
        for _ in range(3):
            await ann.ask(Beat(), Heartbeat)
            await asyncio.sleep(0.1)
        await ann.send(act)
        assert (await ann.until(Accepted)).id == act.id
        await server.logs("halted")
        assert await server.terminate() == 0
    assert all(entry.cause is not Cause.TIMEOUT for entry in stored(server.database, code))
