"""`ra-server admin`: the tables of a server, shown and closed by whoever runs it.

Tables are read from the database, beside a running server or without one; who is connected
is asked at that server's local socket. A table is closed there, or in the file where no
server runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from enum import IntEnum
from pathlib import Path
from typing import Any

from engine.errors import Code
from server.admin.caller import Caller, NoAnswer, call
from server.admin.door import NoDoor
from server.admin.errand import NotDone, Unanswered
from server.admin.owner import as_owner
from server.admin.report import clean, note_present
from server.admin.stored import UNREADABLE, Stored, close_stored
from server.admin.telling import lines, page
from server.folders import NoHome
from server.settings import Settings
from server.standard import complain, say
from server.store.lock import in_use
from server.store.port import Refused, StoreError
from server.tables.codes import clean_code
from server.trouble import explain, reason_of, shown
from server.usage import EXIT_USAGE, Parser, file_name
from server.values import place

_PAGE = 200
"""Tables that are read, asked about and shown at once."""
_LIMIT = 200
_ENDED = "it has ended already"


class Exit(IntEnum):
    """How the command ends."""

    DONE = 0
    REFUSED = 1
    """Nothing happened: there is no such table, or it may not be done."""
    UNUSABLE = EXIT_USAGE
    """Wrong usage, or the database cannot be used."""
    UNSURE = 3
    """The server was told, and did not answer."""


def main(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> int:
    """Do what is asked; an `Exit`."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        database = getattr(given, "db", None) or _default(environment)
        records = _named("RA_RECORDS", environment)
    except (NoHome, ValueError) as error:
        complain(f"{parser.prog}: {error}: name the database (--db)")
        return Exit.UNUSABLE
    try:
        match given.order:
            case "tables":
                return _tables(database, given.after or "", given.limit, given.json)
            case "show":
                return _show(database, _code(given.code), given.json)
            case _:
                return _close(database, _code(given.code), records)
    except StoreError as error:
        complain(f"{parser.prog}: cannot use the database {shown(database)}: {explain(error)}")
    except OSError as error:
        complain(f"{parser.prog}: cannot use {shown(database)}: {reason_of(error)}")
    return Exit.UNUSABLE


def _parser() -> Parser:
    where = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    where.add_argument(
        "--db",
        type=file_name,
        help="The server's database (default: RA_DB, or the server's default)",
    )
    parser = Parser(
        prog="ra-server admin",
        description="Show the tables of a server, and close them. Beside a running server, which "
        "is reached by a local socket that only its user may open, or on the database of one "
        "that does not run.",
        epilog="Exit codes: 0 done, 1 refused or no such table, 2 wrong usage or the database "
        "cannot be used, 3 the server did not answer: it may be done or not.",
        allow_abbrev=False,
        parents=[where],
    )
    orders = parser.add_subparsers(dest="order", metavar="ORDER", required=True)
    tables = orders.add_parser(
        "tables",
        parents=[where],
        help="List the tables that wait or are played",
        allow_abbrev=False,
    )
    tables.add_argument(
        "--limit", type=_count, default=_LIMIT, help=f"So many at most; 0: all (default {_LIMIT})"
    )
    tables.add_argument("--after", metavar="CODE", help="Only those whose code comes after this")
    show = orders.add_parser(
        "show",
        parents=[where],
        help="Tell all that everybody may know of one table",
        allow_abbrev=False,
    )
    close = orders.add_parser(
        "close",
        parents=[where],
        help="Close a table, whatever is played there; its log is kept",
        allow_abbrev=False,
    )
    for order in (show, close):
        order.add_argument("code", metavar="CODE")
    for order in (tables, show):
        order.add_argument("--json", action="store_true", help="Print one JSON object")
    return parser


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def _default(environment: Mapping[str, str]) -> Path:
    """The database that a server started here would use; raises NoHome, ValueError."""
    return Settings(db=_named("RA_DB", environment)).database()


def _named(variable: str, environment: Mapping[str, str]) -> Path | None:
    """The path in a variable of the environment, if any; raises ValueError."""
    text = environment.get(variable)
    return place(text) if text else None


def _code(text: str) -> str:
    return clean_code(text) or text


# tables


def _tables(database: Path, after: str, limit: int, as_json: bool) -> Exit:
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


# one table


def _show(database: Path, code: str, as_json: bool) -> Exit:
    with closing(_Presence(database)) as presence, closing(Stored(database)) as stored:
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
    return Exit.DONE


def _close(database: Path, code: str, records: Path | None) -> Exit:
    try:
        caller = call(database)
    except NoDoor as why:
        complain(f"ra-server admin: the server cannot be spoken to: {why}")
        return Exit.UNUSABLE
    if caller is None:
        return _close_stored(database, code, records)
    with closing(caller):
        try:
            answer = caller.ask({"do": "close", "code": code})
        except NoAnswer:
            answer = {"trouble": "unsure"}
    if "trouble" not in answer:
        say(f"{code} is closed")
        return Exit.DONE
    if answer["trouble"] == "unsure":
        return _unsure(code)
    return _refuse(code, clean(str(answer.get("detail"))))


def _close_stored(database: Path, code: str, records: Path | None) -> Exit:
    try:
        with as_owner(database):
            asyncio.run(close_stored(database, code, records))
    except Refused as error:
        if error.code == "in_use":
            complain(f"ra-server admin: {explain(error)}, and does not listen to this command")
            return Exit.UNUSABLE
        raise
    except NotDone as why:
        return _refuse(code, why.detail)
    except Unanswered:
        return _unsure(code)
    except UNREADABLE as error:
        return _refuse(code, _unreadable(error))
    say(f"{code} is closed (no server runs)")
    return Exit.DONE


def _refuse(code: str, why: str) -> Exit:
    complain(f"ra-server admin: {clean(code)}: {_ENDED if why == Code.TABLE_CLOSED else why}")
    return Exit.REFUSED


def _unsure(code: str) -> Exit:
    complain(
        f"ra-server admin: {clean(code)}: no answer came; it may be closed or not (see `show`)"
    )
    return Exit.UNSURE


def _unreadable(error: Exception) -> str:
    return f"its log cannot be read here ({type(error).__name__}); see ra-server check"
