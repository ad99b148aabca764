"""What a server looks for in its directory when it starts, in slices and beside its work, so
that a start takes no longer for what is kept: the tables where something will be due, those
of which the directory lacks something, and records that a crash kept from being saved.

Knows no game and no socket.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container
from concurrent.futures import Executor

from server.log import Log
from server.store.port import DirectoryRow, Store, StoreError, Unavailable, Unknown
from server.tables.directory import row_of
from server.tables.sleepers import Sleepers

_BREATH_SECONDS = 0.002
"""Between two logs: others have to read theirs."""
_LOGS_AT_ONCE = 20
"""What is made from so many logs is written together: a server that is stopped meanwhile has
not read them in vain."""


class StartupScan:
    """The looks of one start."""

    def __init__(
        self,
        store: Store,
        log: Log,
        folding: Executor,
        sleepers: Sleepers,
        awake: Container[str],
        wake: Callable[[str], Awaitable[None]],
        saved: Callable[[list[str]], Awaitable[list[str]]],
        mended: Callable[[], None],
        seats_known: asyncio.Event,
    ) -> None:
        """`folding` folds logs; `awake` are the tables in memory, at any time; `wake` brings
        one there, whatever it takes; `saved` notes which of some ended tables have a record
        already, and gives back the others; `mended` is called when the directory has got
        what it lacked; `seats_known` is set once the directory says of
        every table that can be read who sits there."""
        self._store = store
        self._log = log
        self._checkpoints = folding
        self._sleepers = sleepers
        self._awake = awake
        self._wake = wake
        self._saved = saved
        self._mended = mended
        self._seats_known = seats_known

    async def run(self) -> None:
        """All looks, one after the other. A store that fails ends the one that it meets."""
        for look in (self._learn_seats, self._set_alarms, self._mend, self._save_records):
            try:
                await look()
            except StoreError as error:
                self._log.warning("start_unfinished", code=error.code)
            except Exception as error:
                self._log.error("start_fault", error=error)

    async def _learn_seats(self) -> None:
        """After a start with an older version's database."""
        learnt = 0
        try:
            async for codes in self._store.unseated():
                learnt += await self._relist(codes)
        finally:
            self._seats_known.set()
        if learnt:
            self._log.info("seats_learnt", tables=learnt)

    async def _set_alarms(self) -> None:
        """Each table gets back all the time that was left when its server stopped."""
        at_once = []
        async for rows in self._store.due():
            for row in rows:
                if row.code in self._awake or self._sleepers.has_alarm(row.code):
                    continue  # it is newer than what was read here
                assert row.deadline is not None
                left = row.deadline - row.updated
                if left > 0:
                    self._sleepers.rouse(row.code, left)
                else:
                    at_once.append(row.code)
        for code in at_once:
            await self._wake(code)

    async def _mend(self) -> None:
        """Fill the gaps of the directory from the logs."""
        mended = 0
        async for codes in self._store.missing():
            mended += await self._relist(codes)
        if mended:
            self._log.warning("directory_rebuilt", tables=mended)
            await self._set_alarms()

    async def _save_records(self) -> None:
        async for rows in self._store.unsaved():
            for code in await self._saved([row.code for row in rows]):
                await self._wake(code)

    async def _relist(self, codes: list[str]) -> int:
        """Make rows of the directory from logs: how many. A log that cannot be read is told
        and left."""
        count = 0
        for at in range(0, len(codes), _LOGS_AT_ONCE):
            made = [
                row
                for code in codes[at : at + _LOGS_AT_ONCE]
                if (row := await self._derived(code)) is not None
            ]
            if made:
                await self._store.relist(made)
                self._mended()
            count += len(made)
        return count

    async def _derived(self, code: str) -> DirectoryRow | None:
        await asyncio.sleep(_BREATH_SECONDS)
        loop = asyncio.get_running_loop()
        try:
            rows = (await self._store.read(code)).rows
            return await loop.run_in_executor(self._checkpoints, row_of, rows)
        except (Unavailable, Unknown):
            raise
        except Exception as error:  # a fault of a game's, say
            self._log.error("table_unreadable", table=code, error=error)
            return None
