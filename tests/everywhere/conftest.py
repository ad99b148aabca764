"""A cell without any condition, for the tests to set theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.everywhere.cells import Cell


@pytest.fixture
def cell(tmp_path: Path) -> Cell:
    home = tmp_path / "home"
    home.mkdir()
    return Cell(home)
