"""A table acts once, stores before it tells, and loses nobody who comes back."""

from __future__ import annotations

import os

from attrs import evolve

from engine.deal import Chance
from engine.game import find_game
from protocol.messages import (
    Accepted,
    Act,
    Create,
    FromServer,
    JoinTable,
    Refused,
    Snapshot,
)
from protocol.wire import Wire
from tests.server.moody import Mood, MoodyStore
from tests.server.peer import QUIET, Peer, peer, server

RA = find_game("ra")
WIRE = Wire(RA.vocabulary)
CHANCE = Chance(b"table")


def act(one: Peer) -> Act:
    made = one.answer(RA, WIRE, CHANCE)
    assert made is not None
    return made


async def catch_up(*peers: Peer) -> None:
    """Wait until all have the number of the one who is furthest."""
    while len({one.number for one in peers}) > 1:
        await min(peers, key=lambda one: one.number).receive()


async def begun(ann: Peer, bob: Peer) -> tuple[str, Peer]:
    """Start a match of two: its code, and the one who is asked first."""
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


async def test_an_act_before_the_start_cannot_become_another_seats() -> None:
    """With gaps, seats have other numbers after the start: what was sent before must not act for
    the seat that has the old number then."""
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
