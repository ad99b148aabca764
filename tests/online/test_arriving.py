"""What somebody hears who comes to a table: the answer, then the table; and that a table whose
last seat is taken starts by itself. As docs/protocol.md says it (Opening, joining, starting)."""

from __future__ import annotations

import pytest
from attrs import evolve

from engine.clock import Absence, Clock
from engine.table.words import Phase
from protocol.messages import (
    Accepted,
    Create,
    FromClient,
    FromServer,
    JoinTable,
    Presence,
    Snapshot,
    Update,
    Watch,
)
from tests.server.peer import QUIET, Peer, peer, server

CREATE = Create(
    b"open", "ra", "standard", (), 2, (), True, True, bytes(16), Clock(), Absence.DEFAULT
)


async def heard(one: Peer, message: FromClient, count: int) -> list[FromServer]:
    """The next `count` messages that come of one; who is there is told at any time."""
    await one.send(message)
    found: list[FromServer] = []
    while len(found) < count:
        told = await one.receive()
        if not isinstance(told, Presence):
            found.append(told)
    return found


@pytest.mark.parametrize("sit", [True, False])
async def test_a_table_that_is_opened_is_granted_and_then_shown(sit: bool) -> None:
    async with server(QUIET) as app, peer(app) as ann:
        accepted, shown = await heard(ann, evolve(CREATE, sit=sit), 2)
        assert accepted == Accepted(b"open", 1)
        assert isinstance(shown, Snapshot)
        assert (shown.number, shown.seat, shown.host) == (1, 0 if sit else None, True)


async def test_a_seat_is_granted_and_then_shown_and_the_last_one_starts_the_match() -> None:
    async with server(QUIET) as app, peer(app) as ann, peer(app, "Ben") as ben:
        await heard(ann, CREATE, 2)
        waiting = ann.view.table
        assert waiting.phase is Phase.WAITING
        join = JoinTable(b"join", waiting.code, bytes(16))
        accepted, shown = await heard(ben, join, 2)
        assert accepted == Accepted(b"join", 2)
        assert isinstance(shown, Snapshot)
        assert (shown.number, shown.seat, shown.host) == (2, 1, False)
        assert ben.view.table.phase is Phase.PLAYING
        told = await ann.until(Update)
        assert told.number == 2 and ann.view.table.phase is Phase.PLAYING


async def test_who_looks_on_first_is_shown_the_new_seat_and_the_table_again() -> None:
    async with server(QUIET) as app, peer(app) as ann, peer(app, "Ben") as ben:
        await heard(ann, CREATE, 2)
        code = ann.view.table.code
        await heard(ben, Watch(code, 0), 1)
        seat, accepted, shown = await heard(ben, JoinTable(b"join", code, bytes(16)), 3)
        assert accepted == Accepted(b"join", 2)
        for one in (seat, shown):
            assert isinstance(one, Snapshot)
            assert (one.number, one.seat) == (2, 1)


async def test_bots_on_the_last_seats_start_the_match_with_the_table() -> None:
    async with server(QUIET) as app, peer(app) as ann:
        accepted, shown = await heard(ann, evolve(CREATE, bots=("random",)), 2)
        assert accepted == Accepted(b"open", 1)
        assert isinstance(shown, Snapshot)
        assert ann.view.table.phase is Phase.PLAYING


async def test_a_host_without_a_seat_is_told_so_again_when_it_resumes() -> None:
    async with server(QUIET) as app, peer(app) as ann:
        await heard(ann, evolve(CREATE, sit=False), 2)
        code, token = ann.view.table.code, ann.token
        async with peer(app, "", token) as again, peer(app, "Eve") as eve:
            (shown,) = await heard(again, Watch(code, 1), 1)
            assert isinstance(shown, Snapshot) and shown.host
            assert again.view.table.host is None
            (shown,) = await heard(eve, Watch(code, 1), 1)
            assert isinstance(shown, Snapshot) and not shown.host
