"""A table: it acts once, stores before it tells, and loses nobody who comes back."""

from __future__ import annotations

import asyncio
import os

import pytest
from attrs import evolve
from websockets.exceptions import ConnectionClosed

from engine.deal import Chance
from engine.game import find_game
from engine.table.words import Phase
from protocol.messages import (
    Accepted,
    Act,
    Closing,
    Create,
    FromServer,
    JoinTable,
    LeaveTable,
    Left,
    ListTables,
    Presence,
    Refused,
    Snapshot,
    TableRow,
    Tables,
    Update,
    Watch,
)
from protocol.messages import (
    Peer as Present,
)
from protocol.wire import Wire
from tests.patience import until
from tests.server.moody import LastingStore, Mood, MoodyStore
from tests.server.peer import QUIET, Peer, peer, server

RA = find_game("ra")
WIRE = Wire(RA.vocabulary)
CHANCE = Chance(b"table")


def act(one: Peer) -> Act:
    made = one.answer(RA, WIRE, CHANCE)
    assert made is not None
    return made


async def catch_up(*peers: Peer) -> None:
    """Until all have the number of the one who is furthest."""
    while len({one.number for one in peers}) > 1:
        await min(peers, key=lambda one: one.number).receive()


async def begun(ann: Peer, bob: Peer) -> tuple[str, Peer]:
    """A match of the two: its code, and who is asked first."""
    code = await ann.create(seats=2)
    await bob.join(code)
    await catch_up(ann, bob)
    return code, ann if ann.asked() else bob


async def answers(one: Peer, count: int) -> list[FromServer]:
    """The next `count` answers to commands."""
    found: list[FromServer] = []
    while len(found) < count:
        message = await one.receive()
        if isinstance(message, (Accepted, Refused)):
            found.append(message)
    return found


async def test_of_two_answers_to_one_prompt_at_once_one_succeeds_500_times() -> None:
    settings = evolve(QUIET, message_rate=1e6, message_burst=10_000)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        races = 0
        while races < 500:
            code = await ann.create(seats=2)
            await bob.join(code)
            await catch_up(ann, bob)
            while not ann.over and races < 500:
                actor = ann if ann.asked() else bob
                made = act(actor)
                number = ann.number
                for _ in range(2):
                    await actor.send(evolve(made, id=os.urandom(8)))
                told = await answers(actor, 2)
                assert [type(message) for message in told] == [Accepted, Refused]
                assert isinstance(told[1], Refused)
                assert told[1].code in ("stale_prompt", "no_prompt", "not_running")
                await catch_up(ann, bob)
                assert ann.number == number + 1
                races += 1


async def test_a_command_id_acts_once_and_keeps_its_answer() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create(seats=2)
        await bob.join(code)
        await catch_up(ann, bob)
        actor, other = (ann, bob) if ann.asked() else (bob, ann)
        made = act(actor)
        first = await actor.ask(made, Accepted)
        assert await actor.ask(made, Accepted) == first
        changed = evolve(made, command=(33,) if made.command != (33,) else (32,))
        assert (await actor.ask(changed, Refused)).code == "id_reused"
        async with peer(app, "", actor.token) as again:
            await again.watch(code)
            assert await again.ask(made, Accepted) == first
        # the same id of another seat is another command
        await catch_up(ann, bob)
        if other.asked():
            theirs = evolve(act(other), id=made.id)
            assert (await other.ask(theirs, Accepted)).number == first.number + 1


async def test_what_cannot_be_stored_did_not_happen() -> None:
    store = MoodyStore()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, actor = await begun(ann, bob)
        made = act(actor)
        for mood in (Mood.UNAVAILABLE, Mood.UNKNOWN_NOT_WRITTEN):
            store.mood = mood
            refused = await actor.ask(made, Refused)
            assert (refused.code, refused.id) == ("store_unavailable", made.id)
            fresh = await actor.watch(code)
            assert fresh.public == ann.public == bob.public
        store.mood = Mood.WELL
        assert (await actor.ask(made, Accepted)).number == fresh.number + 1
        assert len((await store.read(code)).rows) == fresh.number + 1


async def test_what_was_stored_after_all_is_never_called_a_failure() -> None:
    store = MoodyStore()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, actor = await begun(ann, bob)
        store.mood = Mood.UNKNOWN_WRITTEN
        accepted = await actor.ask(act(actor), Accepted)
        assert len((await store.read(code)).rows) == accepted.number
        store.mood = Mood.WELL
        await catch_up(ann, bob)
        actor = ann if ann.asked() else bob
        assert (await actor.ask(act(actor), Accepted)).number == accepted.number + 1


