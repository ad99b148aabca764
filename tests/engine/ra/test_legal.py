"""Answers to prompts: all of them, and the harmless one."""

from __future__ import annotations

import pytest

from engine.entry import Prompt
from engine.ra import legal
from engine.ra.game import RA
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from tests.engine.ra.scene import Scene

GOLD, NILE, ART, WRITING = Kind.GOLD, Kind.NILE, Kind.ART, Kind.WRITING


def test_answers_to_a_turn() -> None:
    assert RA.choices(TurnPrompt(True, 0, ())) == (Draw(), InvokeRa())
    assert RA.choices(TurnPrompt(False, 0, ())) == (InvokeRa(),)
    assert RA.choices(TurnPrompt(False, 2, (NILE, GOLD, NILE))) == (
        InvokeRa(),
        SpendGods((GOLD,)),
        SpendGods((NILE,)),
        SpendGods((GOLD, NILE)),
        SpendGods((NILE, NILE)),
    )


def test_answers_to_a_bid() -> None:
    assert RA.choices(BidPrompt((3, 7), True)) == (Pass(), Bid(3), Bid(7))
    assert RA.choices(BidPrompt((3, 7), False)) == (Bid(3), Bid(7))
    assert RA.choices(BidPrompt((), True)) == (Pass(),)


def test_answers_to_a_disaster() -> None:
    prompt = DiscardPrompt(Kind.UNREST, 2, ((WRITING, 2), (ART, 1)))
    assert RA.choices(prompt) == (Discard((WRITING, WRITING)), Discard((WRITING, ART)))


def test_the_widest_prompts_have_answers_in_bounds() -> None:
    """Eight gods and a track of eight kinds; four tiles of eight monuments."""
    track = tuple(map(Kind, range(Kind.GOLD, Kind.WRITING + 2)))
    assert len(RA.choices(TurnPrompt(False, 8, track))) == 1 + 2**8 - 1
    monuments = tuple((Kind(kind), 5) for kind in range(Kind.FORTRESS, Kind.FUNERAL))
    assert len(RA.choices(DiscardPrompt(Kind.EARTHQUAKE, 4, monuments))) == 330


@pytest.mark.parametrize(
    ("prompt", "command"),
    [
        (TurnPrompt(True, 1, (GOLD,)), Draw()),
        (TurnPrompt(False, 1, (GOLD,)), InvokeRa()),
        (BidPrompt((3, 7), True), Pass()),
        (BidPrompt((3, 7), False), Bid(3)),
        (
            DiscardPrompt(Kind.UNREST, 4, ((WRITING, 1), (Kind.RELIGION, 4), (ART, 2))),
            Discard((Kind.RELIGION, Kind.RELIGION, Kind.RELIGION, ART)),
        ),
    ],
)
def test_the_harmless_answer(prompt: Prompt, command: Draw) -> None:
    assert legal.harmless(prompt) == command
    assert command in RA.choices(prompt)


def test_the_harmless_answer_is_for_the_seat_that_is_asked() -> None:
    state = Scene().state
    assert RA.default(state, 0) == Draw()
    for seat in (1, -1, 9):
        with pytest.raises(ValueError):
            RA.default(state, seat)


class Riddle(Prompt):
    """A prompt of no game."""


def test_a_prompt_of_another_game_has_no_answers() -> None:
    with pytest.raises(TypeError):
        RA.choices(Riddle())
    with pytest.raises(TypeError):
        legal.harmless(Riddle())


def test_tiles_in_any_order_are_one_command() -> None:
    assert RA.canonical(SpendGods((NILE, GOLD))) == SpendGods((GOLD, NILE))
    assert RA.canonical(Discard((ART, WRITING, ART))) == Discard((WRITING, ART, ART))
    assert RA.canonical(Bid(7)) == Bid(7)
