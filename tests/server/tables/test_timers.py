"""When time runs out: B25 and B39, with a real server and our own clock."""

from __future__ import annotations

import pytest

from engine.clock import Clock, ClockKind
from engine.entry import Cause
from engine.table.words import Phase, TimedOut
from protocol.messages import (
    Accepted,
    Refused,
    Update,
)
from tests.patience import until
from tests.server.absent import (
    BANK,
    DAYS,
    WIRE,
    acted,
    answer,
    asked,
    command,
    running,
    seats,
    settle,
    sound,
    until_number,
)
from tests.server.moody import LastingStore, Mood
from tests.server.pace import Pace
from tests.server.peer import peer


@pytest.mark.parametrize("clock", [BANK, DAYS, Clock(ClockKind.BANK, 1_000)])
async def test_a_seat_silent_on_whatever_it_is_asked_does_not_hang_the_game(clock: Clock) -> None:
    """B25 (ii): turns, bids and disasters of silent seats all get the default action, and
    the match comes to its end; each prompt is answered once."""
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=clock)
        table = await app.residents.get(code)
        for _ in range(2000):
            await settle(table)
            if table.stream.seating.phase is Phase.OVER:
                break
            due = table.due_in()
            assert due is not None
            await pace.pass_by(due)
        assert table.stream.seating.phase is Phase.OVER
        log = await sound(app, code)
        timeouts = acted(log, Cause.TIMEOUT)
        assert len(timeouts) == len([entry for entry in log if entry.seat is not None])
        kinds = {type(entry.command).__name__ for entry in timeouts}
        assert {"InvokeRa", "Pass"} & kinds


async def test_all_who_attend_are_told_that_the_time_ran_out() -> None:
    """Everybody is told with the update itself, and those who come later with the snapshot."""
    pace = Pace()
    async with (
        running(pace) as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
        peer(app, "Eve") as eve,
    ):
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.residents.get(code)
        await eve.watch(code)
        seat, number = await asked(table), table.stream.number
        await pace.pass_by(60_000)
        for one in (ann, bob, eve):
            update = await one.until(Update)
            assert update.number == number + 1
            assert WIRE.happening.unpack(update.public[0][0]) == TimedOut(seat, True)
            assert len(update.public[0]) > 1
        (missed,) = (await eve.watch(code, number)).since
        assert missed.public == update.public[0]


async def test_no_timer_fires_before_its_time_nor_after_the_player_acted() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.residents.get(code)
        one = (ann, bob)[await asked(table)]
        number = table.stream.number
        await pace.pass_by(59_999)
        await settle(table)
        assert table.stream.number == number
        assert isinstance(await command(one, answer(one)), Accepted)
        await pace.pass_by(1_000)
        await settle(table)
        assert table.stream.number == number + 1, "the timer of what was answered is gone"
        assert table.stream.clocks is not None
        assert min(table.stream.clocks) >= 1
        assert len(pace.waiting()) <= 2, "one timer for the table, one that sweeps"
        await sound(app, code)


@pytest.mark.parametrize("first", ["action", "timeout"])
async def test_of_a_late_action_and_the_timeout_the_one_in_the_inbox_first_counts(
    first: str,
) -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.residents.get(code)
        seat = await asked(table)
        one = (ann, bob)[seat]
        act = answer(one)
        number = table.stream.number
        if first == "timeout":
            await pace.pass_by(60_000)
            refused = await command(one, act)
            assert isinstance(refused, Refused)
            assert refused.code in ("stale_prompt", "no_prompt")
        else:
            pace.time += 60_000  # the timer is due but did not ring yet
            assert isinstance(await command(one, act), Accepted)
            await pace.pass_by(0)
        await settle(table)
        log = await sound(app, code)
        cause = Cause.TIMEOUT if first == "timeout" else Cause.COMMAND
        assert [(entry.seat, entry.cause) for entry in log[number:]] == [(seat, cause)]


@pytest.mark.parametrize("step", [-3_600_000, 3_600_000, -(10**12), 10**12])
async def test_steps_of_the_time_of_day_move_no_timer(step: int) -> None:
    """B39: turn timers go by their own clock; the log is ordered by its numbers."""
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.residents.get(code)
        number = table.stream.number
        await pace.pass_by(30_000)
        pace.day += step
        await pace.pass_by(29_999)
        await settle(table)
        assert table.stream.number == number, "no early kick"
        await pace.pass_by(1)
        await settle(table)
        assert table.stream.number == number + 1, "no freeze"
        log = await sound(app, code)
        assert [entry.number for entry in log] == list(range(1, len(log) + 1))


