"""A copy of a whole database as of one moment, in a private file of its own, which takes its final
name in one step or is removed again.

Blocks. The database that is copied may be in use, and is only read. Does not know what the rows
mean.
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
"""A copy that has not changed for this long, and whose process is gone, was left behind."""
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)


class DatabaseCopy:
    """A context manager: makes the copy on entering, and removes it on leaving unless it has taken
    a name. Raises StoreError, including StoreRefused("cannot_write") if it cannot be written."""

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
            # two bytes in SQLite's header say that the file has no write-ahead log, so that it
            # can be read where no other file can be made
            os.pwrite(self._file, b"\x01\x01", 18)
            with closing(_connected(self.path)) as connection:
                connection.execute(MARK)
                # so that no log that lies anywhere belongs to this file
                WalMarks().step(connection, new_line=True)
            os.fsync(self._file)
        except ERRORS as error:
            raise classify(error) from None
        except OSError as error:
            raise _unwritable(error) from None

    def belong_beside(self, path: Path) -> None:
        """Give the copy to the owner of `path`, or of its folder; raises StoreRefused."""
        try:
            give_to_owner(self._file, path)
        except OSError as error:
            raise _unwritable(error) from None

    def become(self, path: Path) -> None:
        """Take a name that is free; raises StoreRefused("exists") if it is not."""
        try:
            try:
                os.link(self.path, path)
            except FileExistsError:
                raise StoreRefused("exists") from None
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                if os.path.lexists(path):  # the next best check where there are no links
                    raise StoreRefused("exists") from None
                self.path.rename(path)
            sync_folder(path.parent)
        except OSError as error:
            raise _unwritable(error) from None

    def replace(self, path: Path) -> None:
        """Take the name of an existing file, in one step."""
        try:
            self.path.replace(path)
            sync_folder(path.parent)
        except OSError as error:
            raise _unwritable(error) from None


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to a file that no other process knows of, and that is thrown away if anything
    goes wrong, so that nothing has to be safe before the end."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def _remove_left_behind(folder: Path) -> None:
    """Remove the copies that killed processes have left behind; raises OSError."""
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
        pass  # another user's process
    return True


def _unwritable(error: OSError) -> StoreRefused:
    return StoreRefused("cannot_write", reason=reason_of(error))
