"""Hints: the key, the line, and that a solo game gives them and no other does."""

from __future__ import annotations

from typing import Any

import pytest

from client.join.opener import Opener
from client.join.table_options import BadTable
from client.plain.printer import Printer
from client.screen.keys_everywhere import LOG
from client.solo import solo, solo_table
from client.state.events import Hinted
from engine.deal import Chance
from engine.ra.words.commands import Draw
from protocol.messages import AskHint, Hint, Refused
from tests.client.online import online
from tests.client.seated import Seated


def hinting(seat: Seated) -> bytes:
    """Press the key: the id that was asked with."""
    seat.press("h")
    (ask,) = [message for message in seat.joined.up() if isinstance(message, AskHint)]
    assert "Thinking" in seat.bar()[1]
    return ask.id


def my_turn() -> Seated:
    seat = Seated()
    seat.others_move(Chance(b"others"))
    seat.present()
    return seat


def told(seat: Seated, message: Any) -> None:
    seat.joined.down(message)
    seat.state.tick(0.0)


def test_the_key_asks_and_the_answer_is_shown_and_kept_in_the_log() -> None:
    seat = my_turn()
    id = hinting(seat)
    scene = seat.state.timeline.scene
    assert scene is not None and scene.mine is not None
    told(seat, Hint(id, scene.mine.token, (32,), "Another tile promises more."))
    assert f"Hint: draw. {LOG.name} tells why." in seat.bar()[1]
    assert "q leave" in seat.bar()[1], "keys are wanted while it is read"
    assert "Hint: draw. Another tile promises more." in seat.screen()
    assert any("promises more" in line.text for line in seat.state.timeline.log)


def test_a_hint_for_what_is_not_asked_any_more_is_not_shown() -> None:
    seat = my_turn()
    told(seat, Hint(hinting(seat), 1, (32,), "Too late."))
    assert "Too late" not in seat.screen()


def test_a_refusal_is_said() -> None:
    seat = my_turn()
    told(seat, Refused(hinting(seat), "no_hints", (), "no"))
    assert "no hints" in seat.bar()[1]


def test_the_key_is_offered_in_solo_games_alone() -> None:
    seat = my_turn()
    assert "hint" not in seat.bar()[1]
    seat.state.solo = True
    assert "h hint" in seat.bar()[1]


def test_the_plain_client_has_one_line_for_it() -> None:
    seat = my_turn()
    lines = list(Printer(seat.joined.conversation.model).tell(Hinted(1, Draw(), "It is best.")))
    assert lines == ["hint: draw: It is best."]


async def test_a_solo_game_gives_hints() -> None:
    async with solo(2, "easy") as (address, opening), online(address.port) as one:
        opener = Opener(one.conversation, opening)
        one.conversation.listeners.insert(0, opener)
        opener(one.changes[-1])
        await one.until(lambda: one.conversation.model.scene and one.scene.mine)
        assert {seat.bot for seat in one.scene.table.seats if seat is not None} == {None, "easy"}
        one.conversation.requests.ask_hint()
        hint = await one.heard(Hinted)
        assert one.scene.mine is not None and hint.token == one.scene.mine.token
        assert one.conversation.model.game is not None
        assert hint.command in one.conversation.model.game.choices(one.scene.mine.prompt)
        assert hint.reason


def test_a_solo_game_may_be_of_any_level() -> None:
    assert solo_table(2).bots == ("normal", "normal")
    assert solo_table(3, "hard").bots == ("hard",) * 3
    with pytest.raises(BadTable, match="random, easy, normal, hard"):
        solo_table(1, "perfect")
