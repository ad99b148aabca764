"""Nobody absent holds up a table: B25 and B39, with a real server and a time of our own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from attrs import evolve

from engine.clock import Absence, Clock, ClockKind
from engine.deal import Chance
from engine.entry import Cause, Entry
from engine.game import find_game
from engine.seating import Phase, Substituted
from engine.stream import Stream
from engine.verify import failed, verify
from protocol.messages import (
    Accepted,
    Act,
    FromClient,
    Invitation,
    Invite,
    JoinTable,
    Refused,
    Return,
    Snapshot,
    StartMatch,
    Update,
    Vote,
)
from protocol.wire import Wire
from server.app import App, serve
from server.config import Settings
from server.play import find_play
from server.store.memory import MemoryStore
from server.store.port import DirectoryRow, History, Position, Row, Unavailable
from server.table import Table
from tests.server.pace import Pace
from tests.server.peer import QUIET, Peer, peer
from tests.server.test_table import Kept, until

SETTINGS = evolve(
    QUIET, vote_seconds=20.0, silent_seconds=60.0, host_seconds=30.0, sleep_seconds=0.05
)
BANK = Clock(ClockKind.BANK, 60_000, 1_000)
DAYS = Clock(ClockKind.PER_MOVE, 3 * 86_400_000)
WIRE = Wire(find_game("ra").vocabulary)


@asynccontextmanager
async def running(
    pace: Pace, store: MemoryStore | None = None, settings: Settings = SETTINGS
) -> AsyncIterator[App]:
    async with serve(settings, store, pace) as app:
        yield app


async def entries(app: App, code: str) -> list[Entry]:
    stored = await app.store.read(code)
    codec = find_play((await app.lobby.awake(code)).stream.game.name).entries
    return [codec.decode(row.body) for row in stored.rows]


async def sound(app: App, code: str) -> list[Entry]:
    """The log folds to what is in memory, and is derived again."""
    log = await entries(app, code)
    live = (await app.lobby.awake(code)).stream
    folded = Stream.replay(log)
    assert (folded.number, folded.clocks) == (live.number, live.clocks)
    assert folded.seating.sitting_in == live.seating.sitting_in
    result = None if folded.match is None else folded.match.result
    assert not failed(verify(log, result))
    return log


def acted(log: list[Entry], cause: Cause) -> list[Entry]:
    return [entry for entry in log if entry.cause is cause]


async def command(one: Peer, message: FromClient) -> Accepted | Refused:
    answer = await one.ask(message, (Accepted, Refused))
    assert isinstance(answer, (Accepted, Refused))
    return answer


async def seats(app: App, *people: Peer, **fields: Any) -> str:
    """A match of `people`, all there: its code."""
    code = await people[0].create(seats=len(people), **fields)
    for one in people[1:]:
        await one.join(code)
    for one in people:
        while one.view.table.phase is not Phase.PLAYING:
            await one.receive()
    return code


async def until_number(one: Peer, number: int) -> None:
    while one.number < number:
        await one.receive()


async def settle(table: Table) -> None:
    """Until the table has done all that waits in its inbox."""
    await until(lambda: not table._inbox and table._idle is not None)


async def asked(table: Table) -> int:
    await settle(table)
    assert table.stream.match is not None
    return min(table.stream.match.asked)


def answer(one: Peer) -> Act:
    act = one.answer(find_game("ra"), WIRE, Chance(b"any"))
    assert act is not None
    return act


@pytest.mark.parametrize("clock", [BANK, DAYS, Clock(ClockKind.BANK, 1_000)])
async def test_a_seat_silent_on_whatever_it_is_asked_does_not_hang_the_game(clock: Clock) -> None:
    """B25 (ii): turns, bids and disasters of silent seats all get the default action, and
    the match comes to its end; each prompt is answered once."""
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=clock)
        table = await app.lobby.awake(code)
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


async def test_no_timer_fires_before_its_time_nor_after_the_player_acted() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.lobby.awake(code)
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
        table = await app.lobby.awake(code)
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
    """B39: turn timers go by their own span; the log is ordered by its numbers."""
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.lobby.awake(code)
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
    store, pace = Kept(), Pace()
    async with running(pace, store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        number = (await app.lobby.awake(code)).stream.number
        await pace.pass_by(30_000)
        token = ann.token
    pace.time += 3_600_000
    pace.day -= 7_200_000
    pace.timers.clear()
    async with running(pace, store) as app:
        await pace.pass_by(59_999)
        assert code not in app.lobby.tables, "it sleeps until something is due"
        async with peer(app, "", token) as ann:
            snapshot = await ann.watch(code)
            assert (snapshot.seat, snapshot.elapsed) == (0, 59_999)
            table = await app.lobby.awake(code)
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
            number = (await app.lobby.awake(code)).stream.number
        await until(lambda: code not in app.lobby.tables)
        await pace.pass_by(DAYS.span - 1)
        assert code not in app.lobby.tables
        await pace.pass_by(1)
        table = await app.lobby.awake(code)
        while table.stream.number == number:
            await pace.pass_by(0)
            await asyncio.sleep(0)
        assert len(acted(await sound(app, code), Cause.TIMEOUT)) == 1


async def test_a_bot_sits_in_until_the_owner_returns() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK, absence=Absence.BOT)
        table = await app.lobby.awake(code)
        seat = await asked(table)
        one = (ann, bob)[seat]
        act = answer(one)
        await pace.pass_by(60_000)
        await until(lambda: acted(list(table._recall._recent), Cause.BOT) != [])
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
    """B25: no clock; after the written while those who are there decide."""
    pace = Pace()
    async with (
        running(pace) as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
        peer(app, "Cyd") as cyd,
    ):
        code = await seats(app, ann, bob, cyd)
        table = await app.lobby.awake(code)
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


async def test_of_one_who_is_gone_the_others_may_say_so_sooner() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob)
        table = await app.lobby.awake(code)
        seat = await asked(table)
        gone, left = ((ann, bob), (bob, ann))[seat]
        await pace.pass_by(20_000)
        refused = await command(left, Vote(os.urandom(8), seat))
        assert isinstance(refused, Refused)
        assert refused.facts == (("seconds", "40"),)
        await gone.socket.close()
        await until(lambda: len(table.audience.links) == 1)
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
            table = await app.lobby.awake(code)
            seat = await asked(table)
            await pace.pass_by(60_000)
            people = [ann, bob, cyd]
            del people[seat]
            voter = next(one for one in people if one is not cyd)
            assert isinstance(await command(voter, Vote(os.urandom(8), seat)), Accepted)
        leaver_counts = seat != 2
        await until(lambda: len(table.audience.links) == 2)
        await settle(table)
        if leaver_counts:
            assert table.stream.seating.sitting_in[seat] == ""
        else:
            assert table.stream.seating.voters(seat)
        await sound(app, code)


async def test_a_substitute_takes_the_seat_by_invitation() -> None:
    pace = Pace()
    async with (
        running(pace) as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
        peer(app, "Eve") as eve,
    ):
        code = await seats(app, ann, bob, clock=BANK, absence=Absence.SUBSTITUTE)
        table = await app.lobby.awake(code)
        seat = await asked(table)
        one, other = ((ann, bob), (bob, ann))[seat]
        refused = await other.ask(Invite(os.urandom(8), seat), (Invitation, Refused))
        assert isinstance(refused, Refused)
        assert refused.code == "not_absent"
        number = table.stream.number
        await pace.pass_by(60_000)
        await until_number(other, number + 2)
        invitation = await other.ask(Invite(os.urandom(8), seat), Invitation)
        assert invitation.code.startswith(code)
        join = JoinTable(os.urandom(8), invitation.code, os.urandom(16))
        accepted = await command(eve, join)
        assert isinstance(accepted, Accepted)
        snapshot = await eve.until(Snapshot)
        assert snapshot.seat == seat
        assert await command(eve, join) == accepted, "the original answer"
        gone = await one.until(Snapshot)
        assert (gone.seat, gone.private) == (None, None)
        late = await command(one, JoinTable(os.urandom(8), invitation.code, os.urandom(16)))
        assert isinstance(late, Refused)
        assert late.code == "no_table"
        log = await sound(app, code)
        assert any(isinstance(event, Substituted) for entry in log for event in entry.events)


async def test_an_invitation_is_good_for_a_while_and_the_newest_counts() -> None:
    pace = Pace()
    async with running(pace) as app:
        made = app.lobby.invitations
        old, new = made.make("KIWI-42", 1), made.make("KIWI-42", 1)
        other = made.make("KIWI-42", 0)
        assert made.find(old, b"eve") is None
        found = made.find(new.lower(), b"eve")
        assert found is not None
        found.by = b"eve"
        assert made.find(new, b"eve") is found
        assert made.find(new, b"mal") is None
        pace.time += int(SETTINGS.invite_seconds * 1000)
        assert made.find(other, b"eve") is None
        made.make("PALM-10", 0)
        assert len(made._by_text) == 1


async def test_another_may_start_when_the_host_is_gone() -> None:
    """B25 (i)."""
    pace = Pace()
    async with running(pace) as app, peer(app, "Bob") as bob:
        async with peer(app, "Ann") as ann:
            code = await ann.create(seats=4)
            await bob.join(code)
            refused = await command(bob, StartMatch(os.urandom(8)))
            assert isinstance(refused, Refused)
        table = await app.lobby.awake(code)
        await until(lambda: len(table.audience.links) == 1)
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
            assert (await app.lobby.awake(code)).stream.seating.host == ann.person


async def test_tables_that_nobody_comes_back_to_are_closed_and_their_logs_kept() -> None:
    """B25 (iii) and (iv)."""
    pace, store = Pace(), Kept()
    async with running(pace, store) as app:
        async with peer(app, "Ann") as ann, peer(app, "Bob") as bob:
            waiting = [await ann.create(seats=4) for _ in range(20)]
            played = await seats(app, bob, ann)
        await until(lambda: not app.lobby.tables)
        await pace.pass_by(3_540_000)
        assert not app.lobby.tables
        await pace.pass_by(120_000)
        await until(lambda: len(app.lobby._creators) == 1)
        pace.day += 40 * 86_400_000  # by the wall alone nothing is given up
        await pace.pass_by(3_600_000)
        (row,) = [row for row in await store.directory() if row.code == played]
        assert row.phase == Phase.PLAYING
        assert {row.phase for row in await store.directory() if row.code in waiting} == {
            Phase.CLOSED
        }
        await pace.pass_by(86_400_000)
        await until(lambda: not app.lobby._creators)
        log = await sound(app, played)
        revealed = (await app.lobby.awake(played)).stream.seating.revealed
        assert revealed is not None
        assert len(revealed.secret) == 32
        assert len(log) > 1


async def test_when_the_store_fails_nobody_loses_time() -> None:
    pace = Pace()
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.lobby.awake(code)
        await pace.pass_by(50_000)
        table._absences.store_failed()
        await pace.pass_by(59_000)
        await settle(table)
        assert table._absences.elapsed() == 50_000
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
        table = await app.lobby.awake(code)
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


async def test_bots_sit_in_where_all_choose_at_once_and_go_when_the_owner_is_back() -> None:
    pace = Pace()
    clock = Clock(ClockKind.PER_MOVE, 10_000)
    async with running(pace) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, game="miniature", clock=clock, absence=Absence.BOT)
        table = await app.lobby.awake(code)
        await pace.pass_by(10_000)
        await until(lambda: len(acted(list(table._recall._recent), Cause.BOT)) >= 2)
        await until(lambda: table.stream.seating.ended)
        log = await sound(app, code)
        bots = [entry.seat for entry in acted(log, Cause.BOT)]
        assert bots.count(0) == bots.count(1) == 3, "the game is played to its end by bots"
        late = await command(ann, Return(os.urandom(8)))
        assert isinstance(late, Refused)
        assert late.code == "not_running"


async def test_a_table_that_cannot_be_read_when_it_is_due_is_tried_again() -> None:
    pace, store = Pace(), Moody()
    async with running(pace, store) as app:
        async with peer(app, "Ann") as ann, peer(app, "Bob") as bob:
            code = await seats(app, ann, bob, clock=BANK)
        await until(lambda: not app.lobby.tables)
        store.unreadable = True
        await pace.pass_by(60_000)
        await until(lambda: store.asked > 0)
        assert not app.lobby.tables
        store.unreadable = False
        await pace.pass_by(1_000)
        await until(lambda: code in app.lobby.tables)
        await pace.pass_by(0)
        table = app.lobby.tables[code]
        await settle(table)
        assert acted(await sound(app, code), Cause.TIMEOUT)


class Moody(Kept):
    """A store that cannot be read while it is `unreadable`."""

    def __init__(self) -> None:
        super().__init__()
        self.unreadable = False
        self.asked = 0

    async def read(self, table: str, after: int = 0) -> History:
        if self.unreadable:
            self.asked += 1
            raise Unavailable("io_error")
        return await super().read(table, after)


async def test_a_timeout_that_cannot_be_stored_is_tried_again() -> None:
    pace, store = Pace(), Full()
    async with running(pace, store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await seats(app, ann, bob, clock=BANK)
        table = await app.lobby.awake(code)
        number = table.stream.number
        store.full = True
        await pace.pass_by(60_000)
        await settle(table)
        assert table.stream.number == number
        assert app.counters.store_failures == 1
        store.full = False
        await pace.pass_by(1_000)
        await settle(table)
        assert table.stream.number == number + 1
        await sound(app, code)


class Full(Kept):
    """A store that takes nothing while it is `full`."""

    full = False

    async def append(
        self, table: str, expect: Position, row: Row, directory: DirectoryRow
    ) -> Position:
        if self.full:
            raise Unavailable("disk_full")
        return await super().append(table, expect, row, directory)
