"""The inbox of one table: every request that reaches the table waits here for its turn,
wherever it comes from. Does not know about tables or games.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from engine.stream import Request
from server.refusals import Denied, RefusalCode
from server.tables.broadcast import Subscriber

Done: TypeAlias = Callable[[int], None]
"""Called once a request was granted, now or before, with the number of its entry."""


class Submission(NamedTuple):
    """A request, and who gets the answer."""

    subscriber: Subscriber | None
    """None: the request is the server's own, or a bot's."""
    request: Request
    done: Done | None


class Inbox:
    """The requests that wait at one table, for the one task that takes them."""

    __slots__ = ("_idle", "_most", "_waiting")

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: deque[Submission] = deque()
        self._idle: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether the task waits for a request."""
        return self._idle is not None and not self._idle.done()

    def put(self, submission: Submission, *, guest: bool = False) -> None:
        """Append a request; raises Denied(BUSY) if there is no room. Guests may fill half of
        it, so that the others can play however much guests ask for."""
        if len(self._waiting) >= (self._most // 2 if guest else self._most):
            raise Denied(RefusalCode.BUSY, "too many requests wait at this table")
        self._waiting.append(submission)
        self.stir()

    def take(self) -> Submission:
        """Remove and return the oldest request; there has to be one."""
        return self._waiting.popleft()

    def wait(self) -> asyncio.Future[None]:
        """A future that is done when a request comes, or at the next `stir`."""
        self._idle = asyncio.get_running_loop().create_future()
        return self._idle

    def stir(self) -> None:
        """Wake the task that waits, if it does."""
        if self._idle is not None and not self._idle.done():
            self._idle.set_result(None)

    def empty(self) -> tuple[Submission, ...]:
        """Remove and return all requests."""
        submissions = tuple(self._waiting)
        self._waiting.clear()
        return submissions
