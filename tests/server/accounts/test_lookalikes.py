"""B34: names that look alike, in every script there is."""

from __future__ import annotations

import asyncio

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from protocol.messages import (
    Accepted,
    CloseTable,
    Hello,
    LeaveTable,
    Left,
    Refused,
    Said,
    Say,
    StartMatch,
)
from server.accounts.lookalikes import alike
from server.accounts.names import clean_name
from tests.server.peer import QUIET, peer, server

TWINS = (
    "Bob",
    "bob",
    "BOB",
    "Bob ",
    " B o b",
    "Bo\u200bb",
    "Ｂｏｂ",
    "Bob\u0301",
    "B\u00f6b",
    "Вов",
    "B0b",
)
"""What looks like Bob, and is allowed as a name where no Bob sits."""
NEVER = ("B\u043eb", "\u200b" * 15, "", "        ", "Seat 2", "SYSTEM")


@pytest.mark.parametrize("name", TWINS)
def test_twins_look_alike(name: str) -> None:
    cleaned = clean_name(name, 20)
    assert cleaned is not None and alike(cleaned, "Bob") and alike("Bob", cleaned)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Bill", "BiII", True),
        ("Bill", "Bi11", True),
        ("José", "Jose", True),
        ("Straße", "STRASSE", True),
        ("Ai", "Al", False),
        ("Ann", "Anna", False),
        ("東京", "京都", False),
        ("हिन्दी", "हन्द", False),
        ("かき", "がき", False),
        ("ОЛЕГ", "Олег", True),
        ("Ada", "Bob", False),
    ],
)
def test_what_looks_alike_and_what_does_not(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is alike(other, one) is same


@given(st.text(max_size=40))
def test_every_name_looks_like_itself(text: str) -> None:
    name = clean_name(text, 20)
    if name is not None:
        assert alike(name, name)


async def test_b34_nobody_at_a_table_is_mistaken_for_another() -> None:
    """The whole list of twins, on real sockets: refused at the table, fine elsewhere; nobody
    takes or acts for seat 0."""
    settings = evolve(QUIET, create_burst=1000)
    async with server(settings) as app, peer(app, "Bob") as bob:
        code = await bob.create(seats=5)
        for name in TWINS:
            async with peer(app, None) as twin:
                await twin.hello(name)
                refused = await twin.join(code)
                assert isinstance(refused, Refused) and refused.code == "name_taken", name
                assert dict(refused.facts) == {"seat": "0"}
                # watching is allowed, being heard under that name is not
                assert (await twin.watch(code)).seat is None
                assert (await twin.ask(Say("I am Bob"), Refused)).code == "name_taken"
                for sly in (StartMatch(b"s"), CloseTable(b"c")):
                    assert (await twin.ask(sly, Refused)).code == "not_host"
                await twin.ask(LeaveTable(b"l"), Left)
                elsewhere = await twin.create()
                assert app.residents.tables[elsewhere].stream.seating.seats[0] is not None
        for name in NEVER:
            async with peer(app, None) as odd:
                hello = Hello(2, "tests/1", (), "en", name, None)
                assert (await odd.ask(hello, Refused)).code == "bad_name", name
        seats = app.residents.tables[code].stream.seating.seats
        assert [seat.name for seat in seats if seat is not None] == ["Bob"]
        for seat, name in enumerate(("José", "東京"), 1):
            async with peer(app, name) as guest:
                assert isinstance(await guest.join(code), Accepted)
                assert guest.seat == seat
                said = await guest.ask(Say("hello"), Said)
                assert (said.seat, said.name) == (seat, name)


async def test_b34_two_twins_that_join_at_the_same_moment_do_not_both_sit() -> None:
    async with server() as app, peer(app, "Host") as host:
        code = await host.create(seats=4)
        async with peer(app, "Ann") as one, peer(app, "ann") as two:
            told = [
                answer
                for answer in await asyncio.gather(one.join(code), two.join(code))
                if isinstance(answer, Refused)
            ]
            assert [answer.code for answer in told] == ["name_taken"]
