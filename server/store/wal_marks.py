"""Which write-ahead log belongs to which database file.

SQLite takes any sound `-wal` beside a file for the file's own: an old log would destroy a copy that
was put in the place of a crashed database. So each of our transactions leaves a mark in the
database, together with the newest mark that the file itself is known to have. A log belongs to a
file if the file's mark is one from which the log can have started, or one that the file reached by
a checkpoint of a part of it.

Reads files without SQLite, and writes one row. Does not know what else is stored.
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
"""Bytes that distinguish one line of marks from all others."""
_FORM = struct.Struct(f">8s{_LINE}sQ{_LINE}sQ")
_CELL = bytes((_FORM.size + 3, 1, 3, 0, 12 + 2 * _FORM.size)) + _MAGIC
"""How the table's single row begins in its page: its length, its id, its columns."""

_WAL_HEADER = 32
_FRAME_HEADER = 24
_WAL_MAGIC = 0x377F0682
"""The last bit says whether the checksums are over big-endian words."""


@frozen
class Mark:
    """One state of a database: `number` counts its transactions, `line` distinguishes what two
    copies of one file became."""

    line: bytes
    number: int


_NONE = Mark(bytes(_LINE), 0)
"""The mark of a database that has none yet."""


@frozen
class MarkRow:
    """What is stored: a database's mark, and the newest mark known to be in its file."""

    mark: Mark
    in_file: Mark


class WalMarks:
    """Advances the mark of an open database, once in each transaction."""

    def __init__(self) -> None:
        self._last: MarkRow | None = None

    def forget(self) -> None:
        """Forget the last mark; the database has it."""
        self._last = None

    def checkpointed(self) -> None:
        """The file itself now has everything up to the last mark."""
        if self._last is not None:
            self._last = MarkRow(self._last.mark, self._last.mark)

    def step(self, connection: sqlite3.Connection, *, new_line: bool = False) -> None:
        """Within a transaction: mark the state that it leads to. `new_line` is for a file whose
        log is empty. Raises sqlite3.Error."""
        last = self._last or _stored(connection) or MarkRow(_NONE, _NONE)
        in_file = last.mark if new_line else last.in_file
        line = os.urandom(_LINE) if new_line or last.mark == _NONE else last.mark.line
        row = MarkRow(Mark(line, last.mark.number + 1), in_file)
        value = _FORM.pack(_MAGIC, line, row.mark.number, in_file.line, in_file.number)
        # SQLite makes an update of equal length in place, on which `_row_in` relies
        changed = connection.execute("UPDATE mark SET mark = ? WHERE id = 1", (value,))
        if changed.rowcount == 0:
            connection.execute("INSERT INTO mark (id, mark) VALUES (1, ?)", (value,))
        self._last = row


def check_log(path: Path) -> None:
    """Raise StoreRefused if the write-ahead log beside `path` does not belong to the file. Touches
    nothing. No server may be using the file.

    Where that cannot be determined (damaged files, or files older than marks), there is no
    refusal: a database that has merely crashed is never refused.
    """
    log = log_of(path)
    try:
        if not log.stat().st_size:
            return
        if not path.exists() or not path.stat().st_size:
            raise StoreRefused("other_log")  # SQLite, which writes the file first, would delete it
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
    if not _follows(_NONE if there is None else there.mark, rows[0], rows[-1]):
        raise StoreRefused("other_log")


def log_of(path: Path) -> Path:
    """Where SQLite keeps the write-ahead log of a database; `path` may be a link to it."""
    return Path(os.path.realpath(path) + "-wal")


def _follows(there: Mark, first: MarkRow, last: MarkRow) -> bool:
    """Whether a log whose first and last marks these are follows a file with the mark `there`."""
    if there.line == last.mark.line:
        least = first.mark.number - 1  # a log begins when the file has everything before it
        if last.in_file.line == there.line:
            least = max(least, last.in_file.number)
        return least <= there.number <= last.mark.number
    return there == first.in_file == last.in_file  # the first of a new line


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
    """The marks in a write-ahead log, in order, as far as the log is sound; raises OSError."""
    for page in _pages(log):
        row = _row_in(page)
        if row is not None:
            yield row


def _row_in(page: bytes) -> MarkRow | None:
    """The mark, if `page` is the leaf that holds it. Nothing that people send can look like it,
    because the rows in a page of any other table begin differently."""
    if page[0] != 13 or page[3:5] != b"\x00\x01":
        return None
    at = int.from_bytes(page[8:10], "big")
    if not page.startswith(_CELL, at):
        return None
    begin = at + len(_CELL) - len(_MAGIC)
    return _unpack(page[begin : begin + _FORM.size])


def _pages(log: Path) -> Iterator[bytes]:
    """The pages in a write-ahead log, up to the first that is not whole; raises OSError. The
    format is SQLite's: https://www.sqlite.org/fileformat2.html#walformat"""
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
