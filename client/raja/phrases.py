"""Pieces, places and numbers of Raja in words that fit into sentences.

The short words of columns and keys are in `client.raja.words`. Does not know what happens.
"""

from __future__ import annotations

from collections.abc import Iterable

from client.raja.words import CHARACTER_NAMES
from client.sentences import listed
from engine.raja.words.map import VILLAGES, Place
from engine.raja.words.pieces import Action, Character

_ACTIONS: dict[Action, str] = {
    Action.GOLD: "take gold",
    Action.QUARRY: "take houses from the quarry",
    Action.HOUSE: "build a house",
    Action.HOUSES: "build two houses",
    Action.MOVE: "move a house",
    Action.PALACE: "build a palace",
    Action.PALACE_HOUSE: "build a palace and a house",
    Action.GOVERNOR: "move a coat of arms",
    Action.SWAP: "swap characters",
    Action.BUILDER: "use the builder's free house",
}


def character(one: Character) -> str:
    """`the monk`."""
    return f"the {CHARACTER_NAMES[one]}"


def characters(several: Iterable[Character]) -> str:
    """`the mogul and the monk`; `nothing`."""
    return listed([character(one) for one in several])


def action(one: Action) -> str:
    """`build a palace`."""
    return _ACTIONS[one]


def actions(several: Iterable[Action]) -> str:
    """`take gold; build two houses`."""
    return "; ".join(_ACTIONS[one] for one in several)


def place_words(places: Iterable[Place]) -> str:
    """Places in the notation, villages in a row drawn together: `delhi v01-v05 v07`."""
    cities: list[str] = []
    runs: list[list[Place]] = []
    for place in sorted(places):
        if place not in VILLAGES:
            cities.append(place.name.lower())
        elif runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    villages = [
        " ".join(place.name.lower() for place in run)
        if len(run) < 3
        else f"{run[0].name.lower()}-{run[-1].name.lower()}"
        for run in runs
    ]
    return " ".join([*cities, *villages])
