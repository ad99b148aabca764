"""The handler of each message of a client. `HANDLERS` maps messages to handlers.

The handlers here serve a client's session, the list of tables and files; those of messages about
one table are in `server.net.table_handlers`. A handler takes the client and its message. It raises
IllegalAction, Denied or StoreError if the message is refused; and Unsure or Unknown if nobody can
say whether it took effect, so that the connection closes and the client asks again. Does not know
about rules or the database.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from protocol import messages
from protocol.fields import MAX_FILE
from protocol.messages import (
    Accepted,
    Act,
    AskHint,
    Beat,
    CloseTable,
    Create,
    GetMoveCode,
    GetRecord,
    GetTranscript,
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
from server.net import table_handlers
from server.net.connected_client import ConnectedClient
from server.net.table_lookup import find_table
from server.refusals import Denied, RefusalCode
from server.tables.codes import clean_code

Handler: TypeAlias = Callable[[ConnectedClient, Any], Awaitable[None] | None]


# the session


async def hello(client: ConnectedClient, message: Hello) -> None:
    """Begin or resume a session. Raises Disconnected if the connection closed meanwhile."""
    server = client.server
    greeting = await server.sessions.enter(message.token, message.name, client)
    if greeting.token is None:
        server.lobby.quotas.came(client.person, client.network)
    client.tell(
        Welcome(
            version=client.protocol.version,
            server=server.name,
            session=client.person,
            token=greeting.token,
            name=client.name,
            heartbeat=_millis(server.settings.heartbeat_seconds),
            vote_gone=_millis(server.settings.vote_seconds),
            vote_silent=_millis(server.settings.silent_seconds),
        )
    )


def _millis(seconds: float) -> int:
    """Whole milliseconds, no more than a message can hold."""
    return int(min(seconds * 1000, (1 << 32) - 1))


def beat(client: ConnectedClient, message: Beat) -> None:
    """Answer a beat with a heartbeat."""
    client.heartbeat()


def get_move_code(client: ConnectedClient, message: GetMoveCode) -> None:
    """Send a code that moves the session to another device."""
    client.take_costly_request()
    client.tell(MoveCode(*client.server.sessions.move_code(client.session)))


# tables


async def create(client: ConnectedClient, message: Create) -> None:
    """Open a table, and attend it."""
    table, number = await client.server.lobby.create(client.session, message)
    if not client.socket.ended:
        client.tell(Accepted(message.id, number))
        client.attend(table)


async def list_tables(client: ConnectedClient, message: ListTables) -> None:
    """Send the listed tables, and those where the client has a seat."""
    client.tell(Tables(await client.server.lobby.listed(client.person)))


# files


async def get_transcript(client: ConnectedClient, message: GetTranscript) -> None:
    """Send what the client may know so far of the match at the table attended."""
    table = client.attended()
    client.take_costly_request()
    async with client.address.reading:
        data = await client.server.archive.transcript(table, client.person)
    client.tell(Transcript(table.code, _fits(client, data)))


async def get_record(client: ConnectedClient, message: GetRecord) -> None:
    """Send the whole record of a match that is over. Its table may be retired."""
    client.take_costly_request()
    archive = client.server.archive
    try:
        table = await find_table(client, message.code)
        async with client.address.reading:
            data = await archive.record(table)
        client.tell(Record(table.code, _fits(client, data)))
    except Denied as why:
        code = clean_code(message.code)
        if why.code is not RefusalCode.TABLE_RETIRED or code is None:
            raise
        async with client.address.reading:
            kept = await archive.stored(code)
        if kept is None:
            raise
        client.tell(Record(code, _fits(client, kept)))


def _fits(client: ConnectedClient, data: bytes) -> bytes:
    """Returns the file. Raises Denied(TOO_LARGE) if it does not fit into a message, or into what
    may wait for this client."""
    most = min(MAX_FILE, client.server.settings.outbox_bytes)
    if len(data) > most:
        raise Denied(RefusalCode.TOO_LARGE, "the file is too large", size=len(data), most=most)
    return data


HANDLERS: dict[type, Handler] = {
    Hello: hello,
    Beat: beat,
    GetMoveCode: get_move_code,
    Create: create,
    ListTables: list_tables,
    GetTranscript: get_transcript,
    GetRecord: get_record,
    JoinTable: table_handlers.join,
    Watch: table_handlers.watch,
    LeaveTable: table_handlers.leave,
    Invite: table_handlers.invite,
    Act: table_handlers.act,
    StartMatch: table_handlers.start,
    CloseTable: table_handlers.close,
    messages.Vote: table_handlers.vote,
    messages.Return: table_handlers.return_to_seat,
    Say: table_handlers.say,
    AskHint: table_handlers.ask_hint,
}
"""Message type -> its handler."""
