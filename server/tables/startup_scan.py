"""What a server looks for in its directory when it starts: tables where something will be
due, rows that lack something, and records that a crash kept from being saved.

It reads in slices, beside the server's work, so that a start takes no longer the more is kept.
Does not know about games or sockets.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from server.store.port import DirectoryRow, StoreError, Unavailable, Unknown
from server.tables.context import Context
from server.tables.directory import row_of
from server.tables.residents import Residents

_BREATH_SECONDS = 0.002
"""Pause between two logs: others have to read theirs."""
_LOGS_AT_ONCE = 20
"""Rows made from so many logs are written together. A server that is stopped meanwhile keeps
those that it wrote."""
_SEATS_SECONDS = 1.0
"""Time for which a start waits to learn who sits where, with an older version's database.
The scan goes on beside the work."""


class StartupScan:
    """The scan of one start."""

    def __init__(
        self,
        context: Context,
        residents: Residents,
        note_saved: Callable[[list[str]], Awaitable[list[str]]],
        mended: Callable[[], None],
    ) -> None:
        """`note_saved` notes which of some ended tables have a record already, and returns
        the others; `mended` is called when the directory got what it lacked."""
        self._store = context.store
        self._log = context.log
        self._residents = residents
        self._sleepers = residents.sleepers
        self._note_saved = note_saved
        self._mended = mended
        self.seats_known = asyncio.Event()
        """Set once the directory says who sits at every table that can be read."""
        self.task: asyncio.Task[None] | None = None
        """The scan, once it has begun."""

    async def start(self) -> None:
        """Begin, and wait a moment for `seats_known`."""
        self.task = asyncio.create_task(self._run())
        with suppress(TimeoutError):
            async with asyncio.timeout(_SEATS_SECONDS):
                await self.seats_known.wait()

    async def stop(self) -> None:
        """Stop scanning."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def _run(self) -> None:
        """Take all steps, one after the other. A store that fails ends the step it meets."""
        for step in (self._learn_seats, self._set_alarms, self._mend, self._save_records):
            try:
                await step()
            except StoreError as error:
                self._log.warning("start_unfinished", code=error.code)
            except Exception as error:
                self._log.error("start_fault", error=error)

    async def _learn_seats(self) -> None:
        """Fill in who sits where, which older versions did not write."""
        learnt = 0
        try:
            async for codes in self._store.unseated():
                learnt += await self._relist(codes)
        finally:
            self.seats_known.set()
        if learnt:
            self._log.info("seats_learnt", tables=learnt)

    async def _set_alarms(self) -> None:
        """Give each table back all the time that was left when its server stopped."""
        at_once = []
        async for rows in self._store.due():
            for row in rows:
                if row.code in self._residents.tables or self._sleepers.has_alarm(row.code):
                    continue  # it is newer than what was read here
                assert row.deadline is not None
                left = row.deadline - row.updated
                if left > 0:
                    self._sleepers.set_alarm(row.code, left)
                else:
                    at_once.append(row.code)
        for code in at_once:
            await self._residents.wake(code)

    async def _mend(self) -> None:
        """Fill the gaps of the directory from the logs."""
        mended = 0
        async for codes in self._store.missing():
            mended += await self._relist(codes)
        if mended:
            self._log.warning("directory_rebuilt", tables=mended)
            await self._set_alarms()

    async def _save_records(self) -> None:
        """Wake ended tables that have no record: it is saved when they come into memory."""
        async for rows in self._store.unsaved():
            for code in await self._note_saved([row.code for row in rows]):
                await self._residents.wake(code)

    async def _relist(self, codes: list[str]) -> int:
        """Write the directory's rows of some tables from their logs; return how many. A log
        that cannot be read is logged and skipped."""
        count = 0
        for at in range(0, len(codes), _LOGS_AT_ONCE):
            rows = [
                row
                for code in codes[at : at + _LOGS_AT_ONCE]
                if (row := await self._row_of(code)) is not None
            ]
            if rows:
                await self._store.relist(rows)
                self._mended()
            count += len(rows)
        return count

    async def _row_of(self, code: str) -> DirectoryRow | None:
        await asyncio.sleep(_BREATH_SECONDS)
        loop = asyncio.get_running_loop()
        try:
            rows = (await self._store.read(code)).rows
            return await loop.run_in_executor(self._residents.folding, row_of, rows)
        except (Unavailable, Unknown):
            raise
        except Exception as error:  # a fault in a game, for example
            self._log.error("table_unreadable", table=code, error=error)
            return None
