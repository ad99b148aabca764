"""Making files, and folders for them, that nobody but their owner may read (what is not yet
shown of a deal, and who people are, lies in them), and putting their names on the disk.

Knows nothing of what they hold.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

_OWNER = 0o600
_OWNER_FOLDER = 0o700


def open_private(path: str, flags: int) -> int:
    """A descriptor for `open(..., opener=open_private)`: a file that it makes is its
    owner's alone, whatever the umask; one that is there keeps its mode. Raises OSError."""
    try:
        return new_private(path, flags)
    except FileExistsError:
        return os.open(path, flags & ~os.O_EXCL | os.O_CLOEXEC, _OWNER)


def new_private(path: str, flags: int) -> int:
    """A descriptor of a file that was not there before, its owner's alone; raises
    FileExistsError and other OSError."""
    made = os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _OWNER)
    try:
        os.fchmod(made, _OWNER)
    except BaseException:
        os.close(made)
        raise
    return made


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, each its owner's alone whatever the
    umask; raises OSError. Folders that are there keep their modes."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=_OWNER_FOLDER, exist_ok=True)
    if not missing:
        path.mkdir(exist_ok=True)  # what is there may be no folder


def make_private(path: Path) -> None:
    """Make an empty file of its owner's unless there is one; raises OSError."""
    where = os.path.realpath(path)  # also what a link to nothing leads to
    if not os.path.lexists(where):
        os.close(open_private(where, os.O_RDWR))


def give_to_owner(descriptor: int, of: Path) -> None:
    """Give a new file to the owner of `of` (of its folder, if there is no such file) where we
    are root, who looks after somebody else's server; raises OSError."""
    if os.geteuid() == 0:
        owner = (of if of.exists() else of.parent).stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk; raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that has no such thing
            raise
    finally:
        os.close(descriptor)
