"""A match in progress: simultaneous prompts, tokens, taking back, and broken logs."""

from __future__ import annotations

import pytest

from engine.entry import Event
from engine.errors import BrokenLog, Code, IllegalAction
from engine.game import Setup
from engine.match import Match
from engine.table.words import TableOpened, TakeBack, TakenBack
from tests.games import may_take_back, open_table
from tests.miniature.events import CardChosen
from tests.miniature.game import MINIATURE
from tests.miniature.state import Deal, State
from tests.miniature.words.commands import Choose, Hold

THREE = Setup("veiled", 3)
DEAL = Deal((5, 2), ((1, 4), (2, 5), (3, 6)))


def match() -> Match[State]:
    return Match(MINIATURE, THREE, DEAL, 3)


def test_all_seats_are_asked_at_once_and_answer_in_any_order() -> None:
    game = match()
    assert {seat: asked.token for seat, asked in game.asked.items()} == {0: 3, 1: 3, 2: 3}
    for number, seat in enumerate((2, 0, 1), 4):
        step = game.draft(seat, 3, Choose(DEAL.hands[seat][1]))
        game.accept(number, seat, step)
    assert {seat: asked.token for seat, asked in game.asked.items()} == {0: 6, 1: 6, 2: 6}
    assert game.state.points == [0, 0, 5]


def test_a_draft_changes_nothing_until_it_is_accepted() -> None:
    game = match()
    step = game.draft(0, 3, Choose(1))
    assert 0 in game.asked
    assert game.state.chosen[0] == ()
    game.accept(4, 0, step)
    assert 0 not in game.asked


def test_who_is_not_asked_cannot_act() -> None:
    game = match()
    game.accept(4, 0, game.draft(0, 3, Hold()))
    for seat in (0, 3, -1, 99):
        with pytest.raises(IllegalAction, match=Code.NO_PROMPT):
            game.draft(seat, 4, Hold())
    with pytest.raises(IllegalAction, match=Code.STALE_PROMPT):
        game.draft(1, 4, Hold())


def test_one_takes_back_ones_own_last_action_alone() -> None:
    game = match()
    assert may_take_back(game, 0) is None
    game.accept(4, 0, game.draft(0, 3, Choose(4)))
    assert (may_take_back(game, 0), may_take_back(game, 1)) == (3, None)
    for seat, to in ((1, 3), (0, 4), (0, 2)):
        with pytest.raises(IllegalAction, match=Code.CANNOT_TAKE_BACK):
            game.draft(seat, 0, TakeBack(to))
    game.accept(5, 0, game.draft(0, 0, TakeBack(3)))
    assert game.state.chosen[0] == ()
    assert game.asked[0].token == 5
    assert game.asked[1].token == 3
    game.accept(6, 0, game.draft(0, 5, Choose(1)))
    game.accept(7, 1, game.draft(1, 3, Choose(2)))
    with pytest.raises(IllegalAction, match=Code.CANNOT_TAKE_BACK):
        game.draft(0, 0, TakeBack(5))
    game.accept(8, 2, game.draft(2, 3, Choose(3)))
    assert [may_take_back(game, seat) for seat in range(3)] == [None] * 3, "cards were shown"


def test_a_stopped_match_asks_nothing() -> None:
    game = match()
    game.accept(4, 0, game.draft(0, 3, Hold()))
    game.stop()
    assert game.asked == {}
    assert may_take_back(game, 0) is None
    assert game.result is None


@pytest.mark.parametrize(
    ("seat", "events"),
    [
        (3, (CardChosen(3, None),)),
        (-1, (CardChosen(0, None),)),
        (0, (CardChosen(7, 1),)),
        (0, (TableOpened("X", "miniature", 1, "open", (), 2, True, b"", b""),)),
        (0, (Event(),)),
        (0, (TakenBack(0, 2),)),
        (1, (TakenBack(1, 3),)),
        (0, (TakenBack(1, 3),)),
        (0, (TakenBack(0, 3), CardChosen(0, 1))),
        (0, (TakenBack(0, 3), TakenBack(0, 3))),
        (0, (CardChosen(0, 1), TakenBack(0, 3))),
    ],
)
def test_events_that_cannot_follow_are_a_broken_log(seat: int, events: tuple[Event, ...]) -> None:
    game = match()
    game.fold(4, 0, (CardChosen(0, 1),))
    with pytest.raises(BrokenLog):
        game.fold(5, seat, events)


def test_a_fold_keeps_what_can_be_taken_back() -> None:
    game = match()
    game.fold(4, 0, (CardChosen(0, 1),))
    assert may_take_back(game, 0) == 3
    game.fold(5, 0, (TakenBack(0, 3),))
    assert game.state.chosen[0] == ()
    assert may_take_back(game, 0) is None


def test_an_old_log_takes_back_what_would_not_be_granted_today() -> None:
    """Whether an action may be taken back, and how often, is checked when somebody asks; a log
    holds what was granted under the rules of its day."""
    game = match()
    for turn in range(10):
        game.fold(4 + 2 * turn, 0, (CardChosen(0, 1),))
        game.fold(5 + 2 * turn, 0, (TakenBack(0, 3 + 2 * turn),))
    game.fold(24, 0, (CardChosen(0, 1),))
    assert may_take_back(game, 0) is None

    class Shown(CardChosen):
        """The same fact, which a later version says reveals something."""

        reveals = True

    again = match()
    again.fold(4, 0, (Shown(0, 1),))
    assert may_take_back(again, 0) is None
    with pytest.raises(IllegalAction, match=Code.CANNOT_TAKE_BACK):
        again.draft(0, 0, TakeBack(3))
    again.fold(5, 0, (TakenBack(0, 3),))
    assert again.state.chosen[0] == ()


def test_an_unexpected_setup_is_refused_by_the_game() -> None:
    with pytest.raises(ValueError):
        Match(MINIATURE, Setup("open", 2), DEAL)


def test_private_prompts_are_the_seats_own() -> None:
    played = open_table("miniature", THREE)
    assert played.stream.match is not None
    assert not any(asked.prompt.public for asked in played.stream.match.asked.values())
