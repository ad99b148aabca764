"""`ra-server backup DB FILE` and `ra-server restore FILE DB`: their arguments, and what they print.

Exit codes: 0 done; 1 something is wrong with what is in the database, and nothing was done unless
`--damaged` was given; 2 it could not be done, and nothing was.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from enum import IntEnum
from pathlib import Path

from server.backup.copying import DatabaseCopy
from server.backup.restoring import put_in_place
from server.check.examination import Examination
from server.check.inspector import Inspector
from server.startup_errors import explain, reason_of, shown
from server.stdio import CannotPrint, complain, say
from server.store.lock import FileLock, in_use
from server.store.port import StoreError, StoreRefused
from server.store.wal_marks import log_of
from server.usage import EXIT_USAGE, Parser, file_name

_CODES = (
    "Exit codes: 0 done; 1 something is wrong with what is in it, and nothing was done unless "
    "--damaged is given; 2 it could not be done."
)


_ENDS = ("-wal", "-shm", "-journal", ".lock")
"""The suffixes of the names of files beside a database."""


class BackupExit(IntEnum):
    """How the commands end."""

    DONE = 0
    DAMAGED = 1
    NOT_DONE = EXIT_USAGE


def backup(arguments: Sequence[str]) -> int:
    """DatabaseCopy a database into a file, and say in a line what is in it; a `BackupExit`."""
    parser = Parser(
        prog="ra-server backup",
        description="DatabaseCopy a whole database as of one moment into one file, also beside a "
        "running server. Everything in the copy is examined (as `ra-server check` does) before "
        "the file is there. The folder of records is not part of it.",
        epilog=_CODES,
        allow_abbrev=False,
    )
    parser.add_argument("db", metavar="DB", type=file_name, help="The database file")
    parser.add_argument("file", metavar="FILE", type=file_name, help="The file to make")
    parser.add_argument("--replace", action="store_true", help="Replace FILE if it is there")
    _add_damaged(parser, "Make FILE even if something is wrong with what is in it")
    given = parser.parse_args(arguments)
    database, file = given.db, given.file
    what = f"cannot back up {shown(database)} to {shown(file)}"
    return _tried(parser, what, lambda: _backup(given, database, file))


def restore(arguments: Sequence[str]) -> int:
    """Put a backup in the place of a database, and print what was in it; returns a `BackupExit`."""
    parser = Parser(
        prog="ra-server restore",
        description="Put a backup in the place of a database that no server uses. Everything "
        "in it is examined before anything is touched; what was there is kept under another "
        "name, which is printed.",
        epilog=_CODES,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", type=file_name, help="The backup; it is only read")
    parser.add_argument("db", metavar="DB", type=file_name, help="The database file")
    _add_damaged(parser, "Put it there even if something is wrong with what is in it")
    given = parser.parse_args(arguments)
    file, database = given.file, given.db
    what = f"cannot restore {shown(database)} from {shown(file)}"
    return _tried(parser, what, lambda: _restore(given, file, database))


def _add_damaged(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("--damaged", action="store_true", help=text)


def _tried(parser: argparse.ArgumentParser, what: str, run: Callable[[], BackupExit]) -> BackupExit:
    try:
        return run()
    except StoreError as error:
        complain(f"{parser.prog}: {what}: {explain(error)}")
    except OSError as error:
        complain(f"{parser.prog}: {what}: {reason_of(error)}")
    return BackupExit.NOT_DONE


def _backup(given: argparse.Namespace, database: Path, file: Path) -> BackupExit:
    _check_given(database, file)
    if os.path.lexists(file) and not given.replace:
        raise StoreRefused("exists")
    if given.replace:
        file = Path(os.path.realpath(file))
    if in_use(file):
        raise StoreRefused("target", reason="a server uses that file")
    if log_of(file).exists() and log_of(file).stat().st_size:
        raise StoreRefused(
            "target", reason="a log of another database (-wal) lies beside that file"
        )
    with DatabaseCopy(database, file.parent) as copy:
        code, sums = _examined(copy.path, shown(database))
        if code is not BackupExit.DONE and not given.damaged:
            complain(f"ra-server backup: {shown(file)} is not made: see above, or use --damaged")
            return code
        (copy.replace if given.replace else copy.become)(file)
    _say_done(f"{shown(file)}: {sums}")
    return code


def _restore(given: argparse.Namespace, file: Path, database: Path) -> BackupExit:
    _check_given(file, database)
    lock = FileLock(database)
    placed = False
    try:
        lock.guard(one_name=False)
        place = Path(os.path.realpath(database))
        with DatabaseCopy(file, place.parent) as copy:
            code, sums = _examined(copy.path, shown(file))
            if code is not BackupExit.DONE and not given.damaged:
                complain("ra-server restore: nothing is touched: see above, or use --damaged")
                return code
            aside = put_in_place(copy, place)
        placed = True
    finally:
        if placed:
            lock.release()
        else:
            lock.abandon()
    kept = "" if aside is None else f"; what was there is kept as {shown(aside)}"
    _say_done(f"{shown(database)}: {sums}{kept}")
    return code


def _check_given(source: Path, target: Path) -> None:
    """Raise StoreRefused if the two names make no sense together."""
    if target.is_dir():
        raise StoreRefused("target", reason=f"{shown(target)} is a folder")
    if target.exists() and not target.is_file():
        raise StoreRefused("target", reason=f"{shown(target)} is not a file")
    if target.exists() and source.exists() and target.samefile(source):
        raise StoreRefused("target", reason="both are the same file")
    if os.path.realpath(target).removeprefix(os.path.realpath(source)) in _ENDS:
        raise StoreRefused("target", reason=f"{shown(target)} is a file of the database's own")


def _examined(copy: Path, name: str) -> tuple[BackupExit, str]:
    """Print what is wrong with a copy; returns whether anything is, and what is in it."""
    with Inspector(copy) as inspector:
        examination = Examination(inspector)
        found = 0
        for finding in examination.findings():
            found += 1
            say(f"{name}: {finding}")
    return (BackupExit.DAMAGED if found else BackupExit.DONE), str(examination)


def _say_done(text: str) -> None:
    """Print the summary; if it cannot be printed, what was done still stands."""
    try:
        say(text)
    except CannotPrint as error:
        complain(f"{text} (cannot print: {error})")
