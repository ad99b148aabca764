"""One connected client as the handlers and the tables see it: its session, the table it attends,
and everything that is sent to it.

Does not know how its messages arrive. Of a table it knows only how to join and leave it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from engine.entry import Entry
from engine.errors import IllegalAction
from protocol.messages import Closing, FromServer, Heartbeat
from protocol.session import CloseCode, ServerSession
from server.accounts.sessions import Greeting, Session
from server.net.server_parts import ServerParts
from server.net.sockets import Socket
from server.refusals import Denied, DisconnectReason, RefusalCode, refused
from server.store.port import StoreError
from server.tables.table import Table

RETRY_MS = 1000
"""Milliseconds after which a client may come back that is disconnected through no fault of its
own."""


class Disconnected(Exception):
    """The connection ends, and the client has been told why."""


class ConnectedClient:
    """One connected client; fulfils `server.tables.broadcast.Subscriber` for the table it
    attends, and `server.accounts.sessions.SessionConnection` for its session."""

    __slots__ = (
        "address",
        "excess_guesses",
        "greeting",
        "hint_task",
        "name",
        "network",
        "person",
        "protocol",
        "read_pause",
        "seat",
        "server",
        "socket",
        "table",
    )

    def __init__(self, server: ServerParts, socket: Socket) -> None:
        assert socket.address is not None
        self.server = server
        self.address = socket.address
        self.network = self.address.network
        self.protocol = ServerSession()
        """Encodes and decodes its messages, and knows which may come now."""
        self.socket = socket
        """Where everything goes that is sent to it."""
        socket.on_drop = self.part
        self.greeting: Greeting | None = None
        """The outcome of its Hello; None until one is accepted."""
        self.person = b""
        """Public id of its session."""
        self.name = ""
        self.table: Table | None = None
        """The table attended."""
        self.seat: int | None = None
        """Its seat there, set by the table."""
        self.hint_task: asyncio.Task[None] | None = None
        """Makes the hint that was asked for last."""
        self.excess_guesses = 0
        """Wrong table codes beyond the budget of its address."""
        self.read_pause = 0.0
        """How long to read nothing after the last message, in seconds."""

    @property
    def session(self) -> Session:
        """Its session; only after its Hello was accepted."""
        assert self.greeting is not None
        return self.greeting.session

    def greeted(self, greeting: Greeting) -> None:
        """Its Hello is accepted. Raises Disconnected if the connection is gone meanwhile."""
        if not self.socket.is_open:
            raise Disconnected
        self.greeting = greeting
        self.person, self.name = greeting.session.public, greeting.session.name

    # what it is told

    def update(self, number: int, frame: bytes) -> None:
        """Send update `number` of the table attended, which is packed already."""
        ready = self.protocol.send_update(number, frame)
        if ready is not None:
            self.socket.put(ready)

    def accepted(self, id: bytes, number: int) -> None:
        """Say that the command `id` was carried out, as entry `number`."""
        if not self.socket.ended:
            self.socket.put(self.protocol.send_accepted(id, number))

    def tell(self, message: FromServer) -> None:
        """Send any other message."""
        if not self.socket.ended:
            self.socket.put(self.protocol.send(message))

    def refuse(self, id: bytes | None, why: IllegalAction | Denied | StoreError) -> None:
        """Say why a message is not carried out."""
        self.server.counters.refusals += 1
        self.tell(refused(id, why))

    def heartbeat(self) -> None:
        """Say that the server is alive, and the number of the last entry of the table attended."""
        if self.greeting is not None:
            self.tell(Heartbeat(0 if self.table is None else self.table.stream.number))

    # the table it attends

    def attended(self) -> Table:
        """The table attended; raises Denied(NO_TABLE)."""
        if self.table is None:
            raise Denied(RefusalCode.NO_TABLE, "no table is attended")
        return self.table

    def attend(self, table: Table, since: Iterable[Entry] = ()) -> None:
        """Attend a table in place of any other, and get what the entries `since` brought. Raises
        Denied if the table has no room; nothing has changed then."""
        if self.socket.ended:
            return
        if table.gone:
            self.lose_table()  # it left memory while this client's message was handled
            return
        table.attendance.check_room(self)
        if self.table is not table:
            self.part()
        self.table = table
        table.attendance.join(self, since)

    def part(self) -> None:
        """Stop attending the table, if any."""
        if self.table is not None:
            self.table.attendance.leave(self)
            self.table = None

    def lose_table(self) -> None:
        """Close the connection, because the table attended left memory; the client comes back."""
        self.end(
            CloseCode.TOO_SLOW, DisconnectReason.TABLE_LOST, "come back for the table", RETRY_MS
        )

    # limits and the end

    def take_costly_request(self) -> None:
        """Take one from the budgets of requests that cost the server much: records, transcripts,
        hints, move codes. Raises Denied(TOO_FAST)."""
        if not self.try_costly_request():
            raise Denied(RefusalCode.TOO_FAST, "more costly requests than the rate allows")

    def try_costly_request(self) -> bool:
        """Take one from the same budgets, first the session's, then its address's; False if one
        of them is empty."""
        return self.session.costly_requests.take() and self.address.costly_requests.take()

    def fault(self, error: Exception) -> None:
        """Log and count a fault of the server's own, and close."""
        self.server.counters.faults += 1
        self.server.log.error("connection_fault", error=error)
        self.end(CloseCode.FAULT, DisconnectReason.FAULT, "a fault of the server's own", RETRY_MS)

    def end(self, code: CloseCode, reason: DisconnectReason, detail: str, retry: int = 0) -> None:
        """Say why, and close; `retry` in milliseconds, 0: do not come back."""
        if self.socket.ended:
            return
        self.tell(Closing(str(reason), detail, retry))
        self.socket.drop(code, reason)

    def replace(self, reason: DisconnectReason) -> None:
        """Close the connection, because another one has the session now."""
        moved = reason is DisconnectReason.MOVED
        detail = "this seat was moved to another device" if moved else "you connected again"
        self.end(CloseCode.REPLACED, reason, detail)

    def leave(self) -> None:
        """Let go of its hint, its table and its session, when nothing more is read from it."""
        self.socket.ended = True
        if self.hint_task is not None:
            self.hint_task.cancel()
        self.part()
        if self.greeting is not None:
            self.server.sessions.detach(self.greeting.session, self)
