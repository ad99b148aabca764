"""`ra-server admin tables` and `show`: what is read from the database, with who is connected as
a running server says. Changes nothing.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from server.admin.caller import Caller, NoAnswer, call
from server.admin.door import NoDoor
from server.admin.outcome import Exit, refuse, unreadable
from server.admin.report import note_present
from server.admin.stored import UNREADABLE, Stored
from server.admin.telling import lines, page
from server.standard import complain, say
from server.store.lock import in_use

_PAGE = 200
"""Tables that are read, asked about and shown at once."""


def tables(database: Path, after: str, limit: int, as_json: bool) -> Exit:
    """List the tables that wait or are played beyond code `after`, at most `limit` (0: all).
    Raises StoreError."""
    told: list[dict[str, Any]] = []
    with closing(_Presence(database)) as presence, closing(Stored(database)) as stored:
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
        return Exit.DONE
    count = f"{len(wanted)} table{'' if len(wanted) == 1 else 's'}"
    say(f"{count}, {left} more: --after {wanted[-1].code}" if left and wanted else count)
    return Exit.DONE


def show(database: Path, code: str, as_json: bool) -> Exit:
    """Tell all that everybody may know of one table. Raises StoreError."""
    with closing(_Presence(database)) as presence, closing(Stored(database)) as stored:
        try:
            table = stored.whole(code)
        except UNREADABLE as error:
            return refuse(code, unreadable(error))
        if table is None:
            return refuse(code, "there is no table of this code")
        presence.note([table])
    if as_json:
        say(json.dumps(table))
    else:
        for line in lines(table):
            say(line)
    return Exit.DONE


class _Presence:
    """Who is connected, as far as a running server says so."""

    def __init__(self, database: Path) -> None:
        """To be made before this process has the database open."""
        self._caller: Caller | None = None
        try:
            self._caller = call(database)
        except NoDoor as why:
            _unknown(str(why))
            return
        if self._caller is None and in_use(database):
            _unknown("the server does not listen to this command")

    def note(self, tables: list[dict[str, Any]]) -> None:
        """Write down who attends some tables."""
        if self._caller is None:
            return
        try:
            answer = self._caller.ask({"do": "present", "codes": [one["code"] for one in tables]})
        except NoAnswer:
            answer = {}
        present = answer.get("tables")
        if not isinstance(present, dict):
            _unknown("the server does not say")
            self.close()
            return
        for table in tables:
            note_present(table, present.get(table["code"]))

    def close(self) -> None:
        if self._caller is not None:
            self._caller.close()
            self._caller = None


def _unknown(why: str) -> None:
    complain(f"ra-server admin: who is connected is not known: {why}")
