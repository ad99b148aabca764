"""Games of bots against each other come out as they did when their strengths were measured."""

from __future__ import annotations

import pytest

from tests.engine.ra.bots.games import play


@pytest.mark.parametrize(
    ("levels", "number", "simulations", "actions", "points"),
    [
        (("hard", "hard"), 7, 24, 167, (54, 60)),
        (("hard", "normal", "hard"), 8, 24, 274, (37, 32, 52)),
        (("hard", "normal"), 10, 200, 166, (56, 40)),
    ],
)
def test_games_of_the_series_are_those_that_were_measured(
    levels: tuple[str, ...], number: int, simulations: int, actions: int, points: tuple[int, ...]
) -> None:
    """The measured strengths (docs/bots.md) are those of the bots that play. After a change of
    what they choose, measure again and replace these numbers."""
    match = play(levels, "standard", number, simulations=simulations)
    assert match.result is not None
    assert (match.number, match.result.points) == (actions, points)
