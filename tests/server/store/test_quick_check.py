"""A quick check of a database ends when its time is over, however large the file is."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest

from server.store.quick_check import QuickCheck


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of 200,000 pages and one row: to walk over them is one instruction."""
    path = tmp_path_factory.mktemp("quick-check") / "large.db"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(
            "PRAGMA page_size = 512; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            "CREATE TABLE entries (body BLOB); INSERT INTO entries VALUES (zeroblob(100000000));"
        )
    return path


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes: the shortest of three, for other programs run as well."""
    taken = []
    for _ in range(3):
        began = monotonic()
        call()
        taken.append(monotonic() - began)
    return min(taken)


def test_a_quick_check_ends_with_its_time_and_when_it_is_told_to(large: Path) -> None:
    whole = seconds(lambda: QuickCheck(large, 60).damaged())
    assert seconds(lambda: QuickCheck(large, whole / 20).damaged()) < whole / 2

    def told_to_end() -> None:
        check = QuickCheck(large, 60)
        other = Thread(target=check.end)
        other.start()
        assert not check.damaged()
        other.join()

    assert seconds(told_to_end) < whole / 2


def test_what_is_damaged_is_seen_in_time_and_not_made_up_when_time_is_short(large: Path) -> None:
    data = bytearray(large.read_bytes())
    data[-512:-508] = (7).to_bytes(4, "big")  # the row's last page goes on in its first ones
    path = large.with_name("damaged.db")
    path.write_bytes(data)
    assert QuickCheck(path, 60).damaged()
    assert not QuickCheck(large, 0).damaged()
    path.unlink()
