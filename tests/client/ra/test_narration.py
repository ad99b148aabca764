"""Sentences of Ra: each happening is told, with names by seat and tiles in words."""

from __future__ import annotations

import pytest

from client.ra.game import RA
from client.ra.narration import narrate
from client.ra.phrases import tiles
from engine.ra.game import RA as GAME
from engine.ra.rulesets import RULESETS
from engine.ra.words.happenings import (
    HAPPENINGS,
    AuctionBegan,
    AuctionLapsed,
    AuctionWon,
    EpochBegan,
    EpochEnd,
    EpochEnded,
    GameEnded,
    GodsSpent,
    Passed,
    Reason,
    Sheet,
    SheetShown,
    SheetsShown,
    SunBid,
    TileDrawn,
    TilesLost,
)
from engine.ra.words.pieces import Kind

NAMES = ("Anna", "Bob (2)", "Bob (3)")
SHEET = Sheet(2, 4, 0, 5, 0, -5, 0, 0, 0, 14)
EMPTY = Sheet(1, 0, 0, 0, 0, 0, 0, 0, 0, 10)

TOLD = [
    (EpochBegan(2, 1), "Epoch 2 begins. Bob (2) holds the highest sun and is first to act."),
    (TileDrawn(0, Kind.NILE), "Anna draws a Nile."),
    (TileDrawn(0, Kind.RA), "Anna draws Ra."),
    (TileDrawn(2, Kind.UNREST), "Bob (3) draws unrest."),
    (AuctionBegan(0, Reason.DRAWN), "Anna drew Ra: an auction begins."),
    (AuctionBegan(0, Reason.INVOKED), "Anna invokes Ra: an auction begins."),
    (
        AuctionBegan(0, Reason.FORCED),
        "The auction track is full and Anna is the Ra player: an auction begins.",
    ),
    (SunBid(1, 13), "Bob (2) bids 13."),
    (Passed(1), "Bob (2) passes."),
    (
        AuctionWon(0, 8, 1, (Kind.NILE, Kind.GOLD, Kind.NILE)),
        "Anna wins gold and 2 Niles with sun 8 and takes sun 1.",
    ),
    (AuctionWon(0, 8, 1, ()), "Anna wins nothing with sun 8 and takes sun 1."),
    (AuctionLapsed(0, ()), "Nobody bids."),
    (AuctionLapsed(0, (Kind.GOD, Kind.GOD)), "Nobody bids: 2 gods leave the game."),
    (GodsSpent(0, (Kind.ART,)), "Anna spends a god and takes art."),
    (
        GodsSpent(0, (Kind.ART, Kind.OBELISK)),
        "Anna spends 2 gods and takes art and an obelisk.",
    ),
    (
        TilesLost(1, Kind.DROUGHT, (Kind.FLOOD, Kind.NILE)),
        "Bob (2) loses a Nile and a flood to drought.",
    ),
    (TilesLost(1, Kind.UNREST, ()), "Bob (2) has nothing to lose to unrest."),
    (AuctionLapsed(0, (Kind.GOLD,)), "Nobody bids: gold leaves the game."),
    (EpochEnded(1, EpochEnd.RA_TRACK), "Epoch 1 ends: the Ra track is full."),
    (EpochEnded(1, EpochEnd.SUNS_SPENT), "Epoch 1 ends: nobody has a face-up sun left."),
    (
        SheetShown(0, SHEET),
        "Anna scores +4 in epoch 2 (gods +4, pharaohs +5, civilizations -5): 14 points.",
    ),
    (SheetShown(0, EMPTY), "Anna scores +0 in epoch 1: 10 points."),
    (
        GameEnded((10, 45, 30), (1,), ()),
        "The game is over. Bob (2) has 45 points, Bob (3) 30, Anna 10. Bob (2) wins.",
    ),
    (
        GameEnded((45, 45, 30), (0, 1), ()),
        "The game is over. Anna has 45 points, Bob (2) 45, Bob (3) 30. "
        "Anna and Bob (2) share the win.",
    ),
]


@pytest.mark.parametrize(("happening", "sentence"), TOLD)
def test_a_happening_is_one_sentence(happening: object, sentence: str) -> None:
    assert narrate(happening, NAMES.__getitem__) == (sentence,)


def test_all_sheets_are_a_sentence_each() -> None:
    assert len(narrate(SheetsShown((SHEET, EMPTY, EMPTY)), NAMES.__getitem__)) == 3


def test_nothing_that_happens_is_left_untold() -> None:
    told = {type(happening) for happening, _ in TOLD} | {SheetsShown}
    assert told == set(HAPPENINGS.values())


def test_every_kind_has_words_for_one_and_for_several() -> None:
    for kind in Kind:
        assert tiles([kind])
        assert tiles([kind, kind]).startswith("2 ") or kind is Kind.RA


def test_the_client_offers_what_the_game_has() -> None:
    assert list(RA.rulesets) == list(RULESETS)
    assert {name: rules.players for name, rules in RULESETS.items()} == RA.rulesets
    assert tuple(sorted(RA.options)) == GAME.options
    assert RA.bots == tuple(GAME.bots)
