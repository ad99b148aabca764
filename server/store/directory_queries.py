"""The queries that a server puts to its directory. None reads more rows at once than it needs,
and each is answered by an index, so that tables that have ended cost nothing.

Blocks. Does not know what the rows mean. Each method raises what `sqlite_errors.classify` returns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, TypeVar

from server.store.directory_rows import directory_rows, selection
from server.store.port import DirectoryRow, Held, Retired
from server.store.reader import Reader
from server.store.schema import SCHEMA_VERSION

_SLICE = 200
"""Rows that are read at once where there may be many."""
_STREAMS = 5000
"""Streams that one step of the search for missing directory rows looks at."""

_PARTS = (1, 8, 64, 512)
"""How many values one statement may ask about: with any number of them, SQLite would keep a
statement of every length, with room for all its values, and refuse one that is too long."""

T = TypeVar("T")
Slice = tuple[list[T], int]
"""Some of the results, and the stream's id after (or before) which the next ones are read."""


class DirectoryQueries:
    """Queries to the directory of a database of this version. Blocking; see
    `server.store.port.Store` for what each returns."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def listed(self, most: int) -> list[DirectoryRow]:
        which = "WHERE phase < 3 AND listed ORDER BY stream DESC LIMIT ?"
        return self._select(which, (most,), "stream DESC")

    def seats_of(self, person: bytes) -> list[DirectoryRow]:
        which = "WHERE stream IN (SELECT stream FROM seats WHERE person = ?) AND phase < 3"
        return self._select(which, (person,), "ran DESC, updated DESC, stream DESC")

    def count_open(self, creator: bytes | None = None) -> int:
        of_one, values = ("", ()) if creator is None else (" AND creator = ?", (creator,))
        ((count,),) = self._reader.rows(
            f"SELECT count(*) FROM directory WHERE phase < 3{of_one}", values
        )
        return int(count)

    def held(self, people: Collection[bytes]) -> dict[bytes, Held]:
        rows: Counter[tuple[bytes, int]] = Counter()
        for some in _in_parts(people):
            marks = ", ".join("?" * len(some))
            sql = (
                f"SELECT creator, 1 FROM directory WHERE phase < 3 AND creator IN ({marks})"
                " UNION ALL SELECT person, 0 FROM seats JOIN directory USING (stream)"
                f" WHERE phase < 3 AND person IN ({marks})"
            )
            rows.update(self._reader.rows(sql, (*some, *some)))
        return {who: Held(rows[who, 1], rows[who, 0]) for who in {who for who, _ in rows}}

    def taken(self, codes: Collection[str]) -> set[str]:
        found: set[str] = set()
        for some in _in_parts(codes):
            marks = ", ".join("?" * len(some))
            sql = (
                f"SELECT code FROM streams WHERE code IN ({marks})"
                f" UNION SELECT code FROM retired WHERE code IN ({marks})"
            )
            found.update(code for (code,) in self._reader.rows(sql, (*some, *some)))
        return found

    def due(self, after: int) -> Slice[DirectoryRow]:
        which = "WHERE phase < 3 AND deadline IS NOT NULL AND stream > ?"
        return self._slice(which, after, "stream")

    def unsaved(self, after: int) -> Slice[DirectoryRow]:
        return self._slice("WHERE phase >= 3 AND NOT saved AND stream > ?", after, "stream")

    def _slice(self, which: str, after: int, order: str) -> Slice[DirectoryRow]:
        found = self._found(f"{which} ORDER BY {order} LIMIT ?", (after, _SLICE), order)
        return directory_rows(found), found[-1][0] if found else after

    def idle(
        self, phase: int, until: int, after: tuple[int, int]
    ) -> tuple[list[DirectoryRow], tuple[int, int]]:
        """The slice after an age and a stream's id, and the age and id of its last row."""
        which = (
            "WHERE phase = ? AND ran <= ? AND (ran, stream) > (?, ?) ORDER BY ran, stream LIMIT ?"
        )
        found = self._found(which, (phase, until, *after, _SLICE), "ran, stream")
        rows = directory_rows(found)
        return rows, (rows[-1].ran, found[-1][0]) if rows else after

    def unseated(self, before: int) -> Slice[str]:
        rows = self._reader.rows(
            "SELECT code, stream FROM directory JOIN streams ON id = stream"
            " WHERE phase < 3 AND seats IS NULL AND stream < ? ORDER BY stream DESC LIMIT ?",
            (before, _SLICE),
        )
        return [code for code, _ in rows], rows[-1][1] if rows else before

    def missing(self, after: int) -> Slice[str]:
        """The codes of streams without a directory row among the next `_STREAMS`."""
        rows = self._reader.rows(
            "SELECT id, CASE WHEN stream IS NULL AND id NOT IN"
            " (SELECT stream FROM retired WHERE stream IS NOT NULL) THEN code END"
            " FROM streams LEFT JOIN directory ON stream = id WHERE id > ? ORDER BY id LIMIT ?",
            (after, _STREAMS),
        )
        codes = [code for _, code in rows if code is not None]
        return codes, rows[-1][0] if rows else after

    def retired(self, code: str) -> Retired | None:
        sql = "SELECT code, record FROM retired WHERE code = ?"
        return next((Retired(*row) for row in self._reader.rows(sql, (code,))), None)

    def long_retired(self, until: int, most: int) -> list[Retired]:
        sql = (
            "SELECT code, record FROM retired WHERE ran <= ? AND stream IS NULL"
            " ORDER BY ran LIMIT ?"
        )
        return [Retired(*row) for row in self._reader.rows(sql, (until, most))]

    def age(self) -> int:
        ((ran,),) = self._reader.rows("SELECT ran FROM clock", ())
        return int(ran)

    def _select(self, which: str, values: tuple[Any, ...], order: str) -> list[DirectoryRow]:
        return directory_rows(self._found(which, values, order))

    def _found(self, which: str, values: tuple[Any, ...], order: str) -> list[Any]:
        return self._reader.rows(selection(which, order, SCHEMA_VERSION), values)


def _in_parts(values: Collection[T]) -> Iterator[tuple[T, ...]]:
    """All values, in parts whose lengths are in `_PARTS`; the last one may hold its first value
    several times."""
    left = tuple(values)
    while left:
        part, left = left[: _PARTS[-1]], left[_PARTS[-1] :]
        size = next(size for size in _PARTS if size >= len(part))
        yield part + part[:1] * (size - len(part))
