"""Points and winners (rules, Scoring, each epoch; Scoring, third epoch only).

Pure arithmetic on what players hold; changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.ra.rulesets import Ruleset
from engine.ra.state import RaState
from engine.ra.words.happenings import Sheet
from engine.ra.words.pieces import CIVILIZATIONS, EPOCHS, MONUMENTS, Kind

_CIVILIZATION_TYPES = (0, 0, 0, 5, 10, 15)
"""Points by number of different civilizations, from 1 on."""
_MONUMENT_TYPES = (0, 1, 2, 3, 4, 5, 6, 10, 15)
"""Points by number of different monuments."""
_MONUMENT_ALIKE = (0, 0, 0, 5, 10, 15)
"""Points of one type of monument by how many there are of it."""
_MOST, _FEWEST_PHARAOHS = 5, -2


def score(state: RaState) -> tuple[Sheet, ...]:
    """Each seat's sheet of the epoch that ends now, before anything is discarded."""
    ruleset = state.terms.ruleset
    last = state.epoch == EPOCHS
    seats = range(state.terms.seats)
    pharaohs = by_rank([state.tiles[seat][Kind.PHARAOH] for seat in seats], _MOST, _FEWEST_PHARAOHS)
    suns = (0,) * len(seats)
    if last:
        sums = [sum(state.up[seat]) + sum(state.down[seat]) for seat in seats]
        suns = by_rank(sums, _MOST, ruleset.points_of_lowest_suns)
    return tuple([_sheet(state, seat, pharaohs[seat], suns[seat], last=last) for seat in seats])


def _sheet(state: RaState, seat: int, pharaoh: int, suns: int, *, last: bool) -> Sheet:
    held = state.tiles[seat]
    lines = (
        2 * held[Kind.GOD],
        3 * held[Kind.GOLD],
        pharaoh,
        held[Kind.NILE] + held[Kind.FLOOD] if held[Kind.FLOOD] else 0,
        civilization(held, state.terms.ruleset),
        monument_types(held) if last else 0,
        monument_alike(held) if last else 0,
        suns,
    )
    return Sheet(state.epoch, *lines, total=max(0, state.points[seat] + sum(lines)))


def by_rank(amounts: Sequence[int], most: int, fewest: int) -> tuple[int, ...]:
    """Points by seat: `most` for the highest amount, `fewest` for the lowest, in full for everybody
    who ties; nothing for anybody if all are equal."""
    high, low = max(amounts), min(amounts)
    if high == low:
        return (0,) * len(amounts)
    return tuple([most if a == high else fewest if a == low else 0 for a in amounts])


def civilization(held: Sequence[int], ruleset: Ruleset) -> int:
    """Points for different civilization tiles among `held` (counts by `Kind`)."""
    types = sum(1 for kind in CIVILIZATIONS if held[kind])
    return _CIVILIZATION_TYPES[types] if types else ruleset.points_without_civilization


def monument_types(held: Sequence[int]) -> int:
    """Points for different monuments."""
    return _MONUMENT_TYPES[sum(1 for kind in MONUMENTS if held[kind])]


def monument_alike(held: Sequence[int]) -> int:
    """Points for monuments of one type, each type by itself."""
    return sum(_MONUMENT_ALIKE[held[kind]] for kind in MONUMENTS)


def winners(state: RaState) -> tuple[int, ...]:
    """The seats with the highest total; of those the one with the highest single sun,
    or all of them where the ruleset shares the win."""
    best = max(state.points)
    tied = tuple([seat for seat, points in enumerate(state.points) if points == best])
    if not state.terms.ruleset.highest_sun_breaks_ties:
        return tied
    return (max(tied, key=lambda seat: max(state.up[seat])),)
