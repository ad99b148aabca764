"""The rulesets are the table of the rules (Rulesets)."""

from __future__ import annotations

import pytest

from engine.errors import Code, IllegalAction
from engine.game import Setup
from engine.raja.game import RAJA
from engine.raja.rulesets import RULESETS

# Written out once more, from the table of the rules.
TABLE = {
    "standard": (range(2, 6), 6, 1, 7, 10),
    "yogi": (range(2, 6), 7, 1, 7, 10),
    "short": (range(2, 6), 6, 1, 6, 8),
    "two-player-advanced": (range(2, 3), 6, 2, 7, 10),
}


def test_the_values_are_those_of_the_table() -> None:
    assert list(RULESETS) == list(TABLE), "the first is the default"
    for name, row in RULESETS.items():
        values = (row.players, row.characters, row.held, row.palaces, row.last_round)
        assert values == TABLE[name]


@pytest.mark.parametrize(
    "setup",
    [
        Setup("standard", 6),
        Setup("standard", 1),
        Setup("two-player-advanced", 3),
        Setup("house rules", 2),
        Setup("standard", 2, ("answer-passes",)),
    ],
)
def test_what_no_ruleset_allows_is_refused(setup: Setup) -> None:
    with pytest.raises(IllegalAction, match=Code.BAD_OPTIONS):
        RAJA.check(setup)
