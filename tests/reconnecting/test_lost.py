"""While the connection is lost nothing is offered that needs one, and no clock is said to run."""

from __future__ import annotations

import pytest

from client.plain.printer import Printer
from client.screen.interface import Location, Page
from client.state.events import Attended, ConnectionStatus
from protocol.messages import Left
from tests.client.joined import RESUMED
from tests.client.screen.test_absence import at_table
from tests.client.seated import Seated
from tests.client.state.test_model import table_with_a_gap

OFFERS = ("draw", "invoke", "undo", "chat", "absent", "invite", "hint", "waited for", "Your turn")


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("trying", [False, True])
def test_at_the_table_no_move_is_offered_and_what_is_tried_is_said(
    columns: int, rows: int, trying: bool
) -> None:
    made, _ = at_table(mine=True, clocks=(15_000, 200_000, 61_000))
    assert "draw" in last_two(made, columns, rows)
    lose(made)
    if trying:
        made.joined.conversation.connecting()
    below = last_two(made, columns, rows)
    assert "onnection" in below and "econnecting" in below
    assert [word for word in OFFERS if word in below] == []
    assert "left" not in below, "no time is said to run"
    assert "q leave" in below
    come_back(made)
    assert "draw" in last_two(made, columns, rows)


@pytest.mark.parametrize("key", ["d", "r", "u", "x", "y", "i", "h", "c", "m"])
def test_a_key_that_asks_something_of_the_server_says_that_it_cannot(key: str) -> None:
    made, _ = at_table(mine=True)
    lose(made)
    made.press(key)
    assert "There is no connection" in made.bar()[1]
    assert made.asks() is None and made.state.page.shown is None
    come_back(made)
    assert "There is no connection" not in made.screen()


def test_what_needs_no_connection_works_and_so_does_leaving() -> None:
    made, _ = at_table(mine=True)
    lose(made)
    for key, page in (("?", Page.HELP), ("l", Page.LOG), ("t", "t"), ("s", "s")):
        made.press(key)
        assert made.state.page.shown == page
        assert "econnecting" in made.bar()[0]
        made.press("c")
        assert made.asks() is None
        made.press("escape")
    made.press("q")
    assert "Leave the table?" in made.bar()[0]
    made.press("y")
    assert made.left() is not None


def test_the_clock_stands_still_until_the_table_is_back() -> None:
    made, hand = at_table(mine=True, clocks=(151_000, 200_000, 61_000))
    hand.time = 2.0
    assert "►Player 1 2:29" in made.screen()
    scene = made.state.conversation.model.scene
    assert scene is not None
    lose(made)
    hand.time = 30.0
    made.joined.conversation.connecting()
    hand.time = 40.0
    for text in (made.screen(), told(made)):
        assert "Player 1 2:29" in text and "►Player 1 2:29" not in text
        assert "running" not in text
    assert made.state.countdown.due() is None, "nothing to count"
    come_back(made)
    made.state.countdown(Attended(scene, (), 0))
    hand.time = 45.0
    assert made.state.countdown.left(0) == 146_000, "it runs again"


def test_a_waiting_table_is_not_started_without_a_connection() -> None:
    made = waiting_room()
    assert "s start" in made.bar()[0] + made.bar()[1]
    lose(made)
    below = " ".join(made.bar())
    assert "econnecting" in below and "start" not in below and "chat" not in below
    for key in ("s", "b", "c"):
        made.press(key)
        assert "There is no connection" in made.bar()[1]
    assert made.joined.up() == []
    made.press("q")
    assert made.state.page.shown is Page.LEAVE


def test_a_start_that_was_asked_about_is_not_sent_without_a_connection() -> None:
    made = waiting_room()
    made.press("s")
    assert "Start with" in made.bar()[0]
    lose(made)
    made.press("y")
    assert made.joined.up() == []
    assert "There is no connection" in made.bar()[1]


def test_no_table_is_gone_to_without_a_connection() -> None:
    made, _ = at_table(mine=True)
    made.joined.down(Left("TEST-1"))
    made.joined.up()
    assert made.state.location is Location.LOBBY
    lose(made)
    below = " ".join(made.bar())
    assert "econnecting" in below and "new table" not in below
    for key in ("n", "j", "enter", "r"):
        made.press(key)
        assert "There is no connection" in made.bar()[1]
        assert made.asks() is None and made.state.form is None
    made.press("q")
    assert made.left() is not None


def waiting_room() -> Seated:
    """The host of a table that waits, with somebody to start with."""
    made = Seated()
    made.joined.played = table_with_a_gap()
    made.joined.snapshot()
    made.joined.up()
    assert made.state.location is Location.ROOM
    return made


def lose(made: Seated) -> None:
    made.joined.conversation.broken("the connection broke", 3.0)
    assert made.joined.conversation.model.connection.status is ConnectionStatus.WAITING


def come_back(made: Seated) -> None:
    made.joined.connect(RESUMED)
    made.joined.snapshot()


def last_two(made: Seated, columns: int, rows: int) -> str:
    return " ".join(made.screen(columns, rows).splitlines()[-2:])


def told(made: Seated) -> str:
    """The table as the plain client tells it."""
    scene = made.state.conversation.model.scene
    assert scene is not None
    printer = Printer(made.state.conversation.model)
    printer._countdown = made.state.countdown
    return "\n".join(printer.state_lines(scene))
