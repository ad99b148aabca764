"""What a position is worth to each player, in gold.

Gold, palaces, the pay to come from the cities on the track, roads, houses and characters. It looks
no move ahead, and knows nothing that the position does not say.
"""

from __future__ import annotations

from math import sqrt

from engine.raja.bots.fares import MISSING
from engine.raja.bots.position import Position
from engine.raja.scoring import PAY
from engine.raja.words.map import Place
from engine.raja.words.pieces import Character

PALACE = 15.0
"""Gold that a palace is worth on the map, besides its points."""
LAST_PALACE = 60.0
"""The same when the game ends with this round."""
_COMING = (0.8, 0.6, 0.45, 0.33, 0.24, 0.18)
"""What the pay of the cities to come counts, the next one first."""
_UNSURE = 2.5
"""Points by which the order of two players in the next city is unsure; more for those after it."""
_UNTIL_THEN = 1.2
"""The same in the Maharaja's city, for each of them whose turn is still to come."""
_VILLAGE = 0.15
"""Gold a round of a house in a village."""
_SUPPLY = (0.0, 0.9, 1.7, 2.4, 3.0, 3.4, 3.7, 3.9, 4.0)
"""Houses in the supply."""
_EACH_ROUND: dict[Character, float] = {
    Character.MOGUL: 0.3,
    Character.TRADER: 1.0,
    Character.SADHU: 0.4,
    Character.MONK: 0.7,
    Character.BUILDER: 1.6,
    Character.ARTISAN: 2.4,
    Character.YOGI: 2.2,
}
"""Gold a round of holding a character."""
_KEPT = 4
"""Rounds for which one may hope to keep a character."""
_EXPECTED = 1
"""Points that a player whose turn is still to come may add to the Maharaja's city, besides those
of the architect."""


def _likely(unsure: float) -> tuple[float, ...]:
    """By points ahead, from -40 on: how likely one is ahead in the end."""
    steep = [ahead / (1.7 * unsure) for ahead in range(-40, 41)]
    return tuple(0.5 + 0.5 * x / sqrt(1 + x * x) for x in steep)


_COMING_TABLES = tuple(_likely(_UNSURE + 0.6 * step) for step in range(len(_COMING)))
_PENDING_TABLES = (_likely(0.01), _likely(_UNTIL_THEN), _likely(1.5 * _UNTIL_THEN))


def rounds_left(position: Position) -> int:
    """Rounds after this one, as far as can be said: every player builds one palace a round."""
    if position.ended:
        return 0
    quickest = max(1, (position.palaces - max(position.built)) - 1)
    return min(position.last_round - position.round, quickest)


def values(position: Position, planning: int | None = None) -> list[float]:
    """What the position is worth to each seat. `planning`: a seat in its turn, of which nothing is
    expected that it does not do but to go to the Maharaja's city."""
    left = rounds_left(position)
    seats = range(position.seats)
    found = [_own(position, seat, left) for seat in seats]
    efforts = [position.ways(seat).effort for seat in seats]
    _add_now(position, planning, efforts, found)
    here = position.architects
    for step, city in enumerate(position.track[: min(left, len(_COMING))]):
        points = position.points(city)
        weight = _COMING[step]
        table = _COMING_TABLES[step]
        for seat in seats:
            mine = points[seat]
            found[seat] += weight * _pay(points, seat, mine, table)
            if step < 3:
                effort = efforts[seat][city]
                found[seat] -= 0.45 * weight * (effort if effort < 6 else 6)
                if not step and here[seat] == city:
                    found[seat] += 0.4
    return found


def score(position: Position, seat: int, planning: bool = False) -> float:
    """What `seat` is ahead of the others."""
    every = values(position, seat if planning else None)
    mine = every.pop(seat)
    return mine - (0.6 * sum(every) / len(every) + 0.4 * max(every))


def _own(position: Position, seat: int, left: int) -> float:
    gold, built = position.gold[seat], position.built[seat]
    if not left:
        return LAST_PALACE * built + 0.5 * gold
    price = position.price(seat)
    needed = price * min(position.palaces - built, 2 * left)
    value = PALACE * built + (gold if gold <= needed else needed + 0.3 * (gold - needed))
    supply = position.supply[seat]
    value += _SUPPLY[supply if supply < 8 else 8]
    kept = left if left < _KEPT else _KEPT
    for character in position.characters[seat]:
        value += kept * _EACH_ROUND[character]
    count = 0
    for owners in position.villages:
        if seat in owners:
            count += 1
    return value + count * _VILLAGE * left


def _add_now(
    position: Position,
    planning: int | None,
    efforts: list[tuple[int, ...]],
    found: list[float],
) -> None:
    """The pay of the Maharaja's city, with what is still expected there."""
    city = position.maharaja
    if city == Place.CAMP:
        return
    points = position.points(city)
    unsure = [0] * position.seats
    for seat, place in enumerate(position.architects):
        acted = position.acted[seat]
        if place == city:
            points[seat] += 1
        elif not acted:
            effort = efforts[seat][city]
            if effort < MISSING:
                points[seat] += 1
                found[seat] -= effort
            else:
                found[seat] -= 0.4 * (effort if effort < 8 else 8)
        if not acted and seat != planning:
            points[seat] += _EXPECTED
            unsure[seat] = 1
    for seat in range(position.seats):
        mine = points[seat]
        if not mine:
            continue
        behind = 0.0
        rank = position.characters[seat]
        for other, theirs in enumerate(points):
            if other != seat:
                if mine == theirs and not unsure[seat] and not unsure[other]:
                    behind += rank > position.characters[other]
                else:
                    behind += _PENDING_TABLES[unsure[seat] + unsure[other]][theirs - mine + 40]
        found[seat] += _at(behind, position.seats)


def _pay(points: list[int], seat: int, mine: int, table: tuple[float, ...]) -> float:
    behind = 0.0
    for other, theirs in enumerate(points):
        if other != seat:
            behind += table[theirs - mine + 40]
    return _at(behind, len(points))


def _at(behind: float, seats: int) -> float:
    """The pay when so many others are in front, on average."""
    pay = PAY[seats]
    whole = int(behind)
    if whole >= seats - 1:
        return pay[-1]
    return pay[whole] + (behind - whole) * (pay[whole + 1] - pay[whole])
