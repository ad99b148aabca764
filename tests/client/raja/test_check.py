"""What a server could send of Raja that does not fit together is refused before it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from client.raja.check import check
from client.raja.sight import board_of, own_of
from client.state.scene import Scene
from engine.raja.words.map import CITIES, VILLAGES, Place
from engine.raja.words.pieces import Action, Character, Part, Site
from engine.raja.words.prompts import CharacterPrompt, Fare, FoundPrompt
from engine.raja.words.views import OpenAction, Palaces, RajaPhase
from protocol.codec import ProtocolError
from tests.client.raja.positions import positions, scene
from tests.client.raja.test_typed import CITY, TURN


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("standard", 5), ("yogi", 3), ("short", 2), ("two-player-advanced", 2)],
)
def test_every_view_of_a_game_fits(ruleset: str, seats: int) -> None:
    for step in positions(seats, 7, ruleset=ruleset):
        for seat in (*range(seats), None):
            check(scene(step.match, seat))


def in_turn() -> Scene:
    """A seat in its turn, which is seat 0."""
    for step in positions(3, 5):
        shown = scene(step.match, 0)
        if shown.mine is not None and board_of(shown).phase is RajaPhase.TURN:
            return shown
    raise AssertionError("seat 0 has no turn")


def with_board(**changes: Any) -> Scene:
    shown = in_turn()
    return evolve(shown, board=evolve(board_of(shown), **changes))


def with_player(**changes: Any) -> Scene:
    board = board_of(in_turn())
    return with_board(players=(evolve(board.players[0], **changes), *board.players[1:]))


def with_turn(**changes: Any) -> Scene:
    turn = board_of(in_turn()).turn
    assert turn is not None
    return with_board(turn=evolve(turn, **changes))


def with_houses(place: Place, owners: tuple[int, ...]) -> Scene:
    houses = list(board_of(in_turn()).houses)
    houses[place] = owners
    return with_board(houses=tuple(houses))


def with_palaces(palaces: Palaces) -> Scene:
    return with_board(palaces=(palaces, *board_of(in_turn()).palaces[1:]))


def with_own(**changes: Any) -> Scene:
    shown = in_turn()
    own = own_of(shown)
    assert own is not None
    return evolve(shown, own=evolve(own, **changes))


def with_prompt(prompt: object) -> Scene:
    shown = in_turn()
    assert shown.mine is not None
    return evolve(shown, prompts=(evolve(shown.mine, prompt=prompt),))


GOLD = Action.GOLD
WRONG: dict[str, Callable[[], Scene]] = {
    "no players": lambda: with_board(players=()),
    "too few players": lambda: with_board(players=board_of(in_turn()).players[:2]),
    "a round after the last": lambda: with_board(round=11),
    "a negative round": lambda: with_board(round=-1),
    "endless rounds": lambda: with_board(last_round=10**9),
    "no first seat": lambda: with_board(first=3),
    "no space": lambda: with_board(space=0),
    "the Maharaja in a village": lambda: with_board(maharaja=Place.V01),
    "a coat twice": lambda: with_board(track=(CITIES[0], *CITIES[:-1])),
    "a coat missing": lambda: with_board(track=CITIES[1:]),
    "the camp on the track": lambda: with_board(track=(*CITIES[1:], Place.CAMP)),
    "a character twice": lambda: with_board(display=(Character.MONK, Character.MONK)),
    "houses of too few places": lambda: with_board(houses=((),) * 37),
    "houses of too many places": lambda: with_board(houses=((),) * 39),
    "a house of nobody": lambda: with_houses(Place.V01, (3,)),
    "too many houses": lambda: with_houses(Place.V01, (0, 1, 2)),
    "very many houses": lambda: with_houses(Place.DELHI, (0,) * 61),
    "palaces of too few cities": lambda: with_board(palaces=(Palaces(None, ()),) * 7),
    "a palace of nobody": lambda: with_palaces(Palaces(-1, ())),
    "an outer palace of nobody": lambda: with_palaces(Palaces(None, (5,))),
    "too many palaces": lambda: with_palaces(Palaces(None, (0,) * 7)),
    "a turn of nobody": lambda: with_turn(seat=3),
    "too many open actions": lambda: with_turn(open=(OpenAction(GOLD, (Part.GOLD,)),) * 4),
    "the builder open": lambda: with_turn(open=(OpenAction(Action.BUILDER, (Part.HOUSE,)),)),
    "an open action without parts": lambda: with_turn(open=(OpenAction(GOLD, ()),)),
    "negative roads": lambda: with_turn(roads=-1),
    "a winner of nobody": lambda: with_board(winners=(3,)),
    "three characters": lambda: with_player(characters=tuple(Character)[:3]),
    "an architect in a village": lambda: with_player(architect=Place.V02),
    "a negative supply": lambda: with_player(supply=-1),
    "a full quarry": lambda: with_player(quarry=21),
    "very many palaces": lambda: with_player(palaces=8),
    "debts": lambda: with_player(gold=-1),
    "four actions": lambda: with_player(actions=(GOLD,) * 4),
    "the hand of another": lambda: with_own(seat=1),
    "own debts": lambda: with_own(gold=-1),
    "the builder chosen": lambda: with_own(actions=(GOLD, Action.BUILDER)),
    "nothing to take": lambda: with_prompt(CharacterPrompt(())),
    "the same to take": lambda: with_prompt(CharacterPrompt((Character.MONK,) * 2)),
    "nowhere to found": lambda: with_prompt(FoundPrompt(())),
    "to found in a city": lambda: with_prompt(FoundPrompt((Place.DELHI,))),
    "villages out of order": lambda: with_prompt(FoundPrompt(VILLAGES[::-1])),
    "a road to a village": lambda: with_prompt(evolve(TURN, travel=(Fare(Place.V01, 0),))),
    "a negative fare": lambda: with_prompt(evolve(TURN, travel=(Fare(Place.KOTA, -1),))),
    "a house in the camp": lambda: with_prompt(evolve(TURN, space=(Place.CAMP,))),
    "a house in another city": lambda: with_prompt(evolve(TURN, space=(Place.KOTA,))),
    "the architect's city a village": lambda: with_prompt(evolve(TURN, city=Place.V01)),
    "actions twice": lambda: with_prompt(evolve(TURN, house=(Action.HOUSE,) * 2)),
    "no space for a house": lambda: with_prompt(evolve(TURN, space=())),
    "no city for a house": lambda: with_prompt(evolve(CITY, space=(), house=(), city=None)),
    "nothing to move": lambda: with_prompt(evolve(TURN, own=())),
    "no site": lambda: with_prompt(evolve(TURN, sites=())),
    "a site twice": lambda: with_prompt(evolve(TURN, sites=(Site.OUTER,) * 2)),
    "a coat of the camp": lambda: with_prompt(evolve(TURN, governor=(Place.CAMP,))),
    "a coat to move twice": lambda: with_prompt(evolve(TURN, governor=(Place.KOTA,) * 2)),
    "nothing to give": lambda: with_prompt(evolve(TURN, give=())),
    "the same to swap for": lambda: with_prompt(evolve(TURN, take=(Character.MONK,) * 2)),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_fit_is_refused(what: str) -> None:
    with pytest.raises(ProtocolError):
        check(WRONG[what]())


@pytest.mark.parametrize("prompt", [TURN, CITY])
def test_a_turn_that_fits_is_taken(prompt: object) -> None:
    check(with_prompt(prompt))
