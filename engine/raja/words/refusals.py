"""Why a command of Raja is refused, besides the kernel's own reasons."""

from __future__ import annotations

from enum import StrEnum


class RajaRefusal(StrEnum):
    """A code of `IllegalAction`; each says which facts come with it. The first that applies, in
    this order, is given (rules, Prompts and commands, Refusals). Characters, places and actions
    are told by their words."""

    NOT_AVAILABLE = "not_available"
    """A character that cannot be given or taken. Facts: character."""
    NO_SUCH_PLACE = "no_such_place"
    """No place; no city, where a coat is moved; no site, where a palace is built."""
    NOT_AN_ACTION = "not_an_action"
    """Something else is given where an action must be named."""
    WRONG_COUNT = "wrong_count"
    """Not two actions chosen. Facts: given, count."""
    NO_CHIT = "no_chit"
    """No yogi held, or an action without a chit. Facts: action."""
    NOT_OPEN = "not_open"
    """No open action of that name has such a part; or the builder is not held, or used. Facts:
    action."""
    ROADS_SPENT = "roads_spent"
    """As many roads as a turn allows were taken. Facts: roads."""
    NO_ROAD = "no_road"
    """No road leads there. Facts: place."""
    ROAD_CLOSED = "road_closed"
    """A village on the way has no house. Facts: village (the first)."""
    NOT_HERE = "not_here"
    """A house in the camp or in a city without one's architect (while founding, in any city), or a
    palace in the camp. Facts: place."""
    NEEDS_CITY = "needs_city"
    """A village, and only a house in a city is left. Facts: place."""
    NO_HOUSE_THERE = "no_house_there"
    """No own house to move from there. Facts: place."""
    SAME_PLACE = "same_place"
    """A house moved to where it is. Facts: place."""
    VILLAGE_FULL = "village_full"
    """No space in the village. Facts: place."""
    SITE_TAKEN = "site_taken"
    """No such site is free. Facts: site."""
    NO_PALACE = "no_palace"
    """All palaces are built."""
    NO_HOUSE = "no_house"
    """The supply is empty."""
    QUARRY_EMPTY = "quarry_empty"
    """The quarry is empty."""
    TOO_LOW = "too_low"
    """One of the two lowest coats of arms. Facts: city."""
    TOO_POOR = "too_poor"
    """Not enough gold. Facts: price, gold."""
