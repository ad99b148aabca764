"""The short form of the run with a store that fails at random appends."""

from __future__ import annotations

from pathlib import Path

from tests.soak.failing import fail_again_and_again


async def test_a_store_that_fails_at_random_loses_and_doubles_nothing(tmp_path: Path) -> None:
    line = await fail_again_and_again(tmp_path, failures=60, seed="short", tables=3, play=1.0)
    print(line)
    assert "unknown but written 0" not in line, line
