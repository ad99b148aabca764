"""The directory's rows as columns of the database: the one place that knows their order.

Knows nothing of what they mean.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from server.store.port import DirectoryRow

COLUMNS = "game, phase, listed, number, deadline, creator, create_id, updated"
INSERT = f"INSERT INTO directory (stream, {COLUMNS}) "
"""Followed by the stream's id and `columns`, or by what selects them."""


def columns(row: DirectoryRow) -> tuple[Any, ...]:
    """The values of COLUMNS."""
    return (
        row.game,
        row.phase,
        row.listed,
        row.number,
        row.deadline,
        row.creator,
        row.create_id,
        row.updated,
    )


def put(connection: sqlite3.Connection, rows: Iterable[DirectoryRow]) -> None:
    """Insert rows of tables that have a stream and, at the moment, no row."""
    connection.executemany(
        INSERT + "SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM streams WHERE code = ?",
        [(*columns(row), row.code) for row in rows],
    )
