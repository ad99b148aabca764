"""Making files, and folders for them, that only their owner may read (they hold what is not yet
shown of a deal, and who people are), and syncing their names to the disk.

Does not know what they hold.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

_OWNER = 0o600
_OWNER_FOLDER = 0o700


def open_private(path: str, flags: int) -> int:
    """A descriptor for `open(..., opener=open_private)`: only its owner may read a file that it
    makes, whatever the umask; an existing file keeps its mode. Raises OSError."""
    try:
        return new_private(path, flags)
    except FileExistsError:
        return os.open(path, flags & ~os.O_EXCL | os.O_CLOEXEC, _OWNER)


def new_private(path: str, flags: int) -> int:
    """A descriptor of a new file that only its owner may read; raises FileExistsError and other
    OSError."""
    made = os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _OWNER)
    try:
        os.fchmod(made, _OWNER)
    except BaseException:
        os.close(made)
        raise
    return made


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, so that only their owner may enter them,
    whatever the umask; raises OSError. Existing folders keep their modes."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=_OWNER_FOLDER, exist_ok=True)
    if not missing:
        path.mkdir(exist_ok=True)  # fails if it is not a folder


def make_private(path: Path) -> None:
    """Make an empty file that only its owner may read, unless the file exists; raises OSError."""
    where = os.path.realpath(path)  # also where a dangling link leads
    if not os.path.lexists(where):
        os.close(open_private(where, os.O_RDWR))


def give_to_owner(descriptor: int, of: Path) -> None:
    """If we are root, looking after another user's server, give a new file to the owner of `of`
    (of its folder, if there is no such file); raises OSError."""
    if os.geteuid() == 0:
        owner = (of if of.exists() else of.parent).stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to the disk; raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that cannot sync folders
            raise
    finally:
        os.close(descriptor)
