"""What a player has in a city, and what it would count as things stand (rules, Scoring).

Counts what the rules' table of a city counts, and decides nothing. Does not know how it is shown.
"""

from __future__ import annotations

from attrs import frozen

from engine.raja.words.map import Place
from engine.raja.words.pieces import Character
from engine.raja.words.views import Board

CENTRAL = 3
"""Points of the central palace; everything else counts 1."""


@frozen
class Share:
    """What one player has in a city."""

    central: bool
    outer: int
    houses: int
    architect: bool
    points: int


def share(board: Board, city: Place, seat: int) -> Share:
    """What a seat has in a city, and what it counts (the sadhu's outer palaces count 2)."""
    player, palaces = board.players[seat], board.palaces[city]
    central = palaces.central == seat
    outer = palaces.outer.count(seat)
    houses = board.houses[city].count(seat)
    architect = player.architect is city
    each = 2 if Character.SADHU in player.characters else 1
    points = CENTRAL * central + each * outer + houses + architect
    return Share(central, outer, houses, architect, points)
