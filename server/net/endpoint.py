"""Where clients connect: the addresses that the server listens on, every socket and connection
there, their heartbeats, and their end when the server stops.

Does not know about tables, nor about messages beyond heartbeats and the last one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakSet

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.typing import Origin, Subprotocol

from protocol.messages import SUBPROTOCOL
from protocol.session import CloseCode
from server.net.admission import Admission, spare
from server.net.connection import Connection
from server.net.listening import BACKLOG, ListenAddress, address_of, listen
from server.net.server_parts import ServerParts
from server.net.sockets import Socket, library_log
from server.refusals import DisconnectReason

if TYPE_CHECKING:
    from socket import socket

    from websockets.http11 import Request, Response

_CHUNK = 64
"""How many heartbeats are sent before other tasks get their turn."""
_CLOSE_SECONDS = 1.0
"""How long `cut_off` waits for aborted sockets to be gone."""


class Endpoint:
    """The network end of one server, from `open` to `cut_off`."""

    def __init__(self, server: ServerParts, fault: Callable[[str, BaseException], None]) -> None:
        """`fault` is called with the server's own errors, each with the name of its event."""
        self._server = server
        self._settings = server.settings
        self._fault = fault
        self.admission = Admission(server.settings)
        self.connections: set[Connection] = set()
        self.sockets: WeakSet[Socket] = WeakSet()
        """Every socket, from before its handshake on."""
        self.addresses: tuple[ListenAddress, ...] = ()
        """The addresses it listens on, once it is open; all have the same port."""
        self._listeners: list[Server] = []

    async def open(self) -> None:
        """Listen; raises NotStarted if an address cannot be had."""
        settings = self._settings
        sockets = await asyncio.to_thread(listen, settings.host, settings.port)
        self.addresses = tuple(map(address_of, sockets))
        self._listeners = [await self._listen(one) for one in sockets]

    async def _listen(self, listening: socket) -> Server:
        settings = self._settings
        listener = await serve(
            self._serve,
            sock=listening,
            backlog=spare(settings),  # asyncio accepts as many at once, before they are counted
            origins=[None, *[Origin(origin) for origin in settings.origins]],
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            compression="deflate" if settings.compression else None,
            process_request=self._admit,
            server_header=None,
            open_timeout=settings.open_seconds,
            ping_interval=settings.ping_seconds,  # not None: `Socket.keepalive` runs
            close_timeout=settings.close_seconds,
            max_size=settings.message_bytes,
            # More than the outbox, so that the library never waits for a peer to read: its
            # ping and its close would wait for ever, whatever their timeouts.
            write_limit=2 * settings.outbox_bytes,
            logger=library_log(),
            create_connection=cast("type[ServerConnection]", self._accept),
        )
        listening.listen(BACKLOG)  # a peer that waits to be accepted costs no open file
        return listener

    def _accept(self, *arguments: Any, **options: Any) -> Socket:
        socket = Socket(
            *arguments,
            admission=self.admission,
            scheduler=self._server.flush_scheduler,
            settings=self._settings,
            counters=self._server.counters,
            **options,
        )
        self.sockets.add(socket)
        return socket

    async def _serve(self, socket: ServerConnection) -> None:
        assert isinstance(socket, Socket)
        connection = Connection(self._server, socket)
        self.connections.add(connection)
        try:
            await connection.serve()
        finally:
            self.connections.discard(connection)

    def _admit(self, socket: ServerConnection, request: Request) -> Response | None:
        assert isinstance(socket, Socket) and socket.address is not None
        if self.admission.full(socket.address):
            status, text = HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n"
        elif self.admission.crowded(socket.address):
            status, text = HTTPStatus.TOO_MANY_REQUESTS, "too many connections from there\n"
        else:
            return None
        self._server.counters.dropped += 1
        return socket.respond(status, text)

    async def beat(self) -> None:
        """Send heartbeats and close idle connections, until cancelled."""
        while True:
            await asyncio.sleep(self._settings.heartbeat_seconds)
            now = monotonic()
            for count, connection in enumerate(tuple(self.connections)):
                try:
                    connection.check_idle(now)
                    connection.client.heartbeat()
                except Exception as error:  # a fault with one connection affects no other
                    self._fault("heartbeat_fault", error)
                if count % _CHUNK == _CHUNK - 1:
                    await asyncio.sleep(0)

    # its end

    def stop_listening(self) -> None:
        """Accept no more connections."""
        for listener in self._listeners:
            listener.close(close_connections=False)

    async def disconnect_all(self) -> None:
        """Tell all clients to come back, and wait until all connections are closed."""
        retry = max(int(self._settings.retry_seconds * 1000), 1)
        clients = [connection.client for connection in self.connections]
        for client in clients:
            try:
                client.end(
                    CloseCode.RESTART, DisconnectReason.RESTART, "the server restarts", retry
                )
            except Exception as error:  # the others are told all the same
                self._fault("stop_fault", error)
        closing = [client.socket.dropped() for client in clients]
        await asyncio.gather(*closing, return_exceptions=True)

    async def cut_off(self) -> None:
        """Abort every socket that is still open, including those in the middle of a handshake."""
        for one in tuple(self.sockets):
            if (transport := getattr(one, "transport", None)) is not None:
                transport.abort()
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_SECONDS):
                for listener in self._listeners:
                    await listener.wait_closed()
