"""The directory's rows as columns of the database: the one place that knows the order of these
columns, and that of the seats stored beside them.

Does not know what they mean.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any

from server.store.port import DirectoryRow, Seated

_COLUMNS = "game, phase, listed, number, deadline, creator, create_id, updated, ruleset, seats, ran"
WIDTH = 12
"""Columns that INSERT fills, including the stream's id."""
INSERT = f"INSERT INTO directory (stream, {_COLUMNS}) "
"""Followed by the stream's id and `columns`, or by what selects them."""
UNSEAT = "DELETE FROM seats WHERE stream = ?"
SEAT = "INSERT INTO seats (stream, seat, person, name) VALUES (?, ?, ?, ?)"

_FIRST_COLUMNS = "game, phase, listed, number, deadline, creator, create_id, updated"
"""The columns of version 1."""


def columns(row: DirectoryRow) -> tuple[Any, ...]:
    """The values of a row, in the order of INSERT."""
    return (
        row.game,
        row.phase,
        row.listed,
        row.number,
        row.deadline,
        row.creator,
        row.create_id,
        row.updated,
        row.ruleset,
        row.seats,
        row.ran,
    )


def seats(stream: int, row: DirectoryRow) -> list[tuple[int, int, bytes | None, str]]:
    """The rows of SEAT for a table."""
    return [(stream, one.seat, one.person, one.name) for one in row.seated]


def put(connection: sqlite3.Connection, rows: Iterable[DirectoryRow]) -> None:
    """Write the rows of tables that have a stream, in place of their old rows, if any; the tables
    count as if something had happened there just now."""
    ((ran,),) = connection.execute("SELECT ran FROM clock").fetchall()
    for row in rows:
        found = connection.execute("SELECT id FROM streams WHERE code = ?", (row.code,)).fetchone()
        if found is None:
            continue
        (stream,) = found
        connection.execute("DELETE FROM directory WHERE stream = ?", (stream,))
        connection.execute(INSERT + _MARKS, (stream, *columns(row)[:-1], ran))
        connection.execute(UNSEAT, (stream,))
        connection.executemany(SEAT, seats(stream, row))


def fill(connection: sqlite3.Connection, rows: Iterable[DirectoryRow]) -> None:
    """Write rows where the directory lacks the row, or lacks the seats and nothing has happened at
    the table since; what the directory has stays."""
    for row in rows:
        found = connection.execute(
            "SELECT id, number, seats FROM streams LEFT JOIN directory ON stream = id"
            " WHERE code = ?",
            (row.code,),
        ).fetchone()
        if found is None:
            continue
        stream, number, size = found
        if number is None:
            put(connection, [row])
        elif number == row.number and size is None:
            connection.execute(
                "UPDATE directory SET ruleset = ?, seats = ? WHERE stream = ?",
                (row.ruleset, row.seats, stream),
            )
            connection.execute(UNSEAT, (stream,))
            connection.executemany(SEAT, seats(stream, row))


_MARKS = f"VALUES ({', '.join('?' * WIDTH)})"


def selection(which: str, order: str, version: int) -> str:
    """A query for the directory rows that the WHERE clause `which` (and what follows it) selects,
    in `order`; `directory_rows` reads what it finds. Its first column is the stream's id."""
    tables = f"FROM directory JOIN streams ON id = stream {which}"
    if version == 1:
        extra = "NULL AS ruleset, NULL AS seats, 0 AS ran, 0 AS saved"
        names = f"stream, code, {_FIRST_COLUMNS}, {extra}"
        return f"SELECT {names}, NULL, NULL, NULL {tables} ORDER BY {order}"
    found = f"SELECT stream, code, {_COLUMNS}, saved {tables}"
    return (
        f"SELECT found.*, seat, person, name FROM ({found}) AS found"
        f" LEFT JOIN seats ON seats.stream = found.stream ORDER BY {order}, seat"
    )


def directory_rows(found: list[Any]) -> list[DirectoryRow]:
    """The rows that a `selection` found, in that order."""
    return [_directory_row(list(of_one)) for _, of_one in groupby(found, itemgetter(0))]


def _directory_row(found: list[Any]) -> DirectoryRow:
    """One table's row, from one found row for each taken seat, or from a single one without a
    seat."""
    _, *named, ruleset, size, ran, saved, _, _, _ = found[0]
    code, game, phase, listed, number, deadline, creator, create_id, updated = named
    return DirectoryRow(
        code=code,
        game=game,
        phase=phase,
        listed=bool(listed),
        number=number,
        deadline=deadline,
        creator=creator,
        create_id=create_id,
        updated=updated,
        ruleset=ruleset,
        seats=size,
        seated=tuple([Seated(*one[-3:]) for one in found if one[-3] is not None]),
        ran=ran,
        saved=bool(saved),
    )
