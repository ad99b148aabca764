"""How the bots of one table are asked: with what their seat may know, and nothing else.

What happened before is read back from the log: no bot remembers anything between two decisions,
so a restart of the server changes no bot. Does not know the table or any game by name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any

from engine.deal import Chance
from engine.entry import Entry
from engine.game import Bot
from engine.match import OpenPrompt
from engine.stream import Stream
from protocol.codec import ProtocolError
from server.bots.executor import BotExecutor
from server.bots.questions import (
    Answer,
    BotFailed,
    Question,
    Unserved,
    bot_seed,
    pack_happened,
    thinks_quickly,
)
from server.bots.queue import Waiter
from server.games import GameServices
from server.log import Log
from server.metrics import Counters
from server.store.port import Damaged, StoreError

_RETRY_SECONDS = 1.0
_CHUNK = 64
"""Entries that are packed before other tasks get their turn."""


class BotClient:
    """Asks the bots of one table."""

    __slots__ = (
        "_all_since",
        "_counters",
        "_executor",
        "_log",
        "_logged",
        "_opener",
        "_seen",
        "_services",
        "_stream",
        "_waiters",
    )

    def __init__(
        self,
        executor: BotExecutor,
        services: GameServices,
        stream: Stream,
        all_since: Callable[[int], Awaitable[list[Entry]]],
        waiters: Callable[[], Collection[Waiter]],
        opener: bytes,
        counters: Counters,
        log: Log,
    ) -> None:
        """`all_since` reads all entries after the one with a number (it may raise StoreError);
        `waiters` gives the people who are at the table, `opener` is the one who opened it."""
        self._executor = executor
        self._services = services
        self._stream = stream
        self._all_since = all_since
        self._waiters = waiters
        self._opener = opener
        self._counters = counters
        self._log = log
        self._logged = False
        """Whether the log says that a quick bot had to choose for one that thinks."""
        self._seen: dict[int, tuple[int, tuple[bytes, ...]]] = {}
        """By match seat: the last entry that its bot was shown, and what it was shown of all
        entries so far."""

    async def choose(self, seat: int, level: str, asked: OpenPrompt) -> Any:
        """What a bot of `level` chooses for the prompt that match seat `seat` is asked; cancel
        this to withdraw the question. Raises BotFailed if the bot chooses badly, Unserved if it
        could not be asked and no quick bot can choose for it."""
        bots = self._services.game.bots
        if level not in bots:
            level = next(iter(bots))  # the log is older than the game's levels
        bot = bots[level]
        if thinks_quickly(bot):
            return await self._choose_quickly(seat, bot, asked)
        try:
            if hasattr(bot, "watch"):
                await self._catch_up_in_time(seat)
            answer = await self._ask(seat, level, asked, explain=False)
        except Unserved as why:
            self._note_unserved(str(why))
            quick = self._quick_bot()
            if quick is None:
                raise
            return await self._choose_quickly(seat, quick, asked)
        if answer.failure or not answer.options:
            raise BotFailed(answer.failure or "chose nothing")
        try:
            return self._services.projector.wire.command.unpack(answer.options[0][0])
        except ProtocolError:
            raise BotFailed("chose something that is not a command") from None

    async def advise(self, seat: int) -> Answer:
        """What the strongest bot that can explain itself makes of what `seat` is asked now. The
        answer is a failure if the seat is asked nothing, or no longer, or if the bot cannot be
        asked. Raises StoreError."""
        match = self._stream.match
        asked = None if match is None else match.asked.get(seat)
        level = adviser(self._services)
        if asked is None or level is None:
            return Answer("nothing is asked")
        try:
            async with asyncio.timeout(self._executor.seconds):
                await self._catch_up(seat)
            if not self._is_asked(seat, asked):
                return Answer("nothing is asked")
            answer = await self._ask(seat, level, asked, explain=True)
            if answer.options:
                self._services.projector.wire.command.unpack(answer.options[0][0])
        except Unserved as why:
            return Answer(str(why))
        except TimeoutError:
            return Answer("could not be told what happened in time")
        except ProtocolError:
            return Answer("chose something that is not a command")
        except StoreError:
            raise
        except Exception as error:  # from a game's view
            return Answer(f"cannot be asked: {type(error).__name__}")
        return answer

    def waiters_changed(self) -> None:
        """Somebody came to the table or left it."""
        self._executor.processes.waiters_changed(self._stream.seating.code)

    # quick bots

    async def _choose_quickly(self, seat: int, bot: type[Bot], asked: OpenPrompt) -> Any:
        match = self._stream.match
        assert match is not None
        public = match.game.public(match.state)
        private = match.game.private(match.state, seat)
        chance = Chance(self._seed(seat, asked))
        # the bot is made in the thread, so that none of its code runs on the loop
        choose = partial(_choose, bot, public, private, asked.prompt, chance)
        return await self._executor.threads.call(choose)

    def _quick_bot(self) -> type[Bot] | None:
        """The strongest bot that needs no process."""
        bots = self._services.game.bots.values()
        return next((bot for bot in reversed(tuple(bots)) if thinks_quickly(bot)), None)

    def _note_unserved(self, why: str) -> None:
        """A bot that thinks could not be asked: count it, and log the first one."""
        self._counters.bots_unserved += 1
        if not self._logged:
            self._logged = True
            self._log.warning("bot_unserved", table=self._stream.seating.code, why=why)

    # bots that think

    async def _ask(self, seat: int, level: str, asked: OpenPrompt, *, explain: bool) -> Answer:
        """The answer of a bot in a process; raises Unserved."""
        executor, wire = self._executor, self._services.projector.wire
        code, match = self._stream.seating.code, self._stream.match
        assert match is not None
        question = Question(
            game=self._services.game.name,
            level=level,
            explain=explain,
            happened=self._seen.get(seat, (0, ()))[1],
            public=wire.public.pack(match.game.public(match.state)),
            private=wire.private.pack(match.game.private(match.state, seat)),
            prompt=wire.prompt.pack(asked.prompt),
            seed=self._seed(seat, asked),
            simulations=executor.simulations.get(level, 0),
            milliseconds=executor.milliseconds,
        )
        return await executor.processes.ask(question, code, self._waiters, self._opener)

    def _seed(self, seat: int, asked: OpenPrompt) -> bytes:
        return bot_seed(self._executor.key, self._stream.seating.code, seat, asked.token)

    def _is_asked(self, seat: int, asked: OpenPrompt) -> bool:
        match = self._stream.match
        now = None if match is None else match.asked.get(seat)
        return now is not None and now.token == asked.token

    async def _catch_up_in_time(self, seat: int) -> None:
        """`_catch_up`, repeated while the store fails; raises Unserved when the time of the
        choice is over."""
        try:
            async with asyncio.timeout(self._executor.seconds):
                while True:
                    try:
                        return await self._catch_up(seat)
                    except Damaged:
                        raise  # another try would read no more
                    except StoreError:
                        await asyncio.sleep(_RETRY_SECONDS)
        except TimeoutError:
            raise Unserved("what happened could not be read") from None

    async def _catch_up(self, seat: int) -> None:
        """Read what `seat` was shown since its bot was last asked, up to this moment; raises
        StoreError."""
        while True:
            number, happened = self._seen.get(seat, (0, ()))
            entries = await self._all_since(number)
            new = []
            for count, entry in enumerate(entries, 1):
                new.append(pack_happened(self._services, entry, seat))
                if not count % _CHUNK:
                    await asyncio.sleep(0)  # a long log must not hold up the loop
            if entries and entries[-1].number > self._seen.get(seat, (0, ()))[0]:
                self._seen[seat] = (entries[-1].number, (*happened, *new))
            if not entries or entries[-1].number >= self._stream.number:
                return


def _choose(bot: type[Bot], public: Any, private: Any, prompt: Any, chance: Chance) -> Any:
    return bot().choose(public, private, prompt, chance)


def adviser(services: GameServices) -> str | None:
    """The strongest level that can explain what it would choose."""
    for level in reversed(tuple(services.game.bots)):
        if hasattr(services.game.bots[level], "advise"):
            return level
    return None
