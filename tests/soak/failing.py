"""The store fails at random appends, in all the ways that a store may, while many tables
play. `python -m tests.soak.failing [--failures N] [--seed S] [--tables N]`.

The store is the durable one, which is made to fail before the append, after it, or without
it but without knowing.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from time import monotonic

from attrs import evolve

from server.app import serve
from server.settings import Settings
from server.store.port import (
    DirectoryRow,
    History,
    Position,
    Row,
    SessionRow,
    Unavailable,
    Unknown,
)
from server.store.sqlite import SqliteStore
from tests.chaos.trial import trial

SETTINGS = Settings(
    port=0,
    log="off",
    heartbeat_seconds=0.25,
    create_rate=1000.0,
    create_burst=1000,
    file_rate=1000.0,
    file_burst=1000,
)


class FailingStore(SqliteStore):
    """The durable store, failing."""

    def __init__(self, path: Path, seed: str, rate: float) -> None:
        """`rate`: the part of appends that fail; reads fail a third as often."""
        super().__init__(path)
        self._random = random.Random(seed)
        self.rate = rate
        self.refused = self.lost = self.written = self.unread = 0
        """Appends refused; unknown and not written; unknown but written; failed reads."""

    @property
    def failures(self) -> int:
        return self.refused + self.lost + self.written + self.unread

    def append(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Awaitable[Position]:
        if self._random.random() >= self.rate:
            return super().append(table, expect, row, directory)
        return self._fail(table, expect, row, directory)

    async def _fail(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Position:
        match self._random.randrange(3):
            case 0:
                self.refused += 1
                raise Unavailable(self._random.choice(("disk_full", "locked", "io_error")))
            case 1:
                self.lost += 1
                raise Unknown("io_error")
            case _:
                await super().append(table, expect, row, directory)
                self.written += 1
                raise Unknown("io_error")

    def _maybe_unreadable(self) -> None:
        if self._random.random() < self.rate / 3:
            self.unread += 1
            raise Unavailable("io_error")

    async def read(self, table: str, after: int = 0) -> History:
        self._maybe_unreadable()
        return await super().read(table, after)

    async def find(self, code: str) -> DirectoryRow | None:
        self._maybe_unreadable()
        return await super().find(code)

    async def find_created(self, creator: bytes, create_id: bytes) -> DirectoryRow | None:
        self._maybe_unreadable()
        return await super().find_created(creator, create_id)

    async def put_session(self, session: SessionRow) -> None:
        self._maybe_unreadable()
        await super().put_session(session)

    async def get_session(self, token_hash: bytes) -> SessionRow | None:
        self._maybe_unreadable()
        return await super().get_session(token_hash)

    async def move_session(self, public: bytes, token_hash: bytes) -> SessionRow | None:
        self._maybe_unreadable()
        return await super().move_session(public, token_hash)


async def fail_again_and_again(
    folder: Path, failures: int, seed: str, tables: int, play: float, rate: float = 0.08
) -> str:
    """Play until the store has failed that often, with a quiet point after each `play`
    seconds; what there was, in one line."""
    begin, path = monotonic(), folder / "ra.db"
    store = FailingStore(path, seed, rate)
    settings = evolve(SETTINGS, db=path, records=folder / "records")
    async with (
        serve(settings, store) as app,
        trial(path, app.port, tables, seed, silence=2.0) as playing,
    ):
        while store.failures < failures:
            store.rate = rate
            await playing.go_on(play)
            store.rate = 0.0
            await playing.rest()
        assert app.counters.faults == 0
        return (
            f"{store.failures} failures (refused {store.refused}, unknown and not written"
            f" {store.lost}, unknown but written {store.written}, reads {store.unread});"
            f" {playing.answered} acknowledged actions at {playing.tables} tables, all there"
            f" once; {playing.quiet_points} quiet points; {monotonic() - begin:.0f} s;"
            f" seed {seed}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--failures", type=int, default=3000)
    parser.add_argument("--seed", default=os.urandom(4).hex())
    parser.add_argument("--tables", type=int, default=8)
    given = parser.parse_args()
    sys.stdout.write(f"failing store: seed {given.seed}\n")
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder:
        made = fail_again_and_again(
            Path(folder), given.failures, given.seed, given.tables, play=3.0
        )
        sys.stdout.write(f"failing store: {asyncio.run(made)}\n")


if __name__ == "__main__":
    main()
