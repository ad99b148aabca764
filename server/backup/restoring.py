"""Putting a copy in the place of a database that no server uses: what was there is kept under
another name, and a process that is killed leaves one or the other in place.

Blocks. Does not know what a database holds.
"""

from __future__ import annotations

import os
import shutil
from contextlib import closing, suppress
from pathlib import Path
from time import strftime

from server.backup.copying import DatabaseCopy
from server.startup_errors import reason_of
from server.store.checkpoints import checkpoint
from server.store.lock import ASIDE
from server.store.port import Damaged, StoreRefused, Unavailable
from server.store.private_files import give_to_owner, new_private, sync_folder
from server.store.schema import connect
from server.store.sqlite_errors import ERRORS, classify
from server.store.wal_marks import check_log, log_of

_BESIDE = ("-wal", "-shm", "-journal")


def put_in_place(copy: DatabaseCopy, database: Path) -> Path | None:
    """Let `copy` become `database`, whose lock the caller holds; returns where the old database
    is now, or None if there was none. Raises StoreError; then the old one is still in place."""
    copy.belong_beside(database)
    if not os.path.lexists(database):
        _move_beside(database, None)
        copy.become(database)
        return None
    _empty_log(database)
    aside = _free_name(database)
    try:
        _second_name(database, aside)
        _move_beside(database, aside)
    except OSError as error:
        raise StoreRefused("cannot_write", reason=reason_of(error)) from None
    copy.replace(database)
    return aside


def _empty_log(database: Path) -> None:
    """Make a single file of a database that was not closed, so that it can be replaced in one
    step. A damaged one stays as it is. Raises StoreError."""
    with suppress(FileNotFoundError):
        if not log_of(database).stat().st_size:
            return
        try:
            check_log(database)
            with closing(connect(database, 0)) as connection:
                if not checkpoint(connection, "TRUNCATE").emptied:
                    raise Unavailable("locked")
        except ERRORS as error:
            found = classify(error)
            if not isinstance(found, Damaged):
                raise found from None
        except StoreRefused:
            pass  # the log of another file


def _free_name(database: Path) -> Path:
    name = f"{database.name}{ASIDE}{strftime('%Y%m%d-%H%M%S')}"
    aside, count = database.with_name(name), 1
    while os.path.lexists(aside):
        count += 1
        aside = database.with_name(f"{name}-{count}")
    return aside


def _second_name(database: Path, aside: Path) -> None:
    """Give the database in place its other name as well; raises OSError."""
    try:
        os.link(database, aside)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without links
        with (
            database.open("rb") as old,
            os.fdopen(new_private(str(aside), os.O_WRONLY), "wb") as new,
        ):
            give_to_owner(new.fileno(), database)
            shutil.copyfileobj(old, new)
            new.flush()
            os.fsync(new.fileno())


def _move_beside(database: Path, aside: Path | None) -> None:
    """Move the files that SQLite keeps beside a database along with it; raises OSError."""
    aside = aside or _free_name(database)
    for end in _BESIDE:
        with suppress(FileNotFoundError):
            database.with_name(database.name + end).rename(aside.with_name(aside.name + end))
    sync_folder(database.parent)
