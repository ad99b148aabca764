"""What a player has in a city of Raja, and what it counts."""

from __future__ import annotations

from client.raja.shares import share
from client.raja.sight import board_of
from engine.raja.words.happenings import CityScored
from tests.client.raja.positions import positions, scene


def test_what_a_city_counts_is_what_the_engine_pays_for() -> None:
    """The page shows, before the last turn of a round ends, the points that are scored then."""
    checked = 0
    for step in positions(4, seed=2):
        for event in step.events:
            if isinstance(event, CityScored):
                view = board_of(scene(step.match, None))
                points = tuple(share(view, event.city, seat).points for seat in range(4))
                assert points == event.points
                checked += 1
    assert checked >= 8
