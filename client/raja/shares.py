"""What players have on the map: in each city, with what it would count as things stand (rules,
Scoring a city), and how many palaces in all.

Counts what lies there, and decides nothing. Does not know how it is laid out.
"""

from __future__ import annotations

from collections import Counter

from attrs import frozen

from client.sentences import number_of
from engine.raja.words.map import CITIES, Place
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


def ranked(board: Board, city: Place) -> list[tuple[int, Share]]:
    """The seats with points in a city, each with its share: the most points first, equals by
    rank."""
    shares = [(seat, share(board, city, seat)) for seat in range(len(board.players))]
    return sorted(
        [(seat, one) for seat, one in shares if one.points],
        key=lambda each: (-each[1].points, board.players[each[0]].characters),
    )


def told(one: Share) -> str:
    """`central palace, 2 outer palaces, 1 house, architect`."""
    parts = ["central palace"] if one.central else []
    if one.outer:
        parts.append(number_of(one.outer, "outer palace", "outer palaces"))
    if one.houses:
        parts.append(number_of(one.houses, "house", "houses"))
    if one.architect:
        parts.append("architect")
    return ", ".join(parts)


def cities_in_order(board: Board) -> list[Place]:
    """All cities: the Maharaja's first, if he is in one, then as he goes to them."""
    here = [board.maharaja] if board.maharaja in CITIES else []
    return [*here, *(city for city in board.track if city not in here)]


def palaces_built(board: Board) -> tuple[int, ...]:
    """Palaces on the map, by seat."""
    built: Counter[int | None] = Counter()
    for palaces in board.palaces:
        built.update((palaces.central, *palaces.outer))
    return tuple(built[seat] for seat in range(len(board.players)))