async def test_when_nobody_can_say_the_table_is_read_anew_and_the_resend_gets_its_answer() -> None:
    store = MoodyStore()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, actor = await begun(ann, bob)
        made = act(actor)
        store.mood, store.unreadable = Mood.UNKNOWN_WRITTEN, True
        await actor.send(made)
        closing = await actor.until(Closing)
        assert closing.retry > 0
        with pytest.raises(ConnectionClosed):
            await actor.receive()
        store.mood, store.unreadable = Mood.WELL, False
        async with peer(app, "", actor.token) as again:
            snapshot = await again.watch(code)
            assert await again.ask(made, Accepted) == Accepted(made.id, snapshot.number)


async def test_who_is_called_otherwise_by_now_gets_the_first_answer_too() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        opening, id, nonce = create(b"opening"), os.urandom(8), os.urandom(16)
        opened = await ann.ask(opening, Accepted)
        code = (await ann.until(Snapshot)).public[0][0]
        joined = await bob.ask(JoinTable(id, code, nonce), Accepted)
        async with peer(app, "Anna", ann.token) as anna, peer(app, "Bobby", bob.token) as bobby:
            assert await anna.ask(opening, Accepted) == opened
            assert await bobby.ask(JoinTable(id, code, nonce), Accepted) == joined
            other = JoinTable(id, code, os.urandom(16))
            assert (await bobby.ask(other, Refused)).code == "id_reused"


async def test_a_failed_opening_opens_nothing_and_may_be_tried_again() -> None:
    store = MoodyStore()
    async with server(store=store) as app, peer(app, "Ann") as ann:
        for mood in (Mood.UNAVAILABLE, Mood.UNKNOWN_NOT_WRITTEN, Mood.UNKNOWN_WRITTEN):
            store.mood = mood
            message = create(b"the one")
            await ann.send(message)
            told = (await answers(ann, 1))[0]
            assert isinstance(told, Accepted) == (mood is Mood.UNKNOWN_WRITTEN)
        store.mood = Mood.WELL
        assert await ann.ask(message, Accepted) == Accepted(b"the one", 1)
        assert len(await store.directory()) == 1


def create(id: bytes) -> Create:
    ruleset = next(iter(RA.rulesets))
    return Create(id, "ra", ruleset, (), 2, (), True, True, b"n" * 16)


@pytest.mark.parametrize("recent", [0, 4, 1000])
async def test_resuming_tells_what_happened_meanwhile_without_a_hole(recent: int) -> None:
    """Snapshots come while entries do: numbers go on without gap, and in the end what a
    client has is what a fresh snapshot says; each of 70 times."""
    settings = evolve(QUIET, recent_entries=recent, message_rate=1e6, file_burst=1000)
    resumed = 0
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        while resumed < 70:
            code = await ann.create(bots=("random",) * 3, sit=False)
            await eve.watch(code)
            while not eve.over:
                seen = eve.number
                while not eve.over and eve.number < seen + 7:
                    await eve.receive()
                since = eve.number
                await eve.ask(LeaveTable(b"go"), Left)
                if resumed % 2:
                    await ann.until(Update)
                snapshot = await eve.watch(code, since)
                numbers = [happened.number for happened in snapshot.since]
                assert numbers == list(range(since + 1, snapshot.number + 1))
                resumed += 1
            kept = (eve.number, eve.public, eve.private)
            fresh = await eve.watch(code)
            assert kept == (fresh.number, fresh.public, fresh.private)


async def test_a_number_above_the_servers_gives_a_snapshot() -> None:
    async with server() as app, peer(app, "Ann") as ann:
        code = await ann.create()
        snapshot = await ann.watch(code, 10_000)
        assert (snapshot.number, snapshot.since) == (1, ())


async def test_after_too_much_a_snapshot_tells_nothing_of_it() -> None:
    settings = evolve(QUIET, resume_entries=5, recent_entries=3)
    async with server(settings) as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=("random",) * 3, sit=False)
        while not ann.over:
            await ann.receive()
        last = ann.number
        for missed, told in ((6, 0), (5, 5), (3, 3), (1, 1), (0, 0)):
            assert len((await ann.watch(code, last - missed)).since) == told


