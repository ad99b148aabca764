"""Opens a WebSocket to a server: the only way to the network, used by the link alone.

Finds out where the server is, through which proxy and after which redirects it is reached, and
takes the first of several addresses that answers as a Ra server. Does not know about messages.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, cast

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from client.dial.address import Address
from client.dial.guard import guard
from client.dial.lookup import Endpoint, Lookup
from client.dial.proxy import BadProxy, Proxy, proxy_for
from client.dial.race import race
from client.dial.redirect import NotFollowed, follow
from client.dial.trouble import (
    NO_ANSWER,
    NO_SERVER,
    HttpAnswer,
    no_name,
    not_there,
    summed_up,
    why,
    why_proxy,
)
from client.text import clean, cut
from protocol.messages import MAX_FROM_SERVER, SUBPROTOCOL

_SILENT = logging.getLogger("client.dial.websockets")
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False

_LONGEST = 300
"""Cells of a reason, at most."""
_FIRST_BYTES = 8


class NotReached(Exception):
    """No server was reached; one line says why."""

    def __init__(self, text: str) -> None:
        super().__init__(cut(clean(text), _LONGEST))


class _Redirected(Exception):
    """A server redirects us."""

    def __init__(self, location: str) -> None:
        super().__init__(location)
        self.location = location


class _Failed(Exception):
    """One try to reach a server failed; the text says why."""


class _Socket(ClientConnection):
    """A connection that remembers how the other side began to answer.

    It overrides parts of the library that its documentation does not promise:
    docs/architecture.md lists them ("What is used of websockets").
    """

    first = b""

    def data_received(self, data: bytes) -> None:
        if len(self.first) < _FIRST_BYTES:
            self.first += data[:_FIRST_BYTES]
        super().data_received(data)

    def send_data(self) -> None:
        """Send in one write all that the library has to send, and nothing to a server that is
        gone: asyncio logs every write after that. `server.net.sockets` has the same, and why
        it cannot be shared."""
        sent = self.protocol.data_to_send()
        if not sent or self.transport.is_closing():
            return
        if data := b"".join(sent):
            self.transport.write(data)
        if sent[-1]:
            return
        # an empty piece, always the last one, means the end of the stream
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()

    async def handshake(self, *arguments: Any, **options: Any) -> None:
        try:
            await super().handshake(*arguments, **options)
        except InvalidStatus as error:
            # The library would follow redirects anywhere; it lets any other exception through.
            raise HttpAnswer(error.response) from None


class Dialler:
    """Connects to one server, as often as it is asked to."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lookups: dict[tuple[str, int], Lookup] = {}
        self._asking = ""
        """The host that is being looked up; empty: none."""
        self._proxy: Proxy | None = None
        """The proxy in use, or used last."""

    async def dial(self, seconds: float) -> ClientConnection:
        """A connection to the server, made within `seconds`; raises NotReached."""
        guard(asyncio.get_running_loop())
        visited = [self._address]
        failures: list[tuple[Endpoint, Exception]] = []
        try:
            async with asyncio.timeout(seconds):
                while True:
                    failures.clear()
                    try:
                        return await self._reach(visited[-1], failures)
                    except _Redirected as error:
                        visited.append(follow(visited, error.location))
        except TimeoutError:
            if self._asking:
                reason = f"the name {self._asking} cannot be looked up: {NO_ANSWER}"
            else:
                reason = summed_up(_told(failures), over=True) + _between(self._proxy)
        except NotFollowed as error:
            raise NotReached(str(error)) from None
        except (_Failed, BadProxy) as error:
            reason = str(error)
        if len(visited) > 1:
            reason = f"it redirects us to {visited[-1]}: {reason}"
        raise NotReached(reason) from None

    async def _reach(
        self, address: Address, failures: list[tuple[Endpoint, Exception]]
    ) -> ClientConnection:
        """A connection to an address; raises _Redirected, _Failed, BadProxy."""
        proxy = self._proxy = proxy_for(address)
        host, port = (proxy.host, proxy.port) if proxy else (address.host, address.port)
        context = _trust() if address.secure else None
        lookup = self._lookups.setdefault((host, port), Lookup(host, port))
        self._asking = host
        try:
            endpoints = await lookup.endpoints()
        except OSError as error:
            self._asking = ""
            if proxy is not None:
                raise _Failed(why_proxy(error, proxy, address)) from None
            raise _Failed(no_name(error, host)) from None
        self._asking = ""
        if proxy is None:
            attempt = partial(_directly, address, context)
        else:
            attempt = partial(_through, proxy, address, context)
        reached = await race(endpoints, attempt, failures, _drop)
        if reached is not None:
            return reached
        for _, failure in failures:
            if isinstance(failure, _Redirected):
                raise failure
        raise _Failed(summed_up(_told(failures)))


