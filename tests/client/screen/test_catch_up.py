"""A player who is waited for can see it, whatever lies over the table; and notices go when they
are no longer true."""

from __future__ import annotations

import pytest
from attrs import evolve

from client.screen.catch_up import LAG, CatchUp
from client.screen.lines import text_of
from client.screen.notices import SHORT
from client.screen.pages import draw
from engine.deal import Chance
from protocol.messages import Act, Refused
from tests.client.seated import Seated
from tests.games import seed


@pytest.fixture
def behind() -> Seated:
    """It is our turn, and the moves before are still to be shown."""
    made = Seated()
    made.others_move(Chance(seed(1)))
    assert made.state.behind
    return made


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_moves_still_to_be_shown_do_not_hide_that_we_are_asked(
    behind: Seated, columns: int
) -> None:
    rows = behind.screen(columns).splitlines()[-2:]
    assert "You are waited for: your " in rows[0]
    assert "any key" in rows[1]


def test_an_epochs_page_does_not_hide_that_we_are_asked() -> None:
    made = Seated()
    chance = Chance(seed(2))
    for _ in range(400):
        made.others_move(chance)
        while made.state.behind and made.state.timeline.interlude is None:
            made.press(" ")
        if made.state.timeline.interlude is not None and made.state.waited_for:
            break
        made.present()
        scene = made.joined.conversation.model.scene
        assert scene is not None and not scene.over, "no epoch ended before our turn"
        made.state.answer.act(chance.choice(made.played.game.choices(scene.mine.prompt)))  # type: ignore[union-attr]
        made.grant()
    assert "You are waited for: your " in made.bar()[0]
    assert "go on" in made.bar()[1]


def test_the_present_is_shown_by_itself_to_a_player_who_is_waited_for(behind: Seated) -> None:
    due = behind.state.tick(1.0)
    assert due is not None and due <= LAG
    # As if the moves before took very long to show.
    behind.state.timeline.pace._until = 1000.0
    behind.state.tick(1.0 + LAG)
    assert not behind.state.behind
    assert "► Your turn" in behind.bar()[0]


def test_a_low_clock_shows_the_present_at_once(
    behind: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind.state.timeline.interlude = ()
    behind.state.timeline.pace.held = True
    monkeypatch.setattr(CatchUp, "low", True)
    behind.state.tick(1.0)
    assert not behind.state.behind
    assert "► Your turn" in behind.bar()[0]


def test_a_notice_goes_when_it_is_no_longer_true() -> None:
    made = Seated()
    made.others_move(Chance(seed(1)))
    made.present()
    made.press("d")
    made.press("d")
    assert "Your move is on its way." in made.bar()[1]
    made.grant()
    assert "on its way" not in "".join(made.bar())

    made.present()
    made.joined.conversation.broken("away", 1.0)
    made.press("m")
    assert "There is no connection" in made.bar()[1]
    made.joined.connect()
    assert "There is no connection" not in made.bar()[1]


def test_a_notice_goes_with_time_and_with_what_it_was_about(behind: Seated) -> None:
    behind.present()
    behind.press("g")
    assert "You have no god." in behind.bar()[1]
    behind.state.tick(10.0)
    assert "You have no god." in behind.bar()[1]
    due = behind.state.tick(10.0)
    assert due is not None and due <= SHORT
    behind.state.tick(10.0 + SHORT)
    assert "You have no god." not in behind.bar()[1]


def test_a_refusal_stays_to_be_read_though_the_table_moves_on(behind: Seated) -> None:
    behind.present()
    behind.press("d")
    act = behind.joined.up()[-1]
    assert isinstance(act, Act)
    behind.joined.down(Refused(act.id, "stale_prompt", (), ""))
    behind.others_move(Chance(seed(3)))
    scene = behind.joined.conversation.model.scene
    assert scene is not None and scene.mine is not None
    behind.state.answer.act(behind.played.game.choices(scene.mine.prompt)[0])
    behind.grant()
    assert "The table has moved on" in behind.bar()[1]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (40, 10)])
def test_a_lost_connection_is_said_in_the_first_line(behind: Seated, size: tuple[int, int]) -> None:
    behind.present()
    behind.joined.conversation.broken("the connection broke", 1.0)
    columns, rows = size
    first = text_of(draw(behind.state, columns, rows)).splitlines()[0]
    assert "connection lost" in first
    if columns >= 60:
        assert "TEST-1" in first and "epoch I" in first and "left" in first
        assert "……" not in first and first.count("…") == 1


@pytest.mark.parametrize("columns", [60, 80])
def test_keys_and_what_is_at_stake_show_in_our_turn(behind: Seated, columns: int) -> None:
    behind.present()
    line = behind.screen(columns).splitlines()[-1]
    for key in ("? help", "t tiles", "s score", "q leave"):
        assert key in line
    assert "At stake" in line


@pytest.mark.parametrize("columns", [60, 80])
def test_help_is_whole(behind: Seated, columns: int) -> None:
    behind.present()
    behind.press("?")
    seen = []
    for _ in range(12):
        seen += behind.screen(columns).splitlines()[1:-2]
        behind.press("pagedown")
    assert "…" not in "".join(seen)


def test_after_a_game_the_keys_to_save_and_to_go_on_show() -> None:
    made = Seated()
    scene = made.state.timeline.scene
    assert scene is not None
    from engine.table.words import Phase

    over = evolve(scene, table=evolve(scene.table, phase=Phase.OVER), prompts=())
    made.state.timeline.scene = over
    shown = made.screen(60).splitlines()[-1].split()
    for key in ("w", "b", "v", "q"):
        assert key in shown
