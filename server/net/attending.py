"""The table that one client attends, at most one at a time: how it comes and goes, and what
it asks there.

Knows no rule and no database, and nothing of how sessions begin nor of files.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.entry import Command, Entry
from engine.errors import Code, IllegalAction
from engine.stream import Request
from engine.table.decide import may_invite
from engine.table.words import (
    Close,
    CloseReason,
    Join,
    Leave,
    Phase,
    Return,
    Start,
    Substitute,
    Vote,
)
from protocol import messages
from protocol.codec import ProtocolError
from protocol.messages import (
    Act,
    CloseTable,
    Invitation,
    Invite,
    JoinTable,
    LeaveTable,
    Left,
    Say,
    StartMatch,
    Watch,
)
from protocol.session import CloseCode
from server.accounts.name_rules import check_name
from server.accounts.names import clean_chat
from server.games import game_services
from server.net.incoming import RETRY_MS, Incoming
from server.refusals import Denied, Goodbye, Refusal

if TYPE_CHECKING:
    from server.net.services import Services
    from server.net.sockets import Socket
    from server.tables.table import Table


class Attending(Incoming):
    """One client at a table, or at none; fulfils `server.tables.broadcast.Subscriber`."""

    __slots__ = ("_guessed", "name", "network", "person", "seat", "table")

    def __init__(self, services: Services, socket: Socket) -> None:
        super().__init__(services, socket)
        self.person = b""
        self.name = ""
        self.network = self._address.network
        self._guessed = 0
        """Wrong codes beyond the budget of its address."""
        self.seat: int | None = None
        self.table: Table | None = None
        """The table attended."""

    # coming and going

    async def _join(self, message: JoinTable) -> None:
        assert self._who is not None
        lobby = self._services.lobby
        invited = lobby.invitations.find(message.code, self.person)
        table = await self._awake(message.code if invited is None else invited.code)
        if not (self._who.creates.take() and self._address.creates.take()):
            raise Denied(Refusal.TOO_FAST, "you join tables too fast")
        if table.stream.seating.seat_of(self.person) is None:
            await lobby.quotas.check_seat(self._who)
        if invited is None:
            request = Request(Join(self.name, message.nonce), message.id, self.person)
            table.submit(self, request, lambda _: self._joined(table))
            return

        command = Substitute(invited.seat, self.name)
        request = Request(command, message.id, self.person)
        table.submit(self, request, lambda _: self._joined(table))

    def _joined(self, table: Table) -> None:
        try:
            self._enter(table, table.history.latest())
        except Denied as why:  # it had a seat and has none any more, and too many watch
            self._refuse(None, why)

    async def _awake(self, code: str) -> Table:
        """The table of a code; raises Denied, StoreError."""
        guesses = self._address.guesses
        granted = guesses.take()
        if not granted and not await self._may_know(code):
            self._guessed += 1
            self._deaf = guesses.wait(self._guessed)
            seconds = guesses.seconds
            detail = f"too many wrong codes came from your address: try again in {seconds} s"
            raise Denied(Refusal.TOO_MANY_CODES, detail, seconds=seconds)
        wrong = False
        try:
            return await self._found(code)
        except Denied as why:
            wrong = why.code is Refusal.NO_TABLE
            raise
        finally:
            if granted and not wrong:
                guesses.give_back()

    async def _may_know(self, code: str) -> bool:
        """Whether somebody may have told this client the code."""
        lobby = self._services.lobby
        known = lobby.is_known_here(code, self.person)
        if known is None:
            look = self._address.guesses.look
            known = look() and await lobby.is_known(code, self.person)
        return known

    async def _found(self, code: str) -> Table:
        assert self._who is not None
        lobby = self._services.lobby
        if not await lobby.sleeps(code):
            return await lobby.awake(code)
        if not (self._who.wakes.take() and self._address.wakes.take()):
            raise Denied(Refusal.TOO_FAST, "you ask for too many tables that rest")
        async with self._address.reading:
            return await lobby.awake(code)

    async def _watch(self, message: Watch) -> None:
        table = await self._awake(message.code)
        assert self._who is not None
        if not message.since:
            self._enter(table, table.history.latest())
            return
        missed = table.stream.number - message.since
        cheap = missed <= self._services.settings.recent_entries
        tell = cheap or (self._who.files.take() and self._address.files.take())
        self._enter(table, await table.history.since(message.since) if tell else ())

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
            table.submit(
                self, Request(Leave(), message.id, self.person), lambda _: self._left(table)
            )
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

    def _gone(self) -> None:
        self._part()

    def lose_table(self) -> None:
        self.end(CloseCode.TOO_SLOW, Goodbye.TABLE_LOST, "come back for the table", RETRY_MS)

    # what is asked there

    def _start(self, message: StartMatch) -> None:
        self._attended().submit(self, Request(Start(), message.id, self.person))

    def _close_table(self, message: CloseTable) -> None:
        self._attended().submit(
            self, Request(Close(CloseReason.ABANDONED), message.id, self.person)
        )

    def _vote(self, message: messages.Vote) -> None:
        self._attended().submit(self, Request(Vote(message.seat), message.id, self.person))

    def _return(self, message: messages.Return) -> None:
        self._attended().submit(self, Request(Return(), message.id, self.person))

    def _invite(self, message: Invite) -> None:
        table = self._attended()
        may_invite(table.stream.seating, self.person, message.seat)
        assert self._who is not None
        if not (self._who.creates.take() and self._address.creates.take()):
            raise Denied(Refusal.TOO_FAST, "you invite too fast")
        owner = table.stream.seating.occupant(message.seat)
        code = self._services.lobby.invitations.make(
            table.code, message.seat, None if owner is None else owner.person
        )
        self.tell(Invitation(message.seat, code))

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
            table.submit(self, Request(command, message.id, self.person, self.seat, message.token))
        except (IllegalAction, Denied) as why:
            self._refuse(message.id, why)

    def _say(self, message: Say) -> None:
        assert self._who is not None
        text = clean_chat(message.text, self._services.settings.chat_cells)
        if text is None:
            raise Denied(Refusal.EMPTY_TEXT, "nothing is left of this text")
        if not (self._who.chat.take() and self._address.chat.take()):
            raise Denied(Refusal.TOO_FAST, "more chat than the rate allows")
        table = self._attended()
        if self.seat is None:
            check_name(table.stream.seating, self.name, self.person)
        table.attendance.say(self, text)

    def _attended(self) -> Table:
        if self.table is None:
            raise Denied(Refusal.NO_TABLE, "no table is attended")
        return self.table


def _command(table: Table, message: Act) -> Command:
    try:
        wire = game_services(table.stream.game.name).projector.wire
        command: Command = wire.command.unpack(message.command)
    except ProtocolError as why:
        raise Denied(Refusal.BAD_FIELD, str(why)[:100]) from None
    return command