async def test_after_a_restart_the_turn_gets_its_time_back_and_one_timer() -> None:
    """B39: 30 s are left when the server stops; the token resumes the seat."""
    store, pace = LastingStore(), Pace()
    async with running(pace, store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        number = (await app.residents.get(code)).stream.number
        await pace.pass_by(30_000)
        token = ann.token
    pace.time += 3_600_000
    pace.day -= 7_200_000
    pace.timers.clear()
    async with running(pace, store) as app:
        await pace.pass_by(59_999)
        assert code not in app.residents.tables, "it sleeps until something is due"
        async with peer(app, "", token) as ann:
            snapshot = await ann.watch(code)
            assert (snapshot.seat, snapshot.elapsed) == (0, 59_999)
            table = await app.residents.get(code)
            assert table.stream.number == number
            await pace.pass_by(1)
            await until_number(ann, number + 1)
            log = await sound(app, code)
            assert len(acted(log, Cause.TIMEOUT)) == 1


async def test_a_sleeping_table_wakes_when_time_runs_out() -> None:
    pace = Pace()
    async with running(pace) as app:
        async with peer(app, "Ann") as ann, peer(app, "Bob") as bob:
            code = await seats(app, ann, bob, clock=DAYS)
            number = (await app.residents.get(code)).stream.number
        await until(lambda: code not in app.residents.tables)
        await pace.pass_by(DAYS.span - 1)
        assert code not in app.residents.tables
        await pace.pass_by(1)
        table = await app.residents.get(code)
        while table.stream.number == number:
            await pace.pass_by(0)  # what is due rings once the table is awake and has set its alarm
        assert len(acted(await sound(app, code), Cause.TIMEOUT)) == 1


async def test_when_the_store_fails_nobody_loses_time() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.residents.get(code)
        await pace.pass_by(50_000)
        table._absences.store_failed()
        await pace.pass_by(59_000)
        await settle(table)
        assert table._watch.elapsed() == 50_000
        number = table.stream.number
        await pace.pass_by(10_999)
        await settle(table)
        assert table.stream.number == number
        await pace.pass_by(1)
        await settle(table)
        assert table.stream.number == number + 1


async def test_sealed_choices_run_out_each_by_itself() -> None:
    pace = Pace()
    clock = Clock(ClockKind.PER_MOVE, 10_000)
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, game="miniature", clock=clock)
        table = await app.residents.get(code)
        for _ in range(50):
            await settle(table)
            if table.stream.seating.phase is Phase.OVER:
                break
            await pace.pass_by(10_000)
        assert table.stream.seating.phase is Phase.OVER
        log = await sound(app, code)
        seats_out = [entry.seat for entry in acted(log, Cause.TIMEOUT)]
        assert seats_out.count(0) == seats_out.count(1) > 0
        await ann.until(Update)


async def test_a_table_that_cannot_be_read_when_it_is_due_is_tried_again() -> None:
    pace, store = Pace(), LastingStore()
    async with running(pace, store) as app:
        async with peer(app, "Ann") as ann, peer(app, "Bob") as bob:
            code = await seats(app, ann, bob, clock=BANK)
        await until(lambda: not app.residents.tables)
        store.unreadable = True
        await pace.pass_by(60_000)
        await until(lambda: store.unread > 0)
        assert not app.residents.tables
        store.unreadable = False
        await pace.pass_by(1_000)
        await until(lambda: code in app.residents.tables)
        await pace.pass_by(0)
        table = app.residents.tables[code]
        await settle(table)
        assert acted(await sound(app, code), Cause.TIMEOUT)


async def test_a_timeout_that_cannot_be_stored_is_tried_again() -> None:
    pace, store = Pace(), LastingStore()
    async with running(pace, store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.residents.get(code)
        number = table.stream.number
        store.mood = Mood.UNAVAILABLE
        await pace.pass_by(60_000)
        await settle(table)
        assert table.stream.number == number
        assert app.counters.store_failures == 1
        store.mood = Mood.WELL
        await pace.pass_by(1_000)
        await settle(table)
        assert table.stream.number == number + 1
        await sound(app, code)
