"""The orders of `ra-server admin`: `tables`, `show` and `close`.

Tables are read from the database, and a running server says who is connected. The running server
closes a table; where none runs, the table is closed in the file. Does not know about arguments.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from enum import IntEnum
from pathlib import Path
from typing import Any

from engine.errors import Code
from server.admin.messages import Unanswered
from server.admin.offline import UNREADABLE, StoredTables, as_owner, close_stored
from server.admin.report import clean, lines, note_present, page
from server.admin.requests import NotClosed
from server.admin.socket import AdminClient, SocketUnavailable
from server.startup_errors import explain
from server.stdio import CannotPrint, complain, say
from server.store.lock import in_use
from server.store.port import StoreRefused
from server.usage import EXIT_USAGE

_PAGE = 200
"""Tables that are read, asked about and shown together."""


class AdminExit(IntEnum):
    """How the command ends."""

    DONE = 0
    REFUSED = 1
    """Nothing happened: there is no such table, or the order is not allowed."""
    UNUSABLE = EXIT_USAGE
    """Wrong usage, or the database cannot be used."""
    UNSURE = 3
    """The server was told, but did not answer."""


# showing


def tables(database: Path, after: str, limit: int, as_json: bool) -> AdminExit:
    """List the open tables whose codes come after `after`, at most `limit` (0: all). Raises
    StoreError."""
    told: list[dict[str, Any]] = []
    with closing(_Presence(database)) as presence, closing(StoredTables(database)) as stored:
        rows = stored.open_tables(after)
        wanted = rows[:limit] if limit else rows
        for begin in range(0, len(wanted), _PAGE):
            some = list(stored.briefs(wanted[begin : begin + _PAGE]))
            presence.note(some)
            if as_json:
                told += some
                continue
            for line in page(some, heading=not begin):
                say(line)
    left = len(rows) - len(wanted)
    if as_json:
        say(json.dumps({"tables": told, "more": left}))
        return AdminExit.DONE
    count = f"{len(wanted)} table{'' if len(wanted) == 1 else 's'}"
    say(f"{count}, {left} more: --after {wanted[-1].code}" if left and wanted else count)
    return AdminExit.DONE


def show(database: Path, code: str, as_json: bool) -> AdminExit:
    """Show everything about one table that is public. Raises StoreError."""
    with closing(_Presence(database)) as presence, closing(StoredTables(database)) as stored:
        try:
            table = stored.whole(code)
        except UNREADABLE as error:
            return _refuse(code, _unreadable(error))
        if table is None:
            return _refuse(code, "there is no table of this code")
        presence.note([table])
    if as_json:
        say(json.dumps(table))
    else:
        for line in lines(table):
            say(line)
    return AdminExit.DONE


class _Presence:
    """Who is connected, as far as a running server says."""

    def __init__(self, database: Path) -> None:
        """Make this before the process opens the database."""
        self._client: AdminClient | None = None
        try:
            self._client = AdminClient.connect(database)
        except SocketUnavailable as why:
            _unknown(str(why))
            return
        if self._client is None and in_use(database):
            _unknown("the server does not listen to this command")

    def note(self, tables: list[dict[str, Any]]) -> None:
        """Add to `tables` who attends them."""
        if self._client is None:
            return
        try:
            answer = self._client.ask({"do": "present", "codes": [one["code"] for one in tables]})
        except Unanswered:
            answer = {}
        present = answer.get("tables")
        if not isinstance(present, dict):
            _unknown("the server does not say")
            self.close()
            return
        for table in tables:
            note_present(table, present.get(table["code"]))

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def _unknown(why: str) -> None:
    complain(f"ra-server admin: who is connected is not known: {why}")


# closing


def close(database: Path, codes: Sequence[str], records: Path | None) -> AdminExit:
    """Close tables at the running server, or in the file if none runs; then their records are
    saved in the folder `records` (None: where a server saves them). Raises StoreError,
    OSError."""
    outcome = _Outcome()
    try:
        client = AdminClient.connect(database)
    except SocketUnavailable as why:
        complain(f"ra-server admin: the server cannot be reached: {why}")
        return AdminExit.UNUSABLE
    if client is None:
        return _close_stored(database, codes, records, outcome)
    with closing(client):
        for code in codes:
            try:
                answer = client.ask({"do": "close", "code": code})
            except Unanswered as why:
                outcome.tell(code, why)
                break  # it would not answer the next one either
            outcome.tell(code, _failure(answer))
    return outcome.result()


def _failure(answer: Mapping[str, Any]) -> Exception | None:
    """Why a server did not close a table, by its answer; None if it did."""
    if "trouble" not in answer:
        return None
    if answer["trouble"] in ("unsure", "fault"):
        return Unanswered()
    return NotClosed(str(answer["trouble"]), str(answer.get("detail")))


def _close_stored(
    database: Path, codes: Sequence[str], records: Path | None, outcome: _Outcome
) -> AdminExit:
    try:
        with as_owner(database):
            asyncio.run(close_stored(database, codes, records, outcome.tell))
    except StoreRefused as error:
        if error.code != "in_use":
            raise
        complain(f"ra-server admin: {explain(error)}, and does not listen to this command")
        return AdminExit.UNUSABLE
    return outcome.result()


class _Outcome:
    """The outcome of closing some tables: prints a line about each, keeps the worst exit code."""

    def __init__(self) -> None:
        self._exit = AdminExit.DONE
        self._unprinted: CannotPrint | None = None

    def result(self) -> AdminExit:
        """The worst exit code; raises CannotPrint if a line could not be printed."""
        if self._unprinted is not None:
            raise self._unprinted
        return self._exit

    def tell(self, code: str, why: Exception | None) -> None:
        """Print why a table was not closed, or may not have been; None: it was closed. The other
        tables are closed even if that cannot be printed."""
        match why:
            case None:
                try:
                    say(f"{clean(code)} is closed")
                except CannotPrint as error:
                    self._unprinted = error
                return
            case Unanswered():
                said, end = (
                    "no answer came; it may or may not be closed (see `show`)",
                    AdminExit.UNSURE,
                )
            case NotClosed():
                ended = why.code == Code.TABLE_CLOSED
                said, end = (
                    "it has ended already" if ended else clean(why.detail),
                    AdminExit.REFUSED,
                )
            case _:
                said, end = _unreadable(why), AdminExit.REFUSED
        self._exit = max(self._exit, _refuse(code, said, end))


def _refuse(code: str, why: str, end: AdminExit = AdminExit.REFUSED) -> AdminExit:
    """Print why nothing was done about table `code`, or may not have been; returns `end`."""
    complain(f"ra-server admin: {clean(code)}: {why}")
    return end


def _unreadable(error: Exception) -> str:
    """Why this program cannot read a log."""
    return f"its log cannot be read here ({type(error).__name__}); see ra-server check"
