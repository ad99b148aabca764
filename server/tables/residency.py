"""One table's stay in memory: how long it stays, and how it leaves.

It falls asleep once nobody needs it, is lost when it no longer knows what its log holds, and
is drained when the server stops. Does not know what is decided at a table, nor about the store
or games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum, auto

from engine.stream import Stream
from server.refusals import Denied, RefusalCode, refused
from server.tables.broadcast import Broadcast, Subscriber
from server.tables.context import Context
from server.tables.inbox import Inbox

_READ_AGAIN = (RefusalCode.BUSY, "this table is being read again from its log")
_STOPPING = (RefusalCode.STOPPING, "the server is about to stop")
"""Why a table takes no requests."""
_ENDED_SECONDS = 2.0
"""Time until a table that is over and that nobody attends leaves memory."""


class Stage(Enum):
    """What a table object can still do."""

    AWAKE = auto()
    DRAINING = auto()
    """It finishes the request that it is carrying out, and takes no other."""
    LOST = auto()
    """It no longer knew what its log holds, and left memory to be read again."""
    ASLEEP = auto()
    """It left memory because nobody needed it."""


class Residency:
    """The stay of one table in memory."""

    __slots__ = (
        "_broadcast",
        "_context",
        "_inbox",
        "_is_busy",
        "_left",
        "_stop_parts",
        "_stream",
        "_timer",
        "stage",
    )

    def __init__(
        self,
        context: Context,
        stream: Stream,
        broadcast: Broadcast,
        inbox: Inbox,
        is_busy: Callable[[], bool],
        left: Callable[[], None],
        stop_parts: Callable[[], None],
    ) -> None:
        """`is_busy` says whether something is under way that needs the table in memory;
        `left` is called when it has left; `stop_parts` is called when its parts must begin
        nothing more."""
        self._context = context
        self._stream = stream
        self._broadcast = broadcast
        self._inbox = inbox
        self._is_busy = is_busy
        self._left = left
        self._stop_parts = stop_parts
        self._timer: asyncio.TimerHandle | None = None
        self.stage = Stage.AWAKE

    @property
    def gone(self) -> bool:
        """Whether the table has left memory."""
        return self.stage in (Stage.LOST, Stage.ASLEEP)

    def maybe_sleep(self) -> None:
        """Fall asleep after a while if nobody attends the table."""
        if self._timer is None and self.stage is Stage.AWAKE and not self._broadcast.subscribers:
            loop = asyncio.get_running_loop()
            seconds = self._context.settings.sleep_seconds
            if self._stream.seating.ended:
                seconds = min(seconds, _ENDED_SECONDS)
            self._timer = loop.call_later(seconds, self._sleep)

    def ended(self) -> None:
        """The table is over: if it is about to fall asleep, that may be sooner."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self.maybe_sleep()

    def _sleep(self) -> None:
        """Leave memory, unless somebody attends or something is under way; that asks again
        when it ends."""
        self._timer = None
        if self._broadcast.subscribers or self.stage is not Stage.AWAKE:
            return
        if not self._inbox.idle or self._is_busy():
            self.maybe_sleep()
            return
        self._leave(Stage.ASLEEP)

    def lose(self, asking: Subscriber | None = None) -> None:
        """Leave memory because the log may hold something else. All who attend have to come
        back, and all whose requests are unanswered: `asking` sent the one that is being carried
        out."""
        if self.gone:
            return
        attending = tuple(self._broadcast.subscribers)
        waiting = [submission.subscriber for submission in self._inbox.close(*_READ_AGAIN)]
        with ExitStack() as steps:  # run from the last to the first, whatever one raises
            steps.callback(self._context.log.error, "table_lost", table=self._stream.seating.code)
            for told in reversed(dict.fromkeys((*attending, asking, *waiting))):
                if told is not None:
                    steps.callback(told.lose_table)
            for subscriber in reversed(attending):
                steps.callback(self._broadcast.unsubscribe, subscriber)
            steps.callback(self._leave, Stage.LOST)

    def drain(self) -> None:
        """Refuse all requests except the one that is being carried out."""
        self.stage = Stage.DRAINING
        stopping = Denied(*_STOPPING)
        with ExitStack() as steps:
            steps.callback(self._end)
            for subscriber, request, _ in reversed(self._inbox.close(*_STOPPING)):
                if subscriber is not None:
                    steps.callback(subscriber.tell, refused(request.id, stopping))

    def _leave(self, stage: Stage) -> None:
        self.stage = stage
        with ExitStack() as steps:
            steps.callback(self._end)
            steps.callback(self._left)
            self._inbox.close(*_READ_AGAIN)

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        try:
            self._stop_parts()
        finally:
            self._inbox.stir()
