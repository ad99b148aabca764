"""A seat is taken over with an invitation, which is good once and for a while."""

from __future__ import annotations

import os

from engine.clock import Absence
from engine.table.words import Substituted
from protocol.messages import (
    Accepted,
    Invitation,
    Invite,
    JoinTable,
    Refused,
    Return,
    Snapshot,
)
from tests.server.absent import (
    BANK,
    SETTINGS,
    asked,
    command,
    running,
    seats,
    sound,
    until_number,
)
from tests.server.pace import Pace
from tests.server.peer import peer


async def test_a_substitute_takes_the_seat_by_invitation() -> None:
    pace = Pace()
    async with (
        running(pace) as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
        peer(app, "Eve") as eve,
    ):
        code = await seats(app, ann, bob, clock=BANK, absence=Absence.SUBSTITUTE)
        table = await app.residents.get(code)
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
        told = [happened.number for happened in snapshot.since]
        assert told == list(range(1, snapshot.number + 1)), "what was played before"
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
        old, new = made.make("KIWI-42", 1, b"bob"), made.make("KIWI-42", 1, b"bob")
        other = made.make("KIWI-42", 0, b"ann")
        assert made.find(old, b"eve") is None
        for typed in (new, new.lower(), f" {new.replace('-', ' ')} ", new.replace("-", "")):
            assert made.find(typed, b"eve") is not None
        pace.time += int(SETTINGS.invite_seconds * 1000)
        assert made.find(other, b"eve") is None
        made.make("PALM-10", 0, b"ann")
        assert len(made._by_text) == 1


async def test_an_invitation_is_void_once_the_owner_is_back() -> None:
    """It would lead to the seat at the next absence, for as long as it is kept."""
    pace = Pace()
    async with (
        running(pace) as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
        peer(app, "Eve") as eve,
    ):
        code = await seats(app, ann, bob, clock=BANK, absence=Absence.SUBSTITUTE)
        table = await app.residents.get(code)
        seat = await asked(table)
        one, other = ((ann, bob), (bob, ann))[seat]
        number = table.stream.number
        await pace.pass_by(60_000)
        await until_number(other, number + 2)
        old = (await other.ask(Invite(os.urandom(8), seat), Invitation)).code
        while isinstance(back := await command(one, Return(os.urandom(8))), Refused):
            assert back.code == "not_yet_back"
        refused = await eve.join(old)
        assert isinstance(refused, Refused)
        assert refused.code == "no_table"
