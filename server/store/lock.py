"""One server per database: an advisory lock on a file beside it, which says who holds it.

The lock goes with the process, however it ends, so nothing has to be cleaned up.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from server.store.port import Refused
from server.store.private import open_private


class FileLock:
    """An exclusive lock, held from construction to `release`; raises Refused."""

    def __init__(self, database: Path) -> None:
        path = database.with_name(database.name + ".lock")
        try:
            # flock, not lockf: it does not vanish when another descriptor of the same
            # file is closed, and it excludes a second store in this process too.
            self._file = open_private(str(path), os.O_RDWR)
        except OSError as error:
            raise Refused("cannot_open", reason=error.strerror or "unusable") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._file, 32, 0).decode("ascii", "replace").strip()
            os.close(self._file)
            raise Refused("in_use", pid=holder or "unknown") from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let go; the file stays, because removing it could let two servers in."""
        os.close(self._file)
