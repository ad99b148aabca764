"""The short form of the thousand games beside their twins."""

from __future__ import annotations

import pytest

from tests.soak.twins import play


@pytest.mark.parametrize("name", ["ra", "raja"])
def test_games_and_their_twins_send_everybody_the_same_bytes(name: str) -> None:
    """The run itself asserts that all frames are equal."""
    line = play(name, games=4, seed=20261201)
    print(line)
    assert line.startswith(f"4 games of {name} with 18 twins: ")
    assert (", 0 choices made otherwise" in line) is (name == "ra")
