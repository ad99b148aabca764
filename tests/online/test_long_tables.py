"""Tables that somebody wants to go on for ever: their logs, and what is kept of them in
memory, come to an end."""

from __future__ import annotations

import os

from attrs import evolve

from protocol.messages import Accepted, JoinTable, LeaveTable, Left, Refused
from server.tables.timers import Stopwatch, Ticker
from tests.patience import until
from tests.server.peer import QUIET, peer, server


async def test_joining_and_leaving_comes_to_an_end() -> None:
    settings = evolve(QUIET, table_entries=7)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create(seats=4)
        table = app.residents.tables[code]
        first, nonce = os.urandom(8), os.urandom(16)
        assert await bob.ask(JoinTable(first, code, nonce), Accepted) == Accepted(first, 2)
        for _ in range(2):
            await bob.ask(LeaveTable(os.urandom(8)), Left)
            assert isinstance(await bob.join(code), Accepted)
        async with peer(app, "Cy") as cy:
            assert isinstance(await cy.join(code), Accepted)
            assert table.stream.number == 7
            await cy.ask(LeaveTable(os.urandom(8)), Left)
            refused = await cy.join(code)
            assert isinstance(refused, Refused), "but whoever wants to go may"
            assert (refused.code, refused.facts) == ("log_full", (("most", "7"),))
        assert await bob.ask(JoinTable(first, code, nonce), Accepted) == Accepted(first, 2)
        assert table.stream.number == 8


async def test_a_table_that_is_over_leaves_memory_soon() -> None:
    async with server() as app, peer(app, "Ann") as ann:
        code = await ann.create(bots=("random",) * 2, sit=False, seats=2)
        await ann.create()
        await until(lambda: code not in app.residents.tables)
        await ann.watch(code)
        assert ann.over


class Standing(Ticker):
    """Time that a test moves on."""

    at = 0

    def now(self) -> int:
        return self.at


def test_the_times_of_entries_are_kept_as_long_as_somebody_may_ask() -> None:
    ticker = Standing()
    watch = Stopwatch(ticker, 10, None)
    for number in range(11, 5011):
        ticker.at += 10
        watch.entry((10, 12, number))
    assert len(watch._times) < 100
    assert watch.elapsed() == 0
    assert watch.age(12) == (5010 - 12) * 10
    assert watch.age(10) == watch.age(3) == 5000 * 10
