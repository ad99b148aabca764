"""C11: a server with several addresses is reached at the first that answers as one."""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack

import pytest

from client.dial.address import Address
from client.net.link import Patience
from tests.client.dial.nowhere import Names, answering, black_hole, has_ipv6, reach, status
from tests.server.peer import server

SOON = 8.0
"""Seconds: far less than a dead address takes to be given up, and enough on a busy machine."""


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
