"""The short words of Raja that the screen writes: in columns, on keys, in lists."""

from __future__ import annotations

from engine.raja.words.map import ROADS, Place
from engine.raja.words.pieces import Action, Character, Part

CHARACTER_NAMES: dict[Character, str] = {
    Character.MOGUL: "mogul",
    Character.TRADER: "trader",
    Character.SADHU: "sadhu",
    Character.MONK: "monk",
    Character.BUILDER: "builder",
    Character.ARTISAN: "artisan",
    Character.YOGI: "yogi",
}
CHARACTER_POWERS: dict[Character, str] = {
    Character.MOGUL: "first to act and in every tie",
    Character.TRADER: "1 gold in each of your turns",
    Character.SADHU: "outer palaces count 2 points",
    Character.MONK: "roads are free for you",
    Character.BUILDER: "one house a turn free of charge",
    Character.ARTISAN: "palaces cost 9 gold",
    Character.YOGI: "a third action, by chit",
}
ACTION_NAMES: dict[Action, str] = {
    Action.GOLD: "take 2 gold",
    Action.QUARRY: "fetch 2 houses",
    Action.HOUSE: "a house",
    Action.HOUSES: "two houses",
    Action.MOVE: "move a house",
    Action.PALACE: "a palace",
    Action.PALACE_HOUSE: "palace and house",
    Action.GOVERNOR: "move a coat",
    Action.SWAP: "swap characters",
    Action.BUILDER: "the free house",
}
ACTION_SHORT: dict[Action, str] = {
    Action.GOLD: "gold",
    Action.QUARRY: "quarry",
    Action.HOUSE: "house",
    Action.HOUSES: "houses",
    Action.MOVE: "move",
    Action.PALACE: "palace",
    Action.PALACE_HOUSE: "pal+house",
    Action.GOVERNOR: "governor",
    Action.SWAP: "swap",
    Action.BUILDER: "free house",
}
ACTION_ON_KEYS: dict[Action, str] = {
    Action.GOLD: "gold",
    Action.QUARRY: "fetch",
    Action.HOUSE: "house",
    Action.HOUSES: "2 hou",
    Action.MOVE: "move",
    Action.PALACE: "palac",
    Action.PALACE_HOUSE: "p+hou",
    Action.GOVERNOR: "coat",
    Action.SWAP: "swap",
}
"""Words that can still be told apart when three cells of each are left."""
PART_NAMES: dict[Part, str] = {
    Part.GOLD: "gold",
    Part.QUARRY: "2 houses from the quarry",
    Part.HOUSE: "a house",
    Part.CITY_HOUSE: "a house in a city",
    Part.MOVE: "a move",
    Part.PALACE: "a palace",
    Part.GOVERNOR: "a coat",
    Part.SWAP: "a swap",
}


def place_with_road(place: Place) -> str:
    """A place, a village with the ends of its road: "village 7, Ajmer - Bikaner"."""
    ends = _ROAD_OF.get(place)
    return place_name(place) if ends is None else f"{place_name(place)}, {ends}"


def place_name(place: Place) -> str:
    """A place as it is called within a sentence: "Delhi", "the camp", "village 7"."""
    if place >= Place.V01:
        return f"village {place - Place.V01 + 1}"
    return "the camp" if place is Place.CAMP else place.name.capitalize()


_ROAD_OF: dict[Place, str] = {
    village: " - ".join(place_name(end).removeprefix("the ") for end in road.ends)
    for road in ROADS
    for village in road.villages
}
