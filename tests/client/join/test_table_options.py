"""The options of a new table, in words."""

from __future__ import annotations

import pytest

from client.join.table_options import BadTable, NewTable, new_table, pairs
from client.solo import solo_table


@pytest.mark.parametrize(
    ("words", "table"),
    [
        ("", NewTable("ra", "standard", 3)),
        ("bots=2", NewTable("ra", "standard", 3, ("normal", "normal"))),
        ("bots=4", NewTable("ra", "standard", 5, ("normal",) * 4)),
        ("seats=2", NewTable("ra", "standard", 2)),
        ("seats=5 bots=random,easy", NewTable("ra", "standard", 5, ("random", "easy"))),
        ("bots=1", NewTable("ra", "standard", 2, ("normal",))),
        ("bots=1 ruleset=alea-1999", NewTable("ra", "alea-1999", 3, ("normal",))),
        (
            "options=open-information,answer-passes",
            NewTable("ra", "standard", 3, (), ("open-information", "answer-passes")),
        ),
        (
            "unlisted watch bots=2",
            NewTable("ra", "standard", 2, ("normal", "normal"), (), False, False),
        ),
        ("game=miniature seats=4", NewTable("miniature", "open", 4)),
    ],
)
def test_words_describe_a_table(words: str, table: NewTable) -> None:
    assert new_table(pairs(words.split())) == table


@pytest.mark.parametrize(
    "words",
    [
        "seats=1",
        "seats=6",
        "seats=x",
        "seats=",
        "seats=2 bots=2",
        "bots=5",
        "bots=9999999999",
        "bots=clever",
        "ruleset=mine",
        "ruleset=alea-1999 seats=2",
        "options=cheat",
        "game=chess",
        "colour=red",
        "seats=2 seats=3",
    ],
)
def test_what_can_be_no_table_is_one_line(words: str) -> None:
    with pytest.raises(BadTable) as refused:
        new_table(pairs(words.split()))
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("bots", [-1, 0, 5, 99])
def test_a_solo_game_has_one_to_four_bots(bots: int) -> None:
    with pytest.raises(BadTable, match="1 to 4"):
        solo_table(bots)


def test_a_solo_game_may_be_another_game() -> None:
    raja = {"game": "raja", "ruleset": "yogi", "options": "open-information"}
    table = solo_table(2, "random", raja)
    assert (table.game, table.ruleset, table.options) == ("raja", "yogi", ("open-information",))
    assert (table.seats, table.bots, table.listed) == (3, ("random", "random"), False)
    with pytest.raises(BadTable, match="the rulesets are standard, yogi"):
        solo_table(2, None, {"game": "raja", "ruleset": "alea-1999"})
    with pytest.raises(BadTable, match="a table has 2 to 2 seats"):
        solo_table(2, None, {"game": "raja", "ruleset": "two-player-advanced"})
