"""One server per database, whatever name the database is opened by: an advisory lock on a file
beside it, which says who holds the lock, and another on the database itself where the system has
such locks.

The locks end with the process, however it ends, so nothing has to be cleaned up; but a process that
made the file and then opened no database removes it, unless nothing can be locked.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from contextlib import suppress
from pathlib import Path

from server.store.port import StoreRefused
from server.store.private_files import give_to_owner, new_private
from server.store.schema import is_file

ASIDE = ".before-"
"""Follows a database's name in that of a database that a restore replaced; the time comes after
it."""
_LONGEST = "-journal"
"""The longest suffix that SQLite appends to a database's name."""
_AT = 1 << 62
"""The byte of a database that is locked, far beyond those that SQLite locks."""


class FileLock:
    """An exclusive lock, held from construction to `release` or `abandon`; raises StoreRefused."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._guarded: int | None = None
        """A descriptor of the database. It stays open, because closing it would end every lock
        that SQLite has on the file in this process."""
        where = os.path.realpath(database)  # SQLite, too, follows links to the file's own name
        self._path = Path(where + ".lock")
        while True:
            try:
                with suppress(FileNotFoundError):
                    os.lstat(where + _LONGEST)  # so that a name that is too long fails now
                self._file, self._made = self._open()
            except OSError as error:
                raise StoreRefused("cannot_open", reason=error.strerror or "unusable") from None
            self._lock()
            try:
                if self._in_place():
                    break
            except OSError as error:
                os.close(self._file)
                raise StoreRefused("cannot_open", reason=error.strerror or "unusable") from None
            # another process removed the file before we locked it: our lock excludes nobody
            os.close(self._file)
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:  # a disk without room for this has none for a database
            self.abandon()
            raise StoreRefused("cannot_open", reason=error.strerror or "unusable") from None

    def _open(self) -> tuple[int, bool]:
        """A descriptor of the file, and whether it was made just now."""
        while True:
            try:
                file = new_private(str(self._path), os.O_RDWR)
                with suppress(OSError):
                    give_to_owner(file, self._database)
                return file, True
            except FileExistsError:
                with suppress(FileNotFoundError):  # it was removed in the meantime
                    return os.open(self._path, os.O_RDWR | os.O_CLOEXEC), False
                if self._path.is_symlink():
                    raise  # a dangling link stays as it is

    def _lock(self) -> None:
        try:
            # flock, not lockf: it does not end when another descriptor of the same file is
            # closed, and it excludes a second store in this process, too
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = b""
            with suppress(OSError):
                holder = os.pread(self._file, 32, 0)
            os.close(self._file)
            pid = holder.decode("ascii", "replace").strip()
            raise StoreRefused("in_use", pid=pid or "unknown") from None
        except OSError as error:  # a network folder, say, that has no locks
            os.close(self._file)
            raise StoreRefused("cannot_open", reason=f"no lock: {error.strerror}") from None

    def guard(self, *, one_name: bool = True) -> None:
        """Lock the database itself, once it exists, so that no server opens it by another name.
        Raises StoreRefused; with `one_name` also if it has another name, a hard link, because
        each name has a log of its own."""
        if self._guarded is not None or not is_file(self._database):
            return
        try:
            descriptor = os.open(self._database, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return  # opening it will show why it cannot be opened
        try:
            self._exclude(descriptor)
            self._drop_links(os.fstat(descriptor))
            names = os.fstat(descriptor).st_nlink
            if one_name and names > 1:
                raise StoreRefused("many_names", names=names)
        except BaseException:
            os.close(descriptor)
            raise
        self._guarded = descriptor

    def _exclude(self, descriptor: int) -> None:
        if not hasattr(fcntl, "F_OFD_SETLK"):
            return  # on such a system, our locks and SQLite's would interfere
        try:
            fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _one_byte(fcntl.F_WRLCK))
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                raise StoreRefused("in_use", pid=_holder(os.fstat(descriptor))) from None
            # otherwise a file system without such locks

    def _drop_links(self, database: os.stat_result) -> None:
        """Remove the names that a restore gave to the database that is still in place, because
        the restore was cut off before it replaced it."""
        if database.st_nlink == 1:
            return
        for file in self._path.parent.iterdir():
            if file.name.startswith(self._path.stem + ASIDE):
                with suppress(OSError):
                    if os.path.samestat(file.lstat(), database):
                        file.unlink()

    def _in_place(self) -> bool:
        """Whether the locked file is the one that others would open; raises OSError."""
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        return os.path.samestat(there, os.fstat(self._file))

    def release(self) -> None:
        """Release the lock; the file stays, because its database exists. Nothing in this process
        may have the database open by then."""
        if self._guarded is not None:
            os.close(self._guarded)
        os.close(self._file)

    def abandon(self) -> None:
        """Release the lock where no database was opened, and remove the file if it was made
        here; it is removed while locked, so that a process that has opened it notices."""
        with suppress(OSError):
            if self._made and self._in_place():
                self._path.unlink()
        self.release()


def in_use(database: Path) -> bool:
    """Whether a server has a database open. Nothing in this process may have it open."""
    if hasattr(fcntl, "F_OFD_GETLK"):
        return _is_guarded(database)  # asking for that lock does not keep a server from starting
    return _is_locked(database)


def in_use_elsewhere(database: Path) -> bool:
    """Whether a server has a database open by a name other than this one. Nothing in this
    process may have it open."""
    return in_use(database) and not _is_locked(database)


def _is_guarded(database: Path) -> bool:
    try:
        descriptor = os.open(database, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        found = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, _one_byte(fcntl.F_RDLCK))
    except OSError:
        return False
    finally:
        os.close(descriptor)
    kind: int = struct.unpack_from("h", found)[0]
    return kind != fcntl.F_UNLCK


def _is_locked(database: Path) -> bool:
    with suppress(OSError):
        file = os.open(os.path.realpath(database) + ".lock", os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(file)
    return False


def _one_byte(kind: int) -> bytes:
    """A `struct flock` for the byte that is locked."""
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, _AT, 1, 0)


def _holder(database: os.stat_result) -> str:
    """The process that has locked a database, where the system lets us find out: the lock itself
    does not say who holds it."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            for descriptor in (process / "fd").iterdir():
                with suppress(OSError):
                    if os.path.samestat(descriptor.stat(), database):
                        held = (process / "fdinfo" / descriptor.name).read_text()
                        if "OFDLCK" in held:
                            return process.name
    return "unknown"
