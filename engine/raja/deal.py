"""What chance decides in a game of Raja: the order of the coats of arms, and the first seat."""

from __future__ import annotations

from attrs import frozen

from engine.deal import Chance
from engine.game import Setup
from engine.raja.words.map import CITIES, Place


@frozen
class RajaDeal:
    """Everything chance decides in one match; open to all from its start (Set-up, 1)."""

    track: tuple[Place, ...]
    """The coats of arms of the seven cities, the lowest first."""
    first: int
    """The seat that takes a character first."""


def deal(seats: int, chance: Chance) -> RajaDeal:
    """Draw a deal for `seats` players: first the coats (`CITIES`, in alphabetical order) are
    shuffled by `chance.shuffle`, then the first seat is `chance.below(seats)`."""
    track = chance.shuffle(CITIES)
    return RajaDeal(track, chance.below(seats))


def check_deal(setup: Setup, dealt: object) -> RajaDeal:
    """`dealt`, if it is a possible deal for `setup`; raises ValueError."""
    if not isinstance(dealt, RajaDeal):
        raise ValueError("not a deal of Raja")
    if any(type(city) is not Place for city in dealt.track):
        raise ValueError("the track holds something that is no place")
    if sorted(dealt.track) != list(CITIES):
        raise ValueError("the track does not hold the coats of the seven cities")
    if type(dealt.first) is not int or not 0 <= dealt.first < setup.seats:
        raise ValueError("the first seat does not play")
    return dealt
