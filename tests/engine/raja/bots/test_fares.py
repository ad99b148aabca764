"""The cheapest ways over the map."""

from __future__ import annotations

from engine.raja.bots.fares import FAR, MISSING, ways
from engine.raja.words.map import VILLAGES, Place


def villages(**owners: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(owners.get(village.name.lower(), ()) for village in VILLAGES)


def test_without_houses_no_way_is_open() -> None:
    found = ways(villages(), 0, Place.CAMP, False)
    assert found.fare[Place.CAMP] == 0
    assert found.fare[Place.JAIPUR] == FAR
    assert found.steps[Place.JAIPUR] == ()
    assert found.effort[Place.JAIPUR] == MISSING
    assert found.missing[Place.JAIPUR] == (Place.V13 - Place.V01,)


def test_the_cheapest_way_is_taken() -> None:
    """To Ajmer over Jaipur: 2 gold for v13 and none for v09, in which an own house stands, and 1
    for v08; the direct road has no house on v19."""
    found = ways(villages(v13=(1, 2), v09=(0, 1), v08=(1,), v18=(0,)), 0, Place.CAMP, False)
    assert found.fare[Place.AJMER] == 3
    assert found.steps[Place.AJMER] == (Place.JAIPUR, Place.AJMER)
    assert found.effort[Place.AJMER] == 3


def test_the_monk_pays_nothing_but_needs_houses() -> None:
    found = ways(villages(v13=(1, 2), v08=(1,)), 0, Place.CAMP, True)
    assert found.fare[Place.JAIPUR] == 0
    assert found.fare[Place.AJMER] == FAR
    assert found.missing[Place.AJMER] == (Place.V09 - Place.V01,)
