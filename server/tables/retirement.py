"""Retirement: ended tables leave the database after a while, and later their records go too.

An ended table is retired `retire_days` after its last entry, once its record is saved and was
read back (a table where no match was started has none). Its code stays taken until the record is
deleted as well, `record_days` later, if that is set. Days count only while a server runs. Does
not know about games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Container

from engine.table.words import Phase
from server.age import Age
from server.log import Log
from server.settings import Settings
from server.startup_errors import reason_of
from server.store.port import Store, Unavailable, Unknown
from server.tables.archive import Archive

_DAY_MS = 86_400_000
_BREATH_SECONDS = 0.02
"""Pause between two steps: others have to use the store too."""
_RECORDS_AT_ONCE = 50


class Retirement:
    """Retires the ended tables of one server."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        age: Age,
        archive: Archive,
        tables: Container[str],
        log: Log,
    ) -> None:
        """`tables` is the live mapping of the tables in memory."""
        self._settings = settings
        self._store = store
        self._age = age
        self._archive = archive
        self._tables = tables
        self._log = log

    async def sweep(self) -> int:
        """Retire all tables that are old enough, one at a time; return how many. Raises
        StoreError."""
        retired = 0
        try:
            if self._settings.retire_days is not None:
                until = self._age.now() - int(self._settings.retire_days * _DAY_MS)
                for phase in (Phase.OVER, Phase.CLOSED):
                    async for rows in self._store.idle(phase, until):
                        for row in rows:
                            retired += await self._retire(row.code)
            await self._finish()
            if self._settings.record_days is not None:
                await self._discard(self._age.now() - int(self._settings.record_days * _DAY_MS))
        except OSError as error:  # the folder or the disk will fail for the others too
            self._log.error("records_unusable", why=reason_of(error))
        if retired:
            self._log.info("tables_retired", tables=retired)
        return retired

    async def _retire(self, code: str) -> bool:
        """Retire a table, unless it is in memory or its record cannot be made."""
        if code in self._tables:
            return False
        try:
            table = await self._archive.secure(code)
        except (
            FileExistsError
        ) as error:  # every name for its record is taken: only this table stays
            self._log.error("record_not_saved", table=code, why=reason_of(error))
            return False
        except (Unavailable, Unknown, OSError):
            raise
        except Exception:
            return False  # an operator has to look at such a log
        if table is None or code in self._tables:  # somebody has come to it meanwhile
            return False
        await self._store.retire(table, self._age.now())
        await self._finish()
        return True

    async def _finish(self) -> None:
        """Delete what retired tables left behind, including those of a server that was
        killed."""
        more = True
        while more:
            more = await self._store.sweep_retired()
            await asyncio.sleep(_BREATH_SECONDS)

    async def _discard(self, until: int) -> None:
        while tables := await self._store.long_retired(until, _RECORDS_AT_ONCE):
            for table in tables:
                await self._archive.discard(table)
            await self._store.release([table.code for table in tables])
