"""Tiles and their numbers in words."""

from __future__ import annotations

from client.ra.phrases import counted, tile, tiles
from engine.ra.words.pieces import Kind


def test_a_tile_is_one_or_several() -> None:
    assert tile(Kind.NILE) == "a Nile"
    assert tile(Kind.NILE, 2) == "2 Niles"
    assert tile(Kind.GOLD, 3) == "3 gold"


def test_tiles_are_told_in_the_order_of_kinds() -> None:
    assert tiles([Kind.ART, Kind.NILE, Kind.GOD, Kind.NILE]) == "a god, 2 Niles and art"
    assert tiles([]) == counted({Kind.ART: 0}) == "nothing"
