"""Records of ended tables and transcripts of running ones, made off the loop.

A record is the log itself and leaves only after the end; a transcript is what one
audience was sent, and no more. Knows no socket.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryFile

from engine.stream import Stream
from protocol.project import Projector
from protocol.record import write_record
from protocol.transcript import write_transcript
from server.log import Log
from server.play import find_play
from server.refusals import Denied, Refusal
from server.store.port import Row, Store, StoreError
from server.store.private import open_private
from server.tables.table import Table
from server.trouble import NotStarted, reason_of


class Archive:
    """Makes, saves and serves the files of tables."""

    def __init__(self, store: Store, folder: Path | None, software: str, log: Log) -> None:
        self._store = store
        self._folder = folder
        self._software = software
        self._log = log
        self._saved: set[str] = set()
        """Tables whose record is known to be saved: their logs are not read for it again."""
        self._saving: dict[str, asyncio.Task[None]] = {}
        """By table: its record on its way."""
        self._one = asyncio.Lock()
        """One file at a time is made for those who ask: they cannot crowd out the play."""

    def _path(self, code: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{code}.ra"

    async def prepare(self) -> None:
        """See to it that records can be saved when matches end; raises NotStarted."""
        folder = self._folder
        if folder is None:
            return
        try:
            await asyncio.to_thread(_try_folder, folder)
        except OSError as error:
            why = reason_of(error)
            raise NotStarted(f"cannot keep records in {folder} (--records): {why}") from None

    async def saved(self) -> frozenset[str]:
        """The codes of all tables with a saved record."""
        folder = self._folder
        if folder is None:
            return frozenset()
        found = await asyncio.to_thread(lambda: frozenset(p.stem for p in folder.glob("*.ra")))
        self._saved.update(found)
        return found

    def save(self, table: Table) -> None:
        """Save the record of an ended match, unless it is saved already."""
        code = table.code
        path = self._path(code)
        if path is None or not table.stream.seating.places:
            return
        if code in self._saved or code in self._saving:
            return
        task = asyncio.get_running_loop().create_task(self._save(code, table.stream, path))
        self._saving[code] = task
        task.add_done_callback(lambda _: self._saving.pop(code))

    async def _save(self, code: str, stream: Stream, path: Path) -> None:
        try:
            history = await self._store.read(code)
            await asyncio.to_thread(_write, path, stream, history.rows, self._software)
            self._saved.add(code)
        except (StoreError, OSError, ValueError) as error:
            # the log has all of it: it is saved after the next start
            why = reason_of(error) if isinstance(error, OSError) else None
            self._log.error("record_not_saved", table=code, path=str(path), why=why, error=error)

    async def record(self, table: Table) -> bytes:
        """The record of an ended table; raises Denied(NOT_ENDED), StoreError."""
        stream = table.stream
        if not stream.seating.ended:
            raise Denied(Refusal.NOT_ENDED, "a running match leaves as a transcript only")
        async with self._one:
            history = await self._store.read(table.code)
            return await asyncio.to_thread(_record, stream, history.rows, self._software)

    async def transcript(self, table: Table, person: bytes) -> bytes:
        """What `person`, as a seat or as a spectator, was sent of a table so far."""
        stream = table.stream
        number = stream.number
        seat = stream.seating.match_seat_of(person)
        projector = find_play(stream.game.name).projector
        async with self._one:
            history = await self._store.read(table.code)
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
    codec = find_play(projector.game.name).entries
    entries = [codec.decode(row.body) for row in rows]
    return b"".join(write_transcript(entries, projector, seat, software))


def _write(path: Path, stream: Stream, rows: tuple[Row, ...], software: str) -> None:
    """The whole file or none, also if the power fails; nothing if it is there already."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    partial = path.with_suffix(".part")
    with open(partial, "wb", opener=open_private) as file:
        file.write(_record(stream, rows, software))
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def _try_folder(folder: Path) -> None:
    """Raise OSError unless files can be made in `folder`, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with TemporaryFile(dir=folder):
        pass
