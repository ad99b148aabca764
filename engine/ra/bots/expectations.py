"""Tables of the points that sets of tiles are expected to score in the end, computed from
the number of lots that a player may still win.

Each table is a small Markov chain, computed once: civilizations, floods, pharaohs and
monuments. Knows tiles and scores alone. Sums are written out in a fixed order, so that
every Python computes the same numbers.
"""

from __future__ import annotations

from functools import cache

from attrs import frozen

_TYPES = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 10.0, 15.0)
_ALIKE = (0.0, 0.0, 0.0, 5.0, 10.0, 15.0)
_CIVILIZATION = (0.0, 0.0, 5.0, 10.0, 15.0)
"""Points by number of different civilizations, from 1 on."""
_NEW_CIVILIZATION = 0.85
"""Civilization tiles that a lot brings."""
_NEW_MONUMENTS = 1.25
"""Monuments that a lot brings."""
_FLOODED = 0.36
"""The probability that a lot brings a flood."""
_LOTS = {2: 4, 3: 4, 4: 3, 5: 3}
"""Lots that a player wins in an epoch, by number of players."""
_FARTHEST = 6
"""Differences of pharaohs beyond this count as this."""
_SPREAD_NOW, _SPREAD_LATER = 1.4, 0.6
"""How far the count of pharaohs may still shift, in this epoch and in each later one."""
_KEPT = 0.75
"""What disasters leave of a Nile for the next epoch."""


@frozen
class Outlook:
    """What tiles are worth to one player at one moment, in points."""

    civilization: tuple[float, ...]
    """By number of different ones held, 0 to 5."""
    flood: float
    """The probability that a player without a flood has one when the epoch ends."""
    nile: float
    """What a Nile brings in later epochs."""
    most: tuple[float, ...]
    """By how many more pharaohs than the best other player, from -6 to 6."""
    fewest: tuple[float, ...]
    """By how many more than the player with the fewest, from -6 to 6; not above 0."""
    types: tuple[float, ...]
    """By number of different monuments, 0 to 8."""
    alike: tuple[float, ...]
    """By number of monuments of one type, 0 to 5."""
    god: float


@cache
def outlook(seats: int, later: int, lots: int, left: int, bare: int) -> Outlook:
    """The outlook of a player who may win `lots` more lots in this epoch, which ends
    with the `left`-th Ra tile from now; `later` epochs follow; `bare` points go to a
    player without civilizations."""
    future = lots + later * _LOTS[seats]
    unflooded = _power(1 - _FLOODED, lots)
    later_flood = 1 - _power(1 - _FLOODED, _LOTS[seats])
    nile = 0.0
    kept = 1.0
    for _ in range(later):
        kept *= _KEPT
        nile += kept * later_flood
    spread = _SPREAD_NOW * (left - 1) / seats
    differences = range(-_FARTHEST, _FARTHEST + 1)
    epochs = [spread + epoch * _SPREAD_LATER for epoch in range(later + 1)]
    most, fewest = [], []
    for difference in differences:
        above, below = 0.0, 0.0
        for width in epochs:
            above += 5 * _likely(difference + 0.5, width)
            below -= 2 * _likely(0.5 - difference, width)
        most.append(above)
        fewest.append(below)
    return Outlook(
        civilization=_grown((bare, *_CIVILIZATION), lots, _NEW_CIVILIZATION, 5),
        flood=1 - unflooded,
        nile=nile,
        most=tuple(most),
        fewest=tuple(fewest),
        types=_grown(_TYPES, future, _NEW_MONUMENTS, 8),
        alike=_grown(_ALIKE, future, _NEW_MONUMENTS * 0.75 / 8, 5),
        god=2.0 + 1.6 * (1 - _power(0.6, lots)),
    )


def _power(number: float, exponent: int) -> float:
    result = 1.0
    for _ in range(exponent):
        result *= number
    return result


def _likely(ahead: float, spread: float) -> float:
    """The probability that a player who is `ahead` by so many stays ahead."""
    return 0.5 + 0.5 * ahead / (abs(ahead) + spread)


def _grown(scores: tuple[float, ...], lots: int, rate: float, full: int) -> tuple[float, ...]:
    """Expected score by what is held now, after `lots` lots that each bring `rate` tiles;
    a tile is a missing one with the share of the kinds that are missing."""
    values = list(scores)
    for _ in range(lots):
        for held in range(full):
            grows = rate * (full - held) / full
            rest = 1 - grows
            if rest < 0:
                rest, grows = 0.0, 1.0
            values[held] = rest * values[held] + grows * values[held + 1]
    return tuple(values)
