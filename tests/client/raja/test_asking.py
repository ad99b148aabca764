"""What a prompt of Raja asks for, in one line."""

from __future__ import annotations

import pytest

from client.games import Unreadable
from client.raja.asking import ask
from engine.raja.words.map import VILLAGES, Place
from engine.raja.words.pieces import Character
from engine.raja.words.prompts import (
    PROMPTS,
    CharacterPrompt,
    ChoosePrompt,
    FoundPrompt,
    ReplacementPrompt,
)
from tests.client.raja.positions import positions
from tests.client.raja.test_typed import CITY, END, TURN

ASKED = [
    (CharacterPrompt((Character.MOGUL, Character.YOGI)), "character", ("take <mogul yogi>",)),
    (ReplacementPrompt((Character.MONK,)), "replacement", ("take <monk>",)),
    (FoundPrompt(VILLAGES[:3] + VILLAGES[29:]), "village", ("found <v01-v03 v30>",)),
    (
        ChoosePrompt(False),
        "actions",
        ("choose <2 of: gold quarry house houses move palace palace-house governor swap>",),
    ),
    (
        ChoosePrompt(True),
        "actions",
        (
            "choose <2 of: gold quarry house houses move palace palace-house governor swap> "
            "[chit <gold quarry house move palace governor swap>]",
        ),
    ),
    (
        TURN,
        "turn",
        (
            "travel <jaipur free, kota for 2 gold>",
            "gold",
            "house [house houses palace-house builder] <delhi v01 v07 v12>",
            "move [move builder] <from: v01 v07> <to: delhi v01 v07 v12>",
            "palace [palace-house] <central outer>",
            "governor <ajmer kota>",
            "swap <builder> <mogul monk sadhu>",
            "end",
        ),
    ),
    (
        CITY,
        "turn",
        ("house [builder] <delhi v03>", "house [houses] <delhi>", "palace [palace] <outer>", "end"),
    ),
    (END, "turn", ("end",)),
]


@pytest.mark.parametrize(("prompt", "what", "ways"), ASKED)
def test_a_prompt_is_asked_in_few_words(prompt: object, what: str, ways: tuple[str, ...]) -> None:
    assert ask(prompt) == (what, ways)


def test_every_prompt_is_asked() -> None:
    assert {type(prompt) for prompt, _, _ in ASKED} == set(PROMPTS.values())
    with pytest.raises(Unreadable):
        ask(object())


def test_a_turn_of_a_real_game_can_be_read() -> None:
    longest = max(
        len(" | ".join(ask(asked.prompt)[1]))
        for step in positions(5, 4, ruleset="yogi")
        for asked in step.match.asked.values()
    )
    assert longest < 500, "though it may have hundreds of answers"


def test_every_village_is_among_the_words() -> None:
    assert Place.V30.name.lower() in ask(FoundPrompt(VILLAGES))[1][0]
