"""Databases with very many tables, their rows written directly: `ra-server check` finds nothing
wrong with them. Each table is the copy of a real one under another code and another id."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count, cycle, islice
from pathlib import Path

from attrs import evolve, frozen

from engine.clock import Clock, ClockKind
from engine.deal import Chance
from engine.entry import Cause, Entry
from engine.game import Setup
from engine.stream import Request
from engine.table.words import Close, CloseReason
from server.games import game_services
from server.store.directory_rows import INSERT, SEAT, WIDTH, columns, seats
from server.store.port import DirectoryRow, Row
from server.store.schema import connect, first_chain, next_chain, prepare
from server.tables.directory import row_of
from tests.games import open_table, person, seed

CODE = "CAPACITY-000000"
_CODEC = game_services("ra").entries
_PEOPLE = 1000
"""People among whom the tables are shared."""
_AT_ONCE = 5000
"""Tables written with one statement."""


@frozen
class Copied:
    """The log of one table, to be copied."""

    bodies: tuple[bytes, ...]
    row: DirectoryRow

    def copy(self, number: int) -> Copied:
        """The same under another code, opened by another command of another person."""
        code = f"{CODE[:-6]}{number:06}"
        id, creator = number.to_bytes(4, "big"), b"people" + bytes([number % _PEOPLE // 4])
        first, *others = self.bodies
        first = first.replace(CODE.encode(), code.encode()).replace(b"open", id)
        bodies = tuple(body.replace(person(0), creator) for body in (first, *others))
        seated = tuple(
            evolve(one, person=creator) if one.person == person(0) else one
            for one in self.row.seated
        )
        row = evolve(self.row, code=code, creator=creator, create_id=id, seated=seated)
        return Copied(bodies, row)


def long_table(entries: int) -> tuple[bytes, ...]:
    """The log of a table that is played, so many entries long."""
    for number in count():
        played = open_table("ra", Setup("standard", 5), number=number, code=CODE)
        for _ in played.moves(Chance(seed(number + 1))):
            if len(played.entries) == entries and not played.stream.seating.ended:
                return tuple(_CODEC.encode(entry) for entry in played.entries)
    raise AssertionError


def stock(path: Path, *, finished: int, unfinished: int) -> None:
    """Make a database with so many tables: of the unfinished a third each waits, is played
    without a clock, and is played with one; the finished ones are spread among them."""
    path.touch(mode=0o600)
    with closing(connect(path, 1000)) as connection:
        prepare(connection, create=True)
        connection.execute("PRAGMA synchronous = OFF")
        every = max(1, (finished + unfinished) // max(1, unfinished))
        kinds = _unfinished()
        ended = _ended()
        tables = (
            (next(kinds) if number % every == 0 and number // every < unfinished else ended)
            for number in range(finished + unfinished)
        )
        numbered = enumerate((made.copy(n) for n, made in enumerate(tables)), 1)
        connection.execute("BEGIN")
        while some := list(islice(numbered, _AT_ONCE)):
            _write(connection, some)
        connection.execute("UPDATE directory SET saved = 1 WHERE phase >= 3")
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _unfinished() -> Iterator[Copied]:
    setup, clock = Setup("standard", 2), Clock(ClockKind.PER_MOVE, 30 * 86_400_000)
    played = open_table("ra", setup, code=CODE)
    timed = open_table("ra", setup, code=CODE, clock=clock)
    return cycle([_copied(played.entries[:1]), _copied(played.entries), _copied(timed.entries)])


def _ended() -> Copied:
    played = open_table("ra", Setup("standard", 2), code=CODE)
    played.request(Request(Close(CloseReason.REAPED), cause=Cause.HOUSE))
    return _copied(played.entries)


def _copied(entries: Sequence[Entry]) -> Copied:
    bodies = tuple(_CODEC.encode(entry) for entry in entries)
    return Copied(bodies, row_of(tuple(Row(n, body) for n, body in enumerate(bodies, 1))))


def _write(connection: sqlite3.Connection, tables: list[tuple[int, Copied]]) -> None:
    def entries() -> Iterator[tuple[int, int, bytes, bytes]]:
        for stream, table in tables:
            chain = first_chain(table.row.code)
            for number, body in enumerate(table.bodies, 1):
                chain = next_chain(chain, body)
                yield stream, number, body, chain

    connection.executemany(
        "INSERT INTO streams (id, code) VALUES (?, ?)", [(id, one.row.code) for id, one in tables]
    )
    connection.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", entries())
    marks = f"VALUES ({', '.join('?' * WIDTH)})"
    connection.executemany(INSERT + marks, [(id, *columns(one.row)) for id, one in tables])
    connection.executemany(SEAT, [seat for id, one in tables for seat in seats(id, one.row)])
