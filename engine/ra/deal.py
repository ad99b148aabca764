"""What chance decides in a game of Ra: who gets which suns, and the order of the bag."""

from __future__ import annotations

from attrs import field, frozen

from engine.deal import Chance
from engine.game import Setup
from engine.ra.words.pieces import COPIES, SUN_SETS, Kind

FULL_BAG: tuple[Kind, ...] = tuple(kind for kind in Kind for _ in range(COPIES[kind]))
"""The 180 tiles in the order of `Kind`: what the shuffle starts from."""


@frozen
class RaDeal:
    """Everything chance decides in one match; the bag is a secret until its end."""

    bag: tuple[Kind, ...] = field(repr=False)
    """The 180 tiles in the order of drawing."""
    sets: tuple[tuple[int, ...], ...]
    """The set of suns of each seat."""


def deal(seats: int, chance: Chance) -> RaDeal:
    """Draw a deal for 2-5 `seats`: first the sun sets (in the order of `SUN_SETS`) are
    shuffled, then the bag (`FULL_BAG`), both by `chance.shuffle`."""
    sets = chance.shuffle(SUN_SETS[seats])
    return RaDeal(chance.shuffle(FULL_BAG), sets)


def check_deal(setup: Setup, dealt: object) -> RaDeal:
    """`dealt`, if it is a possible deal for `setup`; raises ValueError.

    Suns may stand in any order within a set.
    """
    if not isinstance(dealt, RaDeal):
        raise ValueError("not a deal of Ra")
    if any(type(tile) is not Kind for tile in dealt.bag):
        raise ValueError("the bag holds something that is no tile")
    if sorted(dealt.bag) != list(FULL_BAG):
        raise ValueError("the bag does not hold the 180 tiles")
    wanted = SUN_SETS.get(setup.seats, ())
    if sorted(map(sorted, dealt.sets)) != sorted(map(sorted, wanted)):
        raise ValueError(f"these are not the sets of suns for {setup.seats} players")
    return dealt
