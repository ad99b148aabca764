"""How ended tables leave the database: their logs are deleted bit by bit, their codes stay taken.

The statements run within a transaction that the caller begins and ends. Does not know what the
rows mean, nor when a table is old enough.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from server.store.directory_rows import UNSEAT
from server.store.port import DELETE_AT_ONCE, ENDED, Retired

_ENDED = (
    "SELECT stream FROM directory WHERE stream = (SELECT id FROM streams WHERE code = ?)"
    " AND phase >= ?"
)
_LEFT = "SELECT code, stream FROM retired WHERE stream IS NOT NULL LIMIT 1"
_LAST = (
    "DELETE FROM entries WHERE rowid IN"
    " (SELECT rowid FROM entries WHERE stream = ? ORDER BY number DESC LIMIT ?)"
)


def retire(connection: sqlite3.Connection, table: Retired, ran: int) -> None:
    """Remove an ended table from the directory and rename its log, so that it is not found any
    more; `sweep` deletes the log."""
    found = connection.execute(_ENDED, (table.code, ENDED)).fetchone()
    if found is None:
        return
    (stream,) = found
    connection.execute(
        "INSERT INTO retired (code, stream, ran, record) VALUES (?, ?, ?, ?)",
        (table.code, stream, ran, table.record),
    )
    connection.execute("UPDATE streams SET code = ? WHERE id = ?", (f"({stream})", stream))
    connection.execute("DELETE FROM directory WHERE stream = ?", (stream,))
    connection.execute(UNSEAT, (stream,))


def sweep(connection: sqlite3.Connection) -> bool:
    """Delete some entries of one retired table, the last first, and its stream with the last of
    them; returns whether there may be more to do. However long a log is, no append waits for
    long."""
    found = connection.execute(_LEFT).fetchone()
    if found is None:
        return False
    code, stream = found
    if connection.execute(_LAST, (stream, DELETE_AT_ONCE)).rowcount < DELETE_AT_ONCE:
        connection.execute("UPDATE retired SET stream = NULL WHERE code = ?", (code,))
        connection.execute("DELETE FROM streams WHERE id = ?", (stream,))
    return True


def release(connection: sqlite3.Connection, codes: Collection[str]) -> None:
    """Forget that these tables existed."""
    connection.executemany(
        "DELETE FROM retired WHERE code = ? AND stream IS NULL", [(code,) for code in codes]
    )
