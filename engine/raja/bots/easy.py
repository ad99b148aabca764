"""The bot `easy`: plays as somebody does who knows the rules and little more.

It builds palaces when it can pay them, houses where the Maharaja is, and roads to where he goes
next. It chooses actions that it can probably carry out, and looks no move ahead.
"""

from __future__ import annotations

from typing import Any, ClassVar

from engine.deal import Chance
from engine.entry import Command
from engine.raja.bots.fares import Ways, ways
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    ChooseActions,
    EndTurn,
    FoundHouse,
    MoveGovernor,
    TakeCharacter,
    TakeGold,
    TakeHouses,
    Travel,
)
from engine.raja.words.map import Place
from engine.raja.words.pieces import (
    ARTISAN_PRICE,
    CHITS,
    PALACE_PRICE,
    Action,
    Character,
)
from engine.raja.words.prompts import (
    CharacterPrompt,
    ChoosePrompt,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)
from engine.raja.words.views import Board, Hidden

_LIKED = (
    Character.YOGI,
    Character.ARTISAN,
    Character.BUILDER,
    Character.TRADER,
    Character.MONK,
    Character.MOGUL,
    Character.SADHU,
)
"""Characters, the best first."""
_FEW = 2
"""Houses in the supply that are too few."""


class EasyBot:
    """The same views, prompt and chance always give the same answer."""

    quick: ClassVar[bool] = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """An answer to `prompt` for the seat that it asks."""
        match prompt:
            case TurnPrompt():
                return _turn(public, private, prompt)
            case ChoosePrompt(chit):
                return _choose(public, private, chit, chance)
            case FoundPrompt(villages):
                return _found(public, private, villages, chance)
            case CharacterPrompt(take) | ReplacementPrompt(take):
                return TakeCharacter(min(take, key=_LIKED.index))
        raise TypeError(f"no answer to {type(prompt).__name__}")


def _ways(board: Board, seat: int) -> Ways:
    me = board.players[seat]
    free = Character.MONK in me.characters
    return ways(board.houses[Place.V01 :], seat, me.architect, free)


def _goals(board: Board) -> tuple[Place, ...]:
    """Cities to go to, the first first."""
    now = () if board.maharaja is Place.CAMP else (board.maharaja,)
    return (*now, *board.track[:3])


def _found(board: Board, private: Hidden, villages: tuple[Place, ...], chance: Chance) -> Command:
    """Along the road to one of the next cities."""
    way = _ways(board, private.seat)
    wanted = [Place(village + Place.V01) for city in _goals(board) for village in way.missing[city]]
    return FoundHouse(wanted[0] if wanted else chance.choice(villages))


def _choose(board: Board, private: Hidden, chit: bool, chance: Chance) -> Command:
    """Palaces as gold allows, then houses, then gold or houses from the quarry."""
    me = board.players[private.seat]
    price = ARTISAN_PRICE if Character.ARTISAN in me.characters else PALACE_PRICE
    way = _ways(board, private.seat)
    gold, supply, palaces = private.gold, me.supply, me.palaces
    near = min([way.effort[city] for city in _goals(board)[:2]])
    wanted: list[Action] = []
    while len(wanted) < 2:
        if gold >= price + near and palaces:
            gold -= price
            palaces -= 1
            wanted.append(Action.PALACE_HOUSE if gold > near and supply else Action.PALACE)
            supply -= wanted[-1] is Action.PALACE_HOUSE
        elif supply < _FEW and me.quarry and Action.QUARRY not in wanted:
            supply += 2
            wanted.append(Action.QUARRY)
        elif supply and gold > near and not wanted:
            supply -= 1
            wanted.append(Action.HOUSE)
        else:
            gold += 2
            wanted.append(Action.GOLD)
    third = chance.choice([Action.GOLD, Action.HOUSE]) if chit else None
    return ChooseActions(tuple(sorted(wanted)), third if third in CHITS else None)


def _turn(board: Board, private: Hidden, prompt: TurnPrompt) -> Command:
    """Whatever is left to do, the surest first."""
    here = board.players[private.seat].architect
    if prompt.gold:
        return TakeGold()
    if prompt.quarry:
        return TakeHouses()
    if prompt.governor:
        return MoveGovernor(prompt.governor[0])
    way = _ways(board, private.seat)
    goal = next((city for city in _goals(board) if _open(way, city, private.gold)), None)
    arrived = goal is None or here is goal
    if not arrived:
        assert goal is not None
        return Travel(Place(way.steps[goal][0]))
    if prompt.palace:
        return BuildPalace(prompt.palace[0], prompt.sites[0])
    return _house(board, prompt, way, private.gold)


def _open(way: Ways, city: Place, gold: int) -> bool:
    return way.fare[city] <= gold


def _house(board: Board, prompt: TurnPrompt, way: Ways, gold: int) -> Command:
    """A house here or on the way to the next city; else the end."""
    roads = [Place(village + Place.V01) for city in _goals(board) for village in way.missing[city]]
    action = next(iter(prompt.house or prompt.city_house), None)
    if action is not None:
        places = [place for place in roads if place in prompt.space] if prompt.house else []
        if prompt.city is not None and (not places or prompt.city is board.maharaja):
            return BuildHouse(action, prompt.city)
        if places:
            return BuildHouse(action, places[0])
    return EndTurn()
