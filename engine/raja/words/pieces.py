"""The pieces of Raja: characters, actions with their parts, sites, and how many there are (rules,
Components; A turn).

Does not know the map, which is `engine.raja.words.map`.
"""

from __future__ import annotations

from enum import IntEnum


class Character(IntEnum):
    """A character, by its number: lower is better."""

    MOGUL = 1
    TRADER = 2
    SADHU = 3
    MONK = 4
    BUILDER = 5
    ARTISAN = 6
    YOGI = 7


class Action(IntEnum):
    """An action, in the order of the rules' table; and `BUILDER`, which stands in place of one."""

    GOLD = 0
    QUARRY = 1
    HOUSE = 2
    HOUSES = 3
    MOVE = 4
    PALACE = 5
    PALACE_HOUSE = 6
    GOVERNOR = 7
    SWAP = 8
    BUILDER = 9
    """The builder's free house: named where a house is built or moved, never chosen."""


class Part(IntEnum):
    """A part of an action: one command does one part."""

    GOLD = 0
    QUARRY = 1
    HOUSE = 2
    CITY_HOUSE = 3
    """A house in a city: what is left of `HOUSES` after a house in a village."""
    MOVE = 4
    PALACE = 5
    GOVERNOR = 6
    SWAP = 7


class Site(IntEnum):
    """A kind of site for palaces in a city."""

    CENTRAL = 0
    OUTER = 1


ACTIONS: tuple[Action, ...] = tuple(action for action in Action if action is not Action.BUILDER)
"""The nine actions that can be chosen."""
CHITS: tuple[Action, ...] = tuple(
    action for action in ACTIONS if action not in (Action.HOUSES, Action.PALACE_HOUSE)
)
"""The seven actions that can be chosen by chit."""
PARTS: dict[Action, tuple[Part, ...]] = {
    Action.GOLD: (Part.GOLD,),
    Action.QUARRY: (Part.QUARRY,),
    Action.HOUSE: (Part.HOUSE,),
    Action.HOUSES: (Part.HOUSE, Part.HOUSE),
    Action.MOVE: (Part.MOVE,),
    Action.PALACE: (Part.PALACE,),
    Action.PALACE_HOUSE: (Part.PALACE, Part.HOUSE),
    Action.GOVERNOR: (Part.GOVERNOR,),
    Action.SWAP: (Part.SWAP,),
}
"""The parts of each action."""

CHOSEN = 2
"""Actions that every player chooses for a round, besides the chit."""
HOUSES = 20
"""Houses of each player."""
START_GOLD = 15
FOUNDED = 4
"""Houses that each player founds."""
FIRST_SUPPLY = 6
"""Houses that each player moves from the quarry to the supply when founding ends."""
FROM_QUARRY = 2
"""Houses that the action `QUARRY` moves to the supply."""
FROM_BANK = 2
"""Gold of the action `GOLD`."""
TRADER_GOLD = 1
CONSOLATION = 2
"""Gold for every other player when an action fails."""
HOUSE_PRICE = 1
PALACE_PRICE = 12
ARTISAN_PRICE = 9
OUTER_SITES = 6
"""Outer sites of a city."""
MOST_ROADS = 20
"""Roads that may be taken in a turn."""
DOWN = 2
"""Places that a coat of arms is moved down."""
