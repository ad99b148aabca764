"""Votes, bots and people who play for the absent, hosts, reaping: B25, with our own clock."""

from __future__ import annotations

import os

from engine.clock import Absence, Clock, ClockKind
from engine.entry import Cause
from engine.game import find_game
from engine.table.words import Phase
from protocol.messages import (
    Accepted,
    Refused,
    Return,
    StartMatch,
    Vote,
)
from tests.patience import until, until_it_is
from tests.server.absent import (
    BANK,
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
from tests.server.moody import LastingStore
from tests.server.pace import Pace
from tests.server.peer import peer


async def test_a_bot_sits_in_until_the_owner_returns() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK, absence=Absence.BOT)
        table = await app.residents.get(code)
        seat = await asked(table)
        one = (ann, bob)[seat]
        act = answer(one)
        await pace.pass_by(60_000)
        await until(lambda: acted(list(table.history._recent), Cause.BOT) != [])
        await until_number(one, table.stream.number)
        assert one.view.table.sitting_in[seat] == list(find_game("ra").bots)[-1]
        refused = await command(one, act)
        assert isinstance(refused, Refused)
        assert refused.code == "sat_out"
        while isinstance(back := await command(one, Return(os.urandom(8))), Refused):
            assert back.code == "not_yet_back"
        await until_number(one, back.number)
        assert one.view.table.sitting_in == (None, None)
        assert one.view.clocks is not None
        assert one.view.clocks[seat] >= BANK.span // 10
        await settle(table)
        await sound(app, code)


async def test_the_others_vote_one_out_that_is_silent() -> None:
    """B25: without a clock, those who are there decide after the time that the rules give."""
    pace = Pace()
    async with (
        running(pace) as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
        peer(app, "Cyd") as cyd,
    ):
        code = await seats(app, ann, bob, cyd)
        table = await app.residents.get(code)
        seat = await asked(table)
        people = [ann, bob, cyd]
        silent = people.pop(seat)
        number = table.stream.number
        await pace.pass_by(59_000)
        early = await command(people[0], Vote(os.urandom(8), seat))
        assert isinstance(early, Refused)
        assert (early.code, early.facts) == ("too_soon", (("seconds", "1"),))
        await pace.pass_by(1_000)
        vote = Vote(os.urandom(8), seat)
        first = await command(people[0], vote)
        assert isinstance(first, Accepted)
        await settle(table)
        assert table.stream.number == number + 1, "one of two is not more than half"
        assert isinstance(await command(people[1], Vote(os.urandom(8), seat)), Accepted)
        await pace.pass_by(0)
        await until_number(people[1], number + 4)
        log = await sound(app, code)
        names = [type(entry.command).__name__ for entry in log[number : number + 3]]
        assert names == ["Vote", "Vote", "SitOut"]
        assert (log[number + 3].seat, log[number + 3].cause) == (seat, Cause.TIMEOUT)
        assert await command(people[0], vote) == first, "the original answer"
        assert isinstance(await command(silent, Return(os.urandom(8))), Accepted)
        await settle(table)
        assert table.stream.seating.sitting_in == (None,) * 3


async def test_somebody_who_left_may_be_voted_absent_sooner() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob)
        table = await app.residents.get(code)
        seat = await asked(table)
        gone, left = ((ann, bob), (bob, ann))[seat]
        await pace.pass_by(20_000)
        refused = await command(left, Vote(os.urandom(8), seat))
        assert isinstance(refused, Refused)
        assert refused.facts == (("seconds", "40"),)
        await gone.socket.close()
        await until(lambda: len(table.broadcast.subscribers) == 1)
        assert isinstance(await command(left, Vote(os.urandom(8), seat)), Accepted)
        await pace.pass_by(0)
        await settle(table)
        assert table.stream.seating.sitting_in[seat] == ""
        assert acted(await sound(app, code), Cause.TIMEOUT)


