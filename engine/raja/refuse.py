"""Why a command of Raja cannot be carried out: one function for each kind of command.

Each raises IllegalAction with the first refusal that applies, in the order of the rules (Prompts
and commands, Refusals), and changes nothing. It trusts that the seat is asked and that the kind of
command fits its prompt, but not what the command holds.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import IllegalAction
from engine.notation import word
from engine.raja.legal import (
    free_sites,
    has_free_house,
    palace_price,
    palaces_left,
    takeable,
)
from engine.raja.state import RajaState
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
from engine.raja.words.map import CITIES, ROADS_FROM, Place
from engine.raja.words.pieces import (
    CHITS,
    CHOSEN,
    DOWN,
    HOUSE_PRICE,
    MOST_ROADS,
    Action,
    Character,
    Part,
    Site,
)
from engine.raja.words.refusals import RajaRefusal


def take(state: RajaState, seat: int, command: TakeCharacter) -> None:
    """Refuse a character that is not in the display."""
    _check_available(command.character, state.display)


def found(state: RajaState, seat: int, command: FoundHouse) -> None:
    """Refuse to found a house there."""
    _check_place(command.village)
    if command.village < Place.V01:
        raise IllegalAction(RajaRefusal.NOT_HERE, place=word(command.village))
    _check_space(state, command.village)


def choose(state: RajaState, seat: int, command: ChooseActions) -> None:
    """Refuse a choice of actions."""
    actions, chit = command.actions, command.chit
    if type(actions) is not tuple:
        raise IllegalAction(RajaRefusal.NOT_AN_ACTION)
    named = actions if chit is None else (*actions, chit)
    if any(type(action) is not Action or action is Action.BUILDER for action in named):
        raise IllegalAction(RajaRefusal.NOT_AN_ACTION)
    if len(actions) != CHOSEN:
        raise IllegalAction(RajaRefusal.WRONG_COUNT, given=len(actions), count=CHOSEN)
    yogi = Character.YOGI in state.characters[seat]
    if chit is not None and not (yogi and chit in CHITS):
        raise IllegalAction(RajaRefusal.NO_CHIT, action=word(chit))


def travel(state: RajaState, seat: int, command: Travel) -> tuple[int, ...]:
    """Refuse to travel; otherwise the gold that each owner gets, by seat."""
    _check_place(command.place)
    if state.roads >= MOST_ROADS:
        raise IllegalAction(RajaRefusal.ROADS_SPENT, roads=state.roads)
    villages = ROADS_FROM[state.architects[seat]].get(command.place)
    if villages is None:
        raise IllegalAction(RajaRefusal.NO_ROAD, place=word(command.place))
    paid = [0] * state.terms.seats
    for village in villages:
        owners = state.houses[village]
        if not owners:
            raise IllegalAction(RajaRefusal.ROAD_CLOSED, village=word(village))
        if seat not in owners:
            for owner in owners:
                paid[owner] += 1
    if Character.MONK not in state.characters[seat]:
        _check_gold(state, seat, sum(paid))
    return tuple(paid)


def gold(state: RajaState, seat: int, command: TakeGold) -> None:
    """Refuse to take gold."""
    _check_part(state, Action.GOLD, Part.GOLD)


def quarry(state: RajaState, seat: int, command: TakeHouses) -> None:
    """Refuse to take houses from the quarry."""
    _check_part(state, Action.QUARRY, Part.QUARRY)
    if not state.quarry[seat]:
        raise IllegalAction(RajaRefusal.QUARRY_EMPTY)


def build(state: RajaState, seat: int, command: BuildHouse) -> int:
    """Refuse to build a house; otherwise its price."""
    action, place = command.action, command.place
    _check_place(place)
    _check_action(action)
    parts = _check_house_parts(state, seat, action, Part.HOUSE, Part.CITY_HOUSE)
    _check_here(state, seat, place)
    if place >= Place.V01 and Part.HOUSE not in parts:
        raise IllegalAction(RajaRefusal.NEEDS_CITY, place=word(place))
    _check_space(state, place)
    if not state.supply[seat]:
        raise IllegalAction(RajaRefusal.NO_HOUSE)
    price = 0 if action is Action.BUILDER else HOUSE_PRICE
    _check_gold(state, seat, price)
    return price


def move(state: RajaState, seat: int, command: MoveHouse) -> None:
    """Refuse to move a house."""
    action, origin, place = command.action, command.origin, command.place
    _check_place(origin)
    _check_place(place)
    _check_action(action)
    _check_house_parts(state, seat, action, Part.MOVE)
    _check_here(state, seat, place)
    if seat not in state.houses[origin]:
        raise IllegalAction(RajaRefusal.NO_HOUSE_THERE, place=word(origin))
    if origin is place:
        raise IllegalAction(RajaRefusal.SAME_PLACE, place=word(place))
    _check_space(state, place)


def palace(state: RajaState, seat: int, command: BuildPalace) -> int:
    """Refuse to build a palace; otherwise its price."""
    action, site, here = command.action, command.site, state.architects[seat]
    if type(site) is not Site:
        raise IllegalAction(RajaRefusal.NO_SUCH_PLACE)
    _check_action(action)
    _check_part(state, action, Part.PALACE)
    if here is Place.CAMP:
        raise IllegalAction(RajaRefusal.NOT_HERE, place=word(here))
    if site not in free_sites(state, here):
        raise IllegalAction(RajaRefusal.SITE_TAKEN, site=word(site))
    if not palaces_left(state, seat):
        raise IllegalAction(RajaRefusal.NO_PALACE)
    price = palace_price(state, seat)
    _check_gold(state, seat, price)
    return price


def governor(state: RajaState, seat: int, command: MoveGovernor) -> None:
    """Refuse to move a coat of arms."""
    city = command.city
    _check_place(city)
    if city not in CITIES:
        raise IllegalAction(RajaRefusal.NO_SUCH_PLACE)
    _check_part(state, Action.GOVERNOR, Part.GOVERNOR)
    if city in state.track[:DOWN]:
        raise IllegalAction(RajaRefusal.TOO_LOW, city=word(city))


def swap(state: RajaState, seat: int, command: SwapCharacter) -> None:
    """Refuse to swap characters."""
    _check_available(command.give, state.characters[seat])
    _check_available(command.take, takeable(state, seat))
    _check_part(state, Action.SWAP, Part.SWAP)


# What several commands share


def _check_available(character: object, there: Iterable[Character]) -> None:
    if type(character) is not Character:
        raise IllegalAction(RajaRefusal.NOT_AVAILABLE, character=type(character).__name__)
    if character not in there:
        raise IllegalAction(RajaRefusal.NOT_AVAILABLE, character=word(character))


def _check_place(place: object) -> None:
    if type(place) is not Place:
        raise IllegalAction(RajaRefusal.NO_SUCH_PLACE)


def _check_action(action: object) -> None:
    if type(action) is not Action:
        raise IllegalAction(RajaRefusal.NOT_AN_ACTION)


def _check_part(state: RajaState, action: Action, *parts: Part) -> list[Part]:
    """Which of `parts` are left of open actions named `action`: at least one."""
    there = [part for name, left in state.open if name is action for part in parts if part in left]
    if not there:
        raise IllegalAction(RajaRefusal.NOT_OPEN, action=word(action))
    return there


def _check_house_parts(state: RajaState, seat: int, action: Action, *parts: Part) -> Iterable[Part]:
    """As `_check_part`; the builder's free house is any of the parts."""
    if action is Action.BUILDER and has_free_house(state, seat):
        return parts
    return _check_part(state, action, *parts)


def _check_here(state: RajaState, seat: int, place: Place) -> None:
    """A house goes to a village, or to the city of one's architect."""
    if place < Place.V01 and (place is Place.CAMP or place is not state.architects[seat]):
        raise IllegalAction(RajaRefusal.NOT_HERE, place=word(place))


def _check_space(state: RajaState, place: Place) -> None:
    if place >= Place.V01 and place not in state.space:
        raise IllegalAction(RajaRefusal.VILLAGE_FULL, place=word(place))


def _check_gold(state: RajaState, seat: int, price: int) -> None:
    if state.gold[seat] < price:
        raise IllegalAction(RajaRefusal.TOO_POOR, price=price, gold=state.gold[seat])