async def _directly(
    address: Address,
    context: ssl.SSLContext | None,
    endpoint: Endpoint,
    answered: Callable[[], None],
) -> ClientConnection:
    """A connection to the server at one of its addresses."""
    # asyncio sends small messages at once only if the socket names its protocol.
    handle = socket.socket(endpoint.family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        handle.setblocking(False)
        await asyncio.get_running_loop().sock_connect(handle, endpoint.address)
    except OSError as error:
        handle.close()
        raise _Failed(not_there(error, address.host)) from None
    except BaseException:
        handle.close()
        raise
    answered()
    return await _shake(address, None, context, sock=handle)


async def _through(
    proxy: Proxy,
    address: Address,
    context: ssl.SSLContext | None,
    endpoint: Endpoint,
    answered: Callable[[], None],
) -> ClientConnection:
    """A connection to the server through a proxy at one of its addresses."""
    answered()  # a proxy may take its time to reach the server
    options: dict[str, Any] = {}
    if proxy.kind == "https":
        options = {"proxy_ssl": _trust(), "proxy_server_hostname": proxy.host}
    return await _shake(address, proxy, context, proxy.url(str(endpoint.address[0])), **options)


async def _shake(
    address: Address,
    proxy: Proxy | None,
    context: ssl.SSLContext | None,
    through: str | None = None,
    **options: Any,
) -> ClientConnection:
    """A connection after its handshake; raises _Redirected, _Failed."""
    made: list[_Socket] = []

    def make(*arguments: Any, **settings: Any) -> _Socket:
        made.append(_Socket(*arguments, **settings))
        return made[-1]

    if context is not None:
        options["ssl"] = context
    try:
        connection = await connect(
            address.uri,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression=None,
            ping_interval=None,
            open_timeout=None,
            close_timeout=1,
            max_size=MAX_FROM_SERVER,
            logger=_SILENT,
            create_connection=cast("type[ClientConnection]", make),
            proxy=through,
            **options,
        )
    except Exception as error:  # no answer of a server may look like a fault of ours
        if not made and "sock" in options:
            options["sock"].close()
        if isinstance(error, HttpAnswer) and error.location:
            raise _Redirected(error.location) from None
        if isinstance(error, socket.gaierror):
            # Some kinds of proxy take the server's address and not its name.
            raise _Failed(no_name(error, address.host) + _between(proxy)) from None
        if proxy is not None and not made:
            raise _Failed(why_proxy(error, proxy, address)) from None
        first = made[-1].first if made else b""
        raise _Failed(why(error, address, first) + _between(proxy)) from None
    if connection.subprotocol != SUBPROTOCOL:
        await hang_up(connection)
        raise _Failed(f"{NO_SERVER} (it does not speak {SUBPROTOCOL})")
    return connection


async def hang_up(connection: ClientConnection) -> None:
    """Close a connection, without waiting for a server that hangs."""
    with suppress(Exception):
        async with asyncio.timeout(0.5):
            await connection.close()
    connection.transport.abort()


def _trust() -> ssl.SSLContext:
    """A context that trusts the certificates that the system or the environment names."""
    try:
        return ssl.create_default_context()
    except OSError as error:  # of SSLKEYLOGFILE
        reason = error.strerror or str(error)
        raise _Failed(f"TLS cannot be set up here: {error.filename}: {reason}") from None


def _between(proxy: Proxy | None) -> str:
    """The proxy that a failed connection went through, to be added to the reason."""
    return "" if proxy is None else f" (through {proxy})"


def _drop(connection: ClientConnection) -> None:
    with suppress(Exception):
        connection.transport.abort()


def _told(failures: list[tuple[Endpoint, Exception]]) -> list[tuple[str, str]]:
    return [(str(endpoint), str(error)) for endpoint, error in failures]
