"""Plays a recorded game of Raja, of the format `raja-trace/1`, and compares every step.

Does not know files: `tests.conformance.traces` reads them.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeVar

from engine.entry import Command, Event, Prompt
from engine.errors import IllegalAction
from engine.game import Setup
from engine.match import Match
from engine.raja.deal import RajaDeal
from engine.raja.game import RAJA
from engine.raja.state import RajaState
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    ChooseActions,
    EndTurn,
    FoundHouse,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    TakeCharacter,
    TakeGold,
    TakeHouses,
    Travel,
)
from engine.raja.words.happenings import CityScored
from engine.raja.words.map import CITIES, Place
from engine.raja.words.pieces import Action, Character, Site
from engine.raja.words.prompts import (
    CharacterPrompt,
    ChoosePrompt,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)
from engine.raja.words.views import RajaPhase
from tests.conformance.comparison import Comparison, Malformed, list_of, short

E = TypeVar("E", bound=IntEnum)

_PLACES = {place.name.lower(): place for place in Place}
_CHARACTERS = {character.name.lower(): character for character in Character}
_ACTIONS = {action.name.lower(): action for action in Action}
_SITES = {site.name.lower(): site for site in Site}


def compare_game(found: Comparison, where: str, trace: dict[str, Any]) -> None:
    """Play a game and compare every step; raises Malformed."""
    match = _start(trace)
    scores: list[dict[str, Any]] = []
    played = True
    for number, step in enumerate(list_of(trace, "steps"), 1):
        found.steps += 1
        played = _compare_step(found, f"{where} step {number}", match, step, scores)
        if not played:
            break
    if played and match.result is None:
        found.differ(where, "the trace stops before the game is over")
    _compare_result(found, where, match, trace, scores)


def _start(trace: dict[str, Any]) -> Match[RajaState]:
    ruleset, players, first = trace.get("ruleset"), trace.get("players"), trace.get("first")
    if type(ruleset) is not str or type(players) is not int or type(first) is not int:
        raise Malformed("ruleset, players or first")
    setup = Setup(ruleset, players)
    track = tuple(_of(_PLACES, name) for name in list_of(trace, "governors"))
    try:
        RAJA.check(setup)
        return Match(RAJA, setup, RajaDeal(track, first))
    except (IllegalAction, ValueError) as error:
        raise Malformed(str(error)) from None


def _compare_step(
    found: Comparison,
    where: str,
    match: Match[RajaState],
    step: Any,
    scores: list[dict[str, Any]],
) -> bool:
    """Compare one step and play its move; False if the game cannot go on."""
    if not isinstance(step, dict):
        raise Malformed(f"{where} is no object")
    asked = match.asked
    may = {str(seat): _may(one.prompt) for seat, one in sorted(asked.items())}
    found.compare(f"{where} may", step.get("may"), may)
    seat = step.get("seat")
    if type(seat) is not int or seat not in asked:
        found.differ(f"{where} seat", f"{short(seat)} is not asked")
        return False
    try:
        command = _command(step.get("move"))
        draft = match.draft(seat, asked[seat].token, command)
    except (IllegalAction, Malformed) as error:
        found.differ(f"{where} move", f"{short(step.get('move'))} is refused: {error}")
        return False
    if RAJA.canonical(command) not in RAJA.choices(asked[seat].prompt):
        found.differ(f"{where} move", f"{short(step.get('move'))} is not among the choices")
    round_played = match.state.round
    match.accept(match.number + 1, seat, draft)
    scores += _scores(draft.events, round_played)
    found.compare(f"{where} then", step.get("then"), _then(match))
    return True


def _scores(events: tuple[Event, ...], round_played: int) -> list[dict[str, Any]]:
    return [
        {
            "round": round_played,
            "city": _name(event.city),
            "points": list(event.points),
            "gold": list(event.gold),
        }
        for event in events
        if isinstance(event, CityScored)
    ]


def _compare_result(
    found: Comparison,
    where: str,
    match: Match[RajaState],
    trace: dict[str, Any],
    scores: list[dict[str, Any]],
) -> None:
    traced = list_of(trace, "scores")
    found.compare(f"{where} number of rounds", len(traced), len(scores))
    for number, (theirs, ours) in enumerate(zip(traced, scores, strict=False), 1):
        found.compare(f"{where} round {number}", theirs, ours)
    result = match.result
    if result is not None:
        found.compare(f"{where} winners", trace.get("winners"), list(result.winners))
        found.compare(f"{where} palaces", trace.get("palaces"), list(result.points))
        found.compare(f"{where} gold", trace.get("gold"), list(match.state.gold))


# the engine's words as those of the trace


def _may(prompt: Prompt) -> dict[str, Any]:
    match prompt:
        case CharacterPrompt(take):
            return {"kind": "character", "take": _names(take)}
        case ReplacementPrompt(take):
            return {"kind": "replacement", "take": _names(take)}
        case FoundPrompt(villages):
            return {"kind": "found", "village": _names(villages)}
        case ChoosePrompt(chit):
            return {"kind": "choose", "actions": 2, "chit": chit}
        case TurnPrompt():
            return _may_turn(prompt)
    raise AssertionError(prompt)


def _may_turn(prompt: TurnPrompt) -> dict[str, Any]:
    space = _names(prompt.space)
    city = [] if prompt.city is None else [_name(prompt.city)]
    reach = {"from": _names(prompt.own), "to": space}
    keys: dict[str, Any] = {
        "travel": {_name(fare.place): fare.gold for fare in prompt.travel},
        "gold": prompt.gold,
        "quarry": prompt.quarry,
        "house": {_name(action): space for action in prompt.house}
        | {_name(action): city for action in prompt.city_house},
        "move": {_name(action): reach for action in prompt.move},
        "palace": {_name(action): _names(prompt.sites) for action in prompt.palace},
        "governor": _names(prompt.governor),
        "swap": [[_name(give), _name(take)] for give in prompt.give for take in prompt.take],
    }
    return {"kind": "turn", "end": True} | {key: value for key, value in keys.items() if value}


def _then(match: Match[RajaState]) -> dict[str, Any]:
    state = match.state
    palaces = {
        _name(city): {"central": state.central[city], "outer": list(state.outer[city])}
        for city in CITIES
        if state.central[city] is not None or state.outer[city]
    }
    return {
        "phase": state.phase.name.lower(),
        "round": state.round,
        "asked": sorted(match.asked),
        "maharaja": _name(state.maharaja),
        "track": _names(state.track),
        "display": _names(state.display),
        "characters": [_names(held) for held in state.characters],
        "gold": list(state.gold),
        "supply": list(state.supply),
        "quarry": list(state.quarry),
        "architects": _names(state.architects),
        "houses": {
            _name(place): list(state.houses[place]) for place in Place if state.houses[place]
        },
        "palaces": palaces,
        "chosen": [_names(actions) or None for actions in state.chosen],
        "acted": [seat for seat, acted in enumerate(state.acted) if acted],
        "turn": _turn(state),
    }


def _turn(state: RajaState) -> dict[str, Any] | None:
    in_turn = state.phase in (RajaPhase.TURN, RajaPhase.REPLACEMENT)
    assert in_turn == (state.turn is not None)
    if state.turn is None:
        return None
    return {
        "seat": state.turn,
        "open": [[_name(action), _names(parts)] for action, parts in state.open],
        "roads": state.roads,
        "builder": state.builder,
        "trader": state.trader,
    }


def _name(member: IntEnum) -> str:
    return member.name.lower()


def _names(members: tuple[IntEnum, ...]) -> list[str]:
    return [_name(member) for member in members]


# the trace's words as those of the engine


def _command(move: Any) -> Command:
    match move:
        case ["take", character]:
            return TakeCharacter(_of(_CHARACTERS, character))
        case ["found", village]:
            return FoundHouse(_of(_PLACES, village))
        case ["choose", list() as actions, *chits] if len(chits) < 2:
            chit = _of(_ACTIONS, chits[0]) if chits else None
            return ChooseActions(tuple(_of(_ACTIONS, action) for action in actions), chit)
        case ["travel", place]:
            return Travel(_of(_PLACES, place))
        case ["gold"]:
            return TakeGold()
        case ["quarry"]:
            return TakeHouses()
        case ["house", action, place]:
            return BuildHouse(_of(_ACTIONS, action), _of(_PLACES, place))
        case ["move", action, origin, place]:
            return MoveHouse(_of(_ACTIONS, action), _of(_PLACES, origin), _of(_PLACES, place))
        case ["palace", action, site]:
            return BuildPalace(_of(_ACTIONS, action), _of(_SITES, site))
        case ["governor", city]:
            return MoveGovernor(_of(_PLACES, city))
        case ["swap", give, take]:
            return SwapCharacter(_of(_CHARACTERS, give), _of(_CHARACTERS, take))
        case ["end"]:
            return EndTurn()
    raise Malformed("no move")


def _of(words: dict[str, E], name: Any) -> E:
    if not isinstance(name, str) or name not in words:
        raise Malformed(f"{short(name)} is not among {', '.join(words)}")
    return words[name]
