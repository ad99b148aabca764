"""Numbers with their nouns, and lists."""

from __future__ import annotations

from client.sentences import listed, number_of


def test_one_is_not_several() -> None:
    assert number_of(1, "point", "points") == "1 point"
    assert number_of(0, "point", "points") == "0 points"


def test_a_list_ends_with_its_word() -> None:
    assert listed([]) == "nothing"
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
