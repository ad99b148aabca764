"""Sentences of Raja: each happening is told, with names by seat and pieces in words."""

from __future__ import annotations

import pytest

from client.raja.narration import narrate
from engine.raja.words.happenings import (
    HAPPENINGS,
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
from engine.raja.words.map import CITIES, Place
from engine.raja.words.pieces import Action, Character, Site

NAMES = ("Anna", "Boris", "Chen")

TOLD = [
    (CharacterTaken(0, Character.MONK), "Anna takes the monk."),
    (HouseFounded(1, Place.V07), "Boris founds a house in village 7."),
    (SupplyFilled(6), "Everybody moves 6 houses from the quarry to the supply."),
    (RoundBegan(3, Place.DELHI), "Round 3 begins: the Maharaja comes to Delhi."),
    (SeatChose(2), "Chen has chosen."),
    (
        OwnActions((Action.GOLD, Action.PALACE_HOUSE)),
        "You have chosen: take gold; build a palace and a house.",
    ),
    (
        TurnBegan(1, (Action.GOLD, Action.GOLD, Action.SWAP)),
        "Boris's turn begins. Actions: take gold; take gold; swap characters.",
    ),
    (TraderPaid(0), "The trader gives Anna 1 gold."),
    (
        Travelled(0, Place.AJMER, Place.DELHI, (0, 1, 0), False),
        "Anna travels from Ajmer to Delhi and pays 1 gold to Boris.",
    ),
    (
        Travelled(0, Place.AJMER, Place.CAMP, (0, 1, 2), False),
        "Anna travels from Ajmer to the camp and pays 1 gold to Boris and 2 gold to Chen.",
    ),
    (
        Travelled(0, Place.AJMER, Place.CAMP, (0, 0, 2), True),
        "Anna travels from Ajmer to the camp, and the bank pays 2 gold to Chen.",
    ),
    (
        Travelled(0, Place.AJMER, Place.CAMP, (0, 0, 0), True),
        "Anna travels from Ajmer to the camp and pays nothing.",
    ),
    (GoldTaken(2), "Chen takes 2 gold."),
    (HousesTaken(2, 2), "Chen moves 2 houses from the quarry to the supply."),
    (HousesTaken(2, 1), "Chen moves 1 house from the quarry to the supply."),
    (
        HouseBuilt(0, Action.HOUSES, Place.DELHI, 1),
        "Anna builds a house in Delhi for 1 gold.",
    ),
    (
        HouseBuilt(0, Action.BUILDER, Place.V30, 0),
        "Anna builds a house in village 30, free of charge by the builder.",
    ),
    (
        HouseMoved(0, Action.MOVE, Place.V07, Place.DELHI),
        "Anna moves a house from village 7 to Delhi.",
    ),
    (
        HouseMoved(0, Action.BUILDER, Place.DELHI, Place.V07),
        "Anna moves a house from Delhi to village 7, by the builder.",
    ),
    (
        PalaceBuilt(1, Action.PALACE, Place.KOTA, Site.CENTRAL, 12),
        "Boris builds the central palace of Kota for 12 gold.",
    ),
    (
        PalaceBuilt(1, Action.PALACE_HOUSE, Place.KOTA, Site.OUTER, 9),
        "Boris builds an outer palace in Kota for 9 gold.",
    ),
    (GovernorMoved(0, Place.KOTA), "Anna moves the coat of arms of Kota 2 places down."),
    (
        CharacterSwapped(0, Character.MONK, Character.SADHU, None),
        "Anna gives the monk to the display and takes the sadhu from there.",
    ),
    (
        CharacterSwapped(0, Character.MONK, Character.SADHU, 1),
        "Anna gives the monk to the display and takes the sadhu from Boris.",
    ),
    (
        ActionFailed(1, Action.PALACE),
        "Boris did not build a palace: everybody else gets 2 gold.",
    ),
    (TurnEnded(2), "Chen ends the turn."),
    (
        CityScored(Place.DELHI, (7, 4, 0), (11, 7, 0)),
        "Delhi is scored: Anna 7 points, 11 gold; Boris 4 points, 7 gold.",
    ),
    (
        CityScored(Place.DELHI, (1, 0, 1), (7, 0, 11)),
        "Delhi is scored: Chen 1 point, 11 gold; Anna 1 point, 7 gold.",
    ),
    (
        CityScored(Place.DELHI, (0, 0, 0), (0, 0, 0)),
        "Delhi is scored: nobody has anything there.",
    ),
    (
        GameEnded((1, 7, 7), (30, 8, 9), 2),
        "The game is over. Chen has 7 palaces and 9 gold; Boris has 7 palaces and 8 gold; "
        "Anna has 1 palace and 30 gold. Chen wins.",
    ),
]


@pytest.mark.parametrize(("happening", "sentence"), TOLD)
def test_a_happening_is_one_sentence(happening: object, sentence: str) -> None:
    assert narrate(happening, NAMES.__getitem__) == (sentence,)


def test_the_beginning_tells_the_track_and_who_is_first() -> None:
    assert narrate(MatchBegan(CITIES, 1), NAMES.__getitem__) == (
        "The coats of arms lie in this order, the lowest first: Ajmer, Bikaner, Chittor, Delhi, "
        "Jaipur, Kota and Udaipur.",
        "Boris is the first to take a character.",
    )


def test_every_action_can_fail_in_words() -> None:
    told = {narrate(ActionFailed(0, action), NAMES.__getitem__) for action in Action}
    assert len(told) == len(Action)


def test_nothing_that_happens_is_left_untold() -> None:
    assert {type(happening) for happening, _ in TOLD} | {MatchBegan} == set(HAPPENINGS.values())


def test_what_a_later_version_tells_is_passed_over() -> None:
    assert narrate(object(), NAMES.__getitem__) == ()
