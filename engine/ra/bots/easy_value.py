"""What tiles are worth to a player, in expected points: the simple estimate of `easy`.

These are estimates, not rules: the scores of this epoch, weighted by what may still come
and by what kept tiles will do later. Knows only what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from engine.ra.words.pieces import CIVILIZATIONS, EPOCHS, MONUMENTS, Kind
from engine.ra.words.views import Board

Hand = Sequence[int]
"""Tiles held, by `Kind` up to SPHINX: 19 counts."""

_CIVILIZATION = (-5.0, 0.0, 0.0, 5.0, 10.0, 15.0)
_TYPES = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 10.0, 15.0)
_ALIKE = (0.0, 0.0, 0.0, 5.0, 10.0, 15.0)
_ALIKE_HOPE = (0.0, 0.4, 1.8, 1.0, 1.0, 0.0)
"""Points that monuments of one type may still grow into."""
_OWED = 2
"""Tiles that a disaster costs."""


@frozen
class EasyOutlook:
    """What the worth of a hand depends on besides the hand."""

    left: float
    """How much of the epoch is still to come: 1 at its start, 0 at its end."""
    later: int
    """Epochs that follow this one."""
    most: int
    """Most pharaohs that another player holds."""
    fewest: int
    """Fewest pharaohs that another player holds."""


def easy_outlook(board: Board, seat: int) -> EasyOutlook:
    """The outlook of `seat`."""
    others = [p.tiles[Kind.PHARAOH] for s, p in enumerate(board.players) if s != seat]
    left = max(board.ra_spaces - board.ra - 1, 0) / (board.ra_spaces - 1)
    return EasyOutlook(left, EPOCHS - board.epoch, max(others), min(others))


def worth(hand: Hand, view: EasyOutlook) -> float:
    """Points that `hand` is expected to bring until the end of the game."""
    return (
        2.2 * hand[Kind.GOD]
        + 3.0 * hand[Kind.GOLD]
        + _pharaohs(hand[Kind.PHARAOH], view)
        + _river(hand[Kind.NILE], hand[Kind.FLOOD], view)
        + _civilizations(sum(hand[kind] > 0 for kind in CIVILIZATIONS), view)
        + _monuments(hand, view)
    )


def _pharaohs(count: int, view: EasyOutlook) -> float:
    if view.most == view.fewest == count:
        now = 0.0
    else:
        now = (5.0 if count >= view.most else 0.0) - (2.0 if count <= view.fewest else 0.0)
    return now * (1 + 0.5 * view.later) + count * (0.3 + 0.2 * view.later)


def _river(niles: int, floods: int, view: EasyOutlook) -> float:
    flooded = 1.0 if floods else 0.5 * view.left
    return floods + niles * flooded + niles * 0.6 * view.later


def _civilizations(types: int, view: EasyOutlook) -> float:
    hope = 0.5 * view.left
    return (1 - hope) * _CIVILIZATION[types] + hope * _CIVILIZATION[min(types + 1, 5)]


def _monuments(hand: Hand, view: EasyOutlook) -> float:
    future = view.later + view.left
    types = 0
    points = 0.0
    for kind in MONUMENTS:
        count = hand[kind]
        if count:
            types += 1
            points += _ALIKE[count] + _ALIKE_HOPE[count] * min(future, 1.5)
    return points + _TYPES[types] + 0.25 * types * future


def with_tiles(hand: Hand, tiles: Iterable[Kind], view: EasyOutlook) -> list[int]:
    """`hand` after winning or taking `tiles` and carrying out their disasters."""
    counts = list(hand)
    disasters: list[Kind] = []
    for kind in tiles:
        if kind >= Kind.FUNERAL:
            disasters.append(kind)
        else:
            counts[kind] += 1
    for disaster in disasters:
        match disaster:
            case Kind.FUNERAL:
                counts[Kind.PHARAOH] = max(counts[Kind.PHARAOH] - _OWED, 0)
            case Kind.DROUGHT:
                floods = min(counts[Kind.FLOOD], _OWED)
                counts[Kind.FLOOD] -= floods
                counts[Kind.NILE] = max(counts[Kind.NILE] - (_OWED - floods), 0)
            case Kind.UNREST:
                give_up(counts, CIVILIZATIONS, _OWED, view)
            case _:
                give_up(counts, MONUMENTS, _OWED, view)
    return counts


def give_up(counts: list[int], kinds: Iterable[int], owed: int, view: EasyOutlook) -> list[Kind]:
    """Remove from `counts` the `owed` tiles of `kinds` that are worth least, one by one (all
    of them if there are fewer), and return their kinds."""
    given: list[Kind] = []
    for _ in range(owed):
        best: Kind | None = None
        best_worth = 0.0
        for kind in kinds:
            if not counts[kind]:
                continue
            counts[kind] -= 1
            left = _civilizations_and_monuments(counts, view)
            counts[kind] += 1
            if best is None or left > best_worth:
                best, best_worth = Kind(kind), left
        if best is None:
            break
        counts[best] -= 1
        given.append(best)
    return given


def _civilizations_and_monuments(counts: Hand, view: EasyOutlook) -> float:
    types = sum(counts[kind] > 0 for kind in CIVILIZATIONS)
    return _civilizations(types, view) + _monuments(counts, view)
