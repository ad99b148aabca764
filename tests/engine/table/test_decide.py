"""Who sits where: sitting down, leaving, starting, closing, and events that lie."""

from __future__ import annotations

import pytest
from attrs import evolve

from engine.entry import Command, Event
from engine.errors import BrokenLog, Code, IllegalAction
from engine.game import Setup
from engine.table.decide import decide, open_table
from engine.table.state import Seating
from engine.table.words import (
    Close,
    CloseReason,
    Join,
    Leave,
    MatchStarted,
    Open,
    Phase,
    Revealed,
    SeatFreed,
    SeatTaken,
    Start,
    TableClosed,
    TableOpened,
    TakenBack,
)
from tests.games import nonce, person
from tests.miniature.game import MINIATURE

HOST, GUEST, STRANGER = person(0), person(1), person(9)
OPENED = TableOpened("T-1", "miniature", 1, "open", (), 3, True, HOST, b"c" * 32)
OPEN = Open("miniature", "open", (), 3, (), True, True, "Ann", nonce(0))


def table(*people: bytes) -> Seating:
    """A table for three where `people` sit from seat 0 on."""
    seating = Seating(OPENED)
    for seat, who in enumerate(people):
        seating.evolve(SeatTaken(seat, f"P{seat}", who, None, nonce(seat)))
    return seating


def playing(*people: bytes) -> Seating:
    seating = table(*people)
    seating.evolve(seating.started(supplied=False))
    return seating


def opened(command: Open, nonces: tuple[bytes, ...] = ()) -> list[Event]:
    return open_table(command, HOST, MINIATURE, code="T-1", secret=b"s" * 32, nonces=nonces)


def test_one_takes_the_first_free_seat_once() -> None:
    seating = table(HOST)
    assert decide(seating, GUEST, Join("Bo", nonce(1)), MINIATURE) == [
        SeatTaken(1, "Bo", GUEST, None, nonce(1))
    ]
    assert seating.seat_of(GUEST) == 1
    assert decide(seating, GUEST, Join("Bo again", nonce(5)), MINIATURE) == []
    decide(seating, STRANGER, Join("Cy", nonce(2)), MINIATURE)
    with pytest.raises(IllegalAction, match=Code.TABLE_FULL):
        decide(seating, person(3), Join("Di", nonce(3)), MINIATURE)


def test_a_copy_decides_alone() -> None:
    seating = table(HOST)
    copy = seating.copy()
    decide(copy, GUEST, Join("Bo", nonce(1)), MINIATURE)
    assert seating.seat_of(GUEST) is None


def test_the_host_who_leaves_hands_over_to_the_next_person() -> None:
    seating = table(HOST, GUEST)
    assert decide(seating, HOST, Leave(), MINIATURE) == [SeatFreed(0, GUEST)]
    assert decide(seating, GUEST, Leave(), MINIATURE) == [SeatFreed(1, None)]
    assert seating.host is None
    with pytest.raises(IllegalAction, match=Code.NOT_SEATED):
        decide(seating, GUEST, Leave(), MINIATURE)


def test_a_guest_who_leaves_changes_no_host() -> None:
    seating = table(HOST, GUEST)
    assert decide(seating, GUEST, Leave(), MINIATURE) == [SeatFreed(1, HOST)]


def test_a_bot_never_becomes_host() -> None:
    seating = table(HOST)
    seating.evolve(SeatTaken(1, "easy bot 2", None, "easy", nonce(1)))
    assert decide(seating, HOST, Leave(), MINIATURE) == [SeatFreed(0, None)]


def test_the_host_alone_starts_and_with_enough_players() -> None:
    seating = table(HOST)
    with pytest.raises(IllegalAction, match=Code.TOO_FEW_PLAYERS):
        decide(seating, HOST, Start(), MINIATURE)
    seating = table(HOST, GUEST)
    for who in (GUEST, STRANGER, None):
        with pytest.raises(IllegalAction, match=Code.NOT_HOST):
            decide(seating, who, Start(), MINIATURE)
    assert decide(seating, HOST, Start(), MINIATURE) == []


def test_who_may_close() -> None:
    waiting = table(HOST, GUEST)
    for who in (GUEST, STRANGER):
        with pytest.raises(IllegalAction, match=Code.NOT_HOST):
            decide(waiting, who, Close(CloseReason.ABANDONED), MINIATURE)
    running = playing(HOST, GUEST)
    with pytest.raises(IllegalAction, match=Code.ALREADY_STARTED):
        decide(running, HOST, Close(CloseReason.ABANDONED), MINIATURE)
    for seating, closer in ((waiting, HOST), (running, None)):
        closed = decide(seating, closer, Close(CloseReason.REAPED), MINIATURE)
        assert closed == [TableClosed(CloseReason.REAPED)]
        assert seating.ended
        with pytest.raises(IllegalAction, match=Code.TABLE_CLOSED):
            decide(seating, None, Close(CloseReason.REAPED), MINIATURE)
        with pytest.raises(IllegalAction, match=Code.TABLE_CLOSED):
            decide(seating, STRANGER, Join("Cy", nonce(4)), MINIATURE)


