"""What a whole database can be asked beside its streams: is the file sound, do its rows
belong together, are its sessions possible.

Blocking; never writes, and never gives out a token's hash or a body. Memory stays
bounded: rows are counted by the database, codes come by the thousand.
"""

from __future__ import annotations

from collections.abc import Iterator

from server.store.port import DirectoryRow, History
from server.store.reader import Reader

MOST_TROUBLES = 20
"""Lines of SQLite's own complaints about a file."""
_PAGE = 1000

_STRAYS = {
    "entries": "SELECT count(*) FROM entries WHERE stream NOT IN (SELECT id FROM streams)",
    "directory": "SELECT count(*) FROM directory WHERE stream NOT IN (SELECT id FROM streams)",
}
_STRAYS_2 = {
    "seats": "SELECT count(*) FROM seats WHERE stream NOT IN"
    " (SELECT stream FROM directory WHERE phase < 3)",
}
"""Those of version 2."""
_LIVE = " AND id NOT IN (SELECT stream FROM retired WHERE stream IS NOT NULL)"
"""The log of a retired table may be half gone."""
_SESSIONS = {
    "no token": "typeof(token_hash) <> 'blob' OR length(token_hash) <> 32",
    "no public id": "typeof(public) <> 'blob' OR length(public) = 0",
    "no name": "typeof(name) <> 'text' OR length(trim(name)) = 0",
    "impossible times": "typeof(created) <> 'integer' OR typeof(seen) <> 'integer'"
    " OR created < 0 OR seen < 0",
}


class Inspector(Reader):
    """A reader that looks at everything."""

    def troubles(self) -> list[str]:
        """What SQLite says of the file's structure, line by line; nothing if it is sound.
        Raises Damaged if it is too broken to be looked at."""
        rows = self.rows(f"PRAGMA integrity_check({MOST_TROUBLES})", ())
        lines = [line for (text,) in rows for line in str(text).splitlines()]
        # headings (`*** in database main ***`) say nothing; one row may hold all lines
        told = [line for line in lines if line not in ("", "ok") and not line.startswith("***")]
        return told[:MOST_TROUBLES]

    def strays(self) -> dict[str, int]:
        """By table of the database: how many rows belong to no stream."""
        queries = _STRAYS if self.version == 1 else _STRAYS | _STRAYS_2
        counts = {name: self._count(sql) for name, sql in queries.items()}
        return {name: count for name, count in counts.items() if count}

    def sessions(self) -> int:
        """How many sessions are kept."""
        return self._count("SELECT count(*) FROM sessions")

    def odd_sessions(self) -> dict[str, int]:
        """By what is wrong: how many sessions cannot have been written by a server."""
        counts = {
            what: self._count(f"SELECT count(*) FROM sessions WHERE {wrong}")
            for what, wrong in _SESSIONS.items()
        }
        return {what: count for what, count in counts.items() if count}

    def codes(self) -> Iterator[str]:
        """The codes of all streams but those of retired tables, ordered."""
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
        # A server may append between two reads: then the row is newer than the stream.
        while True:
            before = self.find(table)
            history = self.read(table)
            if self.find(table) == before:
                return history, before

    def _count(self, sql: str) -> int:
        ((count,),) = self.rows(sql, ())
        return int(count)
