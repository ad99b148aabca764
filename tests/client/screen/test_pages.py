"""Pages of the screen are whole at every width."""

from __future__ import annotations

import pytest

from tests.client.seated import Seated


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("key", ["s", "t", "?", "l"])
def test_pages_are_whole(columns: int, key: str) -> None:
    made = Seated()
    made.press(key)
    assert "…" not in "".join(made.screen(columns, 24).splitlines()[1:-2])
