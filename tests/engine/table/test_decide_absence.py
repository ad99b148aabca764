"""Seats that do not answer: voted absent, played for, come back to, taken over."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from engine.clock import Absence, Clock, ClockKind
from engine.entry import Cause, Command, Event
from engine.errors import BrokenLog, Code, IllegalAction
from engine.game import Setup
from engine.stream import Repeat, Request, Stream, open_stream
from engine.table.decide import may_invite
from engine.table.words import (
    Close,
    CloseReason,
    HostPassed,
    Join,
    Leave,
    Open,
    PassHost,
    Return,
    Returned,
    SatIn,
    SitOut,
    Start,
    Substitute,
    Substituted,
    Vote,
    Voted,
)
from engine.timing import Due
from engine.verify import failed, verify
from tests.games import Played, nonce, open_table, person, seed

STRANGER = person(9)
THREE = Setup("standard", 3)
BANK = Clock(ClockKind.BANK, 60_000)


def table(absence: Absence = Absence.DEFAULT, **more: Any) -> Played:
    """A match of three in which seat 0 is asked first."""
    for number in range(20):
        played = open_table("ra", THREE, number=number, absence=absence, **more)
        assert played.stream.match is not None
        if 0 in played.stream.match.asked:
            return played
    raise AssertionError("seat 0 never begins")


def by(played: Played, who: int | bytes | None, command: Command, **more: Any) -> tuple[Event, ...]:
    """The events of a command of the table."""
    sender = person(who) if isinstance(who, int) else who
    return played.request(Request(command, None, sender, **more)).events


def refused(played: Played, who: int | bytes | None, command: Command, **more: Any) -> Code:
    number = played.stream.number
    with pytest.raises(IllegalAction) as why:
        by(played, who, command, **more)
    assert played.stream.number == number
    assert isinstance(why.value.code, Code)
    return why.value.code


def asked_token(played: Played, seat: int) -> int:
    assert played.stream.match is not None
    return played.stream.match.asked[seat].token


def answer(played: Played, cause: Cause, who: int | None = None) -> None:
    """The default action for the seat that is asked."""
    match = played.stream.match
    assert match is not None
    (seat,) = match.asked
    default = played.game.default(match.state, seat)
    sender = None if who is None else person(who)
    played.request(Request(default, None, sender, seat, match.asked[seat].token, cause))


def sound(played: Played) -> None:
    folded = Stream.replay(played.entries).seating
    live = played.stream.seating
    for name in ("sitting_in", "votes", "seats", "host"):
        assert getattr(folded, name) == getattr(live, name), name
    assert not failed(verify(played.entries))


def test_the_others_say_who_is_absent_until_it_acts() -> None:
    played = table()
    assert by(played, 1, Vote(0)) == (Voted(0, 1),)
    assert isinstance(played.stream.draft(Request(Vote(0), None, person(1)), 0), Repeat)
    assert by(played, 2, Vote(0)) == (Voted(0, 2),)
    assert played.stream.seating.voters(0) == (1, 2)
    sound(played)
    answer(played, Cause.COMMAND, 0)
    assert played.stream.seating.votes == ()
    sound(played)


def test_what_the_votes_led_to_is_refused_when_the_seat_has_acted_meanwhile() -> None:
    """The server counted the votes, and the seat's own action was decided before the server's
    request. It changes nothing that the seat is asked again, and that somebody votes again."""
    played = table()
    by(played, 1, Vote(0))
    by(played, 2, Vote(0))
    late = {"token": asked_token(played, 0), "cause": Cause.HOUSE}
    answer(played, Cause.COMMAND, 0)
    assert refused(played, None, SitOut(0, ""), **late) is Code.NOT_ABSENT
    match = played.stream.match
    assert match is not None
    while 0 not in match.asked:
        answer(played, Cause.COMMAND, next(iter(match.asked)))
    assert refused(played, None, SitOut(0, ""), **late) is Code.NOT_ABSENT
    by(played, 1, Vote(0))
    assert refused(played, None, SitOut(0, ""), **late) is Code.NOT_ABSENT
    now = {"token": asked_token(played, 0), "cause": Cause.HOUSE}
    assert by(played, None, SitOut(0, ""), **now) == (SatIn(0, ""),)
    sound(played)


def test_only_one_who_is_asked_and_a_person_is_absent() -> None:
    played = table()
    assert refused(played, 0, Vote(0)) is Code.NOT_ABSENT
    for seat in (1, 2, 3, -1):
        assert refused(played, 0, Vote(seat)) is Code.NOT_ABSENT
    assert refused(played, STRANGER, Vote(0)) is Code.NOT_SEATED
    assert refused(played, None, Vote(0)) is Code.WRONG_COMMAND
    assert refused(played, None, SitOut(1, "")) is Code.NOT_ABSENT
    assert refused(played, 1, SitOut(0, "")) is Code.WRONG_COMMAND


def test_for_a_seat_that_sits_out_the_default_action_is_due_at_once() -> None:
    played = table()
    by(played, 1, Vote(0))
    assert (played.stream.due(), played.stream.wake_after()) == (None, None), "no clock, no hurry"
    token = asked_token(played, 0)
    assert by(played, None, SitOut(0, ""), token=token, cause=Cause.HOUSE) == (SatIn(0, ""),)
    assert played.stream.due() == Due(0, 0)
    assert played.stream.seating.votes == ()
    assert refused(played, None, SitOut(0, "")) is Code.NOT_ABSENT
    with pytest.raises(IllegalAction, match=Code.SAT_OUT):
        answer(played, Cause.COMMAND, 0)
    answer(played, Cause.TIMEOUT)
    assert refused(played, 0, Vote(1)) is Code.SAT_OUT
    sound(played)


def test_the_owner_is_back_once_what_was_left_open_is_answered() -> None:
    played = table(Absence.BOT, clock=BANK)
    assert refused(played, None, SitOut(0, "easy"), cause=Cause.TIMEOUT) is Code.NOT_ABSENT
    played.request(Request(SitOut(0, "easy"), cause=Cause.TIMEOUT), elapsed=60_000)
    assert played.stream.due() is None, "that is the bot's affair"
    assert played.stream.wake_after() == 0
    assert refused(played, 0, Return()) is Code.NOT_YET_BACK
    answer(played, Cause.BOT)
    assert by(played, 0, Return()) == (Returned(0),)
    assert isinstance(played.stream.draft(Request(Return(), None, person(0)), 0), Repeat)
    assert refused(played, STRANGER, Return()) is Code.NOT_SEATED
    sound(played)


def test_a_bot_that_comes_too_late_acts_for_nobody() -> None:
    played = table(Absence.BOT)
    with pytest.raises(IllegalAction, match=Code.NO_PROMPT):
        answer(played, Cause.BOT)


def test_a_bot_sits_in_only_where_the_table_says_so() -> None:
    assert refused(table(), None, SitOut(0, "easy")) is Code.BAD_OPTIONS
    played = table(Absence.BOT)
    assert refused(played, None, SitOut(0, "oracle")) is Code.BAD_OPTIONS
    assert by(played, None, SitOut(0, "")) == (SatIn(0, ""),)


def test_a_substitute_takes_the_seat_and_all_that_belongs_to_it() -> None:
    played = table(Absence.SUBSTITUTE, clock=BANK)
    seating = played.stream.seating
    with pytest.raises(IllegalAction, match=Code.NOT_ABSENT):
        may_invite(seating, person(1), 0)
    assert refused(played, STRANGER, Substitute(0, "Eve")) is Code.NOT_ABSENT
    played.request(Request(SitOut(0, ""), cause=Cause.TIMEOUT), elapsed=60_000)
    may_invite(played.stream.seating, person(1), 0)
    facts: dict[bytes, dict[str, int]] = {STRANGER: {}, person(0): {"seat": 0}}
    for who, told in facts.items():
        with pytest.raises(IllegalAction) as error:
            may_invite(played.stream.seating, who, 0)
        assert error.value.facts == told
    assert refused(played, 1, Substitute(0, "Player 2")) is Code.ALREADY_SEATED
    assert refused(played, STRANGER, Substitute(7, "Eve")) is Code.NOT_ABSENT
    assert by(played, STRANGER, Substitute(0, "Eve")) == (Substituted(0, "Eve", STRANGER),)
    assert played.stream.clocks == (60_000,) * 3
    again = Request(Substitute(0, "Eve"), None, STRANGER)
    assert isinstance(played.stream.draft(again, 0), Repeat)
    seating = played.stream.seating
    assert seating.match_seat_of(STRANGER) == 0
    assert seating.match_seat_of(person(0)) is None
    assert seating.nonces() == tuple(map(nonce, range(3)))
    assert refused(played, 0, Return()) is Code.NOT_SEATED
    sound(played)
    match = played.stream.match
    assert match is not None
    default = played.game.default(match.state, 0)
    played.request(Request(default, None, STRANGER, 0, match.asked[0].token))
    sound(played)


def test_nobody_takes_a_seat_where_the_table_does_not_say_so() -> None:
    played = table(Absence.BOT)
    by(played, None, SitOut(0, "easy"))
    assert refused(played, STRANGER, Substitute(0, "Eve")) is Code.NO_SUBSTITUTES


def test_before_and_after_a_match_nobody_is_absent() -> None:
    waiting = lobby()
    commands = (Vote(0), Return(), Substitute(0, "Eve"))
    for command in commands:
        assert refused(waiting, 1, command) is Code.NOT_RUNNING
    assert refused(waiting, None, SitOut(0, "")) is Code.NOT_RUNNING
    by(waiting, None, Close(CloseReason.REAPED))
    assert waiting.stream.due() is None
    for command in commands:
        assert refused(waiting, 1, command) is Code.NOT_RUNNING
    played = table(clock=BANK)
    by(played, None, Close(CloseReason.REAPED))
    assert played.stream.due() is None
    assert played.stream.wake_after() is None
    sound(played)


def lobby() -> Played:
    """A table of five where two wait."""
    command = Open("ra", "standard", (), 5, (), True, True, "Ann", nonce(0))
    entry = open_stream(
        command, id=b"o", person=person(0), code="T-1", secret=seed(1), bot_nonces=(), time=1
    )
    played = Played(Stream(entry), [entry])
    by(played, 1, Join("Bo", nonce(1)))
    return played


def test_where_the_host_is_gone_another_starts() -> None:
    played = lobby()
    assert refused(played, 1, Start()) is Code.NOT_HOST
    assert refused(played, 1, PassHost(person(1))) is Code.WRONG_COMMAND
    assert refused(played, None, PassHost(STRANGER)) is Code.NOT_SEATED
    same = Request(PassHost(person(0)), cause=Cause.HOUSE)
    assert isinstance(played.stream.draft(same, 0), Repeat)
    assert by(played, None, PassHost(person(1))) == (HostPassed(person(1)),)
    assert refused(played, 0, Start()) is Code.NOT_HOST
    by(played, 1, Start())
    assert refused(played, None, PassHost(person(0))) is Code.ALREADY_STARTED
    sound(played)


def test_the_former_host_leaves_as_anybody_does() -> None:
    played = lobby()
    by(played, None, PassHost(person(1)))
    by(played, 0, Leave())
    assert played.stream.seating.host == person(1)


@pytest.mark.parametrize(
    "event",
    [
        Voted(0, 9),
        SatIn(-1, ""),
        SatIn(3, ""),
        Returned(0),
        Substituted(0, "Eve", STRANGER),
        HostPassed(person(1)),
    ],
)
def test_facts_about_the_absent_that_cannot_be_are_found_in_a_log(event: Event) -> None:
    played = table(Absence.SUBSTITUTE)
    by(played, 1, Vote(0))
    *before, last = played.entries
    with pytest.raises(BrokenLog):
        Stream.replay([*before, evolve(last, events=(event,))])


def test_someone_seated_takes_no_second_seat_in_a_log() -> None:
    played = table(Absence.SUBSTITUTE)
    by(played, None, SitOut(0, ""))
    by(played, STRANGER, Substitute(0, "Eve"))
    *before, last = played.entries
    with pytest.raises(BrokenLog):
        Stream.replay([*before, evolve(last, events=(Substituted(0, "Bo", person(1)),))])
