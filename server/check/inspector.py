"""Queries for an examination, beyond reading streams: whether the file is sound, whether its rows
belong together, whether its sessions are possible.

Blocks, never writes, and never returns a token's hash or a body. Memory stays bounded: the database
counts the rows, and codes are read by the thousand.
"""

from __future__ import annotations

from collections.abc import Iterator

from server.store.port import DirectoryRow, History
from server.store.reader import Reader

MAX_COMPLAINTS = 20
"""Lines of SQLite's complaints about a file that are read."""
_PAGE = 1000

_STRAYS = {
    "entries": "SELECT count(*) FROM entries WHERE stream NOT IN (SELECT id FROM streams)",
    "directory": "SELECT count(*) FROM directory WHERE stream NOT IN (SELECT id FROM streams)",
}
_STRAYS_2 = {
    "seats": "SELECT count(*) FROM seats WHERE stream NOT IN"
    " (SELECT stream FROM directory WHERE phase < 3)",
}
"""The queries that version 2 adds."""
_LIVE = " AND id NOT IN (SELECT stream FROM retired WHERE stream IS NOT NULL)"
"""Excludes retired tables, whose logs may be partly deleted."""
_SESSIONS = {
    "no token": "typeof(token_hash) <> 'blob' OR length(token_hash) <> 32",
    "no public id": "typeof(public) <> 'blob' OR length(public) = 0",
    "no name": "typeof(name) <> 'text' OR length(trim(name)) = 0",
    "impossible times": "typeof(created) <> 'integer' OR typeof(seen) <> 'integer'"
    " OR created < 0 OR seen < 0",
}


class Inspector(Reader):
    """A reader that also answers the queries of an examination."""

    def complaints(self) -> list[str]:
        """What SQLite says is wrong with the file's structure, line by line; empty if the file is
        sound. Raises Damaged if the file is too broken to be checked."""
        rows = self.rows(f"PRAGMA integrity_check({MAX_COMPLAINTS})", ())
        lines = [line for (text,) in rows for line in str(text).splitlines()]
        # headings (`*** in database main ***`) say nothing; a single row may hold all lines
        told = [line for line in lines if line not in ("", "ok") and not line.startswith("***")]
        return told[:MAX_COMPLAINTS]

    def strays(self) -> dict[str, int]:
        """How many rows belong to no stream, by table of the database."""
        queries = _STRAYS if self.version == 1 else _STRAYS | _STRAYS_2
        counts = {name: self._count(sql) for name, sql in queries.items()}
        return {name: count for name, count in counts.items() if count}

    def sessions(self) -> int:
        """How many sessions are stored."""
        return self._count("SELECT count(*) FROM sessions")

    def odd_sessions(self) -> dict[str, int]:
        """How many sessions no server can have written, by what is wrong with them."""
        counts = {
            what: self._count(f"SELECT count(*) FROM sessions WHERE {wrong}")
            for what, wrong in _SESSIONS.items()
        }
        return {what: count for what, count in counts.items() if count}

    def codes(self) -> Iterator[str]:
        """The codes of all streams except those of retired tables, ordered."""
        live = "" if self.version == 1 else _LIVE
        last = ""
        while True:
            rows = self.rows(
                f"SELECT code FROM streams WHERE code > ?{live} ORDER BY code LIMIT ?",
                (last, _PAGE),
            )
            for (code,) in rows:
                yield code
            if len(rows) < _PAGE:
                return
            last = rows[-1][0]

    def both(self, table: str) -> tuple[History, DirectoryRow | None]:
        """A whole stream and its directory row as of one moment; raises Damaged."""
        # a server may append between two reads; then the row is newer than the stream
        while True:
            before = self.find(table)
            history = self.read(table)
            if self.find(table) == before:
                return history, before

    def _count(self, sql: str) -> int:
        ((count,),) = self.rows(sql, ())
        return int(count)
