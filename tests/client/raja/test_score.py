"""The score of a city, the page of the cities, and the end."""

from __future__ import annotations

import pytest

from client.raja.cities import cities_page
from client.raja.score import ending, interlude, ranking
from client.raja.screen import RajaScreen
from client.raja.sight import board_of
from client.screen.lines import text_of, width
from engine.raja.words.happenings import CityScored
from tests.client.raja.positions import NAMES, first, positions, scene


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_the_page_of_the_cities_names_all_and_fits(columns: int) -> None:
    match = first(3, lambda match: match.state.round == 4)
    lines = cities_page(scene(match, 0), columns)
    assert {width(line) for line in lines} == {columns}
    text = text_of(lines)
    for city in ("Ajmer", "Bikaner", "Chittor", "Delhi", "Jaipur", "Kota", "Udaipur"):
        assert city in text


def test_a_scored_city_brings_up_its_page() -> None:
    for step in positions(3):
        scored = [event for event in step.events if isinstance(event, CityScored)]
        shown = scene(step.match, 0)
        lines = interlude(step.events, shown, 80)
        assert (lines is None) == (not scored)
        if lines is not None:
            text = text_of(lines)
            assert "is scored" in text and all(name in text for name in NAMES[:3])


def test_the_end_names_the_winner_and_ranks_everybody() -> None:
    *_, last = positions(3, seed=4)
    result = last.match.result
    assert result is not None
    shown = scene(last.match, result.winners[0])
    text = text_of(RajaScreen().ending(shown, 80, 20))
    most = result.points[result.winners[0]]
    assert f"You win with {most} palace" in text
    view = board_of(shown)
    assert ranking(view)[0] == result.winners[0]
    assert all(str(player.gold) in text for player in view.players)
    other = next(seat for seat in range(3) if seat != result.winners[0])
    winner = NAMES[result.winners[0]]
    assert f"{winner} wins" in text_of(ending(scene(last.match, other), 60))


def test_a_table_that_was_closed_has_no_winner() -> None:
    match = first(2, lambda match: match.state.round == 1)
    assert "closed before" in text_of(ending(scene(match, 0), 60))
