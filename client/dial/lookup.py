"""The network addresses that a host name stands for.

A name is looked up in a thread that nobody has to wait for: the system's resolver can hang
for as long as it likes, and the program must still end at once. Knows no connection.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress
from itertools import chain, zip_longest
from typing import Any, TypeAlias

from attrs import frozen

MOST_PLACES = 8
"""The most addresses of one name that are tried."""

SocketAddress: TypeAlias = tuple[Any, ...]


@frozen
class Place:
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
        self._asked: asyncio.Future[list[Place]] | None = None

    async def places(self) -> list[Place]:
        """Where the host is: one address or more, in the order in which to try them. Raises
        OSError (`socket.gaierror` where the system knows no such host)."""
        with suppress(socket.gaierror):
            return _places(self._host, self._port, socket.AI_NUMERICHOST)
        if self._asked is None or self._asked.done():
            self._asked = self._ask()
        # Cancelling us leaves the question open: the next connection waits for the same answer.
        return await asyncio.shield(self._asked)

    def _ask(self) -> asyncio.Future[list[Place]]:
        loop = asyncio.get_running_loop()
        asked: asyncio.Future[list[Place]] = loop.create_future()
        # An error counts as looked at, even where nobody waits for it any more.
        asked.add_done_callback(lambda done: done.exception())

        def answer(places: list[Place], error: Exception | None) -> None:
            if error is not None:
                asked.set_exception(error)
            else:
                asked.set_result(places)

        def ask() -> None:
            places: list[Place] = []
            failed: Exception | None = None
            try:
                places = _places(self._host, self._port)
            except (OSError, UnicodeError) as error:
                failed = error if isinstance(error, OSError) else _no_name(error)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(answer, places, failed)

        threading.Thread(target=ask, name="lookup", daemon=True).start()
        return asked


def _names_us(host: str) -> bool:
    """Whether a host has the name that every machine has for itself (RFC 6761). Many systems
    list only one of its two addresses, which may be the one that does not work, and some none."""
    name = host.lower().rstrip(".")
    return name == "localhost" or name.endswith(".localhost")


def _loopback(port: int) -> list[Place]:
    return [
        Place(socket.AF_INET, ("127.0.0.1", port)),
        Place(socket.AF_INET6, ("::1", port, 0, 0)),
    ]


def _no_name(error: UnicodeError) -> OSError:
    return socket.gaierror(socket.EAI_NONAME, str(error))


def _places(host: str, port: int, flags: int = 0) -> list[Place]:
    """Ask the system; raises `socket.gaierror`."""
    places: dict[Place, None] = {}
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
        places.update((Place(family, address), None) for family, _, _, _, address in found)
    except socket.gaierror:
        if not _names_us(host):
            raise
    if _names_us(host):
        places.update((place, None) for place in _loopback(port))
    if not places:
        raise socket.gaierror(socket.EAI_NONAME, "no address")
    first = next(iter(places)).family
    ours = [place for place in places if place.family == first]
    others = [place for place in places if place.family != first]
    turns = chain.from_iterable(zip_longest(ours, others))
    return [place for place in turns if place is not None][:MOST_PLACES]
