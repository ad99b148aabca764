"""The tables of a database, read from its file, also beside a running server. Where no server
runs, tables can be closed there, too, through their inboxes as everywhere else.

Blocks, except for `close_stored`. Does not know the socket or any game by name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from engine.entry import Entry
from engine.errors import BrokenLog, IllegalAction
from engine.stream import Stream
from engine.table.words import Phase
from protocol.codec import ProtocolError
from server.admin.messages import Unanswered
from server.admin.report import brief, whole
from server.admin.requests import NotClosed, close_table
from server.age import Age
from server.bots.executor import BotExecutor
from server.games import GameServices, game_services, installed
from server.log import NullLog
from server.metrics import Counters
from server.settings import Settings
from server.store.port import Damaged, DirectoryRow, History, Row
from server.store.reader import Reader
from server.store.sqlite import SqliteStore
from server.tables.archive import Archive
from server.tables.context import Context
from server.tables.directory import game_of
from server.tables.table import Table
from server.tables.timers import Ticker
from server.usage import version

UNREADABLE = (Damaged, BrokenLog, ProtocolError, IllegalAction, ValueError)
"""Raised for a log that this program cannot read."""

_OPEN = (Phase.WAITING, Phase.PLAYING)
_ROOT = 0


class StoredTables:
    """The tables of one database file. Methods raise StoreError."""

    def __init__(self, database: Path) -> None:
        """Raises server.store.port.StoreRefused."""
        self._reader = Reader(database)

    def close(self) -> None:
        self._reader.close()

    def open_tables(self, after: str) -> list[DirectoryRow]:
        """The open tables whose codes come after `after`, ordered by code."""
        rows = self._reader.directory(_OPEN)
        return sorted((row for row in rows if row.code > after), key=lambda row: row.code)

    def briefs(self, rows: list[DirectoryRow]) -> Iterator[dict[str, Any]]:
        """Each table as a line of the list, with the people that its log names."""
        for row in rows:
            try:
                stream = _fold(self._reader.read(row.code).rows)[2]
            except UNREADABLE:
                stream = None
            yield brief(row, stream)

    def whole(self, code: str) -> dict[str, Any] | None:
        """One table, ended or not; None if no table has that code. Raises one of UNREADABLE."""
        rows = self._reader.read(code).rows
        if not rows:
            return None
        _, entries, stream = _fold(rows)
        return whole(stream, entries[0], entries[-1])


def _fold(rows: tuple[Row, ...]) -> tuple[GameServices, list[Entry], Stream]:
    """The game's services, the entries and the stream of a log; raises one of UNREADABLE."""
    services = game_services(game_of(rows))
    entries = [services.entries.decode(row.body) for row in rows]
    return services, entries, Stream.replay(entries, lambda _: services.game)


async def close_stored(
    database: Path,
    codes: Sequence[str],
    records: Path | None,
    tell: Callable[[str, Exception | None], None],
) -> None:
    """Close tables of a database that no server uses, and save their records in the folder
    `records` (None: where a server saves them). `tell` is called with each code and the reason
    why it was not closed (NotClosed, Unanswered or one of UNREADABLE), or None. Raises
    StoreError (StoreRefused if a server uses the database)."""
    Reader(database).close()  # so that no file is made if there is none
    settings = Settings(db=database, records=records)
    store = SqliteStore(database)
    try:
        archive = Archive(store, settings.record_folder(), f"ra-online/{version()}", NullLog())
        for code in codes:
            try:
                history = await store.read(code)
                if not history.rows:
                    raise NotClosed("no_table", "there is no table of this code")
                await _close(settings, store, archive, history)
            except (NotClosed, Unanswered, *UNREADABLE) as why:
                tell(code, why)
            else:
                tell(code, None)
        await archive.close()
    finally:
        await store.close()


async def _close(
    settings: Settings, store: SqliteStore, archive: Archive, history: History
) -> None:
    def changed(table: Table) -> None:
        if table.stream.seating.ended:
            archive.save(table)

    bots, ticker = BotExecutor(settings), Ticker()
    await bots.stop()  # no bot thinks here
    age = Age(store, ticker)
    await age.start()
    context = Context(
        settings=settings,
        store=store,
        bots=bots,
        counters=Counters(),
        log=NullLog(),
        ticker=ticker,
        age=age,
    )
    services, entries, stream = _fold(history.rows)
    table = Table(
        context, services, entries, stream, history.position, changed=changed, left=lambda _: None
    )
    try:
        await close_table(table)
    finally:
        await table.stop()


@contextmanager
def as_owner(database: Path) -> Iterator[None]:
    """Within, have the rights of the owner of `database`, if we are root: the files that are made
    beside it must belong to that user, or the server could not use them. Raises OSError."""
    if os.geteuid() != _ROOT:
        yield
        return
    owner = database.stat()
    _load()
    group = os.getegid()
    os.setegid(owner.st_gid)
    try:
        os.seteuid(owner.st_uid)
        try:
            yield
        finally:
            os.seteuid(_ROOT)
    finally:
        os.setegid(group)


def _load() -> None:
    """Load what is otherwise loaded when it is needed: the owner may not be able to read our
    program."""
    version()
    for game in installed():
        with suppress(Exception):  # a game's code; reported when its table is read
            game_services(game)