async def test_one_who_is_left_alone_decides_alone_and_votes_count_when_others_leave() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        async with peer(app, "Cyd") as cyd:
            code = await seats(app, ann, bob, cyd)
            table = await app.residents.get(code)
            seat = await asked(table)
            await pace.pass_by(60_000)
            people = [ann, bob, cyd]
            del people[seat]
            voter = next(one for one in people if one is not cyd)
            assert isinstance(await command(voter, Vote(os.urandom(8), seat)), Accepted)
        leaver_counts = seat != 2
        await until(lambda: len(table.broadcast.subscribers) == 2)
        await settle(table)
        if leaver_counts:
            assert table.stream.seating.sitting_in[seat] == ""
        else:
            assert table.stream.seating.voters(seat)
        await sound(app, code)


async def test_another_may_start_when_the_host_is_gone() -> None:
    """B25 (i)."""
    pace = Pace()
    async with running(pace) as app, peer(app, "Bob") as bob:
        async with peer(app, "Ann") as ann:
            code = await ann.create(seats=4)
            await bob.join(code)
            refused = await command(bob, StartMatch(os.urandom(8)))
            assert isinstance(refused, Refused)
        table = await app.residents.get(code)
        await until(lambda: len(table.broadcast.subscribers) == 1)
        await pace.pass_by(29_999)
        assert bob.view.table.host == 0
        await pace.pass_by(1)
        while bob.view.table.host != 1:
            await bob.receive()
        assert isinstance(await command(bob, StartMatch(os.urandom(8))), Accepted)
        await sound(app, code)


async def test_a_host_who_is_back_in_time_stays_host() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Bob") as bob:
        async with peer(app, "Ann") as ann:
            code = await ann.create(seats=4)
            await bob.join(code)
            token = ann.token
        await pace.pass_by(20_000)
        async with peer(app, "", token) as ann:
            await ann.watch(code)
            await pace.pass_by(40_000)
            assert (await app.residents.get(code)).stream.seating.host == ann.person


async def test_tables_that_nobody_comes_back_to_are_closed_and_their_logs_kept() -> None:
    """B25 (iii) and (iv)."""
    pace, store = Pace(), LastingStore()
    async with running(pace, store) as app:
        async with peer(app, "Ann") as ann, peer(app, "Bob") as bob:
            waiting = [await ann.create(seats=4) for _ in range(20)]
            played = await seats(app, bob, ann)
        await until(lambda: not app.residents.tables)
        await pace.pass_by(3_540_000)
        assert not app.residents.tables
        await pace.pass_by(120_000)
        await until_it_is(1, store.count_open)
        pace.day += 40 * 86_400_000  # by the wall nothing is given up
        await pace.pass_by(3_600_000)
        (row,) = [row for row in await store.directory() if row.code == played]
        assert row.phase == Phase.PLAYING
        assert {row.phase for row in await store.directory() if row.code in waiting} == {
            Phase.CLOSED
        }
        await pace.pass_by(86_400_000)
        assert await store.count_open() == 1, "nothing happened for a day, not for thirty"
        await pace.pass_by(29 * 86_400_000)
        await until_it_is(0, store.count_open)
        log = await sound(app, played)
        revealed = (await app.residents.get(played)).stream.seating.revealed
        assert revealed is not None
        assert len(revealed.secret) == 32
        assert len(log) > 1


async def test_bots_sit_in_where_all_choose_at_once_and_go_when_the_owner_is_back() -> None:
    pace = Pace()
    clock = Clock(ClockKind.PER_MOVE, 10_000)
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, game="miniature", clock=clock, absence=Absence.BOT)
        table = await app.residents.get(code)
        await pace.pass_by(10_000)
        await until(lambda: len(acted(list(table.history._recent), Cause.BOT)) >= 2)
        await until(lambda: table.stream.seating.ended)
        log = await sound(app, code)
        bots = [entry.seat for entry in acted(log, Cause.BOT)]
        assert bots.count(0) == bots.count(1) == 3, "the game is played to its end by bots"
        late = await command(ann, Return(os.urandom(8)))
        assert isinstance(late, Refused)
        assert late.code == "not_running"
