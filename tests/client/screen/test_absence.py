"""At the screen: the clock, and the keys about who is absent, which are offered only
where they do something."""

from __future__ import annotations

import pytest
from attrs import evolve

from client.state.absence import AbsenceTimes
from client.state.events import Attended
from engine.clock import Absence, Clock, ClockKind
from engine.deal import Chance
from engine.stream import Request
from engine.table import words as table
from protocol.codec import Tree
from protocol.messages import (
    FromClient,
    GetMoveCode,
    Invitation,
    Invite,
    MoveCode,
    Peer,
    Presence,
    Refused,
    Return,
    Snapshot,
    Vote,
)
from protocol.project import PUBLIC
from tests.client.joined import RESUMED, Joined
from tests.client.seated import Seated
from tests.games import person, seed

CLOCK = Clock(ClockKind.BANK, 20_000, 0)
GONE, SILENT = 20.0, 50.0
"""Seconds that the server of these tests lets a seat be silent: without a connection, with one."""
_WELCOME = evolve(RESUMED, vote_gone=int(GONE * 1000), vote_silent=int(SILENT * 1000))


class Hand:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def at_table(
    *,
    mine: bool = True,
    absence: Absence = Absence.SUBSTITUTE,
    out: int | None = None,
    clocks: tuple[int, ...] | None = None,
) -> tuple[Seated, Hand]:
    """Seat 0 of a table where `out` is played for; our turn if `mine`."""
    made, hand = Seated(), Hand()
    made.state.countdown._now = made.state.absent.absence_times._now = hand
    chance = Chance(seed(1))
    first = made.played.stream.number
    while made.played.stream.number == first or (_asked(made) == 0) is not mine:
        match = made.played.stream.match
        assert match is not None
        choices = made.played.game.choices(match.asked[_asked(made)].prompt)
        made.joined.step(made.played.act(_asked(made), chance.choice(choices)))
    made.present()
    made.joined.connect(_WELCOME)
    _show(made, absence, out, clocks)
    made.joined.up()
    return made, hand


def _asked(made: Seated) -> int:
    """The match seat that is asked."""
    match = made.played.stream.match
    assert match is not None
    return min(match.asked)


def _show(made: Seated, absence: Absence, out: int | None, clocks: tuple[int, ...] | None) -> None:
    view = PUBLIC.unpack(made.joined.views()[0])
    sitting_in = tuple("easy" if seat == out else None for seat in range(3))
    table = evolve(view.table, absence=absence, sitting_in=sitting_in)
    if clocks is not None:
        table = evolve(table, clock=CLOCK)
    public: Tree = PUBLIC.pack(evolve(view, table=table, clocks=clocks))
    number = made.played.stream.number
    made.joined.down(Snapshot(number, 0, public, made.joined.views()[1], ()))


def said(made: Seated, kind: type[FromClient]) -> list[FromClient]:
    return [message for message in made.joined.up() if isinstance(message, kind)]


def test_the_one_who_is_asked_can_be_called_absent_and_is_offered_to_be_in_time() -> None:
    made, hand = at_table(mine=False)
    assert "absent" not in made.bar()[1]
    asked = _asked(made)
    seats = tuple(Peer.AWAY if seat == asked else Peer.HERE for seat in range(3))
    made.joined.down(Presence(seats, 0))
    assert made.state.tick(0) is not None, "it looks again when the time has come"
    hand.time = GONE - 1
    assert "absent" not in made.bar()[1]
    hand.time = GONE + 1
    assert f"x Player {asked + 1} is absent" in made.bar()[1]
    made.press("x")
    assert said(made, Vote) == [Vote(made_id(made), asked)]
    assert "absent" not in made.bar()[1], "once"
    made.joined.down(Refused(made_id(made), "too_soon", (("seconds", "7"),), ""))
    assert "7 s more" in made.bar()[1]
    made.press("x")
    assert len(said(made, Vote)) == 1, "it may be said again"


def test_the_time_of_who_is_asked_runs_on_whatever_else_happens() -> None:
    made, hand = at_table(mine=False)
    asked = _asked(made)
    hand.time = SILENT - 10
    stream = made.played.stream
    made.joined.snapshot()
    request = Request(table.Vote(asked), None, person(3 - asked))
    before = stream.number
    made.joined.step(made.played.request(request))
    assert stream.number == before + 1, "an entry between the prompt and our vote"
    made.present()
    assert "is absent" not in made.bar()[1]
    hand.time = SILENT + 1
    assert "is absent" in made.bar()[1]


def test_who_comes_later_may_try_and_is_told_when() -> None:
    made, hand = at_table(mine=False)
    later = Joined(made.played)
    waits = AbsenceTimes(later.conversation.model, hand)
    later.conversation.listeners.append(waits)
    later.connect(_WELCOME)
    later.snapshot()
    asked = _asked(made)
    assert waits.left(asked) is None
    vote = later.conversation.requests.vote(asked)
    hand.time = 3
    later.down(Refused(vote, "too_soon", (("seconds", "7"),), ""))
    assert waits.left(asked) == 7
    hand.time = 9
    later.snapshot()
    assert waits.left(asked) == 1, "who comes back remembers"


