"""Records of ended tables are saved once, however often somebody comes back to them."""

from __future__ import annotations

from pathlib import Path

from attrs import evolve

from server.store.memory import MemoryStore
from server.store.port import History
from tests.patience import until
from tests.server.peer import QUIET, peer, server


class CountingStore(MemoryStore):
    """Counts how often logs are read; outlives its servers."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    async def read(self, table: str, after: int = 0) -> History:
        self.reads += 1
        return await super().read(table, after)

    async def close(self) -> None:
        pass


async def test_the_log_of_a_saved_table_is_read_to_wake_it_alone(tmp_path: Path) -> None:
    settings = evolve(QUIET, records=tmp_path, sleep_seconds=0.05)
    store = CountingStore()
    async with server(settings, store) as app:
        async with peer(app, "Ann") as ann:
            code = await ann.create(bots=("random",) * 3, sit=False)
            await ann.play()
        await until(lambda: code not in app.residents.tables)
    record = tmp_path / f"{code}.ra"
    saved, store.reads = record.stat().st_ino, 0
    async with server(settings, store) as app:
        for wakes in (1, 2, 3):
            async with peer(app, "Eve") as eve:
                assert (await eve.watch(code)).number
            await until(lambda: code not in app.residents.tables)
            assert store.reads == wakes
    assert record.stat().st_ino == saved


async def test_what_could_not_be_saved_is_saved_when_somebody_comes(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    settings = evolve(QUIET, records=folder, sleep_seconds=0.05)
    async with server(settings) as app:
        folder.rmdir()
        folder.touch()
        async with peer(app, "Ann") as ann:
            code = await ann.create(bots=("random",) * 3, sit=False)
            await ann.play()
        await until(lambda: code not in app.residents.tables)
        folder.unlink()
        async with peer(app, "Eve") as eve:
            await eve.watch(code)
            await until((folder / f"{code}.ra").exists)
