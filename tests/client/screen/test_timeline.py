"""What the screen tells of a table while it is behind, and the connection is lost."""

from __future__ import annotations

from engine.deal import Chance
from tests.client.joined import WELCOME
from tests.client.seated import Seated
from tests.games import seed


def behind() -> Seated:
    """A seat at a table where more has happened than is shown."""
    for number in range(30):
        made = Seated(number=number)
        made.others_move(Chance(seed(1)))
        if made.state.behind > 1:
            return made
    raise AssertionError("the others never move first")


def test_no_line_of_the_log_is_lost_by_a_reconnection_while_the_screen_is_behind() -> None:
    made, other = behind(), behind()
    other.present()
    expected = [line.text for line in other.state.timeline.log]
    assert len([line.text for line in made.state.timeline.log]) < len(expected)
    made.joined.conversation.broken("cut", 1)
    made.joined.connect(WELCOME)
    made.joined.snapshot()
    assert made.state.behind == 0
    assert [line.text for line in made.state.timeline.log] == expected
