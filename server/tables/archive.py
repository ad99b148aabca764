"""Records of ended tables and transcripts of running ones, made off the loop.

A record is the log itself, and is given out only after the end. A transcript is what one
audience was sent, and nothing else. Does not know about sockets.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from errno import EEXIST
from pathlib import Path
from tempfile import TemporaryFile

from engine.stream import Stream
from protocol.chain import FileError, PartKind, read_parts
from protocol.project import Projector
from protocol.record import RECORD, write_record
from protocol.transcript import write_transcript
from server.games import game_services
from server.log import Log
from server.refusals import Denied, RefusalCode, retired
from server.startup_errors import NotStarted, reason_of
from server.store.port import Retired, Row, Store, StoreError
from server.store.private_files import make_folder, open_private, sync_folder
from server.tables.directory import game_of
from server.tables.table import Table


class Archive:
    """Makes, saves and hands out the files of tables."""

    def __init__(self, store: Store, folder: Path | None, software: str, log: Log) -> None:
        self._store = store
        self._folder = folder
        self._software = software
        self._log = log
        self._saving: dict[str, asyncio.Task[None]] = {}
        """By table: the task that saves its record."""
        self._one = asyncio.Lock()
        """Makes one file at a time for people who ask, so that they cannot slow down the games."""

    async def prepare(self) -> None:
        """Make sure that records can be saved when matches end; raises NotStarted."""
        folder = self._folder
        if folder is None:
            return
        try:
            await asyncio.to_thread(_try_folder, folder)
        except OSError as error:
            why = reason_of(error)
            raise NotStarted(f"cannot keep records in {folder} (--records): {why}") from None

    # records as files

    async def note_saved(self, codes: list[str]) -> list[str]:
        """Mark in the directory which of some ended tables have a saved record; return the
        others. Raises StoreError."""
        folder = self._folder
        if folder is None:
            return []
        found = await asyncio.to_thread(lambda: {c for c in codes if _file(folder, c).exists()})
        if found:
            await self._store.mark_saved(found)
        return [code for code in codes if code not in found]

    def save(self, table: Table) -> None:
        """Save the record of an ended match, unless it is saved already."""
        code = table.code
        if self._folder is None or code in self._saving:
            return
        task = asyncio.get_running_loop().create_task(self._save(code, table.stream, self._folder))
        self._saving[code] = task
        task.add_done_callback(lambda _: self._saving.pop(code))

    async def _save(self, code: str, stream: Stream, folder: Path) -> None:
        try:
            row = await self._store.find(code)
            if row is None or row.saved:
                return
            if stream.seating.places:  # else no match was started
                history = await self._store.read(code)
                await asyncio.to_thread(_write, folder, stream, history.rows, self._software)
            await self._store.mark_saved((code,))
        except (StoreError, OSError, ValueError) as error:
            # nothing is lost: the log has everything, and the next start tries again
            why = reason_of(error) if isinstance(error, OSError) else None
            path = str(_file(folder, code))
            self._log.error("record_not_saved", table=code, path=path, why=why, error=error)

    async def secure(self, code: str) -> Retired | None:
        """Make sure that an ended table's record is saved, and read it back. Returns what may
        be retired; None: the table has to stay. Raises StoreError, OSError, and what a log
        that cannot be read raises."""
        if code in self._saving:
            return None  # two tasks would write one file
        rows = (await self._store.read(code)).rows
        return await asyncio.to_thread(_secured, self._folder, code, rows, self._software)

    async def stored(self, code: str) -> bytes | None:
        """The saved record of a retired table; None: there is none."""
        table, folder = await self._store.retired(code), self._folder
        if table is None or table.record is None or folder is None:
            return None
        async with self._one:
            try:
                return await asyncio.to_thread((folder / table.record).read_bytes)
            except OSError:
                return None

    async def discard(self, table: Retired) -> None:
        """Delete the record of a retired table; raises OSError."""
        if table.record is not None and self._folder is not None:
            await asyncio.to_thread((self._folder / table.record).unlink, missing_ok=True)

    # for those who ask

    async def record(self, table: Table) -> bytes:
        """The record of an ended table; raises Denied(NOT_ENDED), StoreError, and
        Denied(TABLE_RETIRED) for a table that was retired since it came into memory."""
        stream = table.stream
        if not stream.seating.ended:
            raise Denied(RefusalCode.NOT_ENDED, "a running match leaves as a transcript only")
        async with self._one:
            history = await self._store.read(table.code)
            if not history.rows:
                raise retired()
            return await asyncio.to_thread(_record, stream, history.rows, self._software)

    async def transcript(self, table: Table, person: bytes) -> bytes:
        """What `person`, as a seat or as a spectator, was sent from a table so far; raises
        StoreError, and Denied(TABLE_RETIRED) as `record` does."""
        stream = table.stream
        number = stream.number
        seat = stream.seating.match_seat_of(person)
        projector = game_services(stream.game.name).projector
        async with self._one:
            history = await self._store.read(table.code)
            if not history.rows:
                raise retired()
            rows = history.rows[:number]
            return await asyncio.to_thread(_transcript, projector, rows, seat, self._software)

    async def close(self) -> None:
        """Wait for the files that are being saved."""
        await asyncio.gather(*self._saving.values())


def _record(stream: Stream, rows: tuple[Row, ...], software: str) -> bytes:
    return b"".join(write_record(stream, (row.body for row in rows), software))


def _transcript(
    projector: Projector, rows: tuple[Row, ...], seat: int | None, software: str
) -> bytes:
    codec = game_services(projector.game.name).entries
    entries = [codec.decode(row.body) for row in rows]
    return b"".join(write_transcript(entries, projector, seat, software))


def _file(folder: Path, code: str) -> Path:
    return folder / f"{code}.ra"


def _write(folder: Path, stream: Stream, rows: tuple[Row, ...], software: str) -> Path:
    """Write a record and return its path: the whole file or none, even if the power fails. A
    file of the same name that holds another log (of another database, for example) is left
    alone, and another name is taken. Raises OSError."""
    make_folder(folder)
    code = stream.seating.code
    for path in (_file(folder, code), *(_file(folder, f"{code}.{n}") for n in range(2, 100))):
        if not path.exists():
            break
        with suppress(OSError):  # a file that cannot be read is not ours
            if _holds(path, rows):
                return path
    else:
        raise FileExistsError(EEXIST, "there are too many other records of this code")
    partial = path.with_suffix(".part")
    with open(partial, "wb", opener=open_private) as file:
        file.write(_record(stream, rows, software))
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    sync_folder(folder)
    return path


def _secured(
    folder: Path | None, code: str, rows: tuple[Row, ...], software: str
) -> Retired | None:
    """A table whose log may be deleted, because its record is on the disk and holds all of it,
    or there is nothing to save; None if it has to stay."""
    codec = game_services(game_of(rows)).entries
    stream = Stream.replay([codec.decode(row.body) for row in rows])
    if not stream.seating.ended or stream.seating.code != code:
        return None
    if folder is None or not stream.seating.places:
        return Retired(code, None)
    path = _write(folder, stream, rows, software)
    if not _holds(path, rows):
        return None
    with path.open("rb") as file:
        os.fsync(file.fileno())  # somebody else may have put the file there
    sync_folder(folder)
    return Retired(code, path.name)


def _holds(path: Path, rows: tuple[Row, ...]) -> bool:
    """Whether a file is a whole record of exactly these entries; raises OSError."""
    with path.open("rb") as file:
        try:
            parts = read_parts(file, RECORD)
            bodies = [part.body for part in parts if part.kind is PartKind.ENTRY]
        except FileError:
            return False
    return bodies == [row.body for row in rows]


def _try_folder(folder: Path) -> None:
    """Raise OSError unless files can be made in `folder`, which is made if it is missing."""
    make_folder(folder)
    with TemporaryFile(dir=folder):
        pass
