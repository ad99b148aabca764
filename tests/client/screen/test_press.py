"""Pressing keys: a sun is bid by its own number, so that no key can mean another sun than it
names; and some keys ask before they act."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve

from client.screen.interface import Page
from client.screen.keys_on_pages import QUESTIONS
from engine.deal import Chance
from engine.ra.words.commands import Bid
from engine.ra.words.prompts import BidPrompt
from engine.table.words import Phase
from protocol.messages import Accepted, Act, StartMatch
from tests.client.seated import Seated
from tests.games import seed


def bidding(numbers: range) -> Iterator[tuple[Seated, BidPrompt]]:
    """Seats that are asked for a bid, one after another."""
    for number in numbers:
        made, chance = Seated(number=number), Chance(seed(number))
        while not made.over():
            made.others_move(chance)
            made.present()
            match = made.played.stream.match
            if match is None or 0 not in match.asked:
                continue
            prompt = match.asked[0].prompt
            if isinstance(prompt, BidPrompt) and prompt.suns:
                yield made, prompt
            made.state.answer.spell("")
            made.joined.step(made.played.act(0, chance.choice(made.played.game.choices(prompt))))
            made.joined.up()


def answer(made: Seated) -> None:
    """The server accepts what was sent, so that another bid can be made."""
    for id in made.state.conversation.requests.commands:
        made.joined.down(Accepted(id, made.played.stream.number))


def sent(made: Seated) -> list[int]:
    """The suns that were bid since the last look."""
    acts = [message for message in made.joined.up() if isinstance(message, Act)]
    commands = [made.joined.projector.wire.command.unpack(act.command) for act in acts]
    assert all(isinstance(command, Bid) for command in commands)
    return [command.sun for command in commands]


def test_the_digits_of_a_sun_bid_that_sun_and_nothing_else_does() -> None:
    tried: set[int] = set()
    for made, prompt in bidding(range(3)):
        shown = re.findall(r" (\d+)  bid", made.bar()[0])
        assert shown == [str(sun) for sun in reversed(prompt.suns)]
        sun = prompt.suns[len(tried) % len(prompt.suns)]
        made.joined.up()
        for digit in str(sun)[:-1]:
            made.press(digit)
            assert not sent(made)
        made.press(str(sun)[-1])
        if made.state.answer.typed:
            assert not sent(made)
            made.press("enter")
        assert sent(made) == [sun]
        answer(made)
        tried.add(sun)
    assert len(tried) > 6 and max(tried) > 9


def test_a_number_of_a_place_is_no_key() -> None:
    """`3` does not bid the third sun, nor a sun that may not be bid."""
    refused = 0
    for made, prompt in bidding(range(2)):
        made.joined.up()
        begins = {str(sun)[0] for sun in prompt.suns}
        for key in sorted(set("0123456789") - begins):
            made.press(key)
            assert not sent(made) and not made.state.answer.typed
            assert "sun" in made.bar()[1] or "higher" in made.bar()[1]
            refused += 1
    assert refused > 20


def test_one_waits_for_what_follows_where_it_could_be_more() -> None:
    made, prompt = next(
        (made, prompt)
        for made, prompt in bidding(range(200))
        if 1 in prompt.suns and max(prompt.suns) > 9
    )
    other = max(prompt.suns)
    made.joined.up()
    made.press("1")
    assert not sent(made)
    assert "ENTER for 1" in made.bar()[1] and f"{other % 10} for {other}" in made.bar()[1]
    for key in ("escape", "backspace", "t"):
        made.press("1")
        made.press(key)
        assert not made.state.answer.typed and not sent(made)
    made.press("x")
    made.press("1")
    wrong = next(d for d in "0123456789" if int("1" + d) not in prompt.suns)
    made.press(wrong)
    assert not sent(made) and f"1{wrong}" in made.bar()[1]
    made.press("1")
    made.press("enter")
    assert sent(made) == [1]
    answer(made)
    made.press("1")
    made.press(str(other % 10))
    assert sent(made) == [other]


def test_enter_sends_no_number_that_is_half_typed() -> None:
    made, prompt = next(
        (made, prompt)
        for made, prompt in bidding(range(50))
        if 1 not in prompt.suns and max(prompt.suns) > 9
    )
    made.joined.up()
    made.press("1")
    made.press("enter")
    assert not sent(made) and made.state.answer.typed == "1"
    made.press(str(max(prompt.suns) % 10))
    assert sent(made) == [max(prompt.suns)]


def test_every_page_that_asks_has_its_question() -> None:
    """Without a row in `QUESTIONS`, such a page would be empty and every key would close it."""
    assert set(QUESTIONS) == set(Page) - {Page.HELP, Page.LOG}
    words = [question.wording(Seated().state).asked for question in QUESTIONS.values()]
    assert len(set(words)) == len(words) and all(text.endswith("?") for text in words)


def test_starting_with_seats_free_is_asked() -> None:
    made = Seated()
    scene = made.state.timeline.scene
    assert scene is not None
    seats = (*scene.table.seats[:2], None)
    table = evolve(scene.table, phase=Phase.WAITING, seats=seats, places=(), host=0)
    made.state.timeline.scene = evolve(scene, table=table, board=None, prompts=())
    made.press("s")
    assert "Start with 2 of 3 seats taken?" in made.bar()[0]
    made.press("n")
    assert not any(isinstance(message, StartMatch) for message in made.joined.up())
    made.press("s")
    made.press("y")
    assert any(isinstance(message, StartMatch) for message in made.joined.up())
