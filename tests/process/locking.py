"""Another program that has a server's database for itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def locked(database: Path) -> Iterator[sqlite3.Connection]:
    """The write lock of the database, held by another connection: no write gets through
    until its transaction ends, inside or on leaving."""
    with closing(sqlite3.connect(database, isolation_level=None, timeout=5)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        if other.in_transaction:
            other.execute("ROLLBACK")
