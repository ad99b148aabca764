"""The arguments of `ra-server admin`. `orders` carries out what they say."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from server.admin.orders import AdminExit, close, show, tables
from server.folders import NoHome
from server.settings import Settings
from server.startup_errors import explain, reason_of, shown
from server.stdio import complain
from server.store.port import StoreError
from server.tables.codes import clean_code
from server.usage import Parser, file_name
from server.values import place

_LIMIT = 200


def main(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> int:
    """Carry out the order in `arguments`; returns an `AdminExit`."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        database = getattr(given, "db", None) or _default(environment)
        records = _named("RA_RECORDS", environment)
    except (NoHome, ValueError) as error:
        complain(f"{parser.prog}: {error}: name the database (--db)")
        return AdminExit.UNUSABLE
    try:
        match given.order:
            case "tables":
                return tables(database, given.after or "", given.limit, given.json)
            case "show":
                return show(database, _code(given.code), given.json)
            case _:
                return close(database, [_code(code) for code in given.codes], records)
    except StoreError as error:
        complain(f"{parser.prog}: cannot use the database {shown(database)}: {explain(error)}")
    except OSError as error:
        complain(f"{parser.prog}: cannot use {shown(database)}: {reason_of(error)}")
    return AdminExit.UNUSABLE


def _parser() -> Parser:
    where = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    where.add_argument(
        "--db",
        type=file_name,
        help="The server's database (default: RA_DB, or the server's default)",
    )
    parser = Parser(
        prog="ra-server admin",
        description="Show the tables of a server, and close them: beside a running server, which "
        "is reached by a local socket that only its user may open, or on the database of one "
        "that does not run.",
        epilog="Exit codes: 0 done, 1 refused or no such table, 2 wrong usage or the database "
        "cannot be used, 3 the server did not answer: it may or may not be done.",
        allow_abbrev=False,
        parents=[where],
    )
    orders = parser.add_subparsers(dest="order", metavar="ORDER", required=True)
    listing = orders.add_parser(
        "tables",
        parents=[where],
        help="List the tables that wait or are played",
        allow_abbrev=False,
    )
    listing.add_argument(
        "--limit", type=_count, default=_LIMIT, help=f"How many at most; 0: all (default {_LIMIT})"
    )
    listing.add_argument("--after", metavar="CODE", help="Only those whose code comes after this")
    showing = orders.add_parser(
        "show",
        parents=[where],
        help="Show all that everybody may know of one table",
        allow_abbrev=False,
    )
    ending = orders.add_parser(
        "close",
        parents=[where],
        help="Close tables, whatever is played there; their logs are kept",
        allow_abbrev=False,
    )
    showing.add_argument("code", metavar="CODE")
    ending.add_argument("codes", metavar="CODE", nargs="+")
    for order in (listing, showing):
        order.add_argument("--json", action="store_true", help="Print one JSON object")
    return parser


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 999999999")
    return int(text)


def _default(environment: Mapping[str, str]) -> Path:
    """The database that a server would use if it were started here; raises NoHome, ValueError."""
    return Settings(db=_named("RA_DB", environment)).database()


def _named(variable: str, environment: Mapping[str, str]) -> Path | None:
    """The path in an environment variable, if it is set; raises ValueError."""
    text = environment.get(variable)
    return place(text) if text else None


def _code(text: str) -> str:
    """The code that `text` means; what cannot be a code stays as it is, as far as it is text."""
    return clean_code(text) or text.encode(errors="replace").decode()
