"""Which write-ahead log belongs to which database file.

SQLite takes any sound `-wal` beside a file for that file's own: over a copy that was put in
the place of a crashed database, an old log would destroy it. So each transaction of ours
leaves a mark in the database, and with it the newest one that the file itself is known to
have: a log is the file's own if the file's mark is one that it can have come from, or has
got to by taking in a part of it.

Reads files beside SQLite, and writes one row; knows nothing of what else is stored.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import sys
from array import array
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from attrs import frozen

from server.store.port import StoreRefused
from server.store.schema import connect
from server.store.sqlite_errors import ERRORS

_MAGIC = b"\xffRaMark\x01"
_LINE = 8
"""Bytes that tell one line of marks from all others."""
_FORM = struct.Struct(f">8s{_LINE}sQ{_LINE}sQ")
_CELL = bytes((_FORM.size + 3, 1, 3, 0, 12 + 2 * _FORM.size)) + _MAGIC
"""How the one row of the table begins in its page: its length, its id, its columns."""

_WAL_HEADER = 32
_FRAME_HEADER = 24
_WAL_MAGIC = 0x377F0682
"""The last bit says whether checksums are of big-endian words."""


@frozen
class Mark:
    """One state of a database: `number` counts its transactions, `line` tells apart what
    two copies of one file became."""

    line: bytes
    number: int


_NONE = Mark(bytes(_LINE), 0)
"""Of a database that has no mark yet."""


@frozen
class MarkRow:
    """What is kept: a database's mark, and the newest that was known to be in its file."""

    mark: Mark
    folded: Mark


class WalMarks:
    """Moves the mark of an open database on, once in each transaction."""

    def __init__(self) -> None:
        self._last: MarkRow | None = None

    def forget(self) -> None:
        """Know nothing but what the database says."""
        self._last = None

    def folded(self) -> None:
        """The file has taken in all that was marked."""
        if self._last is not None:
            self._last = MarkRow(self._last.mark, self._last.mark)

    def step(self, connection: sqlite3.Connection, *, new_line: bool = False) -> None:
        """Within a transaction: mark what it makes of the database. `new_line` is for a
        file that has taken in its whole log. Raises sqlite3.Error."""
        last = self._last or _stored(connection) or MarkRow(_NONE, _NONE)
        folded = last.mark if new_line else last.folded
        line = os.urandom(_LINE) if new_line or last.mark == _NONE else last.mark.line
        row = MarkRow(Mark(line, last.mark.number + 1), folded)
        value = _FORM.pack(_MAGIC, line, row.mark.number, folded.line, folded.number)
        # an update of equal length is done in place, which `_row_in` counts on
        changed = connection.execute("UPDATE mark SET mark = ? WHERE id = 1", (value,))
        if changed.rowcount == 0:
            connection.execute("INSERT INTO mark (id, mark) VALUES (1, ?)", (value,))
        self._last = row


def check_log(path: Path) -> None:
    """Raise StoreRefused if a write-ahead log lies beside `path` that is not the file's own,
    touching nothing. No server may be at work on the file.

    What cannot be told (files that are damaged, or older than marks) is let through: a
    database that has merely crashed is never refused.
    """
    log = log_of(path)
    try:
        if not log.stat().st_size:
            return
        if not path.exists() or not path.stat().st_size:
            raise StoreRefused("other_log")  # SQLite would delete it: it writes the file first
        rows = list(_rows(log))
    except OSError:
        return
    if not rows:
        return
    try:
        with closing(connect(path, 0, alone=True)) as connection:
            there = _stored(connection)
    except (*ERRORS, StoreRefused):
        return
    if not _goes_on(_NONE if there is None else there.mark, rows[0], rows[-1]):
        raise StoreRefused("other_log")


def log_of(path: Path) -> Path:
    """Where SQLite keeps the write-ahead log of a database, which may be a link."""
    return Path(os.path.realpath(path) + "-wal")


def _goes_on(there: Mark, first: MarkRow, last: MarkRow) -> bool:
    """Whether a log with these marks follows a file's."""
    if there.line == last.mark.line:
        least = first.mark.number - 1  # a log begins when the file has taken in all before
        if last.folded.line == there.line:
            least = max(least, last.folded.number)
        return least <= there.number <= last.mark.number
    return there == first.folded == last.folded  # the first of a new line


def _stored(connection: sqlite3.Connection) -> MarkRow | None:
    try:
        found = connection.execute("SELECT mark FROM mark WHERE id = 1").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return None
        raise
    return None if found is None else _unpack(found[0])


def _unpack(value: object) -> MarkRow | None:
    if not isinstance(value, bytes) or len(value) != _FORM.size:
        return None
    magic, line, number, folded_line, folded_number = _FORM.unpack(value)
    return (
        MarkRow(Mark(line, number), Mark(folded_line, folded_number)) if magic == _MAGIC else None
    )


def _rows(log: Path) -> Iterator[MarkRow]:
    """The marks within a write-ahead log, in order, as far as it is sound; raises OSError."""
    for page in _pages(log):
        row = _row_in(page)
        if row is not None:
            yield row


def _row_in(page: bytes) -> MarkRow | None:
    """The mark, if `page` is the leaf that holds it: nothing that people send can look like
    that, since a page of any other table begins its rows otherwise."""
    if page[0] != 13 or page[3:5] != b"\x00\x01":
        return None
    at = int.from_bytes(page[8:10], "big")
    if not page.startswith(_CELL, at):
        return None
    begin = at + len(_CELL) - len(_MAGIC)
    return _unpack(page[begin : begin + _FORM.size])


def _pages(log: Path) -> Iterator[bytes]:
    """The pages in a write-ahead log, up to the first that is not whole; raises OSError.
    The form is SQLite's: https://www.sqlite.org/fileformat2.html#walformat"""
    with log.open("rb") as file:
        header = file.read(_WAL_HEADER)
        if len(header) < _WAL_HEADER:
            return
        magic, _, size = struct.unpack(">III", header[:12])
        if magic & ~1 != _WAL_MAGIC or not 512 <= size <= 65536 or size & (size - 1):
            return
        swap = (sys.byteorder == "big") != bool(magic & 1)
        sums = _summed((0, 0), header[:24], swap)
        if sums != struct.unpack(">II", header[24:]):
            return
        while len(frame := file.read(_FRAME_HEADER + size)) == _FRAME_HEADER + size:
            sums = _summed(sums, frame[:8], swap)
            sums = _summed(sums, frame[_FRAME_HEADER:], swap)
            if frame[8:16] != header[16:24] or sums != struct.unpack(">II", frame[16:24]):
                return
            yield frame[_FRAME_HEADER:]


def _summed(sums: tuple[int, int], data: bytes, swap: bool) -> tuple[int, int]:
    """SQLite's running checksum after more data."""
    words = array("I", data)
    if swap:
        words.byteswap()
    one, two = sums
    for at in range(0, len(words), 2):
        one = (one + words[at] + two) & 0xFFFFFFFF
        two = (two + words[at + 1] + one) & 0xFFFFFFFF
    return one, two
