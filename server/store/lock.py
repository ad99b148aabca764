"""One server per database: an advisory lock on a file beside it, which says who holds it.

The lock goes with the process, however it ends, so nothing has to be cleaned up; but who
made the file and then opens no database takes it away again, unless nothing can be locked.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from server.store.port import Refused
from server.store.private import new_private


class FileLock:
    """An exclusive lock, held from construction to `release` or `abandon`; raises Refused."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        while True:
            try:
                self._file, self._made = self._open()
            except OSError as error:
                raise Refused("cannot_open", reason=error.strerror or "unusable") from None
            self._lock()
            try:
                if self._in_place():
                    break
            except OSError as error:
                os.close(self._file)
                raise Refused("cannot_open", reason=error.strerror or "unusable") from None
            # Another took the file away before we had its lock: that lock excludes nobody.
            os.close(self._file)
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:  # where this has no room, a database has none
            self.abandon()
            raise Refused("cannot_open", reason=error.strerror or "unusable") from None

    def _open(self) -> tuple[int, bool]:
        """A descriptor of the file, and whether it was made now."""
        while True:
            try:
                return new_private(str(self._path), os.O_RDWR), True
            except FileExistsError:
                with suppress(FileNotFoundError):  # it went away meanwhile
                    return os.open(self._path, os.O_RDWR | os.O_CLOEXEC), False
                if self._path.is_symlink():
                    raise  # a link to nothing stays one

    def _lock(self) -> None:
        try:
            # flock, not lockf: it does not vanish when another descriptor of the same
            # file is closed, and it excludes a second store in this process too.
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = b""
            with suppress(OSError):
                holder = os.pread(self._file, 32, 0)
            os.close(self._file)
            pid = holder.decode("ascii", "replace").strip()
            raise Refused("in_use", pid=pid or "unknown") from None
        except OSError as error:  # a folder in a network, say, that knows no locks
            os.close(self._file)
            raise Refused("cannot_open", reason=f"no lock: {error.strerror}") from None

    def _in_place(self) -> bool:
        """Whether the file that is locked is the one that others would open; raises OSError."""
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(there, os.fstat(self._file))

    def release(self) -> None:
        """Let go; the file stays, as there is a database that it belongs to."""
        os.close(self._file)

    def abandon(self) -> None:
        """Let go where no database was opened: a file that was made here goes, too. While
        the lock is held, so that whoever opened the file before finds it out."""
        with suppress(OSError):
            if self._made and self._in_place():
                self._path.unlink()
        os.close(self._file)
