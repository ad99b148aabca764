"""The inbox of one table: every request that reaches the table comes in here, wherever it comes
from, and waits for its turn. Says who may put how much into it, and until when. Does not know
what a request asks for, nor about tables or games.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from engine.entry import Cause
from engine.stream import Request
from server.refusals import Denied, RefusalCode
from server.tables.broadcast import Broadcast, Subscriber

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

    __slots__ = ("_broadcast", "_closed", "_idle", "_most", "_waiting")

    def __init__(self, most: int, broadcast: Broadcast) -> None:
        """At most `most` requests wait; `broadcast` has those who attend the table."""
        self._most = most
        self._broadcast = broadcast
        self._closed: tuple[RefusalCode, str] | None = None
        """Why it takes no request any more, as code and detail."""
        self._waiting: deque[Submission] = deque()
        self._idle: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether the task waits for a request."""
        return self._idle is not None and not self._idle.done()

    def put(
        self, subscriber: Subscriber | None, request: Request, done: Done | None = None
    ) -> None:
        """Append a request. Its sender is answered; `done` is called after that if it was
        granted. Raises Denied: BUSY if there is no room, or the reason given to `close`.

        Guests, who have no seat or do not attend, may fill half of it, so that the others can
        play however much guests ask for.
        """
        if self._closed is not None:
            raise Denied(*self._closed)
        count = len(self._waiting)
        if count >= self._most // 2 and (
            count >= self._most or self._is_guest(subscriber, request)
        ):
            raise Denied(RefusalCode.BUSY, "too many requests wait at this table")
        self._waiting.append(Submission(subscriber, request, done))
        self.stir()

    def _is_guest(self, subscriber: Subscriber | None, request: Request) -> bool:
        if subscriber is None or request.cause is Cause.HOUSE:  # as an operator's is
            return False
        return subscriber.seat is None or subscriber not in self._broadcast.subscribers

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

    def close(self, code: RefusalCode, detail: str) -> tuple[Submission, ...]:
        """Take no more requests, for this reason; remove and return those that wait."""
        self._closed = code, detail
        submissions = tuple(self._waiting)
        self._waiting.clear()
        return submissions
