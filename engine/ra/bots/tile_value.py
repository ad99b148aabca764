"""What tiles are worth to a player, in points expected by the end of the game.

Adds up what each kind of tile changes, by the tables of `engine.ra.bots.expectations`.
Knows hands and lots, but no suns and no order of play.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from attrs import frozen

from engine.ra.bots.expectations import Outlook
from engine.ra.words.pieces import CIVILIZATIONS, MONUMENTS, Kind

_GOD, _GOLD, _PHARAOH, _NILE, _FLOOD = 1, 2, 3, 4, 5
_FUNERAL, _DROUGHT, _UNREST = int(Kind.FUNERAL), int(Kind.DROUGHT), int(Kind.UNREST)
_OWED = 2
"""How many tiles a disaster costs."""


@frozen
class Lot:
    """Tiles counted by what they count for."""

    gods: int
    gold: int
    pharaohs: int
    niles: int
    floods: int
    civilizations: tuple[int, ...]
    """Kinds, each once."""
    monuments: tuple[tuple[int, int], ...]
    """Kinds, with how many of each."""
    disasters: tuple[int, ...]


@lru_cache(4096)
def lot_of(tiles: tuple[int, ...]) -> Lot:
    """The tiles of an auction track, in any order."""
    return Lot(
        gods=tiles.count(_GOD),
        gold=tiles.count(_GOLD),
        pharaohs=tiles.count(_PHARAOH),
        niles=tiles.count(_NILE),
        floods=tiles.count(_FLOOD),
        civilizations=tuple([kind for kind in CIVILIZATIONS if kind in tiles]),
        monuments=tuple([(k, tiles.count(k)) for k in MONUMENTS if k in tiles]),
        disasters=tuple(sorted([kind for kind in tiles if kind >= _FUNERAL])),
    )


def lot_gain(
    hand: Sequence[int], tiles: tuple[int, ...], view: Outlook, most: int, fewest: int
) -> float:
    """What `tiles` bring to the holder of `hand` (19 counts); `most` and `fewest` are
    the pharaohs of the other players with most and fewest."""
    lot = lot_of(tiles)
    if lot.disasters:
        after = with_tiles(hand, tiles, view)
        return hand_value(after, view, most, fewest) - hand_value(hand, view, most, fewest)
    points = lot.gods * view.god + lot.gold * 3.0
    if lot.pharaohs:
        count = hand[_PHARAOH]
        points += pharaohs(count + lot.pharaohs, view, most, fewest)
        points -= pharaohs(count, view, most, fewest)
    if lot.niles or lot.floods:
        niles, floods = hand[_NILE], hand[_FLOOD]
        points += _river(niles + lot.niles, floods + lot.floods, view)
        points -= _river(niles, floods, view)
    if lot.civilizations:
        new = 0
        for kind in lot.civilizations:
            if not hand[kind]:
                new += 1
        if new:
            types = _civilizations(hand)
            points += view.civilization[types + new] - view.civilization[types]
    if lot.monuments:
        alike = view.alike
        new = 0
        for kind, number in lot.monuments:
            held = hand[kind]
            points += alike[held + number] - alike[held]
            if not held:
                new += 1
        if new:
            types = _monuments(hand)
            points += view.types[types + new] - view.types[types]
    return points


def hand_value(hand: Sequence[int], view: Outlook, most: int, fewest: int) -> float:
    """The points that the holder of `hand` may expect from it."""
    points = hand[_GOD] * view.god + hand[_GOLD] * 3.0
    points += pharaohs(hand[_PHARAOH], view, most, fewest)
    points += _river(hand[_NILE], hand[_FLOOD], view)
    return points + _sets(hand, view)


def _sets(hand: Sequence[int], view: Outlook) -> float:
    points = view.civilization[_civilizations(hand)] + view.types[_monuments(hand)]
    for kind in MONUMENTS:
        points += view.alike[hand[kind]]
    return points


def pharaohs(count: int, view: Outlook, most: int, fewest: int) -> float:
    """The points that `count` pharaohs bring, given those of the other players."""
    above, below = count - most, count - fewest
    above = -6 if above < -6 else 6 if above > 6 else above
    below = -6 if below < -6 else 6 if below > 6 else below
    return view.most[above + 6] + view.fewest[below + 6]


def _river(niles: int, floods: int, view: Outlook) -> float:
    flooded = 1.0 if floods else view.flood
    return floods + niles * (flooded + view.nile)


def _civilizations(hand: Sequence[int]) -> int:
    return (hand[6] > 0) + (hand[7] > 0) + (hand[8] > 0) + (hand[9] > 0) + (hand[10] > 0)


def _monuments(hand: Sequence[int]) -> int:
    return 8 - hand[11:].count(0)


def with_tiles(hand: Sequence[int], tiles: Iterable[int], view: Outlook) -> list[int]:
    """`hand` after receiving `tiles` and carrying out their disasters."""
    counts = list(hand)
    disasters = []
    for tile in tiles:
        if tile < _FUNERAL:
            counts[tile] += 1
        else:
            disasters.append(tile)
    for disaster in disasters:
        if disaster == _FUNERAL:
            counts[_PHARAOH] = max(counts[_PHARAOH] - _OWED, 0)
        elif disaster == _DROUGHT:
            floods = min(counts[_FLOOD], _OWED)
            counts[_FLOOD] -= floods
            counts[_NILE] = max(counts[_NILE] - (_OWED - floods), 0)
        elif disaster == _UNREST:
            give_up(counts, CIVILIZATIONS, _OWED, view)
        else:
            give_up(counts, MONUMENTS, _OWED, view)
    return counts


def give_up(counts: list[int], kinds: Iterable[int], owed: int, view: Outlook) -> list[int]:
    """Remove from `counts` the `owed` tiles of `kinds` that are worth least, one by one (all
    of them if there are fewer), and return their kinds."""
    given = []
    for _ in range(owed):
        best, best_left = None, 0.0
        for kind in kinds:
            if not counts[kind]:
                continue
            counts[kind] -= 1
            left = _sets(counts, view)
            counts[kind] += 1
            if best is None or left > best_left:
                best, best_left = kind, left
        if best is None:
            break
        counts[best] -= 1
        given.append(best)
    return given
