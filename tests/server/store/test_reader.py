"""C14: a database at rest is read without a trace beside it, and a server that starts
meanwhile is no trouble."""

from __future__ import annotations

from pathlib import Path

import pytest

from server.startup_errors import explain
from server.store.port import StoreError
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


async def test_a_reader_of_a_file_that_was_replaced_says_so(path: Path, tmp_path: Path) -> None:
    for one in (path, tmp_path / "other.db"):
        store = SqliteStore(one)
        await fill(store, "KIWI-42", 2)
        await store.close()
    with Reader(path) as reader:
        (tmp_path / "other.db").rename(path)
        with pytest.raises(StoreError) as found:
            reader.find("KIWI-42")
        assert explain(found.value) == "another file is in its place now, or none"
