"""A table as the fold of its entries: acting, starting, ending, and logs that lie."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from engine.clock import Clock, ClockKind
from engine.entry import Cause, Entry, Sealed
from engine.errors import BrokenLog, Code, FutureLog, IllegalAction
from engine.game import Setup
from engine.stream import Draft, Repeat, Request, Stream, open_stream
from engine.table.words import (
    Close,
    CloseReason,
    Join,
    Leave,
    MatchStarted,
    Open,
    Phase,
    Revealed,
    SatIn,
    SeatTaken,
    SitOut,
    Start,
    TableClosed,
    TableOpened,
    TakeBack,
    Vote,
)
from tests.games import Played, nonce, open_table, person, seed, whole_game
from tests.miniature.state import Deal
from tests.miniature.words.commands import Choose, Hold

VEILED = Setup("veiled", 2)
OPEN = Open("miniature", "veiled", (), 2, (), True, True, "Ann", nonce(0))
GUEST = Request(Join("Bo", nonce(1)), b"j", person(1))


def opening(command: Open = OPEN, bots: int = 0, deal: Any = None) -> Entry:
    return open_stream(
        command,
        id=b"open",
        person=person(0),
        code="T-1",
        secret=b"" if deal is not None else seed(7),
        bot_nonces=(nonce(9),) * bots,
        time=5,
        deal=deal,
    )


def waiting() -> Played:
    entry = opening()
    return Played(Stream(entry), [entry])


# opening and starting


def test_an_opened_table_waits() -> None:
    stream = waiting().stream
    assert (stream.number, stream.match, stream.seating.phase) == (1, None, Phase.WAITING)
    assert stream.sealed == Sealed(seed(7))


def test_a_table_full_of_bots_starts_in_its_first_entry() -> None:
    entry = opening(evolve(OPEN, sit=False, bots=("random", "easy")), bots=2)
    stream = Stream(entry)
    assert stream.seating.phase is Phase.PLAYING
    assert stream.match is not None
    assert {asked.token for asked in stream.match.asked.values()} == {1}
    assert stream.sealed.deal is not None


def test_a_full_table_starts_by_itself() -> None:
    played = waiting()
    entry = played.request(GUEST)
    assert [type(event) for event in entry.events] == [SeatTaken, MatchStarted]
    assert entry.sealed is not None
    assert played.stream.match is not None


def test_the_host_starts_with_gaps() -> None:
    entry = opening(evolve(OPEN, seats=4))
    played = Played(Stream(entry), [entry])
    played.request(GUEST)
    with pytest.raises(IllegalAction, match=Code.NOT_HOST):
        played.stream.draft(Request(Start(), None, person(1)), 0)
    started = played.request(Request(Start(), b"s", person(0)))
    assert started.events == (MatchStarted("veiled", (), (0, 1), False),)
    with pytest.raises(IllegalAction, match=Code.ALREADY_STARTED):
        played.stream.draft(Request(Start(), b"t", person(0)), 0)


def test_a_supplied_deal_is_played_and_said_to_be_one() -> None:
    deal = Deal((3,), ((1, 2), (3, 4)))
    played = open_table("miniature", VEILED, deal=deal)
    assert played.stream.seating.supplied
    assert played.stream.sealed == Sealed(b"", deal)
    played.act(0, Hold())
    played.act(1, Choose(3))
    assert played.stream.match is not None
    assert played.stream.match.result is not None
    assert played.stream.seating.revealed == Revealed(b"", (nonce(0), nonce(1)))
    full = opening(evolve(OPEN, sit=False, bots=("random", "easy")), bots=2, deal=deal)
    assert full.sealed == Sealed(b"", deal)


def test_games_in_one_process_are_dealt_differently() -> None:
    deals = {
        open_table("ra", Setup("standard", 3), number=number).stream.sealed.deal
        for number in range(50)
    }
    assert len(deals) == 50


# acting


def test_nobody_acts_before_the_start_or_after_the_end() -> None:
    stream = waiting().stream
    with pytest.raises(IllegalAction, match=Code.NOT_RUNNING):
        stream.draft(Request(Hold(), None, person(0), 0), 0)
    over = whole_game("miniature", VEILED).stream
    for command in (Hold(), TakeBack(over.number - 1)):
        with pytest.raises(IllegalAction, match=Code.NOT_RUNNING):
            over.draft(Request(command, None, person(0), 0), 0)


def test_the_last_action_ends_the_table_and_reveals() -> None:
    played = whole_game("miniature", VEILED)
    last = played.entries[-1]
    assert last.events[-1] == Revealed(played.stream.sealed.secret, (nonce(0), nonce(1)))
    assert played.stream.seating.phase is Phase.OVER
    assert not any(isinstance(e, Revealed) for entry in played.entries[:-1] for e in entry.events)


def test_a_closed_match_reveals_and_asks_nothing() -> None:
    played = open_table("miniature", VEILED)
    played.act(0, Hold())
    entry = played.request(Request(Close(CloseReason.ABANDONED), cause=Cause.HOUSE))
    assert [type(event) for event in entry.events] == [TableClosed, Revealed]
    for stream in (played.stream, Stream.replay(played.entries)):
        assert stream.seating.phase is Phase.CLOSED
        assert stream.match is not None
        assert stream.match.asked == {}
        assert stream.match.result is None
        with pytest.raises(IllegalAction, match=Code.NOT_RUNNING):
            stream.draft(Request(Hold(), None, person(1), 1), 0)


def test_a_closed_lobby_reveals_its_secret_without_nonces() -> None:
    played = waiting()
    entry = played.request(Request(Close(CloseReason.ABANDONED), None, person(0)))
    assert entry.events[-1] == Revealed(seed(7), ())
    assert Stream.replay(played.entries).seating.ended


def test_to_join_where_one_sits_adds_nothing() -> None:
    stream = waiting().stream
    assert stream.draft(Request(Join("Ann", nonce(5)), b"other", person(0)), 0) == Repeat(1)
    assert stream.draft(Request(OPEN, b"open", person(0)), 0) == Repeat(1)


def test_a_draft_is_adopted_once_and_in_its_turn() -> None:
    played = open_table("miniature", VEILED)
    stream = played.stream
    first = stream.draft(Request(Hold(), None, person(0), 0, stream.number), 0)
    second = stream.draft(Request(Hold(), None, person(1), 1, stream.number), 0)
    assert isinstance(first, Draft)
    assert isinstance(second, Draft)
    stream.accept(first)
    for late in (first, second):
        with pytest.raises(ValueError, match="drafted before"):
            stream.accept(late)


def test_a_dropped_draft_leaves_nothing_behind() -> None:
    """A failed append: nothing happened, and the same request is granted later."""
    stream = waiting().stream
    dropped = stream.draft(GUEST, 1)
    assert isinstance(dropped, Draft)
    assert stream.match is None
    assert stream.seating.seat_of(person(1)) is None
    again = stream.draft(GUEST, 1)
    assert isinstance(again, Draft)
    assert again.entry == dropped.entry
    stream.accept(again)
    assert stream.seating.seat_of(person(1)) == 1


def test_a_dropped_action_leaves_nothing_behind() -> None:
    stream = open_table("miniature", VEILED).stream
    assert stream.match is not None
    before = stream.match.asked
    assert isinstance(stream.draft(Request(Hold(), None, person(0), 0, 2), 1), Draft)
    assert stream.match.state.chosen[0] == ()
    assert stream.match.asked == before


def test_an_id_means_one_command_for_ever() -> None:
    played = open_table("miniature", VEILED)
    number = played.act(0, Hold(), id=b"x").number
    for stream in (played.stream, Stream.replay(played.entries)):
        assert stream.draft(Request(Hold(), b"x", person(0), 0, 99), 0) == Repeat(number)
        with pytest.raises(IllegalAction, match=Code.ID_REUSED):
            stream.draft(Request(Choose(1), b"x", person(0), 0, 99), 0)
        other = stream.draft(Request(Hold(), b"x", person(1), 1, 2), 0)
        assert isinstance(other, Draft)


def test_one_id_of_a_person_and_of_its_seat_are_two() -> None:
    played = open_table("miniature", VEILED)
    entry = played.act(1, Hold(), id=b"join")
    assert entry.number == 3


def test_bots_and_timers_need_no_id() -> None:
    played = open_table("miniature", VEILED)
    token = played.stream.number
    played.request(Request(SitOut(0, ""), token=token, cause=Cause.HOUSE))
    played.request(Request(Hold(), None, None, 0, token, Cause.TIMEOUT))
    assert played.entries[-1].cause is Cause.TIMEOUT
    with pytest.raises(IllegalAction, match=Code.WRONG_COMMAND):
        played.stream.draft(Request(Leave(), None, None), 0)


# logs that lie


def broken(entries: list[Entry]) -> None:
    with pytest.raises(BrokenLog):
        Stream.replay(entries)


def test_a_log_begins_with_an_opening() -> None:
    entries = whole_game("miniature", VEILED).entries
    broken([])
    broken(entries[1:])
    broken([evolve(entries[0], events=())])
    broken([evolve(entries[0], number=2)])
    broken([evolve(entries[0], seat=0)])


def test_a_log_has_no_gap_repeat_or_other_order() -> None:
    entries = whole_game("miniature", VEILED).entries
    broken(entries[:3] + entries[4:])
    broken([*entries[:3], entries[2], *entries[3:]])
    broken([*entries[:3], entries[4], entries[3], *entries[5:]])


def test_in_every_entry_something_happens() -> None:
    played = open_table("miniature", VEILED)
    played.act(0, Hold())
    played.request(Request(Vote(1), None, person(0)))
    for at, entry in enumerate(played.entries[1:], 1):
        broken([*played.entries[:at], evolve(entry, events=())])


@pytest.mark.parametrize(
    "clock", [Clock(ClockKind.BANK), Clock(ClockKind.NONE, 5), Clock(ClockKind.PER_MOVE, 1000, 1)]
)
def test_a_log_has_a_clock_that_can_be(clock: Clock) -> None:
    first = waiting().entries[0]
    opened, *more = first.events
    assert isinstance(opened, TableOpened)
    broken([evolve(first, events=(evolve(opened, clock=clock), *more))])


def test_without_a_host_nobody_starts_not_even_the_house() -> None:
    played = waiting()
    played.request(Request(Leave(), None, person(0)))
    assert played.stream.seating.host is None
    for sender in (None, person(0)):
        with pytest.raises(IllegalAction, match=Code.NOT_HOST):
            played.stream.draft(Request(Start(), None, sender), 0)


def test_an_old_log_lets_a_seat_be_played_for_that_would_not_be_asked_today() -> None:
    played = open_table("miniature", VEILED)
    played.act(0, Hold())
    house = Entry(4, 5, Cause.HOUSE, None, None, None, SitOut(0, ""), (SatIn(0, ""),))
    played.entries.insert(2 + 1, house)
    stream = Stream.replay(played.entries)
    assert stream.seating.sitting_in == ("", None)
    assert stream.due() is None


def test_a_log_of_another_game_or_later_rules_is_refused() -> None:
    first = waiting().entries[0]
    opened = first.events[0]
    assert isinstance(opened, TableOpened)
    with pytest.raises(FutureLog):
        Stream(evolve(first, events=(evolve(opened, rules=2),)))
    with pytest.raises(IllegalAction, match=Code.BAD_OPTIONS):
        Stream(evolve(first, events=(evolve(opened, game="chess"),)))
    old = Stream(evolve(first, events=(evolve(opened, rules=0), *first.events[1:])))
    assert old.seating.rules == 0


def test_a_match_starts_with_a_possible_deal() -> None:
    played = waiting()
    start = played.request(GUEST)
    opened = played.entries[0]
    for sealed in (None, Sealed(seed(7)), Sealed(seed(7), Deal((), ()))):
        broken([opened, evolve(start, sealed=sealed)])


def test_a_match_is_played_by_its_seats_while_it_runs() -> None:
    entries = whole_game("miniature", VEILED).entries
    acted = entries[2]
    broken([entries[0], evolve(acted, number=2)])
    broken([*entries[:2], evolve(acted, seat=None)])
    broken([*entries[:2], evolve(acted, seat=5)])
    broken([*entries, evolve(acted, number=len(entries) + 1)])


def test_a_shortened_game_is_never_a_whole_one() -> None:
    entries = whole_game("miniature", VEILED).entries
    last, reveal = entries[-1], entries[-1].events[-1]
    broken([*entries[:2], evolve(entries[2], events=(*entries[2].events, reveal))])
    broken([*entries[:2], evolve(last, number=3, seat=None, events=(reveal,))])
    broken([*entries[:-1], evolve(last, events=last.events[:-1])])
    closed = evolve(last, number=3, seat=None, events=(TableClosed(CloseReason.REAPED),))
    broken([*entries[:2], closed])
    assert not Stream.replay(entries[:-1]).seating.ended


def test_a_replay_takes_any_iterable() -> None:
    played = whole_game("miniature", VEILED, 3)
    assert Stream.replay(iter(played.entries)).number == len(played.entries)
