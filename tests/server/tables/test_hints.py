"""Hints: for people who play alone, from what their seat may know, and for nobody else."""

from __future__ import annotations

import asyncio
import os

from attrs import evolve

from engine.deal import Chance
from engine.game import find_game
from protocol.codec import Tree
from protocol.messages import AskHint, Hint, Refused
from protocol.wire import Wire
from tests.patience import PATIENCE
from tests.server.peer import QUIET, Peer, peer, server

GIVING = evolve(QUIET, hints=True, bot_budget=(("hard", 40),), bot_seconds=PATIENCE)
RA = find_game("ra")
WIRE = Wire(RA.vocabulary)


async def until_asked(one: Peer) -> tuple[int, Tree]:
    while (asked := one.asked()) is None:
        await one.receive()
    return asked


async def ask(one: Peer) -> Hint | Refused:
    return await asyncio.wait_for(one.ask(AskHint(b"hint"), (Hint, Refused)), PATIENCE)


async def test_one_who_plays_alone_is_told_a_legal_answer_and_why() -> None:
    async with server(GIVING) as app, peer(app) as ann:
        await ann.create(bots=("easy", "easy"))
        chance, kinds = Chance(b"moves"), set()
        for _ in range(4):
            token, prompt = await until_asked(ann)
            hint = await ask(ann)
            assert isinstance(hint, Hint)
            assert (hint.id, hint.token) == (b"hint", token)
            assert WIRE.command.unpack(hint.command) in RA.choices(WIRE.prompt.unpack(prompt))
            assert hint.reason.endswith(".")
            kinds.add(hint.command[0])
            act = ann.answer(RA, WIRE, chance)
            assert act is not None
            await ann.send(act)
            while (asked := ann.asked()) is not None and asked[0] == token:
                await ann.receive()
        assert kinds


async def test_a_hint_does_not_keep_its_seat_from_acting() -> None:
    settings = evolve(GIVING, bot_budget=(("hard", 100_000),), bot_seconds=2.0)
    async with server(settings) as app, peer(app) as ann:
        await ann.create(seats=2, bots=("easy",))
        token, _ = await until_asked(ann)
        await ann.send(AskHint(b"one"))
        assert (await ann.ask(AskHint(b"two"), Refused)).code == "busy"
        act = ann.answer(RA, WIRE, Chance(b"x"))
        assert act is not None
        await ann.send(act)
        while (asked := ann.asked()) is not None and asked[0] == token:
            await ann.receive()
        answer: Hint | Refused = await ann.until((Hint, Refused))
        assert answer.id == b"one"


async def test_nobody_gets_a_hint_at_a_table_with_other_people() -> None:
    async with server(GIVING) as app, peer(app) as ann, peer(app, "Bob") as bob:
        code = await ann.create(bots=("easy",))
        assert await no_hint(ann), "the match has not started"
        await bob.join(code)
        players = (ann, bob)
        while all(one.asked() is None for one in players):
            # whoever is behind: there is nothing to come yet for who has it all
            await min(players, key=lambda one: one.number).receive()
        assert [await no_hint(one) for one in players] == [True, True]


async def no_hint(one: Peer) -> bool:
    told = await ask(one)
    return isinstance(told, Refused) and (told.id, told.code) == (b"hint", "no_hints")


async def test_no_hint_for_spectators_nor_where_the_server_gives_none() -> None:
    async with server(GIVING) as app, peer(app) as ann, peer(app, "Bob") as bob:
        code = await ann.create(bots=("easy", "easy"))
        await bob.watch(code)
        await until_asked(ann)
        assert await no_hint(bob)
        assert isinstance(await ask(ann), Hint)
    async with server(evolve(GIVING, hints=False)) as app, peer(app) as ann:
        await ann.create(bots=("easy", "easy"))
        await until_asked(ann)
        assert await no_hint(ann)


async def test_a_game_whose_bots_cannot_say_what_they_think_has_no_hints() -> None:
    async with server(GIVING) as app, peer(app) as ann:
        await ann.create("miniature", seats=2, bots=("easy",))
        await until_asked(ann)
        assert await no_hint(ann)


async def test_hints_have_a_rate() -> None:
    settings = evolve(GIVING, file_burst=2, file_rate=0.01)
    async with server(settings) as app, peer(app) as ann:
        await ann.create(id=os.urandom(8), bots=("easy", "easy"))
        await until_asked(ann)
        answers = [await ask(ann) for _ in range(3)]
        assert [type(answer) for answer in answers] == [Hint, Hint, Refused]
        assert isinstance(answers[2], Refused) and answers[2].code == "too_fast"
