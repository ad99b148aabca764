"""Databases to be backed up and restored, and what is in them."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

from engine.game import Setup
from server.store.port import SessionRow
from server.store.reader import Reader
from server.store.sqlite import SqliteStore
from tests.games import open_table, whole_game
from tests.server.store.streams import fill, log_of, other_program
from tests.server.test_check import CODES, keep


async def whole_games(path: Path) -> None:
    """Two finished matches and one that is being played."""
    store = SqliteStore(path)
    for number, code in enumerate(CODES[:2], 1):
        await keep(store, whole_game("ra", Setup("standard", 2), number, code))
    await keep(store, open_table("ra", Setup("standard", 3), number=3, code=CODES[2]))
    await store.put_session(SessionRow(bytes(32), b"public", "Ann", 1000, 2000))
    await store.close()


def rows(path: Path) -> dict[str, int]:
    """How many entries each table has."""
    with Reader(path) as reader:
        return {code: len(reader.read(code).rows) for code in reader.tables()}


async def more(path: Path, code: str = "KIWI-42", count: int = 3) -> None:
    """What happened since: entries that are whole in chain and number, and no game."""
    store = SqliteStore(path)
    await fill(store, code, count)
    await store.close()


async def crashed(path: Path, folder: Path) -> Path:
    """A copy of a database with more in it, as a crash would leave it: in its log."""
    live = folder / "live" / path.name
    shutil.copytree(path.parent, live.parent)
    store = SqliteStore(live)
    with other_program(live) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM entries").fetchone()
        await fill(store, "NEW-1", 5)
        left = copied(live, folder / "left")
    await store.close()
    return left


def copied(path: Path, folder: Path) -> Path:
    """A database and its log, copied as they are."""
    folder.mkdir()
    for file in (path, log_of(path)):
        shutil.copy(file, folder)
    return folder / path.name


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
