"""Checks whether the views of Raja that a server sent fit together, so that the code that draws
them need not check again. Does not check the rules."""

from __future__ import annotations

from collections.abc import Collection

from client.state.scene import Scene
from engine.raja.words.map import CITIES, ROADS_FROM, VILLAGES, Place
from engine.raja.words.pieces import HOUSES, OUTER_SITES, Action, Character
from engine.raja.words.prompts import (
    CharacterPrompt,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)
from engine.raja.words.views import Board, Hidden, Palaces, Player, Turn
from protocol.codec import ProtocolError

MOST_SEATS = 5
MOST_GOLD = 9_999
MOST_ROUNDS = 99
MOST_PALACES = 7
_GOLD = range(MOST_GOLD + 1)
_HOUSES = range(HOUSES + 1)
_MOST_ACTIONS = 3


def check(scene: Scene) -> None:
    """Raises ProtocolError unless the views can be drawn as they are."""
    board, own = scene.board, scene.own
    assert isinstance(board, Board)
    _want(1 <= len(board.players) <= MOST_SEATS, "players")
    _want(len(board.players) == len(scene.table.places), "players")
    _check_board(board)
    for player in board.players:
        _check_player(player)
    if own is not None:
        assert isinstance(own, Hidden)
        _want(own.seat == scene.seat and own.gold in _GOLD, "what the viewer alone sees")
        _check_actions(own.actions)
    for asked in scene.prompts:
        _check_prompt(asked.prompt)


def _check_board(board: Board) -> None:
    seats = range(len(board.players))
    _want(0 <= board.round <= board.last_round <= MOST_ROUNDS, "round")
    _want(board.first in seats, "first seat")
    _want(1 <= board.space <= MOST_SEATS, "space of a village")
    _want(_stand(board.maharaja), "Maharaja")
    _want(tuple(sorted(board.track)) == CITIES, "track")
    _want(_different(board.display), "display")
    _want(len(board.houses) == len(Place), "houses")
    for place, owners in zip(Place, board.houses, strict=True):
        most = board.space if place in VILLAGES else HOUSES * len(seats)
        _want(len(owners) <= most and all(owner in seats for owner in owners), "houses")
    _want(len(board.palaces) == Place.V01, "palaces")
    for palaces in board.palaces:
        _check_palaces(palaces, seats)
    if board.turn is not None:
        _check_turn(board.turn, seats)
    _want(len(board.winners) <= len(seats) and set(board.winners) <= set(seats), "winners")


def _check_palaces(palaces: Palaces, seats: range) -> None:
    _want(palaces.central is None or palaces.central in seats, "palaces")
    _want(len(palaces.outer) <= OUTER_SITES, "palaces")
    _want(all(owner in seats for owner in palaces.outer), "palaces")


def _check_turn(turn: Turn, seats: range) -> None:
    _want(turn.seat in seats, "turn")
    _want(len(turn.open) <= _MOST_ACTIONS, "open actions")
    for one in turn.open:
        _want(one.action is not Action.BUILDER, "open actions")
        _want(1 <= len(one.parts) <= 2, "open actions")
    _want(0 <= turn.roads <= MOST_ROUNDS, "roads")


def _check_player(player: Player) -> None:
    _want(len(player.characters) <= 2 and _different(player.characters), "characters")
    _want(_stand(player.architect), "architect")
    _want(player.supply in _HOUSES and player.quarry in _HOUSES, "houses of a player")
    _want(0 <= player.palaces <= MOST_PALACES, "palaces of a player")
    _want(player.gold is None or player.gold in _GOLD, "gold")
    _check_actions(player.actions)


def _check_actions(actions: Collection[Action]) -> None:
    _want(len(actions) <= _MOST_ACTIONS and Action.BUILDER not in actions, "actions")


def _check_prompt(prompt: object) -> None:
    match prompt:
        case CharacterPrompt(take) | ReplacementPrompt(take):
            _want(bool(take) and _different(take), "characters to take")
        case FoundPrompt(villages):
            _want(bool(villages) and _ordered(villages), "villages to choose")
            _want(all(village in VILLAGES for village in villages), "villages to choose")
        case TurnPrompt():
            _check_turn_prompt(prompt)


def _check_turn_prompt(prompt: TurnPrompt) -> None:
    ends = [fare.place for fare in prompt.travel]
    _want(_ordered(ends) and all(map(_stand, ends)), "roads")
    _want(all(fare.gold in _GOLD for fare in prompt.travel), "fares")
    _want(_ordered(prompt.space) and Place.CAMP not in prompt.space, "places for a house")
    _want(prompt.city is None or prompt.city in CITIES, "the architect's city")
    cities = [place for place in prompt.space if place in CITIES]
    _want(cities in ([], [prompt.city]), "places for a house")
    for actions in (prompt.house, prompt.city_house, prompt.move, prompt.palace):
        _want(_ordered(actions), "actions")
    _want(bool(prompt.space) or not (prompt.house or prompt.move), "places for a house")
    _want(prompt.city is not None or not prompt.city_house, "the architect's city")
    _want(_ordered(prompt.own) and bool(prompt.own) == bool(prompt.move), "houses to move")
    _want(_ordered(prompt.sites) and bool(prompt.sites) == bool(prompt.palace), "sites")
    _want(_ordered(prompt.governor), "coats to move")
    _want(all(city in CITIES for city in prompt.governor), "coats to move")
    _want(_different(prompt.give) and _different(prompt.take), "characters to swap")
    _want(bool(prompt.give) == bool(prompt.take), "characters to swap")


def _stand(place: Place) -> bool:
    """Whether an architect can stand there."""
    return place in ROADS_FROM


def _different(characters: Collection[Character]) -> bool:
    return len(set(characters)) == len(characters)


def _ordered(several: Collection[int]) -> bool:
    """Whether they ascend, none of them twice."""
    return list(several) == sorted(set(several))


def _want(fits: bool, what: str) -> None:
    if not fits:
        raise ProtocolError(f"a board that cannot be: {what}")
