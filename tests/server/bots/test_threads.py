"""Quick bots, in threads: those that choose well, and those that raise, cheat, talk
nonsense or hang. Those that think in processes have `test_workers`."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from typing import Any

import pytest
from attrs import evolve, frozen

from engine.deal import Chance
from engine.entry import Command
from engine.game import Bot
from engine.table.words import Phase
from protocol.messages import Beat, Heartbeat
from server.bots.questions import BotFailed
from server.bots.threads import ThreadPool
from tests.miniature.game import MINIATURE
from tests.patience import PATIENCE, until
from tests.server.book import Book
from tests.server.peer import QUIET, peer, server

ENOUGH = threading.Event()
"""Lets the bots that hang go, when the test is over, and those that toil."""
THINKING = threading.Event()
"""One that toils has begun."""


@frozen
class Cheat(Command):
    """A command of no game."""


class Raises:
    quick = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        raise RuntimeError("I do not want to")


class Cheats:
    quick = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        return Cheat()


class Babbles:
    quick = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        return "a card"  # type: ignore[return-value]


class Hangs:
    quick = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        ENOUGH.wait(PATIENCE)
        raise TimeoutError


class Toils:
    """Thinks until it is let go, and chooses well then."""

    quick = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        THINKING.set()
        ENOUGH.wait(PATIENCE)
        return chance.choice(MINIATURE.choices(prompt))


BOTS: dict[str, type[Bot]] = {
    "raises": Raises,
    "cheats": Cheats,
    "babbles": Babbles,
    "hangs": Hangs,
    "toils": Toils,
}


@pytest.fixture(autouse=True)
def _bad_company(monkeypatch: pytest.MonkeyPatch) -> Any:
    levels = {**MINIATURE.bots, **BOTS}
    monkeypatch.setattr(type(MINIATURE), "bots", levels)
    ENOUGH.clear()
    THINKING.clear()
    yield
    ENOUGH.set()


@pytest.mark.parametrize("level", ["raises", "cheats", "babbles", "hangs"])
async def test_for_a_bot_that_fails_the_default_is_played_and_logged_once(
    level: str, book: Book
) -> None:
    settings = evolve(QUIET, bot_seconds=0.4)
    async with server(settings, log=book) as app, peer(app) as ann:
        await ann.create("miniature", options=("long",), bots=(level, "random"))
        await asyncio.wait_for(ann.play("miniature"), PATIENCE)
        assert ann.view.table.phase is Phase.OVER
    assert book.seats_in_trouble() == [1]


@pytest.mark.parametrize("level", ["raises", "cheats", "babbles", "hangs", "random"])
async def test_a_table_of_such_bots_alone_finishes_and_stops(level: str) -> None:
    settings = evolve(QUIET, bot_seconds=0.05, sleep_seconds=0.05)
    async with server(settings) as app, peer(app) as ann, peer(app, "Bob") as bob:
        code = await ann.create("miniature", bots=(level,) * 3, sit=False)
        await bob.watch(code)
        while not ann.over:
            await ann.receive()
        await ann.socket.close()
        await bob.socket.close()
        await until(lambda: code not in app.residents.tables)


async def test_bots_that_hang_do_not_stop_those_of_other_tables() -> None:
    settings = evolve(QUIET, bot_seconds=0.2, bot_threads=1)
    async with server(settings) as app, peer(app) as ann, peer(app, "Bob") as bob:
        await bob.create("miniature", bots=("hangs", "hangs"))
        await ann.create("miniature", bots=("random", "random"))
        await asyncio.wait_for(ann.play("miniature"), PATIENCE)
        await asyncio.wait_for(bob.play("miniature"), PATIENCE)


async def test_while_a_bot_thinks_everybody_is_answered() -> None:
    settings = evolve(QUIET, bot_seconds=PATIENCE)
    async with server(settings) as app, peer(app) as ann, peer(app, "Bob") as bob:
        await ann.create("miniature", bots=("toils", "toils"))
        await until(THINKING.is_set)
        for _ in range(20):
            await bob.ask(Beat(), Heartbeat)
        assert not ENOUGH.is_set(), "they think still"
        ENOUGH.set()
        await asyncio.wait_for(ann.play("miniature"), PATIENCE)


async def test_every_call_ends_in_time_whatever_happens() -> None:
    pool = ThreadPool(2, seconds=0.2)

    def choose(number: int) -> int:
        if number % 4 == 1:
            raise ValueError
        if number % 4 == 2:
            ENOUGH.wait(PATIENCE)
        return number

    calls = [pool.call(partial(choose, number)) for number in range(40)]
    async with asyncio.timeout(PATIENCE):
        results = await asyncio.gather(*calls, return_exceptions=True)
    assert pool._lost == 10
    ENOUGH.set()
    await until(lambda: pool._lost == 0)  # those that took too long came back
    for number, result in enumerate(results):
        if number % 4 in (1, 2):
            assert isinstance(result, BotFailed)
            failure = "raised ValueError" if number % 4 == 1 else "took too long"
            assert str(result) == failure
        else:
            assert result == number
    pool.close()


async def test_a_call_that_is_withdrawn_before_it_begins_never_begins() -> None:
    pool = ThreadPool(1, seconds=PATIENCE)
    begun = threading.Event()

    def toil() -> bool:
        THINKING.set()
        return ENOUGH.wait(PATIENCE)

    hanging = asyncio.ensure_future(pool.call(toil))
    await until(THINKING.is_set)
    waiting = asyncio.ensure_future(pool.call(begun.set))
    await until(pool._calls.qsize)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    ENOUGH.set()
    assert await hanging is True
    assert await pool.call(lambda: 1) == 1, "the one thread is past the call that was withdrawn"
    assert not begun.is_set()
    pool.close()


async def test_when_too_many_hang_the_next_call_fails_at_once() -> None:
    pool = ThreadPool(1, seconds=0.01)
    calls = [pool.call(partial(ENOUGH.wait, PATIENCE)) for _ in range(40)]
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*calls, return_exceptions=True)
    with pytest.raises(BotFailed, match="too many bots hang"):
        await pool.call(lambda: 1)
    ENOUGH.set()
    pool.close()
