"""What may be done now: the prompts of Raja (rules, Prompts and commands).

What is refused, and why, is `engine.raja.refuse`: both read the same few facts from here.
"""

from __future__ import annotations

from functools import lru_cache

from engine.entry import Command, Prompt
from engine.raja.state import RajaState
from engine.raja.words.commands import (
    ChooseActions,
    EndTurn,
    FoundHouse,
    TakeCharacter,
    TakeGold,
)
from engine.raja.words.map import ROADS_FROM, Place
from engine.raja.words.pieces import (
    ARTISAN_PRICE,
    DOWN,
    HOUSE_PRICE,
    MOST_ROADS,
    OUTER_SITES,
    PALACE_PRICE,
    Action,
    Character,
    Part,
    Site,
)
from engine.raja.words.prompts import (
    CharacterPrompt,
    ChoosePrompt,
    Fare,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)
from engine.raja.words.views import RajaPhase

_CHOOSE = (ChoosePrompt(False), ChoosePrompt(True))
"""By whether a chit may be added."""
_fare = lru_cache(1024)(Fare)


def prompts(state: RajaState) -> dict[int, Prompt]:
    """The open prompts by seat; while choosing, all seats that have not chosen are asked."""
    phase, seat = state.phase, state.asked
    if phase is RajaPhase.CHOOSING:
        return {
            seat: _CHOOSE[Character.YOGI in state.characters[seat]]
            for seat, chosen in enumerate(state.chosen)
            if not chosen
        }
    if seat is None:
        return {}
    if phase is RajaPhase.TURN:
        return {seat: turn_prompt(state, seat)}
    if phase is RajaPhase.FOUNDING:
        return {seat: FoundPrompt(state.space)}
    if phase is RajaPhase.REPLACEMENT:
        return {seat: ReplacementPrompt(state.display)}
    return {seat: CharacterPrompt(state.display)}


def turn_prompt(state: RajaState, seat: int) -> TurnPrompt:
    """All that `seat` may do now in its turn."""
    here, gold = state.architects[seat], state.gold[seat]
    city = None if here is Place.CAMP else here
    by_part = _by_part(state)
    builder = (Action.BUILDER,) if has_free_house(state, seat) else ()
    space = state.space if city is None else (city, *state.space)
    house, city_house, move, own = _NO_ACTIONS, _NO_ACTIONS, _NO_ACTIONS, _NO_PLACES
    if state.supply[seat]:
        paid = gold >= HOUSE_PRICE
        if space:
            house = (by_part.get(Part.HOUSE, ()) if paid else ()) + builder
        if paid and city is not None:
            city_house = by_part.get(Part.CITY_HOUSE, ())
            if city_house and Action.HOUSES in house:
                city_house = ()
    if Part.MOVE in by_part or builder:
        own = tuple([place for place in Place if seat in state.houses[place]])
        if own and space and (own != space or len(own) > 1):
            move = by_part.get(Part.MOVE, ()) + builder
        else:
            own = ()
    sites: tuple[Site, ...] = ()
    if city is not None and Part.PALACE in by_part and can_pay_palace(state, seat):
        sites = free_sites(state, city)
    swap = Part.SWAP in by_part
    return TurnPrompt(
        travel=_fares(state, seat, here, gold),
        gold=Part.GOLD in by_part,
        quarry=Part.QUARRY in by_part and state.quarry[seat] > 0,
        space=space if house or move else (),
        city=city if house or move or city_house else None,
        house=house,
        city_house=city_house,
        move=move,
        own=own,
        palace=by_part[Part.PALACE] if sites else (),
        sites=sites,
        governor=tuple(sorted(state.track[DOWN:])) if Part.GOVERNOR in by_part else (),
        give=state.characters[seat] if swap else (),
        take=takeable(state, seat) if swap else (),
    )


_NO_ACTIONS: tuple[Action, ...] = ()
_NO_PLACES: tuple[Place, ...] = ()


def _by_part(state: RajaState) -> dict[Part, tuple[Action, ...]]:
    """The parts of open actions, each with the actions' names in order, each name once."""
    found: dict[Part, tuple[Action, ...]] = {}
    for action, left in state.open:
        for part in left:
            names = found.get(part, ())
            if action not in names:
                found[part] = tuple(sorted((*names, action))) if names else (action,)
    return found


def _fares(state: RajaState, seat: int, here: Place, gold: int) -> tuple[Fare, ...]:
    """The roads from `here` that `seat` can take and pay."""
    if state.roads >= MOST_ROADS:
        return ()
    free = Character.MONK in state.characters[seat]
    found = []
    for place, villages in ROADS_FROM[here].items():
        fare = 0
        for village in villages:
            owners = state.houses[village]
            if not owners:
                break
            if seat not in owners and not free:
                fare += len(owners)
        else:
            if fare <= gold:
                found.append(_fare(place, fare))
    return tuple(found)


def has_free_house(state: RajaState, seat: int) -> bool:
    """Whether the builder gives `seat` a house in the turn under way."""
    return not state.builder and Character.BUILDER in state.characters[seat]


def palace_price(state: RajaState, seat: int) -> int:
    """What a palace costs `seat`."""
    return ARTISAN_PRICE if Character.ARTISAN in state.characters[seat] else PALACE_PRICE


def can_pay_palace(state: RajaState, seat: int) -> bool:
    """Whether `seat` has a palace left and the gold for it."""
    return palaces_left(state, seat) > 0 and state.gold[seat] >= palace_price(state, seat)


def palaces_left(state: RajaState, seat: int) -> int:
    """Palaces that `seat` has not built yet."""
    return state.terms.ruleset.palaces - state.built[seat]


def free_sites(state: RajaState, city: Place) -> tuple[Site, ...]:
    """The kinds of sites of `city` on which a palace can be built."""
    return _SITES[state.central[city] is None, len(state.outer[city]) < OUTER_SITES]


_SITES: dict[tuple[bool, bool], tuple[Site, ...]] = {
    (True, True): (Site.CENTRAL, Site.OUTER),
    (True, False): (Site.CENTRAL,),
    (False, True): (Site.OUTER,),
    (False, False): (),
}
"""The sites, by whether the central one and an outer one are free."""


def takeable(state: RajaState, seat: int) -> tuple[Character, ...]:
    """The characters that `seat` can take by a swap: of the display or of any other player."""
    held = state.characters[seat]
    return tuple(
        [
            character
            for character in Character
            if character <= state.terms.ruleset.characters and character not in held
        ]
    )


def harmless(prompt: Prompt) -> Command:
    """The answer for a player who gives none (Prompts and commands)."""
    match prompt:
        case CharacterPrompt(take) | ReplacementPrompt(take):
            return TakeCharacter(take[0])
        case FoundPrompt(villages):
            return FoundHouse(villages[0])
        case ChoosePrompt():
            return ChooseActions((Action.GOLD, Action.GOLD))
        case TurnPrompt(gold=gold):
            return TakeGold() if gold else EndTurn()
    raise TypeError(f"{type(prompt).__name__} is no prompt of Raja")
