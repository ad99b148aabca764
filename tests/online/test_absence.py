"""Who is absent is called so, played for, replaced, and may come back; all told."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import evolve

from client.join.opener import Opener, Opening
from client.join.table_options import NewTable
from client.plain.printer import Printer
from client.state.events import Attended, InvitationCame, RequestRefused
from engine.clock import Absence
from server.app import App
from tests.client.online import Online, online
from tests.server.peer import QUIET, server

SETTINGS = evolve(QUIET, vote_seconds=0.0, silent_seconds=0.0)


async def sit(client: Online, table: NewTable | None = None, code: str = "") -> None:
    """Open a table, or go to one, and sit down."""
    opener = Opener(client.conversation, Opening())
    client.conversation.listeners.insert(0, opener)
    if table is not None:
        opener.open(table)
    else:
        opener.attend(code)
    await client.until(
        lambda: client.conversation.model.scene and client.scene.table_seat is not None
    )


async def begun(client: Online) -> None:
    await client.until(lambda: client.scene.running)


@asynccontextmanager
async def three(app: App, absence: Absence) -> AsyncIterator[list[Online]]:
    """Three people at one table: the one that is asked comes last."""
    async with (
        online(app.port, "Anna") as anna,
        online(app.port, "Boris") as boris,
        online(app.port, "Chen") as chen,
    ):
        await sit(anna, NewTable("ra", "standard", 3, absence=absence))
        for other in (boris, chen):
            await sit(other, code=anna.scene.table.code)
        people = [anna, boris, chen]
        for person in people:
            await begun(person)
        people.sort(key=lambda person: person.scene.mine is not None)
        yield people


def told(client: Online) -> list[str]:
    printer = Printer(client.conversation.model)
    return [line for change in client.changes for line in printer.tell(change)]


def waited_for(printer: Printer, client: Online) -> list[str]:
    return [line for line in printer.state_lines(client.scene) if "is waited for" in line]


async def call_absent(people: list[Online]) -> None:
    """The others say that the last one is absent, and it is played for."""
    *others, absent = people
    seat = absent.scene.seat
    assert seat is not None
    for other in others:
        assert other.scene.may_vote == (seat,)
        other.conversation.requests.vote(seat)
    assert absent.scene.may_vote == ()
    await absent.until(lambda: absent.scene.played_for)


async def test_a_bot_sits_in_until_the_owner_returns() -> None:
    async with server(SETTINGS) as app, three(app, Absence.BOT) as people:
        first, _, absent = people
        await call_absent(people)
        name = absent.scene.name(absent.scene.seat or 0)
        await first.until(lambda: any(f"plays for {name} from now on" in x for x in told(first)))
        assert any(f"says that {name} is absent" in line for line in told(first))
        number = first.scene.number
        await first.until(lambda: first.scene.number > number or first.scene.mine)
        absent.conversation.requests.come_back()
        await absent.until(
            lambda: not absent.scene.played_for and not absent.conversation.requests.commands
        )
        await first.until(lambda: any(f"{name} is back" in line for line in told(first)))


async def test_somebody_else_takes_the_seat_by_invitation() -> None:
    async with server(SETTINGS) as app, three(app, Absence.SUBSTITUTE) as people:
        first, _, absent = people
        seat = absent.scene.seat
        assert seat is not None
        assert first.scene.may_invite == ()
        await call_absent(people)
        await first.until(lambda: first.scene.may_invite == (seat,))
        first.conversation.requests.invite(seat)
        invited = await first.heard(InvitationCame)
        await first.until(lambda: not first.conversation.requests.commands)
        async with online(app.port, "Dora") as dora:
            await sit(dora, code=invited.code)
            assert dora.scene.seat == seat
            assert dora.scene.name(seat) == "Dora"
            await first.until(lambda: first.scene.name(seat) == "Dora")
            assert any("Dora takes the seat of somebody absent" in line for line in told(first))
            await absent.until(lambda: absent.scene.seat is None)
            async with online(app.port, "Eva") as eva:
                opener = Opener(eva.conversation, Opening())
                eva.conversation.listeners.insert(0, opener)
                opener.attend(invited.code)
                refusal = await eva.heard(RequestRefused)
                assert refusal.code == "no_table"
                assert not opener.under_way and opener.failed == refusal
                assert not any(isinstance(change, Attended) for change in eva.changes)


async def test_a_vote_that_comes_too_soon_says_how_long_to_wait() -> None:
    async with server(evolve(QUIET, silent_seconds=500.0)) as app:
        async with three(app, Absence.DEFAULT) as people:
            first, *_, absent = people
            first.conversation.requests.vote(absent.scene.seat or 0)
            refusal = await first.heard(RequestRefused)
            assert re.search(r"may still be thinking: (500|4\d\d) s", refusal.text)
            seat = first.scene.may_vote[0]
            printer = Printer(first.conversation.model)
            name = re.escape(first.scene.name(seat))
            assert waited_for(printer, first) == [f"{name} is waited for: `vote` may be open"]
            for change in first.changes:
                list(printer.tell(change))
            (line,) = waited_for(printer, first)
            assert re.fullmatch(rf"{name} is waited for: `vote` is open in (500|4\d\d) s", line)


async def test_a_client_knows_how_long_its_server_lets_a_seat_be_silent() -> None:
    settings = evolve(QUIET, vote_seconds=3.5, silent_seconds=1e9)
    async with server(settings) as app, online(app.port, "Anna") as anna:
        await anna.until(lambda: anna.conversation.model.session)
        model = anna.conversation.model
        assert model.vote_gone == 3.5
        assert model.vote_silent > 1e6, "as long as a message can say"
