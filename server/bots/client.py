"""How the bots of one table are asked: with what their seat may know, and nothing else.

What happened before is read back from the log, never remembered between two decisions,
so that a bot is the same after a restart as without one. Knows no table and no game by
name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any

from engine.deal import Chance
from engine.entry import Entry
from engine.game import Bot
from engine.match import Asked
from engine.stream import Stream
from protocol.codec import ProtocolError
from server.bots.executor import Astray, BotExecutor
from server.bots.questions import Answer, Question, bot_seed, pack_happened, thinks_quickly
from server.bots.queue import Unserved, Waiter
from server.games import GameServices
from server.store.port import Damaged, StoreError

_RETRY_SECONDS = 1.0
_CHUNK = 64
"""Entries that are packed before others get their turn."""


class BotClient:
    """The minds of one table's bots."""

    __slots__ = (
        "_happened",
        "_opener",
        "_play",
        "_room",
        "_seen",
        "_stream",
        "_unserved",
        "_waiters",
    )

    def __init__(
        self,
        room: BotExecutor,
        play: GameServices,
        happened: Callable[[int], Awaitable[list[Entry]]],
        stream: Stream,
        waiters: Callable[[], Collection[Waiter]],
        opener: bytes,
        unserved: Callable[[str], None],
    ) -> None:
        """`happened` reads all entries after the one of a number (it may raise StoreError);
        `waiters` tells who is at the table, `opener` is who opened it; `unserved` is told
        why a bot that thinks could not be asked."""
        self._room = room
        self._play = play
        self._happened = happened
        self._stream = stream
        self._waiters = waiters
        self._opener = opener
        self._unserved = unserved
        self._seen: dict[int, tuple[int, tuple[bytes, ...]]] = {}
        """By match seat: what it was shown, and up to which entry."""

    async def choose(self, seat: int, level: str, asked: Asked) -> Any:
        """What a bot chooses for match seat `seat`, which is asked `asked` until this is
        cancelled. Raises Astray if it chooses badly, Unserved if it is not its fault."""
        bots = self._play.game.bots
        if level not in bots:
            level = next(iter(bots))  # of a log written when there was another
        bot = bots[level]
        if thinks_quickly(bot):
            return await self._choose_at_once(seat, bot, asked)
        try:
            if hasattr(bot, "watch"):
                await self._remember_surely(seat)
            answer = await self._ask(self._question(seat, level, asked, why=False))
        except Unserved as why:
            self._unserved(str(why))
            quick = self._quick()
            if quick is None:
                raise
            return await self._choose_at_once(seat, quick, asked)
        if answer.trouble or not answer.options:
            raise Astray(answer.trouble or "chose nothing")
        try:
            return self._play.projector.wire.command.unpack(answer.options[0][0])
        except ProtocolError:
            raise Astray("chose what is no command") from None

    def _quick(self) -> type[Bot] | None:
        """The strongest of those that need no process."""
        bots = self._play.game.bots.values()
        return next((bot for bot in reversed(tuple(bots)) if thinks_quickly(bot)), None)

    async def _choose_at_once(self, seat: int, bot: type[Bot], asked: Asked) -> Any:
        match = self._stream.match
        assert match is not None
        public = match.game.public(match.state)
        private = match.game.private(match.state, seat)
        chance = Chance(self._seed(seat, asked))
        # made where it thinks, so that nothing it does is done here
        return await self._room.think(partial(_choose, bot, public, private, asked.prompt, chance))

    async def _ask(self, question: Question) -> Answer:
        code = self._stream.seating.code
        return await self._room.workers.ask(question, code, self._waiters, self._opener)

    def moved(self) -> None:
        """Somebody came to the table or left it."""
        self._room.workers.moved(self._stream.seating.code)

    async def advise(self, seat: int) -> Answer:
        """What the strongest bot that can say so makes of what `seat` is asked now; with
        trouble if nothing is asked, or no longer, or if it cannot be asked. Raises
        StoreError."""
        match = self._stream.match
        asked = None if match is None else match.asked.get(seat)
        level = adviser(self._play)
        if asked is None or level is None:
            return Answer("nothing is asked")
        try:
            async with asyncio.timeout(self._seconds):
                await self._remember(seat)
            if not self._is_asked(seat, asked):
                return Answer("nothing is asked")
            answer = await self._ask(self._question(seat, level, asked, why=True))
            if answer.options:
                self._play.projector.wire.command.unpack(answer.options[0][0])
        except Unserved as why:
            return Answer(str(why))
        except TimeoutError:
            return Answer("could not be told what happened in time")
        except ProtocolError:
            return Answer("chose what is no command")
        except StoreError:
            raise
        except Exception as error:  # of a game's view
            return Answer(f"cannot be asked: {type(error).__name__}")
        return answer

    # what a bot is told

    def _is_asked(self, seat: int, asked: Asked) -> bool:
        match = self._stream.match
        now = None if match is None else match.asked.get(seat)
        return now is not None and now.token == asked.token

    @property
    def _seconds(self) -> float:
        """Time for a choice."""
        return self._room.milliseconds / 1000

    async def _remember_surely(self, seat: int) -> None:
        """`_remember`, again and again while the store fails; raises Unserved when the time
        of the choice is over."""
        try:
            async with asyncio.timeout(self._seconds):
                while True:
                    try:
                        return await self._remember(seat)
                    except Damaged:
                        raise  # no other try reads more
                    except StoreError:
                        await asyncio.sleep(_RETRY_SECONDS)
        except TimeoutError:
            raise Unserved("what happened could not be read") from None

    async def _remember(self, seat: int) -> None:
        """Read what `seat` was shown since it was last asked, up to this moment; raises
        StoreError."""
        while True:
            number, happened = self._seen.get(seat, (0, ()))
            entries = await self._happened(number)
            new = []
            for count, entry in enumerate(entries, 1):
                new.append(pack_happened(self._play, entry, seat))
                if not count % _CHUNK:
                    await asyncio.sleep(0)  # a long log holds nobody up
            if entries and entries[-1].number > self._seen.get(seat, (0, ()))[0]:
                self._seen[seat] = (entries[-1].number, (*happened, *new))
            if not entries or entries[-1].number >= self._stream.number:
                return

    def _question(self, seat: int, level: str, asked: Asked, *, why: bool) -> Question:
        match = self._stream.match
        assert match is not None
        wire = self._play.projector.wire
        return Question(
            game=self._play.game.name,
            level=level,
            why=why,
            happened=self._seen.get(seat, (0, ()))[1],
            public=wire.public.pack(match.game.public(match.state)),
            private=wire.private.pack(match.game.private(match.state, seat)),
            prompt=wire.prompt.pack(asked.prompt),
            seed=self._seed(seat, asked),
            simulations=self._room.simulations.get(level, 0),
            milliseconds=self._room.milliseconds,
        )

    def _seed(self, seat: int, asked: Asked) -> bytes:
        return bot_seed(self._room.key, self._stream.seating.code, seat, asked.token)


def _choose(bot: type[Bot], public: Any, private: Any, prompt: Any, chance: Chance) -> Any:
    return bot().choose(public, private, prompt, chance)


def adviser(play: GameServices) -> str | None:
    """The strongest level that can say what it thinks."""
    for level in reversed(tuple(play.game.bots)):
        if hasattr(play.game.bots[level], "advise"):
            return level
    return None
