"""Choosing things at the screen by their digits, for the prompt they were offered by."""

from __future__ import annotations

import pytest

from client.games import Unreadable
from client.ra.typed import read
from client.screen.game_api import Direction, Pointing, Target
from engine.deal import Chance
from engine.entry import Command, Prompt
from engine.ra.words.commands import InvokeRa
from engine.ra.words.prompts import BidPrompt, TurnPrompt
from protocol.messages import Act
from tests.client.seated import Seated
from tests.games import seed


def asked_with_gods(later: int = 0) -> Seated:
    """A seat asked for its turn, with a god to spend, and to be asked `later` times more."""
    for number in range(200):
        made = _with_gods(number)
        if made is not None and all(_acted_for(made) for _ in range(later)):
            again = _with_gods(number)
            assert again is not None
            return again
    raise AssertionError("nobody ever has a god")


def _with_gods(number: int) -> Seated | None:
    """A seat in the match of this number at our first turn with a god, if there is one."""
    made, chance = Seated(number=number), Chance(seed(number))
    while (prompt := _shown(made, chance)) is not None:
        if isinstance(prompt, TurnPrompt) and prompt.gods:
            return made
        made.joined.step(made.played.act(0, chance.choice(made.played.game.choices(prompt))))
    return None


def _acted_for(made: Seated) -> bool:
    """Somebody acts for our seat, then the others; whether we are asked again."""
    made.joined.step(made.played.act(0, _answer(made)))
    return _shown(made, Chance(seed(made.played.stream.number))) is not None


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
        assert made.state.answer.picked == ()
    with pytest.raises(Unreadable):
        read("²", BidPrompt((2, 8), True))


@pytest.mark.parametrize("times", [1, 2])
def test_what_was_being_chosen_answers_no_later_prompt(times: int) -> None:
    """The clock ran out while gods were chosen: somebody acted for us."""
    made = asked_with_gods(later=times)
    made.press("g")
    made.press("1")
    assert _choosing(made)
    for _ in range(times):
        assert _acted_for(made), "the match is the same as when it was looked for"
    assert not _choosing(made)
    made.press("enter")
    assert not [message for message in made.joined.up() if isinstance(message, Act)]


def _choosing(made: Seated) -> bool:
    return made.state.answer.pick is not None or bool(made.state.answer.picked)


def _answer(made: Seated) -> Command:
    match = made.played.stream.match
    assert match is not None
    choices = made.played.game.choices(match.asked[0].prompt)
    return InvokeRa() if InvokeRa() in choices else choices[0]


def test_what_is_shown_of_the_past_answers_nothing() -> None:
    made = asked_with_gods()
    made.joined.step(made.played.act(0, InvokeRa()))
    made.state.answer.act(InvokeRa())
    assert not [message for message in made.joined.up() if isinstance(message, Act)]


def pointing_at(made: Seated, *, then: bool = False) -> Pointing:
    """Pointing at the answers of our prompt in a row; `then`: at one thing more before."""
    match = made.played.stream.match
    assert match is not None
    commands = made.played.game.choices(match.asked[0].prompt)

    def move(index: int, direction: Direction) -> int:
        step = {Direction.LEFT: -1, Direction.RIGHT: 1}.get(direction, 0)
        return max(0, min(index + step, len(commands) - 1))

    targets = tuple(Target(number, f"answer {number}", it) for number, it in enumerate(commands))
    row = Pointing("Do", targets, move)
    return row if not then else Pointing("First", (Target(0, "this", pointing=row),), move)


def test_one_of_many_is_chosen_by_moving_to_it() -> None:
    made = Seated()
    made.others_move(Chance(seed(1)))
    made.present()
    made.state.answer.choose(pointing_at(made, then=True))
    assert "First" in made.bar()[0] and "this" in made.bar()[0] and "ENTER" in made.bar()[1]
    made.press("enter")
    assert "answer 0" in made.bar()[0]
    made.press("right")
    assert "answer 1" in made.bar()[0]
    for key, shown in (("right", 1), ("left", 0), ("up", 0), ("tab", 1), ("tab", 0), ("right", 1)):
        made.press(key)
        assert f"answer {shown}" in made.bar()[0]
    made.press("enter")
    sent = [message for message in made.joined.up() if isinstance(message, Act)]
    wire = made.joined.projector.wire
    assert [wire.command.unpack(one.command) for one in sent] == [InvokeRa()]


def test_escape_leads_back_from_pointing() -> None:
    made = Seated()
    made.others_move(Chance(seed(1)))
    made.present()
    before = made.bar()
    made.state.answer.choose(pointing_at(made))
    assert made.bar() != before
    made.press("escape")
    assert made.bar() == before
    assert not made.joined.up()
