"""The requests of `ra-server admin` to a running server, and how the server answers them.

A request that changes a table goes through that table's inbox, like everything else. People are
reported by name alone, never by an id or a token. Does not know the socket.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from engine.entry import Cause
from engine.stream import Request
from engine.table.words import Close, CloseReason
from protocol.messages import FromServer, Refused
from server.admin.messages import BadRequest, Unanswered, codes_of, failure, text_of
from server.log import Log
from server.refusals import Denied
from server.store.port import StoreError
from server.tables.residents import Residents
from server.tables.table import Table

_SECONDS = 10.0
"""Time for a table to answer."""


class AdminRequests:
    """Answers the requests to one server."""

    def __init__(self, residents: Residents, log: Log) -> None:
        self._residents = residents
        self._log = log
        self._known: dict[str, Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]] = {
            "present": self._present,
            "close": self._close,
        }

    async def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request; raises BadRequest."""
        known = self._known.get(text_of(request.get("do")))
        if known is None:
            raise BadRequest
        return await known(request)

    async def _present(self, request: dict[str, Any]) -> dict[str, Any]:
        """Who attends each of some tables; tables that are not in memory are left out."""
        tables = self._residents.tables
        found = {code: tables.get(code) for code in codes_of(request)}
        return {"tables": {code: _attending(table) for code, table in found.items() if table}}

    async def _close(self, request: dict[str, Any]) -> dict[str, Any]:
        """Close a table on the server's own behalf, whatever is played there."""
        code = text_of(request.get("code"))
        try:
            table = await self._residents.get(code)
            code = table.code
            number = await close_table(table)
        except (Denied, NotClosed) as why:
            self._log.info("admin_close_refused", table=code, why=str(why.code))
            return failure(str(why.code), why.detail)
        except StoreError as why:
            self._log.info("admin_close_refused", table=code, why=why.code)
            return failure("store_unavailable", f"the log cannot be read now: {why.code}")
        except Unanswered:
            self._log.warning("admin_close_unsure", table=code)
            return failure("unsure", "the table did not answer; it may or may not be closed")
        self._log.info("admin_close", table=code, number=number)
        return {"code": code, "number": number}


def _attending(table: Table) -> dict[str, list[Any]]:
    """The seats (of the table, from 0) whose owners attend, and the names of the spectators."""
    seating = table.stream.seating
    here = {seating.seat_of(one.person): one.name for one in table.broadcast.subscribers}
    watch = [one.name for one in table.broadcast.subscribers if seating.seat_of(one.person) is None]
    return {"seats": sorted(seat for seat in here if seat is not None), "watch": watch}


# closing a table, at a running server or in a database that no server uses


class NotClosed(Exception):
    """A table was not closed, and nothing happened: `code` is a stable word, `detail` a short
    sentence."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


async def close_table(table: Table) -> int:
    """Close a table on the server's own behalf; returns the number of the entry that closes it.
    Raises NotClosed, Unanswered."""
    waiting = _Waiting()
    try:
        table.inbox.put(
            waiting, Request(Close(CloseReason.ABANDONED), cause=Cause.HOUSE), waiting.done
        )
        async with asyncio.timeout(_SECONDS):
            return await waiting.answer
    except Denied as why:
        raise NotClosed(why.code, why.detail) from None
    except TimeoutError:
        raise Unanswered from None


class _Waiting:
    """Waits for the outcome of one request without attending the table; implements
    `server.tables.broadcast.Subscriber`."""

    person = b""
    name = ""
    network = ""

    def __init__(self) -> None:
        self.seat: int | None = None
        self.answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def done(self, number: int) -> None:
        """The request was carried out by the entry with that number."""
        if not self.answer.done():
            self.answer.set_result(number)

    # what a table tells a subscriber

    def accepted(self, id: bytes, number: int) -> None:
        self.done(number)

    def tell(self, message: FromServer) -> None:
        if isinstance(message, Refused) and not self.answer.done():
            self.answer.set_exception(NotClosed(message.code, message.detail or message.code))

    def update(self, number: int, frame: bytes) -> None:
        """Never called: it does not attend the table."""

    def lose_table(self) -> None:
        if not self.answer.done():
            self.answer.set_exception(Unanswered())
