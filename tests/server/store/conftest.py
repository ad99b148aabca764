"""A store in a file of its own, for each test that asks for one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.memory import MemoryStore
from server.store.port import Store
from server.store.sqlite import SqliteStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ra.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    made = SqliteStore(path, busy_ms=100)
    yield made
    await made.close()


@pytest.fixture(params=["memory", "sqlite"])
async def either(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[Store]:
    """A store of each kind, one after the other."""
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(path)
    yield made
    await made.close()
