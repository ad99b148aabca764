"""C14: a database at rest is read without a trace beside it, and a server that starts
meanwhile is no trouble."""

from __future__ import annotations

from pathlib import Path

from server.store.reader import Reader
from server.store.sqlite import SqliteStore
from tests.server.store.streams import add, contents, fill


async def test_reading_a_database_at_rest_leaves_nothing_beside_it(path: Path) -> None:
    store = SqliteStore(path)
    await fill(store, "KIWI-42", 5)
    await store.close()
    before = contents(path.parent)
    with Reader(path) as reader:
        assert len(reader.read("KIWI-42").rows) == 5
        assert reader.tables() == ["KIWI-42"]
        assert contents(path.parent) == before
    assert contents(path.parent) == before


async def test_a_reader_goes_on_beside_a_server_that_starts(path: Path) -> None:
    """What it reads is what the server has written by then, never a mixture."""
    store = SqliteStore(path)
    position = await fill(store, "KIWI-42", 5)
    await store.close()
    with Reader(path) as reader:
        assert len(reader.read("KIWI-42").rows) == 5
        store = SqliteStore(path)
        for number in range(6, 30):
            position = await add(store, "KIWI-42", position, number)
            found = reader.find("KIWI-42")
            assert found is not None and found.number == number
            assert len(reader.read("KIWI-42").rows) == number
        await store.close()
        assert len(reader.read("KIWI-42").rows) == 29