def test_one_who_is_connected_and_silent_is_given_the_time_that_the_server_gives() -> None:
    made, hand = at_table(mine=False)
    made.joined.down(Presence((Peer.HERE,) * 3, 0))
    for time, offered in ((GONE + 1, False), (SILENT - 1, False), (SILENT + 1, True)):
        hand.time = time
        assert ("is absent" in made.bar()[1]) is offered


def test_a_vote_that_failed_can_be_made_again_whatever_the_reason() -> None:
    made, hand = at_table(mine=False)
    hand.time = SILENT + 1
    made.press("x")
    made.joined.down(Refused(b"another's", "store_unavailable", (), ""))
    made.press("x")
    assert len(said(made, Vote)) == 1, "it is on its way"
    made.joined.down(Refused(made_id(made), "store_unavailable", (), ""))
    made.press("x")
    assert len(said(made, Vote)) == 1


def made_id(made: Seated) -> bytes:
    """The id of the command that waits for its answer."""
    return made.state.conversation.requests.commands[-1]


def test_nobody_is_called_absent_in_ones_own_turn() -> None:
    made, hand = at_table(mine=True)
    hand.time = 10_000
    made.press("x")
    assert "nobody to call absent" in made.bar()[1]
    assert said(made, Vote) == []


def test_who_is_played_for_is_told_so_and_comes_back_with_a_key() -> None:
    made, _ = at_table(mine=True, out=0)
    assert "A bot (easy) plays for you   y  come back" in made.bar()[0]
    made.press("d")
    assert "y brings you back" in made.bar()[1]
    made.press("y")
    (back,) = made.joined.up()
    assert isinstance(back, Return)
    other, _ = at_table(mine=True)
    other.press("y")
    assert "Nobody plays for you." in other.bar()[1]


def test_who_is_played_for_is_offered_no_taking_back() -> None:
    """The server takes nothing from them before they are back."""
    made, _ = at_table(mine=True)
    scene = made.state.conversation.model.scene
    assert scene is not None
    acted = evolve(scene, undo=(0, scene.number - 1))
    assert acted.may_undo == scene.number - 1
    out = evolve(acted.table, sitting_in=("easy", None, None))
    assert evolve(acted, table=out).may_undo is None


def test_an_absent_seat_is_marked_and_somebody_is_invited_to_it() -> None:
    made, _ = at_table(mine=True, out=1)
    assert any("Player 2" in line and " bot " in line for line in made.screen().splitlines())
    assert "i invite" in made.bar()[1]
    made.press("i")
    (invite,) = said(made, Invite)
    made.joined.down(Invitation(1, "TEST-1-ABCDEFGHJKLM"))
    assert not made.state.conversation.requests.commands
    assert "TEST-1-ABCDEFGHJKLM is for the seat of Player 2" in made.bar()[1]
    made.press("l")
    assert "ra-client example.org:8765 TEST-1-ABCDEFGHJKLM" in made.screen(140, 24)
    assert isinstance(invite, Invite) and invite.seat == 1
    nobody, _ = at_table(mine=True, out=1, absence=Absence.BOT)
    nobody.press("i")
    assert "no seat that somebody else may take" in nobody.bar()[1]


def test_a_code_that_carries_the_seat_is_shown_first_of_all() -> None:
    made, _ = at_table()
    made.press("m")
    assert said(made, GetMoveCode) == [GetMoveCode()]
    made.joined.down(MoveCode("ABCD-2345", 300))
    assert made.screen(60, 20).splitlines()[-1].startswith(" ABCD-2345 carries your seat")


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (120, 40)])
def test_the_clock_counts_down_and_is_lit_when_little_is_left(columns: int, rows: int) -> None:
    made, hand = at_table(mine=True, clocks=(15_000, 200_000, 61_000))
    first, second = made.screen(columns, rows).splitlines()[1:3]
    assert first.split() == ["►Player", "1", "0:15", "Player", "2", "3:20", "Player", "3", "1:01"]
    assert second.strip() == "" or "Ra track" in second
    assert "0:15 left" in made.screen(columns, rows).splitlines()[-1]
    due = made.state.tick(0)
    assert due is not None and due <= 1
    hand.time = 3.2
    assert "►Player 1 0:12" in made.screen(columns, rows)
    hand.time = 99
    assert "►Player 1 0:00" in made.screen(columns, rows)
    assert "Ra track" in made.screen(columns, rows)


def test_after_a_reconnection_no_clock_jumps() -> None:
    made, hand = at_table(mine=True, clocks=(15_000, 200_000, 61_000))
    hand.time = 4.0
    scene = made.state.timeline.scene
    assert scene is not None
    made.state.countdown(Attended(scene, (), 4_000))
    assert "►Player 1 0:11" in made.screen()
