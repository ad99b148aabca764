"""Opening a file that may be new, old, of a later version or of another program: how it is
recognized, and how a database of an older version becomes one of this version (`migrations` has
the tables).

Does not know what the rows mean.
"""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

from server.store.migrations import STEPS
from server.store.port import Damaged, StoreRefused

APPLICATION_ID = 0x52614F6E
"""The letters RaOn in the header of the file."""
SCHEMA_VERSION = len(STEPS)
PAGE_BYTES = 2048
"""Half of SQLite's default: every commit writes whole pages, usually one per table."""
WAL_PAGES = 2000
"""Pages in the write-ahead log before they are moved into the database. A log that grew beyond
twice as many while another process read it is cut when it next starts from its beginning."""

OLDEST_SQLITE = (3, 33, 0)
"""The first version with UPDATE ... FROM."""

_MAGIC = b"SQLite format 3\x00"
_CHAIN = b"ra-online/stream/1\x00"

MARK = "CREATE TABLE IF NOT EXISTS mark (id INTEGER PRIMARY KEY, mark BLOB NOT NULL)"
"""The table has one row, which `server.store.wal_marks` explains. Every version makes it at the
first opening of a database that lacks it."""


def first_chain(code: str) -> bytes:
    """The chain of a stream before its first entry."""
    return sha256(_CHAIN + code.encode()).digest()


def next_chain(chain: bytes, body: bytes) -> bytes:
    """The chain after an entry: SHA-256 of the chain before it and the entry's body."""
    return sha256(chain + body).digest()


def inspect(path: Path) -> bool:
    """Whether `path` already holds a database of this program; raises StoreRefused. Touches
    nothing.

    Reads the header as plain bytes, because opening a database that has a write-ahead log with
    SQLite may change its files. No connection of this process may be open to it (the lock of the
    store ensures that).
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            # reading it could wait for ever
            raise StoreRefused("cannot_open", reason="it is not a file")
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreRefused("cannot_open", reason=error.strerror or "unreadable") from None
    if not header:
        return False
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise StoreRefused("not_ours", reason="the file is not an SQLite database")
    check_version(
        int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big"), file=True
    )
    return True


def check_version(application: int, version: int, *, file: bool = False) -> None:
    """Raise StoreRefused unless this version can use a database with this application id and
    schema version.

    `file` allows those of a database whose creation was cut off.
    """
    if file and application == version == 0:
        return
    if application != APPLICATION_ID:
        raise StoreRefused("not_ours", reason="the database belongs to another program")
    if version > SCHEMA_VERSION:
        raise StoreRefused("later_version", found=version, known=SCHEMA_VERSION)
    if version < 1:
        raise StoreRefused("not_ours", reason="the database has no schema of this program")


def connect(
    path: Path, busy_ms: int, *, read_only: bool = False, alone: bool = False
) -> sqlite3.Connection:
    """A connection with our settings to a file that exists; it makes none, because the absence of a
    file that has gone has to be noticed. `alone` reads the file without its write-ahead log and
    without locks, and makes no file beside it: nobody may write in the meantime. Raises
    StoreRefused, sqlite3.Error."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreRefused("cannot_open", reason=f"SQLite {sqlite3.sqlite_version} is too old")
    read_only = read_only or alone
    mode = "ro&immutable=1" if alone else "ro" if read_only else "rw"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
        timeout=busy_ms / 1000,
    )
    with ExitStack() as undone:
        undone.callback(connection.close)  # even these may fail on a damaged file
        if not read_only:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
            connection.execute(f"PRAGMA journal_size_limit = {2 * WAL_PAGES * PAGE_BYTES}")
        undone.pop_all()
    return connection


def is_file(path: Path) -> bool:
    """Whether `path` leads to a file that can be reached."""
    try:
        return path.is_file()
    except OSError:
        return False


def identity(path: Path) -> tuple[int, int] | None:
    """Which file `path` leads to; None if it leads to none that can be reached."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def prepare(connection: sqlite3.Connection, *, create: bool = False) -> None:
    """Turn on the write-ahead log. With `create`, make the tables if there are none, and bring an
    older database to this version. Raises StoreRefused, Damaged, sqlite3.Error."""
    application, version = _identifiers(connection)
    if create and application == version == 0 and not has_tables(connection):
        # before the write-ahead log is on, so that application id and version are in the file's
        # own header, where `inspect` finds them whatever happens next
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        _migrate(connection, 0)
    else:
        check_version(application, version)
        if create and version < SCHEMA_VERSION:
            _migrate(connection, version)
            # into the header, too: an older server then refuses the file without opening it
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if create:
        connection.execute(MARK)
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise Damaged("no_wal", mode=str(mode))


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Bring a database from `version` to this version, wholly or not at all. The time it takes
    grows with the directory, by a microsecond or two for each table, not with the logs."""
    try:
        connection.executescript(
            f"BEGIN IMMEDIATE; {''.join(STEPS[version:])}"
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
            "COMMIT;"
        )
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _identifiers(connection: sqlite3.Connection) -> tuple[int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application, version


def has_tables(connection: sqlite3.Connection) -> bool:
    """Whether a database has any table; raises sqlite3.Error."""
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
