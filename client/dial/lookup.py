"""Looks up the network addresses of a host name.

The lookup runs in a thread that nobody has to wait for: the system's resolver can hang for as long
as it likes, and the program must still end at once. Does not know about connections.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress
from itertools import chain, zip_longest
from typing import Any, TypeAlias

from attrs import frozen

MOST_ENDPOINTS = 8
"""How many addresses of one name are tried."""

SocketAddress: TypeAlias = tuple[Any, ...]


@frozen
class Endpoint:
    """One network address of a host."""

    family: int
    address: SocketAddress
    """In the form that the socket module uses."""

    def __str__(self) -> str:
        host = str(self.address[0])
        return f"[{host}]" if ":" in host else host


class Lookup:
    """Looks up one host, again for each connection, and never twice at the same time."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._asked: asyncio.Future[list[Endpoint]] | None = None

    async def endpoints(self) -> list[Endpoint]:
        """The addresses of the host, at least one, in the order in which to try them. Raises
        OSError (`socket.gaierror` where the system knows no such host)."""
        with suppress(socket.gaierror):
            return _endpoints(self._host, self._port, socket.AI_NUMERICHOST)
        if self._asked is None or self._asked.done():
            self._asked = self._ask()
        # If we are cancelled the lookup goes on: the next connection waits for the same answer.
        return await asyncio.shield(self._asked)

    def _ask(self) -> asyncio.Future[list[Endpoint]]:
        loop = asyncio.get_running_loop()
        asked: asyncio.Future[list[Endpoint]] = loop.create_future()
        # Marks an error as retrieved, even where nobody waits for it any more.
        asked.add_done_callback(lambda done: done.exception())

        def answer(endpoints: list[Endpoint], error: Exception | None) -> None:
            if error is not None:
                asked.set_exception(error)
            else:
                asked.set_result(endpoints)

        def ask() -> None:
            endpoints: list[Endpoint] = []
            failed: Exception | None = None
            try:
                endpoints = _endpoints(self._host, self._port)
            except (OSError, UnicodeError) as error:
                failed = error if isinstance(error, OSError) else _no_name(error)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(answer, endpoints, failed)

        threading.Thread(target=ask, name="lookup", daemon=True).start()
        return asked


def _names_us(host: str) -> bool:
    """Whether a host name is the one that every machine has for itself (RFC 6761). Many systems
    list only one of its two addresses, which may be the one that does not work, and some none."""
    name = host.lower().rstrip(".")
    return name == "localhost" or name.endswith(".localhost")


def _loopback(port: int) -> list[Endpoint]:
    return [
        Endpoint(socket.AF_INET, ("127.0.0.1", port)),
        Endpoint(socket.AF_INET6, ("::1", port, 0, 0)),
    ]


def _no_name(error: UnicodeError) -> OSError:
    return socket.gaierror(socket.EAI_NONAME, str(error))


def _endpoints(host: str, port: int, flags: int = 0) -> list[Endpoint]:
    """Ask the system; raises `socket.gaierror`."""
    endpoints: dict[Endpoint, None] = {}
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
        endpoints.update((Endpoint(family, address), None) for family, _, _, _, address in found)
    except socket.gaierror:
        if not _names_us(host):
            raise
    if _names_us(host):
        endpoints.update((endpoint, None) for endpoint in _loopback(port))
    if not endpoints:
        raise socket.gaierror(socket.EAI_NONAME, "no address")
    first = next(iter(endpoints)).family
    same = [endpoint for endpoint in endpoints if endpoint.family == first]
    others = [endpoint for endpoint in endpoints if endpoint.family != first]
    turns = chain.from_iterable(zip_longest(same, others))
    return [endpoint for endpoint in turns if endpoint is not None][:MOST_ENDPOINTS]