async def test_of_long_absences_only_so_many_are_told() -> None:
    settings = evolve(QUIET, recent_entries=2, file_burst=3, file_rate=0.01)
    async with server(settings) as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=("random",) * 3, sit=False)
        while not ann.over:
            await ann.receive()
        last = ann.number
        told = [len((await ann.watch(code, last - 10)).since) for _ in range(5)]
        assert told == [10, 10, 10, 0, 0]
        assert len((await ann.watch(code, last - 2)).since) == 2


async def test_a_table_sleeps_when_nobody_attends_and_wakes_on_demand() -> None:
    settings = evolve(QUIET, sleep_seconds=0.05)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, actor = await begun(ann, bob)
        made = act(actor)
        number = (await actor.ask(made, Accepted)).number
        await catch_up(ann, bob)
        public = ann.public
        for one in (ann, bob):
            await one.ask(LeaveTable(b"x"), Left)
        await until(lambda: code not in app.residents.tables)
        assert (await ann.watch(code)).public == public
        await bob.watch(code)
        # once-only ids outlive the sleep
        assert (await actor.ask(made, Accepted)).number == number
        await asyncio.gather(ann.play(), bob.play())


async def test_seats_tables_and_sessions_outlive_a_restart() -> None:
    store = LastingStore()
    async with server(store=store) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        waiting = await ann.create(seats=3)
        code = await bob.create(seats=3, bots=("random",))
        await ann.join(code)
        await catch_up(ann, bob)
        before = ann.number
        tokens = (ann.token, bob.token)
    async with server(store=store) as app:
        async with peer(app, "", tokens[0]) as ann, peer(app, "", tokens[1]) as bob:
            rows = {row.code: row for row in await listed(ann)}
            assert rows[waiting].names == ("Ann",) and rows[waiting].phase is Phase.WAITING
            assert rows[code].phase is Phase.PLAYING
            assert (await ann.watch(code, before)).seat == 1
            assert (await bob.watch(code)).seat == 0
            await asyncio.gather(ann.play(), bob.play())


async def listed(one: Peer) -> tuple[TableRow, ...]:
    return (await one.ask(ListTables(), Tables)).tables


async def test_bots_go_on_after_a_restart_though_nobody_attends() -> None:
    store = LastingStore()
    store.most = 10  # the game is not over before the restart
    async with server(store=store) as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=("random",) * 3, sit=False)
    store.most = None
    async with server(store=store):
        await until(lambda: store._directory[code].phase == Phase.OVER)


async def test_presence_says_who_is_there() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create(bots=("random",))
        async with peer(app, "Bob") as bob:
            await bob.watch(code)
            await eve.watch(code)
            here = Presence((Present.HERE, None, Present.BOT), 2)
            while await ann.until(Presence) != here:
                pass
            while await eve.until(Presence) != here:
                pass
        while await ann.until(Presence) != Presence((Present.HERE, None, Present.BOT), 1):
            pass
        async with peer(app, "", ann.token) as again:
            await again.watch(code)
            await again.ask(LeaveTable(b"bye"), Left)
            while await eve.until(Presence) != Presence((None, None, Present.BOT), 1):
                pass


async def test_an_act_before_the_start_cannot_become_another_seats() -> None:
    """With gaps, seats have other numbers after the start; what was sent before it must
    not act for whoever has the old number then."""
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        async with peer(app, "Cid") as cid:
            code = await ann.create(seats=4)
            for other in (bob, cid):
                await other.join(code)
            sly = [Act(os.urandom(8), token, (33,)) for token in range(1, 8)]
            for made in sly:
                await bob.send(made)
            told = await answers(bob, len(sly))
            assert {message.code for message in told if isinstance(message, Refused)} == {
                "not_running"
            }


async def test_an_update_follows_every_entry_without_gap_for_every_audience() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Eve") as eve:
        code = await ann.create("miniature", "veiled", seats=2)
        await eve.watch(code)
        async with peer(app, "Bob") as bob:
            await bob.send(JoinTable(b"j", code, os.urandom(16)))
            await bob.until(Snapshot)
            await asyncio.gather(ann.play("miniature"), bob.play("miniature"))
            while not eve.over:
                message = await eve.receive()
                assert not isinstance(message, Update) or message.private is None
            await eve.send(Watch(code, 0))
            assert (await eve.until(Snapshot)).public == ann.public == bob.public
