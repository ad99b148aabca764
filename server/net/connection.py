"""One connected client: who it is, and what each of its messages asks for. What it asks of the
table that it attends is in `server.net.attending`.

Nothing that a peer sends ends anything but its own connection, and nothing of ours but
codes and short sentences reaches it. Knows no rule and no database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import TYPE_CHECKING, Any

from websockets.protocol import State

from engine.errors import IllegalAction
from protocol import messages
from protocol.fields import MAX_FILE
from protocol.messages import (
    Accepted,
    Act,
    AskHint,
    Beat,
    CloseTable,
    Create,
    FromClient,
    GetMoveCode,
    GetRecord,
    GetTranscript,
    Heartbeat,
    Hello,
    Invite,
    JoinTable,
    LeaveTable,
    ListTables,
    MoveCode,
    Record,
    Say,
    StartMatch,
    Tables,
    Transcript,
    Watch,
    Welcome,
)
from protocol.session import CloseCode
from server.accounts.sessions import Greeting
from server.net.attending import Attending
from server.net.incoming import RETRY_MS, Over
from server.refusals import Denied, Goodbye, Refusal, Unsure, refused
from server.store.port import StoreError, Unknown
from server.tables.codes import clean_code
from server.tables.hints import check_alone, hint

if TYPE_CHECKING:
    from server.net.services import Services
    from server.net.sockets import Socket
    from server.tables.table import Table


class Connection(Attending):
    """One connected client."""

    __slots__ = ("_greeting", "_hinting", "_said")

    def __init__(self, services: Services, socket: Socket) -> None:
        super().__init__(services, socket)
        self._hinting: asyncio.Task[None] | None = None
        """A hint that is being thought of."""
        self._greeting: Greeting | None = None
        self._said = monotonic()
        """When something was last said that is more than a sign of life."""

    def _ended(self) -> None:
        if self._hinting is not None:
            self._hinting.cancel()
        self._part()
        if self._who is not None:
            self._services.sessions.detach(self._who, self)

    async def _handle(self, message: FromClient) -> None:
        """Carry out one message; whatever hinders it is told to its sender."""
        id = getattr(message, "id", None)
        if type(message) is not Beat:
            self._said = monotonic()
        try:
            answer = _HANDLERS[type(message)](self, message)
            if answer is not None:
                await answer
        except (Unsure, Unknown):
            # never a refusal: those say that nothing happened
            self.end(CloseCode.TOO_SLOW, Goodbye.UNSURE, "ask again with the same id", RETRY_MS)
            raise Over from None
        except (IllegalAction, Denied, StoreError) as why:
            self._refuse(id, why)

    def _refuse(self, id: bytes | None, why: IllegalAction | Denied | StoreError) -> None:
        self._services.counters.refusals += 1
        self.tell(refused(id, why))

    # one handler for each message

    async def _hello(self, message: Hello) -> None:
        services = self._services
        greeting = await services.sessions.enter(message.token, message.name, self._address)
        if self.ended or self._socket.state is not State.OPEN:
            raise Over  # one that is gone takes nothing over
        self._greeting = greeting
        self._who = who = greeting.person
        services.sessions.attach(greeting, self)
        self.person, self.name = who.public, who.name
        if greeting.token is None:
            services.lobby.quotas.came(who.public, self._address.network)
        self.tell(
            Welcome(
                version=self._session.version,
                server=services.name,
                session=who.public,
                token=greeting.token,
                name=who.name,
                heartbeat=_millis(services.settings.heartbeat_seconds),
                vote_gone=_millis(services.settings.vote_seconds),
                vote_silent=_millis(services.settings.silent_seconds),
            )
        )

    async def _confirm(self) -> None:
        assert self._greeting is not None
        try:
            await self._services.sessions.confirm(self._greeting, self)
        except Unsure:
            self.end(CloseCode.TOO_SLOW, Goodbye.UNSURE, "say the new token again", RETRY_MS)
            raise Over from None

    def _move_code(self, message: GetMoveCode) -> None:
        self._take_file()
        assert self._who is not None
        self.tell(MoveCode(*self._services.sessions.move_code(self._who)))

    async def _create(self, message: Create) -> None:
        assert self._who is not None
        table, number = await self._services.lobby.create(self._who, message)
        if not self.ended:
            self.tell(Accepted(message.id, number))
            self._enter(table)

    async def _list(self, message: ListTables) -> None:
        self.tell(Tables(await self._services.lobby.listed(self.person)))

    def _ask_hint(self, message: AskHint) -> None:
        table = self._attended()
        seat = check_alone(table, self.seat, self._services.settings.hints)
        if self._hinting is not None and not self._hinting.done():
            raise Denied(Refusal.BUSY, "a hint is on its way")
        self._take_file()
        giving = self._give_hint(table, seat, message.id)
        self._hinting = asyncio.get_running_loop().create_task(giving)

    async def _give_hint(self, table: Table, seat: int, id: bytes) -> None:
        try:
            self.tell(await hint(table, seat, id))
        except Denied as why:
            self._refuse(id, why)
        except Exception as error:  # whatever happens, the client does not wait for ever
            self._fault(error)

    def _beat(self, message: Beat) -> None:
        self.heartbeat()

    async def _transcript(self, message: GetTranscript) -> None:
        table = self._attended()
        self._take_file()
        async with self._address.reading:
            data = await self._services.archive.transcript(table, self.person)
        self.tell(Transcript(table.code, self._fits(data)))

    async def _record(self, message: GetRecord) -> None:
        self._take_file()
        archive = self._services.archive
        try:
            table = await self._awake(message.code)
            async with self._address.reading:
                data = await archive.record(table)
            self.tell(Record(table.code, self._fits(data)))
        except Denied as why:
            code = clean_code(message.code)
            if why.code is not Refusal.TABLE_RETIRED or code is None:
                raise
            async with self._address.reading:
                kept = await archive.stored(code)
            if kept is None:
                raise
            self.tell(Record(code, self._fits(kept)))

    def _fits(self, data: bytes) -> bytes:
        """The file; raises Denied if no message holds it, or if it alone is more than may
        wait for this client."""
        most = min(MAX_FILE, self._services.settings.outbox_bytes)
        if len(data) > most:
            raise Denied(Refusal.TOO_LARGE, "the file is too large", size=len(data), most=most)
        return data

    def _take_file(self) -> None:
        assert self._who is not None
        if not (self._who.files.take() and self._address.files.take()):
            raise Denied(Refusal.TOO_FAST, "more files than the rate allows")

    def heartbeat(self) -> None:
        """Say that the server is alive, and how far the table attended is."""
        if self._who is not None:
            self.tell(Heartbeat(0 if self.table is None else self.table.stream.number))

    def check_idle(self, now: float) -> None:
        """Close if nothing was said for too long and no table is attended."""
        idle = now - self._said > self._services.settings.idle_seconds
        if idle and self.table is None and self._who is not None:
            self.end(CloseCode.LIMIT, Goodbye.IDLE, "nothing was said for very long")

    # its end

    def replace(self, word: Goodbye) -> None:
        moved = word is Goodbye.MOVED
        detail = "this seat was moved to another device" if moved else "you connected again"
        self.end(CloseCode.REPLACED, word, detail)


_HANDLERS: dict[type, Callable[[Connection, Any], Awaitable[None] | None]] = {
    Hello: Connection._hello,
    Create: Connection._create,
    ListTables: Connection._list,
    JoinTable: Connection._join,
    Watch: Connection._watch,
    LeaveTable: Connection._leave,
    StartMatch: Connection._start,
    CloseTable: Connection._close_table,
    Act: Connection._act,
    Say: Connection._say,
    Beat: Connection._beat,
    GetTranscript: Connection._transcript,
    GetRecord: Connection._record,
    GetMoveCode: Connection._move_code,
    AskHint: Connection._ask_hint,
    messages.Vote: Connection._vote,
    messages.Return: Connection._return,
    Invite: Connection._invite,
}


def _millis(seconds: float) -> int:
    """As a message can hold it."""
    return int(min(seconds * 1000, (1 << 32) - 1))
