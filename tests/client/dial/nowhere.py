"""What a client may meet in the place of a server: nothing, silence, other programs, names
that lead elsewhere. Everything is on loopback; a second address is one that no other test
uses, whose connections would hold ports of it."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from client.dial.address import Address
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link, LinkLost, Patience
from client.state.events import Change, Greeted

CERTIFICATES = Path(__file__).parent / "certificates"


async def reach(address: Address, patience: Patience | None = None) -> str:
    """What becomes of a client that connects: `greeted`, or why not."""
    conversation = Conversation(Identity("test", "Anna"))
    link = Link(address, conversation, patience or Patience(connect=20))

    def hear(change: Change) -> None:
        if isinstance(change, Greeted):
            link.stop()

    conversation.listeners.append(hear)
    try:
        await link.run()
    except LinkLost as error:
        told = str(error)
    else:
        return "greeted"
    assert told.isprintable()
    return told


@asynccontextmanager
async def answering(
    answer: bytes, host: str = "127.0.0.1", port: int = 0, certificate: str = ""
) -> AsyncIterator[int]:
    """Something that answers whatever is said with `answer`, and closes: its port."""
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATES / certificate)

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, TimeoutError):
            await reader.read(100)
            writer.write(answer)
            await writer.drain()
            if writer.can_write_eof():
                # What is left unread would make the system take the answer back.
                writer.write_eof()
                async with asyncio.timeout(5):
                    await reader.read()
        with suppress(OSError):
            writer.close()
            await writer.wait_closed()

    # What peers do in the handshake is their affair.
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
    async with await asyncio.start_server(handle, host, port, ssl=context) as server:
        yield server.sockets[0].getsockname()[1]


def redirect(location: str, status: int = 301) -> bytes:
    """The answer that sends a client on."""
    return (
        f"HTTP/1.1 {status} Moved\r\nLocation: {location}\r\n"
        "Content-Length: 0\r\nConnection: close\r\n\r\n"
    ).encode()


def status(code: int, body: bytes = b"") -> bytes:
    """An answer by HTTP."""
    return b"HTTP/1.1 %d Said\r\nContent-Length: %d\r\n\r\n%s" % (code, len(body), body)


@contextmanager
def black_hole(host: str, port: int = 0) -> Iterator[int]:
    """A port at which connecting neither succeeds nor fails: its queue is full."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as hole:
        if family == socket.AF_INET6:
            hole.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        hole.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        hole.bind((host, port))
        hole.listen(0)
        full = [socket.socket(family) for _ in range(3)]
        for one in full:
            one.setblocking(False)
            with suppress(BlockingIOError):
                one.connect(hole.getsockname())
        try:
            yield hole.getsockname()[1]
        finally:
            for one in full:
                one.close()


class Names:
    """The system's resolver, for the names of a test; other names are looked up as always."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.known: dict[str, Sequence[str]] = {}
        self.answers = threading.Event()
        """Whether it answers at all."""
        self.answers.set()
        self.asked = 0
        self._ask: Callable[..., Any] = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self)

    def __call__(self, host: str, port: object, *rest: object, **how: object) -> object:
        if how.get("flags") or not str(host).endswith(".test"):
            return self._ask(host, port, *rest, **how)
        self.asked += 1
        self.answers.wait()
        if host not in self.known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [found for place in self.known[host] for found in self._ask(place, port, **how)]


@contextmanager
def environment(monkeypatch: pytest.MonkeyPatch, given: Mapping[str, str]) -> Iterator[None]:
    """The environment with these proxies and no others."""
    with monkeypatch.context() as patched:
        for kind in ("http", "https", "socks", "ws", "wss", "all", "no"):
            for name in (f"{kind}_proxy", f"{kind}_proxy".upper()):
                patched.delenv(name, raising=False)
        for name, value in given.items():
            patched.setenv(name, value)
        yield


def has_ipv6() -> bool:
    """Whether this machine has an IPv6 loopback address."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False
