"""Redirects are followed within bounds and never away from TLS; dead ends are named."""

from __future__ import annotations

import asyncio

import pytest

from client.dial.address import Address
from tests.client.dial.nowhere import answering, reach, redirect
from tests.server.peer import server


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
async def test_a_redirect_on_the_same_host_is_followed(code: int) -> None:
    async with server() as app:
        goal = f"http://127.0.0.1:{app.port}/"
        async with answering(redirect(goal, code)) as port:
            assert await reach(Address("127.0.0.1", port, "/ra")) == "greeted"
        async with answering(redirect(f"//127.0.0.1:{app.port}")) as port:
            assert await reach(Address("127.0.0.1", port)) == "greeted"


async def test_some_redirects_in_a_row_are_followed_and_not_many() -> None:
    async with server() as app:
        goal = f"ws://127.0.0.1:{app.port}/"
        async with answering(redirect(goal)) as port:
            goal = f"ws://127.0.0.1:{port}/"
            async with answering(redirect(goal)) as port:
                assert await reach(Address("127.0.0.1", port)) == "greeted"
    seen = 0

    async def ever_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal seen
        seen += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(redirect(f"/{seen}"))
        writer.close()

    async with await asyncio.start_server(ever_on, "127.0.0.1", 0) as endless:
        told = await reach(Address("127.0.0.1", endless.sockets[0].getsockname()[1]))
    assert told.endswith("its redirects go round in circles")
    assert seen < 10


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("https://127.0.0.1:9/ra", "it redirects us to wss://127.0.0.1:9/ra: connection refused"),
        ("/", "its redirects go round in circles"),
        ("//elsewhere.test/ra?x=1", "to another host, ws://elsewhere.test:80/ra?x=1: go there"),
        ("https://me:secret@elsewhere.test/", "to another host, wss://elsewhere.test:443/: go"),
        ("http://[::2]:8765", "to another host, [::2]:8765: go there yourself"),
        ("ftp://127.0.0.1/", "it redirects us to what is no Ra server"),
        ("mailto:someone", "it redirects us to what is no Ra server"),
        ("ws://127.0.0.1:99999/", "it redirects us to an address that makes no sense"),
        ("ws://127.0.0.1:0/", "it redirects us to an address that makes no sense"),
        ("ws://[::1", "it redirects us to an address that makes no sense"),
        ("ws://", "redirects"),
        ("ws://a b/", "redirects"),
        ("ws://\xff", "redirects"),
        ("\x1b[2J", "there is no Ra server at this address"),
        ("\x9b2J\u202e", "redirects"),
        ("x" * 5000, "redirects"),
        ("", "it redirects us and does not say where to (HTTP 301)"),
    ],
)
async def test_a_redirect_that_leads_nowhere_is_named(location: str, words: str) -> None:
    async with answering(redirect(location)) as port:
        told = await reach(Address("127.0.0.1", port))
    assert told.startswith(f"cannot connect to 127.0.0.1:{port}: ")
    assert words in told
    assert "secret" not in told


async def test_no_redirect_leads_away_from_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.client.dial.nowhere import CERTIFICATES

    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))
    async with (
        server() as app,
        answering(redirect(f"ws://127.0.0.1:{app.port}/"), certificate="signed.pem") as port,
    ):
        told = await reach(Address("127.0.0.1", port, secure=True))
    assert told.endswith("away from TLS: that is not followed")
