"""What happens in Raja, told in sentences; used by every display.

Each player is called by the name that the caller gives a seat. It is unique at the table, so that
no sentence is ambiguous. Does not know about rules or layout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from client.raja import phrases
from client.raja.phrases import character
from client.raja.words import place_name
from client.sentences import listed, number_of
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
    OwnActions,
    PalaceBuilt,
    RoundBegan,
    SeatChose,
    SupplyFilled,
    TraderPaid,
    Travelled,
    TurnBegan,
    TurnEnded,
)
from engine.raja.words.pieces import CONSOLATION, DOWN, FROM_BANK, TRADER_GOLD, Action, Site

Names = Callable[[int], str]


def narrate(happening: Any, names: Names) -> tuple[str, ...]:
    """Sentences about a happening of Raja; none for one that this version does not know."""
    match happening:
        case MatchBegan(track, first):
            order = listed([place_name(city) for city in track])
            return (
                f"The coats of arms lie in this order, the lowest first: {order}.",
                f"{names(first)} is the first to take a character.",
            )
        case RoundBegan(number, city):
            return (f"Round {number} begins: the Maharaja comes to {place_name(city)}.",)
        case SupplyFilled(count):
            houses = number_of(count, "house", "houses")
            return (f"Everybody moves {houses} from the quarry to the supply.",)
        case OwnActions(actions):
            return (f"You have chosen: {phrases.actions(actions)}.",)
        case CityScored():
            return (_scored(happening, names),)
        case GameEnded(palaces, gold, winner):
            return (f"The game is over. {result_sentence(palaces, gold, winner, names)}",)
        case _:
            return _of_a_player(happening, names)


def _of_a_player(happening: Any, names: Names) -> tuple[str, ...]:
    """A sentence about what one player does; none if it is nothing of that kind."""
    match happening:
        case CharacterTaken(seat, taken):
            return (f"{names(seat)} takes {character(taken)}.",)
        case HouseFounded(seat, village):
            return (f"{names(seat)} founds a house in {place_name(village)}.",)
        case SeatChose(seat):
            return (f"{names(seat)} has chosen.",)
        case TurnBegan(seat, actions):
            return (f"{names(seat)}'s turn begins. Actions: {phrases.actions(actions)}.",)
        case TraderPaid(seat):
            return (f"The trader gives {names(seat)} {TRADER_GOLD} gold.",)
        case Travelled():
            return (_travelled(happening, names),)
        case GoldTaken(seat):
            return (f"{names(seat)} takes {FROM_BANK} gold.",)
        case HousesTaken(seat, count):
            houses = number_of(count, "house", "houses")
            return (f"{names(seat)} moves {houses} from the quarry to the supply.",)
        case HouseBuilt() | HouseMoved() | PalaceBuilt():
            return (_built(happening, names(happening.seat)),)
        case GovernorMoved(seat, city):
            where = place_name(city)
            return (f"{names(seat)} moves the coat of arms of {where} {DOWN} places down.",)
        case CharacterSwapped():
            return (_swapped(happening, names),)
        case ActionFailed(seat, action):
            failed = _FAILURES[action].format(name=names(seat))
            return (f"{failed}: everybody else gets {CONSOLATION} gold.",)
        case TurnEnded(seat):
            return (f"{names(seat)} ends the turn.",)
        case _:
            return ()


_FAILURES: dict[Action, str] = {
    Action.GOLD: "{name} did not take gold",
    Action.QUARRY: "{name} did not take houses from the quarry",
    Action.HOUSE: "{name} did not build a house",
    Action.HOUSES: "{name} did not build two houses",
    Action.MOVE: "{name} did not move a house",
    Action.PALACE: "{name} did not build a palace",
    Action.PALACE_HOUSE: "{name} did not build both a palace and a house",
    Action.GOVERNOR: "{name} did not move a coat of arms",
    Action.SWAP: "{name} did not swap characters",
    Action.BUILDER: "{name} did not use the builder's free house",
}


def _travelled(happening: Travelled, names: Names) -> str:
    who = names(happening.seat)
    origin, place = place_name(happening.origin), place_name(happening.place)
    payments = listed(
        [f"{gold} gold to {names(seat)}" for seat, gold in enumerate(happening.paid) if gold]
    )
    if not any(happening.paid):
        return f"{who} travels from {origin} to {place} and pays nothing."
    if happening.bank:
        return f"{who} travels from {origin} to {place}, and the bank pays {payments}."
    return f"{who} travels from {origin} to {place} and pays {payments}."


def _built(happening: HouseBuilt | HouseMoved | PalaceBuilt, who: str) -> str:
    match happening:
        case HouseBuilt(_, Action.BUILDER, place, _):
            return f"{who} builds a house in {place_name(place)}, free of charge by the builder."
        case HouseBuilt(_, _, place, price):
            return f"{who} builds a house in {place_name(place)} for {price} gold."
        case HouseMoved(_, Action.BUILDER, origin, place):
            left, reached = place_name(origin), place_name(place)
            return f"{who} moves a house from {left} to {reached}, by the builder."
        case HouseMoved(_, _, origin, place):
            return f"{who} moves a house from {place_name(origin)} to {place_name(place)}."
        case PalaceBuilt(_, _, city, Site.CENTRAL, price):
            return f"{who} builds the central palace of {place_name(city)} for {price} gold."
        case PalaceBuilt(_, _, city, _, price):
            return f"{who} builds an outer palace in {place_name(city)} for {price} gold."


def _swapped(happening: CharacterSwapped, names: Names) -> str:
    who, given = names(happening.seat), character(happening.give)
    taken = character(happening.take)
    if happening.robbed is None:
        return f"{who} gives {given} to the display and takes {taken} from there."
    return f"{who} gives {given} to the display and takes {taken} from {names(happening.robbed)}."


def _scored(happening: CityScored, names: Names) -> str:
    """`Delhi is scored: Anna 7 points, 11 gold; Boris 4 points, 7 gold.`"""
    paid = list(zip(happening.points, happening.gold, strict=False))
    order = sorted(range(len(paid)), key=lambda seat: (-paid[seat][0], -paid[seat][1]))
    shares = [
        f"{names(seat)} {number_of(paid[seat][0], 'point', 'points')}, {paid[seat][1]} gold"
        for seat in order
        if paid[seat][0]
    ]
    city = place_name(happening.city)
    if not shares:
        return f"{city} is scored: nobody has anything there."
    return f"{city} is scored: {'; '.join(shares)}."


def result_sentence(palaces: Sequence[int], gold: Sequence[int], winner: int, names: Names) -> str:
    """`Anna has 7 palaces and 20 gold; Boris has 1 palace and 3 gold. Anna wins.` Palaces built
    and gold are by seat."""
    had = list(zip(palaces, gold, strict=False))
    order = sorted(range(len(had)), key=lambda seat: (seat != winner, -had[seat][0], -had[seat][1]))
    told = "; ".join(
        f"{names(seat)} has {number_of(had[seat][0], 'palace', 'palaces')} and {had[seat][1]} gold"
        for seat in order
    )
    return f"{told}. {names(winner)} wins."
