"""Clocks: nobody's time is ever less than nothing, what is stored is what was live, and
verification derives it all again."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import clock as arithmetic
from engine.clock import Absence, Clock, ClockKind, fits
from engine.deal import Chance
from engine.entry import Cause, Command, Entry
from engine.errors import BrokenLog, Code, IllegalAction
from engine.game import Setup
from engine.match import Match
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from engine.stream import Request, Stream
from engine.table.words import Return, SitOut, TakeBack
from engine.timing import Due
from engine.verify import Subject, Verdict, verify
from protocol.entries import entry_codec
from protocol.record import read_record, write_record
from tests.games import NAMES, Played, may_take_back, open_table, person, seed, setups

BANK = Clock(ClockKind.BANK, 60_000, 5_000)
PER_MOVE = Clock(ClockKind.PER_MOVE, 30_000)
DUO = Setup("standard", 2)


def act(
    played: Played, seat: int, command: Command, elapsed: int = 0, cause: Cause = Cause.COMMAND
) -> None:
    assert played.stream.match is not None
    token = played.stream.match.asked[seat].token
    who = person(seat) if cause is Cause.COMMAND else None
    played.request(Request(command, None, who, seat, token, cause), elapsed=elapsed)


def match_of(played: Played) -> Match[Any]:
    assert played.stream.match is not None
    return played.stream.match


def first(played: Played) -> tuple[int, Command]:
    """A seat that is asked, and what is done for it by default."""
    match = played.stream.match
    assert match is not None
    seat = min(match.asked)
    return seat, played.game.default(match.state, seat)


def check(played: Played) -> None:
    """The stored entries fold to the live state, and are derived again."""
    folded = Stream.replay(played.entries)
    live = played.stream
    assert (folded.clocks, folded.due(), folded.wake_after()) == (
        live.clocks,
        live.due(),
        live.wake_after(),
    )
    assert folded.seating.sitting_in == live.seating.sitting_in
    assert folded.seating.votes == live.seating.votes
    assert live.match is not None
    result = live.match.result
    bad = [f for f in verify(played.entries, result) if f.verdict is Verdict.FAILS]
    assert bad == []


def test_a_bank_runs_for_who_is_asked_and_each_action_adds_an_increment() -> None:
    played = open_table("ra", DUO, clock=BANK)
    stream = played.stream
    assert stream.clocks == (60_000, 60_000)
    seat, command = first(played)
    assert stream.due() == Due(seat, 60_000)
    assert stream.wake_after() == 60_000
    act(played, seat, command, elapsed=7_000)
    left = played.entries[-1].clocks
    assert left is not None
    assert (left[seat], left[1 - seat]) == (58_000, 60_000)
    check(played)


def test_a_late_action_in_an_empty_bank_counts_if_it_came_first() -> None:
    played = open_table("ra", DUO, clock=BANK)
    seat, command = first(played)
    act(played, seat, command, elapsed=10_000_000)
    assert played.stream.clocks is not None
    assert played.stream.clocks[seat] == 5_000
    check(played)


def test_a_span_for_each_answer_is_whole_again_after_it() -> None:
    played = open_table("ra", DUO, clock=PER_MOVE)
    for elapsed in (1, 29_999, 30_000, 40_000, 0):
        seat, command = first(played)
        act(played, seat, command, elapsed=elapsed)
        (asked,) = match_of(played).asked
        assert played.stream.clocks is not None
        assert played.stream.clocks[asked] == 30_000
        assert asked == seat or played.stream.clocks[seat] == max(0, 30_000 - elapsed)
    check(played)


def test_of_several_that_are_asked_each_has_a_time_of_its_own() -> None:
    played = open_table("miniature", Setup("open", 3), clock=PER_MOVE)
    stream = played.stream
    assert stream.match is not None
    assert sorted(stream.match.asked) == [0, 1, 2]
    act(played, 1, played.game.default(stream.match.state, 1), elapsed=10_000)
    assert stream.clocks == (20_000, 20_000, 20_000), "what an answer left is left"
    assert stream.due() == Due(0, 20_000)
    act(played, 0, played.game.default(stream.match.state, 0), 20_000, Cause.TIMEOUT)
    assert stream.due() == Due(2, 0)
    check(played)
    act(played, 2, played.game.default(stream.match.state, 2), 0, Cause.TIMEOUT)
    assert stream.clocks == (30_000, 30_000, 30_000), "a new round: all are asked again"
    check(played)


def test_b25_turns_bids_and_disasters_of_a_silent_seat_all_have_a_harmless_answer() -> None:
    """Seat 1 never acts, or not beyond its turns, or only in disasters; the others play
    anything."""
    silent = ((TurnPrompt, BidPrompt, DiscardPrompt), (BidPrompt, DiscardPrompt), DiscardPrompt)
    answered: dict[str, set[str]] = {}
    for number in range(150):
        played = open_table("ra", Setup("standard", 3), number=number, clock=BANK)
        chance = Chance(seed(number))
        match = played.stream.match
        assert match is not None
        while match.asked:
            (seat,) = match.asked
            prompt = match.asked[seat].prompt
            if seat != 1 or not isinstance(prompt, silent[number % 3]):
                act(played, seat, chance.choice(played.game.choices(prompt)))
                continue
            default = played.game.default(match.state, seat)
            answered.setdefault(type(prompt).__name__, set()).add(type(default).__name__)
            due = played.stream.due()
            assert due is not None and due.seat == 1
            act(played, 1, default, due.after, Cause.TIMEOUT)
    assert answered["BidPrompt"] == {"Bid", "Pass"}, "pass, or the lowest sun where it must"
    assert answered.keys() == {"TurnPrompt", "BidPrompt", "DiscardPrompt"}


def test_taking_back_gives_the_increments_back() -> None:
    played = open_table("ra", Setup("standard", 3), clock=BANK)
    chance = Chance(seed(5))
    match = played.stream.match
    assert match is not None
    for _ in range(300):
        seat = min(match.asked)
        before = played.stream.clocks
        assert before is not None
        choices = played.game.choices(match.asked[seat].prompt)
        act(played, seat, chance.choice(choices))
        to = may_take_back(match, seat)
        if to is not None:
            assert played.stream.clocks is not None
            had = played.stream.clocks[seat]
            gifts = match.gifts_since(to)
            assert gifts == BANK.increment
            act_back = Request(TakeBack(to), None, person(seat), seat)
            played.request(act_back)
            assert played.stream.clocks is not None
            assert played.stream.clocks[seat] == had - gifts
            check(played)
            return
    raise AssertionError("nothing could be taken back")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12, deadline=None)
@given(
    number=st.integers(0, 1 << 20),
    kind=st.sampled_from([BANK, PER_MOVE, Clock(ClockKind.BANK, 1000)]),
    absence=st.sampled_from(list(Absence)),
    times=st.lists(st.integers(0, 40_000), min_size=1, max_size=30),
)
def test_in_any_game_no_time_is_less_than_nothing_and_all_is_derived_again(
    name: str, number: int, kind: Clock, absence: Absence, times: Sequence[int]
) -> None:
    setup = setups(name)[number % len(setups(name))]
    played = open_table(name, setup, number=number, clock=kind, absence=absence)
    chance = Chance(seed(number))
    stream = played.stream
    for step in range(40):
        match = stream.match
        assert match is not None
        if not match.asked:
            break
        elapsed = times[step % len(times)]
        due = stream.due()
        level = next(iter(played.game.bots)) if absence is Absence.BOT else ""
        if due is not None and due.after <= elapsed and not stream.seating.sitting_in[due.seat]:
            if absence is Absence.DEFAULT or stream.seating.sitting_in[due.seat] == "":
                default = played.game.default(match.state, due.seat)
                act(played, due.seat, default, elapsed, Cause.TIMEOUT)
            else:
                out = Request(SitOut(due.seat, level), cause=Cause.TIMEOUT)
                played.request(out, elapsed=elapsed)
        else:
            seat = chance.choice(sorted(match.asked))
            command = chance.choice(played.game.choices(match.asked[seat].prompt))
            stand_in = stream.seating.stand_in(seat)
            cause = {None: Cause.COMMAND, "": Cause.TIMEOUT}.get(stand_in, Cause.BOT)
            act(played, seat, command, elapsed, cause)
            if stand_in is not None and not step % 3 and match.asked:
                played.request(Request(Return(), None, person(seat)), elapsed=elapsed)
        assert stream.clocks is not None
        assert min(stream.clocks) >= 0
        if kind.kind is ClockKind.PER_MOVE:
            assert max(stream.clocks) <= kind.span
    check(played)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(
    number=st.integers(0, 1 << 20),
    absence=st.sampled_from(list(Absence)),
    steps=st.lists(st.sampled_from(["late", "act", "act", "back", "return"]), max_size=40),
)
def test_only_what_a_person_did_is_taken_back_and_nothing_before_it(
    name: str, number: int, absence: Absence, steps: Sequence[str]
) -> None:
    """In any game with a clock, whoever is late: what may be taken back are actions that
    people did with their own hands, one after the other; live and from the log."""
    setup = setups(name)[number % len(setups(name))]
    played = open_table(name, setup, number=number, clock=PER_MOVE, absence=absence)
    chance, match = Chance(seed(number)), match_of(played)
    for step in steps:
        if not match.asked:
            break
        take_step(played, step, chance)
        folded = match_of_stream(Stream.replay(played.entries))
        assert folded.undoable() == match.undoable()
        taker = match.undoable()
        last_late = max((e.number for e in played.entries if not done_by_hand(e)), default=0)
        if taker is not None:
            assert taker[1] >= last_late
        for seat in range(setup.seats):
            for to in {*range(last_late), played.stream.number - 1} - {taker and taker[1]}:
                with pytest.raises(IllegalAction):
                    match.draft(seat, 0, TakeBack(to))
    check(played)


def done_by_hand(entry: Entry) -> bool:
    """Whether it is no action that the clock or a bot did."""
    return entry.seat is None or entry.cause is Cause.COMMAND


def take_step(played: Played, step: str, chance: Chance) -> None:
    """Somebody acts, or is late, takes back, or comes back; whatever can be."""
    stream, match = played.stream, match_of(played)
    out = [seat for seat, bot in enumerate(stream.seating.sitting_in) if bot is not None]
    taker, due = match.undoable(), stream.due()
    if step == "back" and taker is not None and taker[0] not in out:
        played.request(Request(TakeBack(taker[1]), None, person(taker[0]), taker[0]))
    elif step == "return" and out and out[0] not in match.asked:
        played.request(Request(Return(), None, person(out[0])))
    elif step == "late" and due is not None and due.seat not in out and absence_of(played):
        level = next(iter(played.game.bots)) if absence_of(played) is Absence.BOT else ""
        played.request(Request(SitOut(due.seat, level), cause=Cause.TIMEOUT), elapsed=due.after)
    elif step == "late" and due is not None:
        default = played.game.default(match.state, due.seat)
        act(played, due.seat, default, due.after, Cause.TIMEOUT)
    else:
        seat = chance.choice(sorted(match.asked))
        cause = {None: Cause.COMMAND, "": Cause.TIMEOUT}.get(
            stream.seating.stand_in(seat), Cause.BOT
        )
        command = chance.choice(played.game.choices(match.asked[seat].prompt))
        if cause is Cause.TIMEOUT:
            command = played.game.default(match.state, seat)
        act(played, seat, command, 0, cause)


def absence_of(played: Played) -> Absence | None:
    """What becomes of the late, where it is not the default action alone."""
    absence = played.stream.seating.absence
    return None if absence is Absence.DEFAULT else absence


def match_of_stream(stream: Stream) -> Match[Any]:
    assert stream.match is not None
    return stream.match


def test_what_is_stored_and_written_holds_the_clocks() -> None:
    played = open_table("ra", DUO, clock=BANK, absence=Absence.BOT)
    for number, _ in enumerate(played.moves(Chance(seed(3)))):
        assert number < 1000
    codec = entry_codec(played.game.vocabulary)
    bodies = [codec.encode(entry) for entry in played.entries]
    assert [codec.decode(body) for body in bodies] == played.entries
    record = read_record(BytesIO(b"".join(write_record(played.stream, bodies, "test"))))
    assert list(record.entries) == played.entries
    check(played)


def test_clocks_that_cannot_be_are_found_in_a_log() -> None:
    played = open_table("ra", DUO, clock=BANK)
    seat, command = first(played)
    act(played, seat, command)
    *before, last = played.entries
    for clocks in (None, (1,), (1, 2, 3), (-1, 5)):
        with pytest.raises(BrokenLog, match="clocks"):
            Stream.replay([*before, evolve(last, clocks=clocks)])
    timeless = open_table("ra", DUO).entries
    with pytest.raises(BrokenLog, match="clocks"):
        Stream.replay([*timeless[:-1], evolve(timeless[-1], clocks=(1, 2))])
    forged = [*before, evolve(last, clocks=(1 << 40, 1 << 40))]
    findings = {finding.subject: finding.verdict for finding in verify(forged)}
    assert findings[Subject.COMMANDS] is Verdict.FAILS


@pytest.mark.parametrize(
    ("clock", "good"),
    [
        (Clock(), True),
        (BANK, True),
        (PER_MOVE, True),
        (Clock(ClockKind.NONE, 5), False),
        (Clock(ClockKind.BANK, 999), False),
        (Clock(ClockKind.BANK, 1000, -1), False),
        (Clock(ClockKind.PER_MOVE, 30_000, 1), False),
        (Clock(ClockKind.PER_MOVE, arithmetic.MOST_SPAN + 1), False),
    ],
)
def test_a_table_has_a_clock_that_makes_sense_or_is_not_opened(clock: Clock, good: bool) -> None:
    assert fits(clock) is good
    if good:
        open_table("ra", DUO, clock=clock)
        return
    with pytest.raises(IllegalAction, match=Code.BAD_OPTIONS):
        open_table("ra", DUO, clock=clock)


def test_who_comes_back_has_something_and_who_takes_over_has_all() -> None:
    left = (0, 50_000)
    assert arithmetic.come_back(BANK, left, 0) == (6_000, 50_000)
    assert arithmetic.come_back(BANK, left, 1) == left
    assert arithmetic.come_back(PER_MOVE, left, 0) == (30_000, 50_000)
    assert arithmetic.replace(BANK, left, 0) == (60_000, 50_000)
