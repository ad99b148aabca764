"""Which open action a house is built by where the player does not say: the one that leaves most
open. Does not know what is open."""

from __future__ import annotations

from engine.raja.words.map import CITIES, Place
from engine.raja.words.pieces import Action

_IN_A_CITY = (Action.HOUSES, Action.PALACE_HOUSE, Action.HOUSE)
"""`HOUSES` comes first, because one of its two has to be in a city."""
_IN_A_VILLAGE = (Action.HOUSE, Action.PALACE_HOUSE, Action.HOUSES)


def house_order(place: Place) -> tuple[Action, ...]:
    """The actions that build a house in `place`, in the order in which to use them. The builder's
    free house is not among them: it is used when it is named."""
    return _IN_A_CITY if place in CITIES else _IN_A_VILLAGE
