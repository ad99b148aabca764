"""The one door by which everything comes to a table: wishes in their order, with whom each
is answered to. Knows no table and no game.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from engine.stream import Request
from server.refusals import Denied, Refusal
from server.tables.broadcast import Subscriber

Done: TypeAlias = Callable[[int], None]
"""Called after a wish was granted, now or before, with the number of its entry."""

Item: TypeAlias = tuple[Subscriber | None, Request, Done | None]
"""A wish, and whose it is; None: the house's, or a bot's."""


class Inbox:
    """What waits at one table, and the one task that takes it out."""

    __slots__ = ("_idle", "_most", "_waiting")

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[Item] = deque()
        self._idle: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether the task waits for something to come."""
        return self._idle is not None and not self._idle.done()

    def put(self, item: Item, *, guest: bool = False) -> None:
        """Let a wish wait its turn; raises Denied(BUSY). Half of the room is kept for those
        who are no guests: however much these wish, the others can play."""
        if len(self._waiting) >= (self._most // 2 if guest else self._most):
            raise Denied(Refusal.BUSY, "too many wishes wait at this table")
        self._waiting.append(item)
        self.stir()

    def take(self) -> Item:
        """The oldest; there has to be one."""
        return self._waiting.popleft()

    async def wait(self) -> None:
        """Until something comes, or until `stir`."""
        self._idle = asyncio.get_running_loop().create_future()
        await self._idle
        self._idle = None

    def stir(self) -> None:
        """Let the task look around."""
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    def empty(self) -> tuple[Item, ...]:
        """Take out all."""
        items = tuple(self._waiting)
        self._waiting.clear()
        return items
