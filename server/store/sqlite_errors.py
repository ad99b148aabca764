"""What an error of SQLite means to the caller of the store."""

from __future__ import annotations

import sqlite3

from server.store.port import Damaged, StoreError, Unavailable

_CODES = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_TOOBIG: "too_big",
}
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What a call of SQLite raises: if the file is damaged, even the words of the error may not be
text."""


def classify(error: sqlite3.Error | UnicodeDecodeError) -> StoreError:
    """Unavailable with a stable code, or Damaged if the file itself is damaged."""
    number = getattr(error, "sqlite_errorcode", None)
    if number is None:
        # raised by Python for a text that is not one; SQLite does not look into texts
        operational = isinstance(error, (sqlite3.OperationalError, UnicodeDecodeError))
        number = sqlite3.SQLITE_CORRUPT if operational else sqlite3.SQLITE_IOERR
    primary = number & 0xFF
    if primary in _DAMAGE:
        return Damaged("corrupt", sqlite=number)
    return Unavailable(_CODES.get(primary, "io_error"), sqlite=number)
