"""C16: whatever a client meets that is no Ra server is one line in plain words, and ends no client
that is running."""

from __future__ import annotations

import asyncio
from http import HTTPStatus

import pytest

from client.dial.address import Address
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link, Patience
from tests.client.dial.nowhere import answering, reach, redirect, status
from tests.client.wire_cutter import proxy
from tests.patience import until
from tests.server.peer import server

NO_SERVER = "there is no Ra server at this address"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (status(200, b"<html>Welcome"), NO_SERVER),
        (status(404), NO_SERVER),
        (status(426), NO_SERVER),
        (status(400, b"Client sent an HTTP request to an HTTPS server."), "try wss://127.0.0.1:"),
        (status(401), "asks for a password"),
        (status(403), "does not let us in"),
        (status(429), "takes no more connections from here"),
        (status(503), "is full, or not ready"),
        (status(502), "cannot reach the server"),
        (status(599), NO_SERVER),
        (status(304), "does not say where to (HTTP 304)"),
        (b"SSH-2.0-OpenSSH_9.2\r\n\r\n", NO_SERVER),
        (b"\x15\x03\x01\x00\x02\x02\x46", "the server there speaks TLS: try wss://127.0.0.1:"),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", NO_SERVER),
        (b"HTTP/1.1 999 Odd\r\n\r\n", NO_SERVER),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", NO_SERVER),
        (b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 1000 + b"\r\n", NO_SERVER),
        (b"\x00" * 100_000, NO_SERVER),
        (b"", "it closes the connection without a word"),
    ],
    ids=lambda value: repr(value[:24]),
)
async def test_what_is_no_ra_server_is_named_in_plain_words(answer: bytes, words: str) -> None:
    async with answering(answer) as port:
        told = await reach(Address("127.0.0.1", port))
    assert told.startswith(f"cannot connect to 127.0.0.1:{port}: ")
    assert words in told


async def test_every_status_is_one_line() -> None:
    codes = iter([*range(102, 600), *(code.value for code in HTTPStatus)])

    async def next_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(status(next(codes)))
        writer.close()

    async with await asyncio.start_server(next_one, "127.0.0.1", 0) as odd:
        address = Address("127.0.0.1", odd.sockets[0].getsockname()[1])
        for _ in range(102, 600, 7):
            told = await reach(address)
            assert told.startswith("cannot connect to ")
            next(codes, None)


async def test_a_running_client_outlives_whatever_answers_meanwhile() -> None:
    """A maintenance page, a portal, a redirect that leads nowhere: it comes back all the same."""
    async with server() as app, proxy(app.port) as between:
        conversation = Conversation(Identity("test", "Anna"))
        patience = Patience(connect=5, first=0.01, cap=0.05)
        link = Link(Address("127.0.0.1", between.port), conversation, patience)
        running = asyncio.create_task(link.run())
        await until(lambda: conversation.online)
        others = (redirect("https://login.test/"), redirect("ws://[::1"), status(200), b"\x15\x03")
        for answer in others:
            async with answering(answer) as port:
                before, between.target = between.connections, port
                between.cut()
                await until(lambda: between.connections > before + 1)  # noqa: B023
                assert not running.done()
        between.target = app.port
        await until(lambda: conversation.online)
        link.stop()
        await running
