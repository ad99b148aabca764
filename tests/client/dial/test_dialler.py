"""C11: a server with several addresses is reached at the first that answers as one; a
resolver that hangs or fails holds nobody up."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from attrs import evolve

from client.dial.address import Address
from client.dial.dialler import Dialler, hang_up
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link, Patience
from client.state.events import Greeted
from tests.client.dial.nowhere import Names, answering, black_hole, has_ipv6, reach, status
from tests.patience import until
from tests.process.serving import program
from tests.server.peer import QUIET, server

SOON = 8.0
"""Seconds: far less than a dead address takes to be given up, and enough on a busy machine."""


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    return Names(monkeypatch)


@pytest.mark.parametrize(
    "dead", [["127.83.0.2"], ["127.83.0.2", "127.83.0.3", "127.83.0.4"], ["::1"]]
)
async def test_a_black_hole_before_the_server_costs_a_moment(names: Names, dead: list[str]) -> None:
    if "::1" in dead and not has_ipv6():
        pytest.skip("this machine has no IPv6")
    async with server() as app:
        with ExitStack() as holes:
            for host in dead:
                holes.enter_context(black_hole(host, app.port))
            names.known["ra.test"] = [*dead, "127.0.0.1"]
            start = time.monotonic()
            assert await reach(Address("ra.test", app.port)) == "greeted"
            assert time.monotonic() - start < SOON


async def test_an_address_that_takes_connections_and_says_nothing(names: Names) -> None:
    async with server() as app:

        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        async with await asyncio.start_server(silent, "127.83.0.2", app.port):
            names.known["ra.test"] = ["127.83.0.2", "127.0.0.1"]
            start = time.monotonic()
            assert await reach(Address("ra.test", app.port)) == "greeted"
            assert time.monotonic() - start < SOON


@pytest.mark.parametrize("answer", [b"SSH-2.0-x\r\n", status(404), status(200, b"<html>"), b""])
async def test_another_program_at_the_first_address(names: Names, answer: bytes) -> None:
    async with server() as app, answering(answer, "127.83.0.2", app.port):
        names.known["ra.test"] = ["127.83.0.2", "127.0.0.1"]
        assert await reach(Address("ra.test", app.port)) == "greeted"


async def test_what_is_wrong_at_each_address_is_told(names: Names) -> None:
    async with answering(status(404), "127.83.0.2") as port:
        names.known["ra.test"] = ["127.83.0.2", "127.83.0.3"]
        told = await reach(Address("ra.test", port))
    assert "127.83.0.2: there is no Ra server at this address (HTTP 404)" in told
    assert "127.83.0.3: connection refused" in told
    names.known["ra.test"] = ["127.83.0.3", "127.83.0.4"]
    assert (await reach(Address("ra.test", port))).endswith(f"ra.test:{port}: connection refused")


async def test_where_all_addresses_are_dead_the_time_is_bounded(names: Names) -> None:
    with black_hole("127.83.0.2") as port, black_hole("127.83.0.3", port):
        names.known["ra.test"] = ["127.83.0.2", "127.83.0.3"]
        told = await reach(Address("ra.test", port), Patience(connect=0.8))
        assert told == f"cannot connect to ra.test:{port}: no answer"
        names.known["ra.test"] = ["127.83.0.4", "127.83.0.2"]
        told = await reach(Address("ra.test", port), Patience(connect=0.8))
        assert told.endswith("127.83.0.4: connection refused; elsewhere: no answer")


async def test_small_messages_go_at_once() -> None:
    async with server() as app:
        connection = await Dialler(Address("127.0.0.1", app.port)).dial(20)
        handle = connection.transport.get_extra_info("socket")
        assert handle.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        await hang_up(connection)


async def test_a_name_that_nobody_has(names: Names) -> None:
    told = await reach(Address("nobody.test", 8765))
    assert told == "cannot connect to nobody.test:8765: there is no host called nobody.test"


async def test_a_resolver_that_hangs_is_asked_once_and_waited_for_no_longer(names: Names) -> None:
    names.known["ra.test"] = ["127.0.0.1"]
    async with server() as app:
        talk = Conversation(Identity("test", "Anna"))
        link = Link(Address("ra.test", app.port), talk, Patience(connect=0.1))
        names.answers.clear()
        for _ in range(3):
            told = await reach(link.address, Patience(connect=0.1))
            assert told.endswith("the name ra.test cannot be looked up: no answer")
        asked = names.asked
        for _ in range(3):
            with pytest.raises(Exception, match="no answer"):
                await link.knock()
        assert names.asked == asked + 1
        names.answers.set()
        link.patience = Patience()
        await link.knock()


def test_a_resolver_that_hangs_keeps_no_program_from_ending(tmp_path: Path) -> None:
    """A thread that asks it must not be waited for, least of all after Ctrl-C."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, socket, time\n"
        "def hang(host, *rest, **how):\n"
        "    if how.get('flags'): raise socket.gaierror(socket.EAI_NONAME, '')\n"
        "    os.write(2, b'asked\\n'); time.sleep(600)\n"
        "socket.getaddrinfo = hang\n"
    )
    command = (program("ra-client"), "ra.test", "--plain", "--data", str(tmp_path / "data"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as child:
        try:
            assert child.stderr is not None and child.stderr.readline() == "asked\n"
            child.send_signal(signal.SIGINT)
            assert child.wait(SOON) == 130
        finally:
            child.kill()


async def test_a_running_client_gets_past_an_address_that_has_died(names: Names) -> None:
    """The server has moved from one of its addresses to the other."""
    talk = Conversation(Identity("test", "Anna"))
    greeted: list[Greeted] = []
    talk.listeners.append(lambda change: _keep(greeted, change))
    names.known["ra.test"] = ["127.0.0.1", "127.83.0.2"]
    async with server() as app:
        port = app.port
        link = Link(Address("ra.test", port), talk, Patience(first=0.01, cap=0.05))
        running = asyncio.create_task(link.run())
        await until(lambda: talk.online)
    with black_hole("127.0.0.1", port):
        async with server(evolve(QUIET, host=("127.83.0.2",), port=port)):
            await until(lambda: len(greeted) == 2)
            link.stop()
            await running


def _keep(kept: list[Greeted], change: object) -> None:
    if isinstance(change, Greeted):
        kept.append(change)
