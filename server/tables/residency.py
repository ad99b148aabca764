"""A table's life in memory: how long it stays there, and how it leaves.

It falls asleep once nobody needs it, is lost when it does not know what its log holds, and
is drained when the server stops. Knows nothing of what is decided at a table, no store and
no game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum, auto

from engine.stream import Stream
from server.refusals import Denied, Refusal, refused
from server.tables.broadcast import Audience, Subscriber
from server.tables.context import Context
from server.tables.inbox import Inbox

_ENDED_SECONDS = 2.0
"""Time until a table that is over and that nobody attends leaves memory."""


class Stage(Enum):
    """What a table in memory is good for."""

    AWAKE = auto()
    DRAINING = auto()
    """It finishes the wish that it carries out, and takes no other."""
    LOST = auto()
    """It does not know what its log holds, and left memory to be read anew."""
    ASLEEP = auto()
    """It left memory, for nobody needed it."""


class Residency:
    """The life of one table."""

    __slots__ = (
        "_audience",
        "_busy",
        "_context",
        "_inbox",
        "_left",
        "_let_go",
        "_stream",
        "_timer",
        "stage",
    )

    def __init__(
        self,
        context: Context,
        stream: Stream,
        audience: Audience,
        inbox: Inbox,
        busy: Callable[[], bool],
        left: Callable[[], None],
        let_go: Callable[[], None],
    ) -> None:
        """`busy` tells whether something is due or under way at the table; `left` is called
        when it leaves memory, `let_go` when it is to begin nothing by itself any more."""
        self._context = context
        self._stream = stream
        self._audience = audience
        self._inbox = inbox
        self._busy = busy
        self._left = left
        self._let_go = let_go
        self._timer: asyncio.TimerHandle | None = None
        self.stage = Stage.AWAKE

    @property
    def gone(self) -> bool:
        """Whether it left memory."""
        return self.stage in (Stage.LOST, Stage.ASLEEP)

    def maybe_sleep(self) -> None:
        """It may be that nobody needs it any more: sleep after a while, if so."""
        if self._timer is None and self.stage is Stage.AWAKE and not self._audience.subscribers:
            loop = asyncio.get_running_loop()
            seconds = self._context.settings.sleep_seconds
            if self._stream.seating.ended:
                seconds = min(seconds, _ENDED_SECONDS)
            self._timer = loop.call_later(seconds, self._sleep)

    def ended(self) -> None:
        """The table is over: if it is to sleep, then sooner than what was set."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self.maybe_sleep()

    def _sleep(self) -> None:
        """Leave memory, unless somebody attends or something is due; then that asks
        again by itself when it ends."""
        self._timer = None
        if self._audience.subscribers or self.stage is not Stage.AWAKE:
            return
        if not self._inbox.idle or self._busy():
            self.maybe_sleep()
            return
        self._leave(Stage.ASLEEP)

    def lose(self, asking: Subscriber | None = None) -> None:
        """What the log holds is not known here any more: all who attend come back, and all
        whose wishes have no answer, of which `asking` has the one that is carried out."""
        if self.gone:
            return
        attending = tuple(self._audience.subscribers)
        waiting = [subscriber for subscriber, _, _ in self._inbox.empty()]
        with ExitStack() as steps:  # taken from the last to the first, whatever one raises
            steps.callback(self._context.log.error, "table_lost", table=self._stream.seating.code)
            for told in reversed(dict.fromkeys((*attending, asking, *waiting))):
                if told is not None:
                    steps.callback(told.lose_table)
            for subscriber in reversed(attending):
                steps.callback(self._audience.part, subscriber)
            steps.callback(self._leave, Stage.LOST)

    def drain(self) -> None:
        """Refuse all wishes but the one that is being carried out."""
        self.stage = Stage.DRAINING
        stopping = Denied(Refusal.STOPPING, "the server is about to stop")
        with ExitStack() as steps:
            steps.callback(self._end)
            for subscriber, request, _ in reversed(self._inbox.empty()):
                if subscriber is not None:
                    steps.callback(subscriber.tell, refused(request.id, stopping))

    def _leave(self, stage: Stage) -> None:
        self.stage = stage
        with ExitStack() as steps:
            steps.callback(self._end)
            steps.callback(self._left)
            self._inbox.empty()

    def _end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        try:
            self._let_go()
        finally:
            self._inbox.stir()
