"""A copy of a whole database as of one moment, in a private file of its own, which becomes
what it is meant to be in one step, or goes away again.

Blocking; the database that is copied may be in use, and is only read. Knows nothing of what
the rows mean.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from secrets import token_hex
from time import time
from typing import Self

from server.startup_errors import reason_of
from server.store.port import StoreRefused
from server.store.private_files import give_to_owner, new_private, sync_folder
from server.store.reader import Reader
from server.store.schema import MARK
from server.store.sqlite_errors import ERRORS, classify
from server.store.wal_marks import WalMarks

_PREFIX, _SUFFIX = ".ra-copy-", ".part"
_NAME = re.compile(rf"{re.escape(_PREFIX)}([0-9]{{1,9}})-[0-9a-f]{{8}}{re.escape(_SUFFIX)}")
_STALE_SECONDS = 600
"""A copy that has not changed for so long, and whose process is gone, was left behind."""
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)


class DatabaseCopy:
    """A context manager: the copy is made on entering, and gone on leaving unless it became
    something. Raises StoreError, and StoreRefused("cannot_write") where it cannot be written."""

    def __init__(self, source: Path, folder: Path) -> None:
        self._source = source
        self._folder = folder
        self.path = folder / f"{_PREFIX}{os.getpid()}-{token_hex(4)}{_SUFFIX}"

    def __enter__(self) -> Self:
        with Reader(self._source) as reader:
            try:
                _remove_left_behind(self._folder)
                self._file = new_private(str(self.path), os.O_RDWR)
            except OSError as error:
                raise _unwritable(error) from None
            try:
                self._fill(reader)
            except BaseException:
                self.__exit__()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)
        with suppress(OSError):
            self.path.unlink()

    def _fill(self, reader: Reader) -> None:
        with closing(_connected(self.path)) as connection:
            reader.copy_into(connection)
        try:
            # A file without a write-ahead log, so that it can be read in a place where no
            # other file can be made: SQLite's own mark of that, in two bytes.
            os.pwrite(self._file, b"\x01\x01", 18)
            with closing(_connected(self.path)) as connection:
                connection.execute(MARK)
                # no log that lies anywhere is that of this file
                WalMarks().step(connection, new_line=True)
            os.fsync(self._file)
        except ERRORS as error:
            raise classify(error) from None
        except OSError as error:
            raise _unwritable(error) from None

    def belong_beside(self, path: Path) -> None:
        """Belong to the owner of `path`, or of its folder; raises StoreRefused."""
        try:
            give_to_owner(self._file, path)
        except OSError as error:
            raise _unwritable(error) from None

    def become(self, path: Path) -> None:
        """Take a name that nothing has; raises StoreRefused("exists") where something has it."""
        try:
            try:
                os.link(self.path, path)
            except FileExistsError:
                raise StoreRefused("exists") from None
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                if os.path.lexists(path):  # the next best thing where there are no links
                    raise StoreRefused("exists") from None
                self.path.rename(path)
            sync_folder(path.parent)
        except OSError as error:
            raise _unwritable(error) from None

    def replace(self, path: Path) -> None:
        """Take a name from what has it, in one step."""
        try:
            self.path.replace(path)
            sync_folder(path.parent)
        except OSError as error:
            raise _unwritable(error) from None


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to a file that nobody else knows of, and that is thrown away if anything
    goes wrong: nothing has to be safe before the end."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def _remove_left_behind(folder: Path) -> None:
    """Take away what processes that were killed have left; raises OSError."""
    for file in folder.iterdir():
        found = _NAME.fullmatch(file.name)
        if found is None or (_runs(int(found[1])) and int(found[1]) != os.getpid()):
            continue
        with suppress(OSError):
            if time() - file.stat().st_mtime > _STALE_SECONDS:
                file.unlink()


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # somebody else's
    return True


def _unwritable(error: OSError) -> StoreRefused:
    return StoreRefused("cannot_write", reason=reason_of(error))
