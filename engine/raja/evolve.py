"""Carries out the events of Raja in place: one function for each.

Decides and checks nothing: events carry outcomes, and only what the order of play determines (who
is next) is worked out here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.entry import Event
from engine.errors import BrokenLog
from engine.raja.events import ActionsChosen
from engine.raja.state import RajaState, replaced, without
from engine.raja.words.happenings import (
    ActionFailed,
    CharacterSwapped,
    CharacterTaken,
    CityScored,
    GameEnded,
    GoldTaken,
    GovernorMoved,
    HouseBuilt,
    HouseFounded,
    HouseMoved,
    HousesTaken,
    MatchBegan,
    PalaceBuilt,
    RoundBegan,
    SupplyFilled,
    TraderPaid,
    Travelled,
    TurnBegan,
    TurnEnded,
)
from engine.raja.words.map import Place
from engine.raja.words.pieces import (
    CONSOLATION,
    DOWN,
    FROM_BANK,
    PARTS,
    TRADER_GOLD,
    Action,
    Part,
    Site,
)
from engine.raja.words.views import RajaPhase


def evolve(state: RajaState, event: Event) -> None:
    """Advance `state` by one fact; raises BrokenLog for anything but an event of Raja."""
    step = _STEPS.get(type(event))
    if step is None:
        raise BrokenLog(f"{type(event).__name__} is no event of Raja")
    step(state, event)


# Set-up


def _match_began(state: RajaState, event: MatchBegan) -> None:
    state.track = event.track
    state.asked = event.first


def _character_taken(state: RajaState, event: CharacterTaken) -> None:
    state.take_character(event.seat, event.character)
    if state.phase is RajaPhase.REPLACEMENT:
        state.phase = RajaPhase.TURN
        state.asked = state.turn
        return
    state.asked = state.picker()
    if state.asked is None:
        state.phase = RajaPhase.FOUNDING
        state.asked = state.founder()


def _house_founded(state: RajaState, event: HouseFounded) -> None:
    state.quarry = replaced(state.quarry, event.seat, state.quarry[event.seat] - 1)
    state.add_house(event.seat, event.village)
    state.asked = state.founder()


def _supply_filled(state: RajaState, event: SupplyFilled) -> None:
    state.supply = tuple([houses + event.count for houses in state.supply])
    state.quarry = tuple([houses - event.count for houses in state.quarry])


# A round


def _round_began(state: RajaState, event: RoundBegan) -> None:
    state.round = event.round
    state.maharaja = event.city
    state.track = (*without(state.track, event.city), event.city)
    state.phase = RajaPhase.CHOOSING


def _actions_chosen(state: RajaState, event: ActionsChosen) -> None:
    state.chosen = replaced(state.chosen, event.seat, event.actions)


def _turn_began(state: RajaState, event: TurnBegan) -> None:
    state.phase = RajaPhase.TURN
    state.turn = state.asked = event.seat
    state.open = tuple([(action, PARTS[action]) for action in event.actions])
    state.roads = 0
    state.builder = state.trader = False


def _turn_ended(state: RajaState, event: TurnEnded) -> None:
    state.acted = replaced(state.acted, event.seat, True)
    state.turn = state.asked = None
    state.open = ()


def _city_scored(state: RajaState, event: CityScored) -> None:
    state.gold = tuple([had + paid for had, paid in zip(state.gold, event.gold, strict=True)])
    state.chosen = ((),) * state.terms.seats
    state.acted = (False,) * state.terms.seats


def _game_ended(state: RajaState, event: GameEnded) -> None:
    state.phase = RajaPhase.OVER
    state.winner = event.winner


# A turn


def _trader_paid(state: RajaState, event: TraderPaid) -> None:
    state.pay(event.seat, TRADER_GOLD)
    state.trader = True


def _travelled(state: RajaState, event: Travelled) -> None:
    paid = event.paid
    gold = [had + more for had, more in zip(state.gold, paid, strict=True)]
    if not event.bank:
        gold[event.seat] -= sum(paid)
    state.gold = tuple(gold)
    state.architects = replaced(state.architects, event.seat, event.place)
    state.roads += 1


def _gold_taken(state: RajaState, event: GoldTaken) -> None:
    state.pay(event.seat, FROM_BANK)
    state.close_part(Action.GOLD, Part.GOLD)


def _houses_taken(state: RajaState, event: HousesTaken) -> None:
    seat, count = event.seat, event.count
    state.quarry = replaced(state.quarry, seat, state.quarry[seat] - count)
    state.supply = replaced(state.supply, seat, state.supply[seat] + count)
    state.close_part(Action.QUARRY, Part.QUARRY)


def _house_built(state: RajaState, event: HouseBuilt) -> None:
    seat, place, action = event.seat, event.place, event.action
    state.supply = replaced(state.supply, seat, state.supply[seat] - 1)
    state.pay(seat, -event.price)
    state.add_house(seat, place)
    if action is Action.BUILDER:
        state.builder = True
    elif place < Place.V01:
        state.close_part(action, Part.HOUSE, Part.CITY_HOUSE)
    else:
        left = Part.CITY_HOUSE if action is Action.HOUSES else None
        state.close_part(action, Part.HOUSE, left=left)


def _house_moved(state: RajaState, event: HouseMoved) -> None:
    state.remove_house(event.seat, event.origin)
    state.add_house(event.seat, event.place)
    if event.action is Action.BUILDER:
        state.builder = True
    else:
        state.close_part(event.action, Part.MOVE)


def _palace_built(state: RajaState, event: PalaceBuilt) -> None:
    seat, city = event.seat, event.city
    if event.site is Site.CENTRAL:
        state.central = replaced(state.central, city, seat)
    else:
        state.outer = replaced(state.outer, city, tuple(sorted((*state.outer[city], seat))))
    state.built = replaced(state.built, seat, state.built[seat] + 1)
    state.pay(seat, -event.price)
    state.close_part(event.action, Part.PALACE)


def _governor_moved(state: RajaState, event: GovernorMoved) -> None:
    track = list(state.track)
    at = track.index(event.city)
    track.insert(at - DOWN, track.pop(at))
    state.track = tuple(track)
    state.close_part(Action.GOVERNOR, Part.GOVERNOR)


def _character_swapped(state: RajaState, event: CharacterSwapped) -> None:
    seat, robbed = event.seat, event.robbed
    state.lose(seat, event.give)
    state.display = tuple(sorted((*state.display, event.give)))
    if robbed is None:
        state.take_character(seat, event.take)
    else:
        state.lose(robbed, event.take)
        state.hold(seat, event.take)
        state.phase = RajaPhase.REPLACEMENT
        state.asked = robbed
    state.close_part(Action.SWAP, Part.SWAP)


def _action_failed(state: RajaState, event: ActionFailed) -> None:
    state.gold = tuple(
        [gold if seat == event.seat else gold + CONSOLATION for seat, gold in enumerate(state.gold)]
    )


_STEPS: dict[type[Event], Callable[[RajaState, Any], None]] = {
    MatchBegan: _match_began,
    CharacterTaken: _character_taken,
    HouseFounded: _house_founded,
    SupplyFilled: _supply_filled,
    RoundBegan: _round_began,
    ActionsChosen: _actions_chosen,
    TurnBegan: _turn_began,
    TraderPaid: _trader_paid,
    Travelled: _travelled,
    GoldTaken: _gold_taken,
    HousesTaken: _houses_taken,
    HouseBuilt: _house_built,
    HouseMoved: _house_moved,
    PalaceBuilt: _palace_built,
    GovernorMoved: _governor_moved,
    CharacterSwapped: _character_swapped,
    ActionFailed: _action_failed,
    TurnEnded: _turn_ended,
    CityScored: _city_scored,
    GameEnded: _game_ended,
}
