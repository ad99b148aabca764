"""Handlers of the messages about one table: joining, watching and leaving it, and everything
that a client asks at the table it attends. `server.net.handlers.HANDLERS` maps messages to them.

A handler raises IllegalAction, Denied or StoreError if its message is refused. Does not know
about rules, the database or how sessions begin.
"""

from __future__ import annotations

import asyncio

from engine.entry import Command
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
    AskHint,
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
from server.accounts.name_rules import check_name
from server.accounts.names import clean_chat
from server.games import game_services
from server.net.connected_client import ConnectedClient
from server.net.table_lookup import find_table
from server.refusals import Denied, RefusalCode
from server.tables.hints import check_alone, make_hint
from server.tables.table import Table

# coming and going


async def join(client: ConnectedClient, message: JoinTable) -> None:
    """Take a seat: a free one by the table's code, or the seat of an invitation by its code."""
    lobby = client.server.lobby
    invited = lobby.invitations.find(message.code, client.person)
    table = await find_table(client, message.code if invited is None else invited.code)
    if not (client.session.creates.take() and client.address.creates.take()):
        raise Denied(RefusalCode.TOO_FAST, "you join tables too fast")
    if table.stream.seating.seat_of(client.person) is None:
        await lobby.quotas.check_seat(client.session)
    command: Join | Substitute
    if invited is None:
        command = Join(client.name, message.nonce)
    else:
        command = Substitute(invited.seat, client.name)
    request = Request(command, message.id, client.person)
    table.inbox.put(client, request, lambda _: _joined(client, table))


def _joined(client: ConnectedClient, table: Table) -> None:
    try:
        client.attend(table, table.history.latest())
    except Denied as why:  # it lost its seat meanwhile, and the table has too many spectators
        client.refuse(None, why)


async def watch(client: ConnectedClient, message: Watch) -> None:
    """Attend a table, and get what happened there since the last entry the client has."""
    table = await find_table(client, message.code)
    if not message.since:
        client.attend(table, table.history.latest())
        return
    missed = table.stream.number - message.since
    cheap = missed <= client.server.settings.recent_entries
    tell = cheap or client.try_costly_request()
    client.attend(table, await table.history.since(message.since) if tell else ())


def leave(client: ConnectedClient, message: LeaveTable) -> None:
    """Stop attending the table; before the match also give up the seat."""
    table = client.attended()
    seating = table.stream.seating
    if seating.phase is Phase.WAITING and seating.seat_of(client.person) is not None:
        request = Request(Leave(), message.id, client.person)
        table.inbox.put(client, request, lambda _: _left(client, table))
    else:
        _left(client, table)


def _left(client: ConnectedClient, table: Table) -> None:
    if client.table is table:
        client.part()
        client.tell(Left(table.code))


def invite(client: ConnectedClient, message: Invite) -> None:
    """Give the client a code with which somebody else can take over a seat."""
    table = client.attended()
    may_invite(table.stream.seating, client.person, message.seat)
    if not (client.session.creates.take() and client.address.creates.take()):
        raise Denied(RefusalCode.TOO_FAST, "you invite too fast")
    owner = table.stream.seating.occupant(message.seat)
    code = client.server.lobby.invitations.make(
        table.code, message.seat, None if owner is None else owner.person
    )
    client.tell(Invitation(message.seat, code))


# what goes into the table's inbox


def act(client: ConnectedClient, message: Act) -> None:
    """An action in the match: the one message that comes often. Never waits."""
    table = client.attended()
    if table.stream.match is None:
        # a start may wait in the inbox, and would change what the seats are
        raise IllegalAction(Code.NOT_RUNNING)
    if client.seat is None:
        raise IllegalAction(Code.NOT_SEATED)
    command = _command(table, message)
    table.inbox.put(client, Request(command, message.id, client.person, client.seat, message.token))


def _command(table: Table, message: Act) -> Command:
    try:
        wire = game_services(table.stream.game.name).projector.wire
        command: Command = wire.command.unpack(message.command)
    except ProtocolError as why:
        raise Denied(RefusalCode.BAD_FIELD, str(why)[:100]) from None
    return command


def start(client: ConnectedClient, message: StartMatch) -> None:
    """Start the match."""
    client.attended().inbox.put(client, Request(Start(), message.id, client.person))


def close(client: ConnectedClient, message: CloseTable) -> None:
    """Close the table before the match."""
    command = Close(CloseReason.ABANDONED)
    client.attended().inbox.put(client, Request(command, message.id, client.person))


def vote(client: ConnectedClient, message: messages.Vote) -> None:
    """Vote that somebody is absent."""
    client.attended().inbox.put(client, Request(Vote(message.seat), message.id, client.person))


def return_to_seat(client: ConnectedClient, message: messages.Return) -> None:
    """Act for one's own seat again, after others or a bot did."""
    client.attended().inbox.put(client, Request(Return(), message.id, client.person))


# what is not an entry of the table


def say(client: ConnectedClient, message: Say) -> None:
    """Pass a line of chat on to everybody who attends the table."""
    text = clean_chat(message.text, client.server.settings.chat_cells)
    if text is None:
        raise Denied(RefusalCode.EMPTY_TEXT, "nothing is left of this text")
    if not (client.session.chat.take() and client.address.chat.take()):
        raise Denied(RefusalCode.TOO_FAST, "more chat than the rate allows")
    table = client.attended()
    if client.seat is None:
        check_name(table.stream.seating, client.name, client.person)
    table.attendance.say(client, text)


def ask_hint(client: ConnectedClient, message: AskHint) -> None:
    """Tell the client what the best bot would do in its place. A task makes the hint, so the
    next message does not wait for it."""
    table = client.attended()
    seat = check_alone(table, client.seat, client.server.settings.hints)
    if client.hint_task is not None and not client.hint_task.done():
        raise Denied(RefusalCode.BUSY, "a hint is on its way")
    client.take_costly_request()
    hint = _give_hint(client, table, seat, message.id)
    client.hint_task = asyncio.get_running_loop().create_task(hint)


async def _give_hint(client: ConnectedClient, table: Table, seat: int, id: bytes) -> None:
    try:
        client.tell(await make_hint(table, seat, id))
    except Denied as why:
        client.refuse(id, why)
    except Exception as error:  # the client must not wait for ever
        client.fault(error)
