"""Who may act for a seat, decided when it is decided: whatever waits in the queue before."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from engine.clock import Absence, Clock, ClockKind
from engine.entry import Cause, Command
from engine.errors import Code, IllegalAction
from engine.game import Setup
from engine.match import MOST_TAKEN_BACK, Match
from engine.ra.words.commands import InvokeRa
from engine.ra.words.prompts import TurnPrompt
from engine.stream import Repeat, Request, Stream
from engine.table.words import Return, SitOut, Substitute, TakeBack, Vote
from engine.verify import Subject, Verdict, verify
from tests.games import Played, may_take_back, open_table, person

THREE = Setup("standard", 3)
THREE_AT_ONCE = Setup("veiled", 3)
EVE = person(9)
CLOCKS = [Clock(), Clock(ClockKind.PER_MOVE, 30_000), Clock(ClockKind.BANK, 60_000, 5_000)]


def match_of(played: Played) -> Match[Any]:
    assert played.stream.match is not None
    return played.stream.match


def asked(played: Played) -> tuple[int, int, Command]:
    """A seat that is asked, its token, and its default action."""
    match = match_of(played)
    seat = min(match.asked)
    return seat, match.asked[seat].token, played.game.default(match.state, seat)


def until(played: Played, seat: int) -> None:
    """Default actions until `seat` has a turn."""
    match = match_of(played)
    while (turn := asked(played))[0] != seat or type(match.asked[seat].prompt) is not TurnPrompt:
        played.act(turn[0], turn[2])


def refused(played: Played, request: Request, code: Code, elapsed: int = 0) -> None:
    with pytest.raises(IllegalAction, match=code):
        played.stream.draft(request, 0, elapsed=elapsed)


def commands_hold(played: Played) -> bool:
    findings = {finding.subject: finding.verdict for finding in verify(played.entries)}
    return findings[Subject.COMMANDS] is Verdict.HOLDS


@pytest.mark.parametrize("clock", CLOCKS, ids=lambda clock: clock.kind.name)
def test_nobody_holds_up_a_table_by_acting_and_taking_back(clock: Clock) -> None:
    """It is possible a few times, gains no time, and then never again until the match
    goes on; a log of it is what its commands lead to."""
    played = open_table("ra", THREE, clock=clock)
    match = match_of(played)
    seat = asked(played)[0]
    start = played.stream.clocks
    for taken in range(MOST_TAKEN_BACK):
        played.request(
            Request(InvokeRa(), None, person(seat), seat, asked(played)[1]), elapsed=9_000
        )
        to = may_take_back(match, seat)
        assert to is not None
        played.request(Request(TakeBack(to), None, person(seat), seat), elapsed=5)
        if start is not None:
            assert played.stream.clocks is not None
            assert played.stream.clocks[seat] == start[seat] - 9_000 * (taken + 1)
            assert played.stream.due() is not None
    played.request(Request(InvokeRa(), None, person(seat), seat, asked(played)[1]))
    assert may_take_back(match, seat) is None
    back = Request(TakeBack(played.stream.number - 1), None, person(seat), seat)
    refused(played, back, Code.CANNOT_TAKE_BACK)
    folded = Stream.replay(played.entries)
    assert folded.match is not None
    assert may_take_back(folded.match, seat) is None
    assert commands_hold(played)
    until(played, seat)
    played.act(seat, InvokeRa())
    assert may_take_back(match, seat) == played.stream.number - 1, "the match went on"


def test_two_who_take_turns_at_taking_back_hold_up_nobody() -> None:
    """Where all choose at once: each time the other one acts and takes back as well."""
    played = open_table("miniature", THREE_AT_ONCE)
    match, count = match_of(played), 0
    while count < 100:
        before = count
        for seat in (0, 1):
            if seat in match.asked:
                played.act(seat, played.game.default(match.state, seat))
            to = may_take_back(match, seat)
            if to is not None:
                played.request(Request(TakeBack(to), None, person(seat), seat))
                count += 1
        if count == before:
            break
    assert count == 3 * MOST_TAKEN_BACK, "once more for one of them: the other has chosen"
    assert sorted(match.asked) == [2], "both have chosen, and nothing can be taken back"


def test_a_substitutes_ids_are_its_own() -> None:
    played = open_table("ra", THREE, absence=Absence.SUBSTITUTE)
    seat, _, command = asked(played)
    played.act(seat, command, b"\x01")
    until(played, seat)
    played.request(Request(SitOut(seat, ""), token=asked(played)[1], cause=Cause.HOUSE))
    played.request(Request(Substitute(seat, "Eve"), b"\x01", EVE))
    _, token, command = asked(played)
    entry = played.request(Request(command, b"\x02", EVE, seat, token))
    until(played, seat)
    _, token, _ = asked(played)
    for stream in (played.stream, Stream.replay(played.entries)):
        again = Request(command, b"\x02", EVE, seat, token)
        assert stream.draft(again, 0) == Repeat(entry.number)
    mine = played.request(Request(InvokeRa(), b"\x01", EVE, seat, token))
    assert mine.person == EVE


def test_a_request_of_a_seat_that_was_lost_meanwhile_is_refused() -> None:
    played = open_table("ra", THREE, absence=Absence.SUBSTITUTE)
    seat, token, command = asked(played)
    played.request(Request(SitOut(seat, ""), token=token, cause=Cause.HOUSE))
    refused(played, Request(command, None, person(seat), seat, token), Code.SAT_OUT)
    played.request(Request(Substitute(seat, "Eve"), None, EVE))
    late = Request(command, b"x", person(seat), seat, token)
    refused(played, late, Code.NOT_SEATED)
    played.request(evolve(late, person=EVE))
    assert commands_hold(played)


@pytest.mark.parametrize("who", [person(1), EVE, None])
def test_nobody_acts_for_anothers_seat_nor_may_a_log_say_so(who: bytes | None) -> None:
    played = open_table("ra", THREE)
    seat, token, command = asked(played)
    other = person((seat + 1) % 3) if who == person(1) else who
    refused(played, Request(command, None, other, seat, token), Code.NOT_SEATED)
    refused(played, Request(TakeBack(1), None, other, seat), Code.NOT_SEATED)
    refused(played, Request(command, None, person(seat), 77, token), Code.NOT_SEATED)
    played.act(seat, command)
    assert commands_hold(played)
    played.entries[-1] = evolve(played.entries[-1], person=other)
    assert not commands_hold(played)


def test_time_is_up_for_no_one_who_is_back_or_has_some_left() -> None:
    played = open_table("ra", THREE)
    seat, token, command = asked(played)
    timeout = Request(command, None, None, seat, token, Cause.TIMEOUT)
    refused(played, timeout, Code.NO_PROMPT)
    played.request(Request(SitOut(seat, ""), token=token, cause=Cause.HOUSE))
    for other in played.game.choices(match_of(played).asked[seat].prompt):
        if other != command:
            refused(played, evolve(timeout, command=other), Code.WRONG_COMMAND)
    played.request(timeout)
    refused(played, timeout, Code.NO_PROMPT)
    until(played, seat)
    played.request(Request(Return(), None, person(seat)))
    _, token, command = asked(played)
    late = Request(command, None, None, seat, token, Cause.TIMEOUT)
    refused(played, late, Code.NO_PROMPT)
    assert commands_hold(played)
    lie = evolve(played.act(seat, command), person=None, cause=Cause.TIMEOUT)
    played.entries[-1] = lie
    assert not commands_hold(played)


@pytest.mark.parametrize("clock", CLOCKS[1:], ids=lambda clock: clock.kind.name)
@pytest.mark.parametrize("late", [0, 12_345])
def test_time_is_up_when_it_is_up(clock: Clock, late: int) -> None:
    played = open_table("ra", THREE, clock=clock, absence=Absence.SUBSTITUTE)
    seat, token, command = asked(played)
    acts = Request(command, None, None, seat, token, Cause.TIMEOUT)
    out = Request(SitOut(seat, ""), cause=Cause.TIMEOUT)
    for request, code in ((acts, Code.NO_PROMPT), (out, Code.NOT_ABSENT)):
        refused(played, request, code, clock.span - 1)
        assert not isinstance(played.stream.draft(request, 0, elapsed=clock.span + late), Repeat)
    played.request(acts, elapsed=clock.span + late)
    assert commands_hold(played)
    seat, token, command = asked(played)
    played.request(Request(SitOut(seat, ""), cause=Cause.TIMEOUT), elapsed=clock.span + late)
    played.request(Request(command, None, None, seat, token, Cause.TIMEOUT))
    assert commands_hold(played)


def test_the_clocks_of_others_who_are_asked_are_derived_beside_a_timeout() -> None:
    for clock in CLOCKS[1:]:
        played = open_table("miniature", THREE_AT_ONCE, clock=clock)
        played.act(1, played.game.default(match_of(played).state, 1))
        for seat in (0, 2):
            token = match_of(played).asked[seat].token
            command = played.game.default(match_of(played).state, seat)
            request = Request(command, None, None, seat, token, Cause.TIMEOUT)
            played.request(request, elapsed=clock.span + 7 if seat == 0 else 0)
            assert commands_hold(played)


def test_what_a_bot_did_for_somebody_absent_is_not_taken_back() -> None:
    played = open_table("ra", THREE, clock=CLOCKS[2], absence=Absence.BOT)
    seat, token, _ = asked(played)
    played.request(Request(SitOut(seat, "easy"), token=token, cause=Cause.HOUSE))
    before = played.stream.number
    played.request(Request(InvokeRa(), None, None, seat, token, Cause.BOT))
    played.request(Request(Return(), None, person(seat)))
    assert match_of(played).undoable() is None
    refused(played, Request(TakeBack(before), None, person(seat), seat), Code.CANNOT_TAKE_BACK)
    assert commands_hold(played)


def test_what_the_clock_did_is_not_taken_back_nor_what_came_before() -> None:
    played = open_table("miniature", THREE_AT_ONCE, clock=CLOCKS[1])
    hold = played.game.default(match_of(played).state, 0)
    before = played.stream.number
    played.request(Request(hold, None, person(0), 0, match_of(played).asked[0].token))
    assert may_take_back(match_of(played), 0) == before
    late = Request(hold, None, None, 1, match_of(played).asked[1].token, Cause.TIMEOUT)
    played.request(late, elapsed=CLOCKS[1].span)
    for stream in (played.stream, Stream.replay(played.entries)):
        assert stream.match is not None
        assert stream.match.undoable() is None
        for seat in range(3):
            for to in range(played.stream.number):
                with pytest.raises(IllegalAction, match=Code.CANNOT_TAKE_BACK):
                    stream.draft(Request(TakeBack(to), None, person(seat), seat), 0)
    assert commands_hold(played)


def test_what_was_said_of_a_seat_is_over_when_its_prompt_is() -> None:
    """Also where others' actions change the prompt: then the seat has not been silent."""
    played = open_table("miniature", THREE_AT_ONCE)
    hold = played.game.default(match_of(played).state, 0)
    played.act(0, hold)
    played.act(1, hold)
    played.request(Request(Vote(2), None, person(0)))
    assert played.stream.seating.voters(2) == (0,)
    played.act(2, hold)
    played.request(Request(Vote(1), None, person(2)))
    played.act(0, hold)
    for stream in (played.stream, Stream.replay(played.entries)):
        assert stream.seating.votes == ((1, 2),), "seat 1 still leaves open what it left open"
    assert commands_hold(played)
