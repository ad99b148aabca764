"""What an attentive player of Raja remembers: everybody's gold.

Every payment and income is public, so gold follows from the happenings that everybody is shown.
Does not know anything that is hidden from a player who keeps count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.entry import Happening
from engine.raja.words.happenings import (
    ActionFailed,
    CityScored,
    GoldTaken,
    HouseBuilt,
    MatchBegan,
    PalaceBuilt,
    TraderPaid,
    Travelled,
)
from engine.raja.words.pieces import CONSOLATION, FROM_BANK, START_GOLD, TRADER_GOLD
from engine.table.words import TakenBack

_MOST = 32
"""How many alternatives are kept after an action was taken back."""

Gold = dict[int, int]
"""What each seat has gained since the start; those without an entry, nothing."""


class Memory:
    """The memory of one match."""

    __slots__ = ("_began", "_beliefs", "_past")

    def __init__(self) -> None:
        self._began = False
        self._beliefs: list[Gold] = [{}]
        """Accounts of what everybody gained, the likeliest first."""
        self._past: list[Gold] = []
        """How things stood before each payment."""

    def hear(self, happened: Iterable[Happening]) -> None:
        """Note what happened."""
        for happening in happened:
            match happening:
                case MatchBegan():
                    self._began = True
                case TakenBack():
                    # it is not said which action: any that still stands
                    self._beliefs = [*self._beliefs, *reversed(self._past)][:_MOST]
                case _ if changes := _changes(happening):
                    self._past = [*self._past[1 - _MOST :], self._beliefs[0]]
                    self._beliefs = [_after(belief, changes) for belief in self._beliefs]

    def recall(self, seat: int, gold: int, seats: int) -> Sequence[int] | None:
        """Everybody's gold, if what `seat` has is as remembered; a player who came in late or
        missed something remembers nothing for certain, and gets None."""
        if not self._began:
            return None
        for belief in self._beliefs:
            failed = belief.get(_ALL, 0)
            every = [START_GOLD + belief.get(each, 0) + failed for each in range(seats)]
            if every[seat] == gold and min(every) >= 0:
                return every
        return None


_ALL = -1
"""In place of a seat: everybody."""


def _changes(happening: Happening) -> Gold:
    """What everybody gains by it."""
    match happening:
        case TraderPaid(seat):
            return {seat: TRADER_GOLD}
        case GoldTaken(seat):
            return {seat: FROM_BANK}
        case HouseBuilt(seat, price=price) | PalaceBuilt(seat, price=price):
            return {seat: -price}
        case Travelled(seat, paid=paid, bank=bank):
            gained = dict(enumerate(paid))
            gained[seat] = 0 if bank else -sum(paid)
            return gained
        case ActionFailed(seat):
            return {_ALL: CONSOLATION, seat: -CONSOLATION}
        case CityScored(gold=gold):
            return dict(enumerate(gold))
    return {}


def _after(belief: Gold, changes: Gold) -> Gold:
    return {seat: belief.get(seat, 0) + changes.get(seat, 0) for seat in {*belief, *changes}}
