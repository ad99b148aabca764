"""The bots of a table, as the table knows them: woken when it moves, heard at its inbox,
logged and counted in the house.

Knows nothing of how they think, and no game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from engine.entry import Cause
from engine.stream import Request, Stream
from server.bots.client import BotClient
from server.bots.driver import BotDriver
from server.bots.queue import Waiter
from server.games import GameServices
from server.refusals import Denied, Refusal
from server.tables.context import Context
from server.tables.history import TableHistory


class TableBots:
    """The bots of one table."""

    __slots__ = (
        "_broken",
        "_code",
        "_context",
        "_seats",
        "_stream",
        "_submit",
        "_unserved",
        "client",
    )

    def __init__(
        self,
        context: Context,
        play: GameServices,
        history: TableHistory,
        stream: Stream,
        waiters: Callable[[], Collection[Waiter]],
        opener: bytes,
        submit: Callable[[Request], None],
        broken: Callable[[Exception], None],
    ) -> None:
        """`waiters` tells who is at the table, `opener` is who opened it; `submit` puts a wish
        into the inbox (it may raise Denied); `broken` is told of a fault that not even a
        default can be played after."""
        self._context = context
        self._stream = stream
        self._code = stream.seating.code
        self._submit = submit
        self._unserved = False
        self.client = BotClient(
            context.bots, play, history.all_since, stream, waiters, opener, self._tell_unserved
        )
        self._seats = BotDriver(self.client, self._play, self._tell_trouble, broken)

    @property
    def pending(self) -> bool:
        """Whether one is choosing, or tries again after a while."""
        return self._seats.pending

    def wake(self) -> None:
        """The table moved: let every bot that is asked something choose."""
        self._seats.wake(self._stream)

    def refused(self, seat: int, code: str, *, moved_on: bool) -> None:
        """What a bot chose for match seat `seat` was not carried out; `moved_on`: it is
        asked something else by now."""
        unstored = code in (Refusal.STORE_UNAVAILABLE, Refusal.BUSY)
        self._seats.refused(self._stream, seat, code, moved_on, unstored)

    def _play(self, seat: int, token: int, command: Any) -> None:
        try:
            self._submit(Request(command, None, None, seat, token, Cause.BOT))
        except Denied as why:
            self._context.counters.refusals += 1
            self.refused(seat, why.code, moved_on=False)

    def _tell_trouble(self, seat: int, trouble: str) -> None:
        self._context.log.warning("bot_trouble", table=self._code, seat=seat, trouble=trouble)

    def _tell_unserved(self, why: str) -> None:
        """A quick bot chooses for one that thinks: counted, and logged once."""
        self._context.counters.bots_unserved += 1
        if not self._unserved:
            self._unserved = True
            self._context.log.warning("bot_unserved", table=self._code, why=why)

    def stop(self) -> None:
        """Choose no more."""
        self._seats.stop()