@pytest.mark.parametrize("command", [Join("Bo", nonce(1)), Leave(), Start()])
def test_a_running_table_is_not_joined_left_or_started(command: Command) -> None:
    with pytest.raises(IllegalAction, match=Code.ALREADY_STARTED):
        decide(playing(HOST, GUEST), HOST, command, MINIATURE)


@pytest.mark.parametrize(
    ("who", "command"),
    [(HOST, OPEN), (HOST, Command()), (None, Join("Bo", nonce(1))), (None, Leave())],
)
def test_what_is_no_command_of_a_table_is_refused(who: bytes | None, command: Command) -> None:
    with pytest.raises(IllegalAction, match=Code.WRONG_COMMAND):
        decide(table(HOST), who, command, MINIATURE)


def test_gaps_are_closed_in_the_match() -> None:
    seating = table(HOST, GUEST, STRANGER)
    seating.evolve(SeatFreed(1, HOST))
    started = seating.started(supplied=False)
    assert started.places == (0, 2)
    assert seating.setup() == Setup("open", 2)
    seating.evolve(started)
    assert (seating.match_seat_of(HOST), seating.match_seat_of(STRANGER)) == (0, 1)
    assert seating.match_seat_of(GUEST) is None
    assert seating.nonces() == (nonce(0), nonce(2))


def test_a_seat_is_no_match_seat_before_the_start() -> None:
    seating = table(HOST)
    assert seating.seat_of(HOST) == 0
    assert seating.match_seat_of(HOST) is None


def test_an_end_by_the_rules_and_another_end_differ() -> None:
    over, closed = playing(HOST, GUEST), playing(HOST, GUEST)
    over.evolve(Revealed(b"s", ()))
    closed.evolve(TableClosed(CloseReason.ABANDONED))
    closed.evolve(Revealed(b"s", ()))
    assert (over.phase, closed.phase) == (Phase.OVER, Phase.CLOSED)


LIES = [
    (table(HOST), SeatTaken(0, "X", GUEST, None, nonce(1))),
    (table(HOST), SeatTaken(3, "X", GUEST, None, nonce(1))),
    (table(HOST), SeatTaken(-1, "X", GUEST, None, nonce(1))),
    (playing(HOST, GUEST), SeatTaken(2, "X", STRANGER, None, nonce(1))),
    (table(HOST), SeatFreed(1, None)),
    (table(HOST), SeatFreed(99, None)),
    (playing(HOST, GUEST), SeatFreed(0, None)),
    (table(HOST, GUEST), MatchStarted("open", (), (0, 1, 2), False)),
    (table(HOST, GUEST), MatchStarted("open", (), (1, 0), False)),
    (table(HOST, GUEST), MatchStarted("veiled", (), (0, 1), False)),
    (playing(HOST, GUEST), MatchStarted("open", (), (0, 1), False)),
    (table(HOST), Revealed(b"s", ())),
    (table(HOST), TakenBack(0, 1)),
    (table(HOST), OPENED),
    (table(HOST), Event()),
]


@pytest.mark.parametrize(("seating", "event"), LIES)
def test_an_event_that_cannot_follow_is_a_broken_log(seating: Seating, event: Event) -> None:
    with pytest.raises(BrokenLog):
        seating.copy().evolve(event)


def test_what_has_ended_ends_once() -> None:
    seating = playing(HOST, GUEST)
    seating.evolve(TableClosed(CloseReason.REAPED))
    with pytest.raises(BrokenLog):
        seating.copy().evolve(TableClosed(CloseReason.REAPED))
    seating.evolve(Revealed(b"s", ()))
    with pytest.raises(BrokenLog):
        seating.evolve(Revealed(b"s", ()))


@pytest.mark.parametrize("seats", [0, -1, 256, 10**9])
def test_no_table_of_any_size_is_built_from_a_log(seats: int) -> None:
    with pytest.raises(BrokenLog):
        Seating(evolve(OPENED, seats=seats))


def test_bots_take_the_last_seats() -> None:
    first, ann, bot = opened(evolve(OPEN, bots=("easy",)), (nonce(7),))
    assert isinstance(first, TableOpened)
    assert ann == SeatTaken(0, "Ann", HOST, None, nonce(0))
    assert bot == SeatTaken(2, "easy bot 3", None, "easy", nonce(7))


def test_a_host_need_not_sit() -> None:
    assert len(opened(evolve(OPEN, sit=False))) == 1


def test_a_table_with_a_supplied_deal_commits_to_nothing() -> None:
    (first,) = open_table(
        evolve(OPEN, sit=False), HOST, MINIATURE, code="T-1", secret=b"", nonces=()
    )
    assert isinstance(first, TableOpened)
    assert first.commitment == b""


@pytest.mark.parametrize(
    ("command", "fact"),
    [
        (evolve(OPEN, seats=9), "seats"),
        (evolve(OPEN, ruleset="none"), "ruleset"),
        (evolve(OPEN, options=("none",)), "option"),
        (evolve(OPEN, bots=("easy",) * 3), "taken"),
        (evolve(OPEN, bots=("genius",)), "bot"),
    ],
)
def test_a_table_that_cannot_be_is_refused(command: Open, fact: str) -> None:
    with pytest.raises(IllegalAction, match=Code.BAD_OPTIONS) as refusal:
        opened(command)
    assert fact in refusal.value.facts
