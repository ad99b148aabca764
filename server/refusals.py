"""What the server refuses, and why it closes connections: its own codes, beside those of the
kernel and of the games.

A code is a stable word of the wire; docs/settings.md and docs/protocol.md list them. Does not
know about sockets.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.errors import IllegalAction
from protocol.messages import Refused
from server.store.port import StoreError


class RefusalCode(StrEnum):
    """Why the server refuses a message."""

    BAD_NAME = "bad_name"
    """Nothing is left of the name that could serve as one, or it is one that the rule of names
    reserves."""
    NAME_TAKEN = "name_taken"
    """Somebody at the table has a name that looks like this one. Facts: seat."""
    NO_MOVE_CODE = "no_move_code"
    """No session can be moved with this code: it is wrong, used, or no longer valid."""
    BAD_FIELD = "bad_field"
    """The command of an Act is not one of this game."""
    NO_TABLE = "no_table"
    """No table has this code."""
    TABLE_DAMAGED = "table_damaged"
    """The table's log cannot be read by this server; it stays as it is."""
    TABLE_RETIRED = "table_retired"
    """The table ended so long ago that its log is no longer kept; its record may be."""
    NOT_ENDED = "not_ended"
    """A record is available when the match is over; a transcript at any time."""
    TOO_LARGE = "too_large"
    """The file does not fit into a message: the operator can get it from the server's files.
    Facts: size, most."""
    TOO_FAST = "too_fast"
    """More of something than a rate allows: messages, chat, tables, files. Nothing happened."""
    TOO_MANY_CODES = "too_many_codes"
    """Too many wrong codes came from this address: for a while no code is looked at, except
    codes that cannot be guessed, of tables in the list, and of tables where the sender has a
    seat. Facts: seconds."""
    BUSY = "busy"
    """Too many requests wait at the table; nothing happened."""
    TOO_SOON = "too_soon"
    """That seat was asked only recently: it may not be voted absent yet. Facts: seconds."""
    LOG_FULL = "log_full"
    """The table's log is as long as it may be: nobody can join and nothing can be taken back
    any more; what brings the match to its end is accepted. Facts: most."""
    NO_HINTS = "no_hints"
    """Hints are for those who play alone against bots, if the server gives them at all, and
    only while the seat is asked something."""
    TOO_MANY_TABLES = "too_many_tables"
    TOO_MANY_WATCHERS = "too_many_watchers"
    EMPTY_TEXT = "empty_text"
    """Nothing is left of the line of chat after cleaning."""
    STORE_UNAVAILABLE = "store_unavailable"
    """Nothing happened; the same message may be sent again."""
    STOPPING = "stopping"
    """The server is stopping; nothing happened."""
    FAULT = "fault"
    """A fault of the server's own; nothing happened."""


class DisconnectReason(StrEnum):
    """Why the server closes a connection: the reason of the WebSocket's close, and the
    code of the `Closing` message before it."""

    RESTART = "restart"
    """The server stops; come back when it runs again."""
    HELLO_TIMEOUT = "hello_timeout"
    """No Hello came in time."""
    FLOOD = "flood"
    """Far more messages, or pings, than the rate allows."""
    FRAGMENTS = "fragments"
    """A message in too many fragments."""
    IDLE = "idle"
    """Nothing was said for very long, and no table was attended."""
    TOO_SLOW = "too_slow"
    """The client does not read what it is sent. (There is no `Closing` message: it would wait
    behind all the rest.)"""
    MALFORMED = "malformed"
    """A message that does not follow the protocol."""
    TEXT_MESSAGE = "text_message"
    """A text message; all messages are binary."""
    TOO_OLD = "too_old"
    """The client's version is not served. (`TooOld` comes in place of `Closing`.)"""
    TAKEN_OVER = "taken_over"
    """Another connection said hello with this session's token and has the session now."""
    MOVED = "moved"
    """The session was carried to another device; the token used here is void."""
    TABLE_LOST = "table_lost"
    """The table attended has to be read from its log again; come back, and resend what was
    not answered."""
    UNSURE = "unsure"
    """The server cannot say now whether the last request happened; come back, and resend it."""
    FAULT = "fault"
    """A fault of the server's own."""


class Denied(Exception):
    """The server's refusal of a message."""

    def __init__(self, code: RefusalCode, detail: str, **facts: int | str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.facts: dict[str, int | str] = facts


def retired() -> Denied:
    """The refusal of a table whose log has left the database."""
    return Denied(RefusalCode.TABLE_RETIRED, "this table ended long ago and is no longer kept")


class Unsure(Exception):
    """The server cannot say whether a request happened: it closes the connection, and the
    client asks again with the same id."""


def refused(id: bytes | None, why: IllegalAction | Denied | StoreError) -> Refused:
    """The message that tells a sender why its own was refused."""
    match why:
        case Denied():
            return Refused(id, str(why.code), _facts(why.facts), why.detail)
        case IllegalAction():
            return Refused(id, str(why.code), _facts(why.facts), str(why))
        case _:
            facts = _facts({"reason": why.code})
            return Refused(
                id, str(RefusalCode.STORE_UNAVAILABLE), facts, "nothing happened; try again"
            )


def _facts(facts: Mapping[str, int | str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)[:200]) for name, value in facts.items())
