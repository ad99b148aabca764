"""A table: one task, the only writer of one stream.

Everything that changes a table goes through its inbox, whether it comes from people, from bots
or from the server itself. An entry is stored, then adopted, then sent to everybody, the actor
included. A request that is refused, or cannot be stored, changes nothing. Does not know about
sockets, databases or games.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from engine.entry import Cause, Entry
from engine.errors import Code, IllegalAction
from engine.stream import Draft, Repeat, Request, Stream
from engine.table.words import Close, CloseReason, Join, Phase, TakeBack
from protocol.messages import Refused
from server.accounts.name_rules import check_newcomer
from server.bots.client import BotClient
from server.bots.driver import BotDriver
from server.games import GameServices
from server.refusals import Denied, RefusalCode, refused
from server.store.port import Conflict, Position, StoreError, Unknown
from server.tables.absence import Absences
from server.tables.appender import Appender, Lost, NotEncoded
from server.tables.attendance import Attendance
from server.tables.broadcast import Broadcast, Subscriber
from server.tables.context import Context
from server.tables.history import TableHistory
from server.tables.inbox import Done, Inbox, Submission
from server.tables.residency import Residency, Stage
from server.tables.timers import RETRY_MS, Stopwatch

_REAP = Close(CloseReason.REAPED)
_MOVED_ON = (Code.STALE_PROMPT, Code.NO_PROMPT, Code.NOT_RUNNING, Code.NOT_ABSENT)
"""Refusals that say that the state is another one by now."""


class Table:
    """One table in memory."""

    __slots__ = (
        "_absences",
        "_appender",
        "_changed",
        "_context",
        "_residency",
        "_task",
        "_watch",
        "attendance",
        "bots",
        "broadcast",
        "code",
        "history",
        "inbox",
        "stream",
        "updated",
    )

    def __init__(
        self,
        context: Context,
        services: GameServices,
        entries: list[Entry],
        stream: Stream,
        position: Position,
        since: int | None = None,
        *,
        changed: Callable[[Table], None],
        left: Callable[[Table], None],
    ) -> None:
        """`stream` is the fold of `entries`, which are all that the stream has. The last one
        came at `since` by the ticker; None: unknown, and the clocks get that time back.

        `changed` is called when the table's seats or phase have changed, `left` when it has
        left memory.
        """
        first = entries[0]
        assert first.person is not None
        settings = context.settings
        self._context = context
        self._changed = changed
        self.stream = stream
        self.code = stream.seating.code
        self.updated = entries[-1].time
        """When the last entry was written, by the clock on the wall."""
        self.broadcast = Broadcast(services.projector, stream)
        self._appender = Appender(context, services, self.code, position, first.person, first.id)
        self.inbox = Inbox(settings.inbox, self.broadcast)
        """Everything that anybody wants to do at the table."""
        self.history = TableHistory(services, context, stream, entries)
        bot_client = BotClient(
            context.bots,
            services,
            stream,
            self.history.all_since,
            self.broadcast.waiters,
            first.person,
            context.counters,
            context.log,
        )
        self.bots = BotDriver(
            bot_client,
            stream,
            partial(self.inbox.put, None),
            self._give_up,  # another attempt may need the log to be read again
            context.counters,
            context.log,
        )
        self._residency = Residency(
            context,
            stream,
            self.broadcast,
            self.inbox,
            self._is_busy,
            partial(left, self),
            self._stop_parts,
        )
        self._watch = Stopwatch(context.ticker, stream.number, since)
        self._absences = Absences(
            context.ticker,
            self._watch,
            stream,
            partial(self.inbox.put, None),
            self.broadcast.people,
            vote_seconds=settings.vote_seconds,
            silent_seconds=settings.silent_seconds,
            host_seconds=settings.host_seconds,
        )
        self.attendance = Attendance(
            self.broadcast,
            stream,
            self._watch,
            self._absences,
            self._residency,
            settings.watchers,
            settings.watchers_per_address,
            bot_client.waiters_changed,
        )
        self.bots.wake()
        self._close_if_deserted()
        self._residency.maybe_sleep()
        # last, so that no task is left behind if any of this fails
        self._task = asyncio.get_running_loop().create_task(self._work(), name=self.code)
        self._task.add_done_callback(self._worked)

    # requests

    async def _work(self) -> None:
        inbox = self.inbox
        while True:
            while inbox:
                submission = inbox.take()
                try:
                    draft = self._decide(submission)
                    if draft is not None:
                        await self._store(draft, submission)
                except Exception as error:
                    # the entry may be stored: only the log can say
                    self._give_up(error, submission.subscriber)
            if self._residency.stage is not Stage.AWAKE:
                return
            self._residency.maybe_sleep()
            await inbox.wait()

    def _decide(self, submission: Submission) -> Draft | None:
        """Decide a request: the draft that has to be stored for it, or None if it is answered
        already. A fault is answered too; what goes wrong in that answer is raised."""
        request = submission.request
        if request.command is _REAP and self.broadcast.subscribers:
            return None  # somebody has come meanwhile
        try:
            try:
                draft = self._draft(request)
            except (IllegalAction, Denied) as why:
                self._refuse(submission, refused(request.id, why))
                return None
            if isinstance(draft, Draft):
                return draft
            self._grant(submission, draft.number)
        except Exception as error:
            self._answer_fault(submission, error)
        return None

    def _answer_fault(self, submission: Submission, error: BaseException) -> None:
        """Refuse a request that met a fault before anything was stored."""
        try:
            fault = Denied(RefusalCode.FAULT, "a fault of the server's own")
            self._refuse(submission, refused(submission.request.id, fault))
        finally:
            self._log_fault(error)

    def _draft(self, request: Request) -> Draft | Repeat:
        """What follows from a request; raises IllegalAction and Denied."""
        context, stream = self._context, self.stream
        draft = stream.draft(request, context.ticker.wall(), elapsed=self._watch.elapsed())
        if isinstance(draft, Repeat):
            return draft
        most = context.settings.table_entries
        if draft.entry.number > most and isinstance(request.command, Join | TakeBack):
            # all else brings the match to its end
            raise Denied(RefusalCode.LOG_FULL, "this table's log is long enough", most=most)
        if request.seat is None:
            check_newcomer(stream.seating, request)
            self._absences.check(request)
        return draft

    async def _store(self, draft: Draft, submission: Submission) -> None:
        """Store an entry, adopt it, tell everybody, answer. Whatever is raised, the entry may
        be stored."""
        try:
            await self._appender.append(draft)
        except NotEncoded as why:
            self._answer_fault(submission, why.error)
        except Lost:
            self._residency.lose(submission.subscriber)
        except StoreError as why:
            if not isinstance(why, (Conflict, Unknown)):
                self._absences.store_failed()
            self._refuse(submission, refused(submission.request.id, why))
        else:
            self._adopt(draft)
            self._grant(submission, draft.entry.number)

    def _adopt(self, draft: Draft) -> None:
        """Make a stored draft the state, and tell everybody."""
        entry = draft.entry
        before = self.stream.seating.phase
        self.stream.accept(draft)
        self._absences.entry_adopted()
        self.history.add(entry)
        self.updated = entry.time
        self._context.counters.entries += 1
        self.broadcast.publish(entry)
        if entry.seat is None or self.stream.seating.phase is not before:
            self._changed(self)
            if self.stream.seating.ended:
                self._residency.ended()
            self.attendance.changed()
        self._close_if_deserted()
        self.bots.wake()

    def _grant(self, submission: Submission, number: int) -> None:
        subscriber, request, done = submission
        if subscriber is not None and request.id is not None:
            subscriber.accepted(request.id, number)
        if done is not None:
            done(number)

    def _refuse(self, submission: Submission, answer: Refused) -> None:
        self._context.counters.refusals += 1
        subscriber, request, _ = submission
        if subscriber is not None:
            subscriber.tell(answer)
        elif request.cause in (Cause.TIMEOUT, Cause.HOUSE):
            self._absences.refused(moved_on=answer.code in _MOVED_ON)
        elif request.cause is Cause.BOT and request.seat is not None:
            moved_on = answer.code in _MOVED_ON
            self.bots.refused(request.seat, answer.code, moved_on=moved_on)

    # closing

    def _close_if_deserted(self) -> None:
        """Close a waiting table that everybody left: nobody could start it."""
        seating = self.stream.seating
        if seating.phase is not Phase.WAITING or seating.host is not None:
            return
        request = Request(Close(CloseReason.ABANDONED), cause=Cause.HOUSE)
        with suppress(Denied):  # a server that is stopping closes it the next time
            self.inbox.put(None, request)

    def close_unattended(self, done: Done | None = None) -> bool:
        """Close the table unless somebody attends it or comes before that; return whether it
        is under way. `done` is called if the table was closed."""
        if self.broadcast.subscribers:
            return False
        with suppress(Denied):
            self.inbox.put(None, Request(_REAP, cause=Cause.HOUSE), done)
            return True
        return False

    # faults

    def _worked(self, task: asyncio.Task[None]) -> None:
        """The task has ended: the table must not go on without it."""
        error = None if task.cancelled() else task.exception()
        try:
            if self._residency.stage is Stage.AWAKE:
                self._residency.lose()
        finally:
            if error is not None:
                self._log_fault(error)

    def _give_up(self, error: BaseException, subscriber: Subscriber | None = None) -> None:
        """Leave memory after a fault, to be read again from the log. `subscriber` sent the
        request that met the fault. Logging comes last because it may fail."""
        try:
            self._residency.lose(subscriber)
        finally:
            self._log_fault(error)

    def _log_fault(self, error: BaseException) -> None:
        self._context.counters.faults += 1
        self._context.log.error("table_fault", table=self.code, error=error)

    # in memory

    @property
    def since(self) -> int:
        """When the last entry came, by the ticker."""
        return self._watch.since

    def due_in(self) -> int | None:
        """Milliseconds until the table has to be in memory again; None: only if somebody asks
        for it."""
        if self._residency.stage is Stage.LOST:
            return RETRY_MS  # what its log holds by now may make anything due
        delay = self.stream.wake_after()
        return None if delay is None else max(0, delay - self._watch.elapsed())

    @property
    def gone(self) -> bool:
        """Whether the table has left memory, so that it has to be asked for again."""
        return self._residency.gone

    def _is_busy(self) -> bool:
        """Whether something is under way that needs the table in memory."""
        return bool(self.history.reading or self.bots.pending or self._absences.pending)

    def _stop_parts(self) -> None:
        self.bots.stop()
        self._absences.stop()
        self.attendance.stop()

    async def stop(self) -> None:
        """Finish the request that is being carried out, refuse all others, and end."""
        self._residency.drain()
        await self._task
