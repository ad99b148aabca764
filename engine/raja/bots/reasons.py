"""Why a bot of Raja does what it does, in one sentence of plain English.

Speaks to the player whose decision it is, of what that player may know.
"""

from __future__ import annotations

from engine.entry import Command
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    ChooseActions,
    FoundHouse,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    TakeCharacter,
    TakeGold,
    TakeHouses,
    Travel,
)
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Site
from engine.raja.words.views import Board


def reason(board: Board, command: Command) -> str:
    """Why `command` is the best."""
    match command:
        case TakeCharacter(character):
            return f"Of those left, the {character.name.lower()} gives most in the rounds to come."
        case FoundHouse(village):
            return f"A house in {_name(village)} helps most on the way to the next cities."
        case ChooseActions(actions, chit):
            return f"{_chosen(actions, chit)} promise most, whatever the others may have chosen."
        case Travel(place) if place is board.maharaja:
            return f"The Maharaja is in {_name(place)}: what you have there counts this round."
        case Travel(place):
            return f"What you can do best is in {_name(place)} or beyond."
        case TakeGold():
            return "Gold costs nothing and buys palaces."
        case TakeHouses():
            return "Houses in the supply will be needed."
        case BuildHouse(_, place) | MoveHouse(_, _, place):
            return f"A house does most in {_name(place)}."
        case BuildPalace(_, site):
            which = "central one counts 3 points" if site is Site.CENTRAL else "site is free"
            return f"Palaces win the game, and here the {which}."
        case MoveGovernor(city):
            return f"You stand well in {_name(city)}: the Maharaja should come there sooner."
        case SwapCharacter(give, take):
            return f"The {take.name.lower()} is worth more to you than the {give.name.lower()}."
    return "Nothing that is left is worth doing."


def _chosen(actions: tuple[Action, ...], chit: Action | None) -> str:
    names = [action.name.lower() for action in actions]
    if chit is not None:
        names.append(chit.name.lower())
    return " and ".join(name.replace("_", " with ") for name in names).capitalize()


def _name(place: Place) -> str:
    if place >= Place.V01:
        return f"village {place - Place.V01 + 1}"
    return "the camp" if place is Place.CAMP else place.name.capitalize()
