"""What `ra-server admin` may ask of a running server, and how it is answered.

What changes anything goes through the inbox of its table, as everything does. Of people only
names are told, never an id or a token. Knows no socket.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from server.admin.errand import Errand, NotDone, Unanswered
from server.admin.words import NoRequest, codes_of, text_of, trouble
from server.log import Log
from server.refusals import Denied
from server.store.port import StoreError
from server.tables.lobby import Lobby
from server.tables.table import Table


class Requests:
    """The requests that one server answers."""

    def __init__(self, lobby: Lobby, log: Log) -> None:
        self._lobby = lobby
        self._log = log
        self._known: dict[str, Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]] = {
            "present": self._present,
            "close": self._close,
        }

    async def answer(self, said: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request; raises NoRequest."""
        known = self._known.get(text_of(said.get("do")))
        if known is None:
            raise NoRequest
        return await known(said)

    async def _present(self, said: dict[str, Any]) -> dict[str, Any]:
        """Who attends which of some tables; those that are not in memory are left out."""
        tables = self._lobby.tables
        found = {code: tables.get(code) for code in codes_of(said)}
        return {"tables": {code: _attending(table) for code, table in found.items() if table}}

    async def _close(self, said: dict[str, Any]) -> dict[str, Any]:
        """Close a table as the house does, whatever is played there."""
        code = text_of(said.get("code"))
        try:
            table = await self._lobby.awake(code)
            code = table.code
            number = await Errand().close(table)
        except (Denied, NotDone) as why:
            self._log.info("admin_close_refused", table=code, why=str(why.code))
            return trouble(str(why.code), why.detail)
        except StoreError as why:
            self._log.info("admin_close_refused", table=code, why=why.code)
            return trouble("store_unavailable", f"the log cannot be read now: {why.code}")
        except Unanswered:
            self._log.warning("admin_close_unsure", table=code)
            return trouble("unsure", "the table did not answer; it may be closed or not")
        self._log.info("admin_close", table=code, number=number)
        return {"code": code, "number": number}


def _attending(table: Table) -> dict[str, list[Any]]:
    """The seats (of the table, from 0) whose owners attend, and the names of who watches."""
    seating = table.stream.seating
    here = {seating.seat_of(link.person): link.name for link in table.audience.links}
    watch = [link.name for link in table.audience.links if seating.seat_of(link.person) is None]
    return {"seats": sorted(seat for seat in here if seat is not None), "watch": watch}
