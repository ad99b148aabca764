"""What each message of a client asks of the parts, and what is answered.

Nothing that a peer sends ends anything but its own connection, and nothing of ours but
codes and short sentences reaches it. Knows no rule and no database.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Any

from websockets.protocol import State

from engine.entry import Command, Entry
from engine.errors import Code, IllegalAction
from engine.places import may_invite
from engine.stream import Wish
from engine.table import Close, Join, Leave, Phase, Return, Start, Substitute, Vote
from engine.table import Closing as Ending
from protocol import messages
from protocol.codec import ProtocolError
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
    Invitation,
    Invite,
    JoinTable,
    LeaveTable,
    Left,
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
from server.edge.incoming import Incoming, Over
from server.people.names import clean_chat
from server.people.newcomer import check_name
from server.people.sessions import Greeting
from server.play import find_play
from server.refusals import Denied, Goodbye, Refusal, Unsure, refused
from server.store.port import StoreError, Unknown
from server.tables.hints import check_alone, hint

if TYPE_CHECKING:
    from server.app import App
    from server.edge.sockets import Socket
    from server.tables.table import Table
_RETRY_MS = 1000


class Connection(Incoming):
    """One connected client; fulfils `server.tables.audience.Link`."""

    __slots__ = ("_greeting", "_hinting", "_said", "name", "person", "seat", "table")

    def __init__(self, app: App, socket: Socket) -> None:
        super().__init__(app, socket)
        self._hinting: asyncio.Task[None] | None = None
        """A hint that is being thought of."""
        self._greeting: Greeting | None = None
        self._said = monotonic()
        """When something was last said that is more than a sign of life."""
        self.person = b""
        self.name = ""
        self.seat: int | None = None
        self.table: Table | None = None
        """The table attended."""

    def _ended(self) -> None:
        if self._hinting is not None:
            self._hinting.cancel()
        self._part()
        if self._who is not None:
            self._app.sessions.detach(self._who, self)

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
            self.end(CloseCode.TOO_SLOW, Goodbye.UNSURE, "ask again with the same id", _RETRY_MS)
            raise Over from None
        except (IllegalAction, Denied, StoreError) as why:
            self._refuse(id, why)

    def _refuse(self, id: bytes | None, why: IllegalAction | Denied | StoreError) -> None:
        self._app.counters.refusals += 1
        self.tell(refused(id, why))

    # one handler for each message

    async def _hello(self, message: Hello) -> None:
        app = self._app
        greeting = await app.sessions.enter(message.token, message.name, self._address)
        if self.ended or self._socket.state is not State.OPEN:
            raise Over  # one that is gone takes nothing over
        self._greeting = greeting
        self._who = who = greeting.person
        app.sessions.attach(greeting, self)
        self.person, self.name = who.public, who.name
        heartbeat = int(app.settings.heartbeat_seconds * 1000)
        version = self._session.version
        self.tell(Welcome(version, app.name, who.public, greeting.token, who.name, heartbeat))

    async def _confirm(self) -> None:
        assert self._greeting is not None
        try:
            await self._app.sessions.confirm(self._greeting, self)
        except Unsure:
            self.end(CloseCode.TOO_SLOW, Goodbye.UNSURE, "say the new token again", _RETRY_MS)
            raise Over from None

    def _move_code(self, message: GetMoveCode) -> None:
        self._take_file()
        assert self._who is not None
        self.tell(MoveCode(*self._app.sessions.move_code(self._who)))

    async def _create(self, message: Create) -> None:
        assert self._who is not None
        table, number = await self._app.lobby.create(self._who, message)
        if not self.ended:
            self.tell(Accepted(message.id, number))
            self._enter(table)

    async def _list(self, message: ListTables) -> None:
        self.tell(Tables(await self._app.lobby.listed()))

    async def _join(self, message: JoinTable) -> None:
        assert self._who is not None
        lobby = self._app.lobby
        invited = lobby.invitations.find(message.code, self.person)
        table = await self._awake(message.code if invited is None else invited.code)
        if not self._who.creates.take():
            raise Denied(Refusal.TOO_FAST, "you join tables too fast")
        if invited is None:
            wish = Wish(Join(self.name, message.nonce), message.id, self.person)
            table.submit(self, wish, lambda _: self._joined(table))
            return

        def seated(_: int) -> None:
            invited.by = self.person
            self._joined(table)

        command = Substitute(invited.seat, self.name)
        table.submit(self, Wish(command, message.id, self.person), seated)

    def _joined(self, table: Table) -> None:
        try:
            self._enter(table)
        except Denied as why:  # seated once, not any more, and too many watch
            self._refuse(None, why)

    async def _awake(self, code: str) -> Table:
        """The table of a code; raises Denied, StoreError."""
        assert self._who is not None
        lobby = self._app.lobby
        if lobby.sleeps(code) and not self._who.wakes.take():
            raise Denied(Refusal.TOO_FAST, "you ask for too many tables that rest")
        return await lobby.awake(code)

    async def _watch(self, message: Watch) -> None:
        table = await self._awake(message.code)
        assert self._who is not None
        missed = table.stream.number - message.since
        cheap = missed <= self._app.settings.recent_entries
        tell = message.since and (cheap or self._who.files.take())
        self._enter(table, await table.recall.since(message.since) if tell else ())

    def _enter(self, table: Table, since: Iterable[Entry] = ()) -> None:
        """Attend a table, and no other any more; raises Denied, and nothing changed."""
        if self.ended:
            return
        if table.gone:
            self.lose_table()  # lost while something was waited for
            return
        table.attendance.check_room(self)
        if self.table is not None and self.table is not table:
            self._part()
        self.table = table
        table.attendance.come(self, since)

    def _leave(self, message: LeaveTable) -> None:
        table = self._attended()
        seating = table.stream.seating
        if seating.phase is Phase.WAITING and seating.seat_of(self.person) is not None:
            table.submit(self, Wish(Leave(), message.id, self.person), lambda _: self._left(table))
        else:
            self._left(table)

    def _left(self, table: Table) -> None:
        if self.table is table:
            self._part()
            self.tell(Left(table.code))

    def _part(self) -> None:
        if self.table is not None:
            self.table.attendance.part(self)
            self.table = None

    def _start(self, message: StartMatch) -> None:
        self._attended().submit(self, Wish(Start(), message.id, self.person))

    def _close_table(self, message: CloseTable) -> None:
        self._attended().submit(self, Wish(Close(Ending.ABANDONED), message.id, self.person))

    def _vote(self, message: messages.Vote) -> None:
        self._attended().submit(self, Wish(Vote(message.seat), message.id, self.person))

    def _return(self, message: messages.Return) -> None:
        self._attended().submit(self, Wish(Return(), message.id, self.person))

    def _invite(self, message: Invite) -> None:
        table = self._attended()
        may_invite(table.stream.seating, self.person, message.seat)
        assert self._who is not None
        if not self._who.creates.take():
            raise Denied(Refusal.TOO_FAST, "you invite too fast")
        code = self._app.lobby.invitations.make(table.code, message.seat)
        self.tell(Invitation(message.seat, code))

    def _ask_hint(self, message: AskHint) -> None:
        table = self._attended()
        seat = check_alone(table, self.seat, self._app.settings.hints)
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

    def _act(self, message: Act) -> None:
        """The one message that comes often: an action in the match."""
        try:
            table = self._attended()
            if table.stream.match is None:
                # what waits in the inbox may start it, and seats are others then
                raise IllegalAction(Code.NOT_RUNNING)
            if self.seat is None:
                raise IllegalAction(Code.NOT_SEATED)
            command = _command(table, message)
            table.submit(self, Wish(command, message.id, self.person, self.seat, message.token))
        except (IllegalAction, Denied) as why:
            self._refuse(message.id, why)

    def _say(self, message: Say) -> None:
        assert self._who is not None
        text = clean_chat(message.text, self._app.settings.chat_cells)
        if text is None:
            raise Denied(Refusal.EMPTY_TEXT, "nothing is left of this text")
        if not self._who.chat.take():
            raise Denied(Refusal.TOO_FAST, "more chat than the rate allows")
        table = self._attended()
        if self.seat is None:
            check_name(table.stream.seating, self.name, self.person)
        table.attendance.say(self, text)

    def _beat(self, message: Beat) -> None:
        self.heartbeat()

    async def _transcript(self, message: GetTranscript) -> None:
        table = self._attended()
        self._take_file()
        data = await self._app.archive.transcript(table, self.person)
        self.tell(Transcript(table.code, self._fits(data)))

    async def _record(self, message: GetRecord) -> None:
        self._take_file()
        table = await self._awake(message.code)
        self.tell(Record(table.code, self._fits(await self._app.archive.record(table))))

    def _fits(self, data: bytes) -> bytes:
        """The file; raises Denied if no message holds it, or if it alone is more than may
        wait for this client."""
        most = min(MAX_FILE, self._app.settings.outbox_bytes)
        if len(data) > most:
            raise Denied(Refusal.TOO_LARGE, "the file is too large", size=len(data), most=most)
        return data

    def _take_file(self) -> None:
        assert self._who is not None
        if not self._who.files.take():
            raise Denied(Refusal.TOO_FAST, "more files than the rate allows")

    def _attended(self) -> Table:
        if self.table is None:
            raise Denied(Refusal.NO_TABLE, "no table is attended")
        return self.table

    def heartbeat(self) -> None:
        """Say that the server is alive, and how far the table attended is."""
        if self._who is not None:
            self.tell(Heartbeat(0 if self.table is None else self.table.stream.number))

    def check_idle(self, now: float) -> None:
        """Close if nothing was said for too long and no table is attended."""
        idle = now - self._said > self._app.settings.idle_seconds
        if idle and self.table is None and self._who is not None:
            self.end(CloseCode.LIMIT, Goodbye.IDLE, "nothing was said for very long")

    # its end

    def replace(self, word: Goodbye) -> None:
        moved = word is Goodbye.MOVED
        detail = "this seat was moved to another device" if moved else "you connected again"
        self.end(CloseCode.REPLACED, word, detail)

    def lose_table(self) -> None:
        self.end(CloseCode.TOO_SLOW, Goodbye.TABLE_LOST, "come back for the table", _RETRY_MS)

    def _gone(self) -> None:
        self._part()


def _command(table: Table, message: Act) -> Command:
    try:
        wire = find_play(table.stream.game.name).projector.wire
        command: Command = wire.command.unpack(message.command)
    except ProtocolError as why:
        raise Denied(Refusal.BAD_FIELD, str(why)[:100]) from None
    return command


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
