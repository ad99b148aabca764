"""Numbers and their nouns."""

from __future__ import annotations

from client.ra import phrases


def test_one_is_not_several() -> None:
    assert phrases.number_of(1, "point", "points") == "1 point"
    assert phrases.number_of(0, "point", "points") == "0 points"
