"""Choosing things at the screen by their digits, for the prompt they were offered by."""

from __future__ import annotations

import pytest

from client.games import Unreadable
from client.ra.typed import read
from engine.deal import Chance
from engine.entry import Command, Prompt
from engine.ra.words.commands import InvokeRa
from engine.ra.words.prompts import BidPrompt, TurnPrompt
from protocol.messages import Act
from tests.client.seated import Seated
from tests.games import seed


def asked_with_gods() -> Seated:
    """A sitting asked for its turn, with a god to spend."""
    for number in range(200):
        made, chance = Seated(number=number), Chance(seed(number))
        while (prompt := _shown(made, chance)) is not None:
            if isinstance(prompt, TurnPrompt) and prompt.gods:
                return made
            made.joined.step(made.played.act(0, chance.choice(made.played.game.choices(prompt))))
    raise AssertionError("nobody ever has a god")


def _shown(made: Seated, chance: Chance) -> Prompt | None:
    """What our seat is asked, once the others have moved and all is shown."""
    made.others_move(chance)
    made.present()
    match = made.played.stream.match
    return match.asked[0].prompt if match is not None and 0 in match.asked else None


def test_a_digit_that_is_none_on_the_keyboard_chooses_nothing() -> None:
    made = asked_with_gods()
    made.press("g")
    for key in ("²", "٣", "①", "0"):
        made.press(key)
        assert made.table.answer.picked == ()
    with pytest.raises(Unreadable):
        read("²", BidPrompt((2, 8), True))


@pytest.mark.parametrize("times", [1, 2])
def test_what_was_being_chosen_answers_no_later_prompt(times: int) -> None:
    """The clock ran out while gods were chosen: somebody acted for us."""
    made = asked_with_gods()
    made.press("g")
    made.press("1")
    assert _choosing(made)
    chance = Chance(seed(3))
    for _ in range(times):
        made.joined.step(made.played.act(0, _answer(made)))
        if _shown(made, chance) is None:
            pytest.skip("the match went to its end")
    assert not _choosing(made)
    made.press("enter")
    assert not [message for message in made.joined.up() if isinstance(message, Act)]


def _choosing(made: Seated) -> bool:
    return made.table.answer.pick is not None or bool(made.table.answer.picked)


def _answer(made: Seated) -> Command:
    match = made.played.stream.match
    assert match is not None
    choices = made.played.game.choices(match.asked[0].prompt)
    return InvokeRa() if InvokeRa() in choices else choices[0]


def test_what_is_shown_of_the_past_answers_nothing() -> None:
    made = asked_with_gods()
    made.joined.step(made.played.act(0, InvokeRa()))
    made.table.act(InvokeRa())
    assert not [message for message in made.joined.up() if isinstance(message, Act)]
