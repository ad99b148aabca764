"""A table: one task, the only writer of one stream.

Everything that is done at a table comes through its inbox, wherever it is from: people,
bots, the house. An entry is stored, then adopted, then told, the actor included; a
wish that is refused, or cannot be stored, changes nothing. Knows no socket, no
database and no game.
"""

from __future__ import annotations

import asyncio
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
from server.refusals import Denied, Refusal, refused
from server.store.port import Conflict, Position, StoreError, Unknown
from server.tables.absence import Absences
from server.tables.appender import Appender, Lost, Ready
from server.tables.attendance import Attendance
from server.tables.broadcast import Audience, Subscriber
from server.tables.context import Context
from server.tables.history import TableHistory
from server.tables.inbox import Done, Inbox
from server.tables.residency import Residency, Stage
from server.tables.timers import RETRY_MS

_REAP = Close(CloseReason.REAPED)
_UNSURE_STATES = (Code.STALE_PROMPT, Code.NO_PROMPT, Code.NOT_RUNNING, Code.NOT_ABSENT)


class Table:
    """One table, awake."""

    __slots__ = (
        "_absences",
        "_appender",
        "_context",
        "_inbox",
        "_residency",
        "_task",
        "attendance",
        "audience",
        "bots",
        "code",
        "history",
        "stream",
        "updated",
    )

    def __init__(
        self,
        context: Context,
        play: GameServices,
        entries: list[Entry],
        stream: Stream,
        position: Position,
        since: int | None = None,
    ) -> None:
        """`entries` are the stream's entries, the last of which came at `since` by the
        house's ticker (None: it is given back what it waited); `stream` is their fold."""
        first = entries[0]
        self.updated = entries[-1].time
        """When the last entry was written, by the clock on the wall."""
        assert first.person is not None
        self._context = context
        self.stream = stream
        self.code = stream.seating.code
        self.audience = Audience(play.projector, stream)
        self._appender = Appender(context, play, self.code, position, first.person, first.id)
        settings = context.settings
        self.history = TableHistory(play, context, stream, entries)
        bot_client = BotClient(
            context.bots,
            play,
            stream,
            self.history.all_since,
            self.audience.waiters,
            first.person,
            context.counters,
            context.log,
        )
        self.bots = BotDriver(
            bot_client,
            stream,
            partial(self.submit, None),
            self._give_up,  # what cannot be decided now may be after another read of the log
            context.counters,
            context.log,
        )
        self._inbox = Inbox(settings.inbox)
        self._residency = Residency(
            context,
            stream,
            self.audience,
            self._inbox,
            self._busy,
            partial(context.asleep, self),
            self._let_go,
        )
        self._absences = Absences(
            context.ticker,
            stream,
            partial(self.submit, None),
            lambda: [subscriber.person for subscriber in self.audience.subscribers],
            since=since,
            vote_seconds=settings.vote_seconds,
            silent_seconds=settings.silent_seconds,
            host_seconds=settings.host_seconds,
        )
        self.attendance = Attendance(
            self.audience,
            stream,
            self._absences,
            self._residency,
            settings.watchers,
            settings.sharing.watchers_per_address,
            bot_client.waiters_changed,
        )
        self.bots.wake()
        self._abandon_empty()
        self._residency.maybe_sleep()
        # last: what is made in vain leaves no task behind
        self._task = asyncio.get_running_loop().create_task(self._work(), name=self.code)
        self._task.add_done_callback(self._worked)

    # what is done at it

    def submit(
        self, subscriber: Subscriber | None, request: Request, done: Done | None = None
    ) -> None:
        """Put a wish into the inbox; its sender is answered, then `done` is called.

        Raises Denied(BUSY, STOPPING).
        """
        stage = self._residency.stage
        if stage is Stage.DRAINING:
            raise Denied(Refusal.STOPPING, "the server is about to stop")
        if stage is not Stage.AWAKE:
            raise Denied(Refusal.BUSY, "this table is read anew from its log")
        guest = (
            subscriber is not None
            and (subscriber.seat is None or subscriber not in self.audience.subscribers)
            and request.cause is not Cause.HOUSE  # as an operator's is
        )
        self._inbox.put((subscriber, request, done), guest=guest)

    async def _work(self) -> None:
        inbox = self._inbox
        while True:
            while inbox:
                subscriber, request, done = inbox.take()
                try:
                    ready = self._decided(subscriber, request, done)
                    if ready is not None:
                        await self._store(ready, subscriber, request, done)
                except Exception as error:
                    # it may have happened: only the log is right now
                    self._give_up(error, subscriber)
            if self._residency.stage is not Stage.AWAKE:
                return
            self._residency.maybe_sleep()
            await inbox.wait()

    def _worked(self, task: asyncio.Task[None]) -> None:
        """The task is at its end; a table never goes on without it."""
        error = None if task.cancelled() else task.exception()
        try:
            if self._residency.stage is Stage.AWAKE:
                self._residency.lose()
        finally:
            if error is not None:
                self._fault(error)

    def _fault(self, error: BaseException) -> None:
        self._context.counters.faults += 1
        self._context.log.error("table_fault", table=self.code, error=error)

    def _give_up(self, error: BaseException, subscriber: Subscriber | None = None) -> None:
        """Leave memory after a fault, `subscriber` having the wish that met it; and then tell of
        it, for telling may fail."""
        try:
            self._residency.lose(subscriber)
        finally:
            self._fault(error)

    def _decided(
        self, subscriber: Subscriber | None, request: Request, done: Done | None
    ) -> Ready | None:
        """What is to be stored for a wish; None if it is answered for already. Raises what
        goes wrong while it is answered for."""
        try:
            return self._decide(subscriber, request, done)
        except Exception as error:  # nothing that one wish meets may end the table
            fault = error
        try:
            answer = refused(request.id, Denied(Refusal.FAULT, "a fault of the server's own"))
            self._refuse(subscriber, request, answer)
        finally:
            self._fault(fault)
        return None

    def _decide(
        self, subscriber: Subscriber | None, request: Request, done: Done | None
    ) -> Ready | None:
        """Decide a wish; one that is refused or was granted before is answered."""
        stream = self.stream
        if request.command is _REAP and self.audience.subscribers:
            return None  # somebody has come meanwhile
        try:
            elapsed = self._absences.elapsed()
            draft = stream.draft(request, self._context.ticker.wall(), elapsed=elapsed)
            if isinstance(draft, Repeat):
                self._grant(subscriber, request, draft.number, done)
                return None
            self._check_length(draft)
            if request.seat is None:
                check_newcomer(stream.seating, request)
                self._absences.check(request)
        except (IllegalAction, Denied) as why:
            self._refuse(subscriber, request, refused(request.id, why))
            return None
        return self._appender.ready(draft)

    def _check_length(self, draft: Draft) -> None:
        """Raise Denied(LOG_FULL) for what brings no match to its end, once the log is long."""
        most = self._context.settings.table_entries
        if draft.entry.number > most and isinstance(draft.entry.command, Join | TakeBack):
            raise Denied(Refusal.LOG_FULL, "this table's log is long enough", most=most)

    async def _store(
        self, ready: Ready, subscriber: Subscriber | None, request: Request, done: Done | None
    ) -> None:
        """Store, adopt, tell, answer; whatever is raised, it may have happened."""
        try:
            await self._appender.write(ready)
        except Lost:
            self._residency.lose(subscriber)
        except StoreError as trouble:
            if not isinstance(trouble, (Conflict, Unknown)):
                self._absences.store_failed()
            self._refuse(subscriber, request, refused(request.id, trouble))
        else:
            self._adopt(ready.draft)
            self._grant(subscriber, request, ready.draft.entry.number, done)

    def _adopt(self, draft: Draft) -> None:
        """Make a stored draft the state, and tell everybody."""
        entry = draft.entry
        before = self.stream.seating.phase
        self.stream.accept(draft)
        self._absences.entry()
        self.history.add(entry)
        self.updated = entry.time
        self._context.counters.entries += 1
        self.audience.tell(entry)
        if entry.seat is None or self.stream.seating.phase is not before:
            self._context.changed(self)
            if self.stream.seating.ended:
                self._residency.ended()
            self.attendance.changed()
        self._abandon_empty()
        self.bots.wake()

    def _abandon_empty(self) -> None:
        """Close a table that everybody left before the match: nobody could start it."""
        seating = self.stream.seating
        if seating.phase is not Phase.WAITING or seating.host is not None:
            return
        request = Request(Close(CloseReason.ABANDONED), cause=Cause.HOUSE)
        with suppress(Denied):  # what is about to stop is closed the next time
            self.submit(None, request)

    def reap(self, done: Done | None = None) -> bool:
        """Close a table that everybody gave up: whether that is under way, for nobody
        attends it. `done` is called once it is closed; never, if somebody comes first."""
        if self.audience.subscribers:
            return False
        with suppress(Denied):
            self.submit(None, Request(_REAP, cause=Cause.HOUSE), done)
            return True
        return False

    def _grant(
        self, subscriber: Subscriber | None, request: Request, number: int, done: Done | None
    ) -> None:
        if subscriber is not None and request.id is not None:
            subscriber.accepted(request.id, number)
        if done is not None:
            done(number)

    def _refuse(self, subscriber: Subscriber | None, request: Request, answer: Refused) -> None:
        self._context.counters.refusals += 1
        if subscriber is not None:
            subscriber.tell(answer)
        elif request.cause in (Cause.TIMEOUT, Cause.HOUSE):
            self._absences.refused(moved_on=answer.code in _UNSURE_STATES)
        elif request.cause is Cause.BOT and request.seat is not None:
            moved_on = answer.code in _UNSURE_STATES
            self.bots.refused(request.seat, answer.code, moved_on=moved_on)

    # its time in memory

    @property
    def since(self) -> int:
        """When the last entry came, by the house's ticker."""
        return self._absences.watch.since

    def due_in(self) -> int | None:
        """Milliseconds until it has to be in memory again; None: only if asked for."""
        if self._residency.stage is Stage.LOST:
            return RETRY_MS  # what its log holds by now may make anything due
        due = self.stream.wake_after()
        return None if due is None else max(0, due - self._absences.elapsed())

    @property
    def gone(self) -> bool:
        """Whether it left memory: its code has to be asked for anew."""
        return self._residency.gone

    def _busy(self) -> bool:
        """Whether something is under way for which it has to be in memory."""
        return bool(self.history.reading or self.bots.pending or self._absences.pending)

    def _let_go(self) -> None:
        self.bots.stop()
        self._absences.stop()
        self.attendance.stop()

    async def stop(self) -> None:
        """Finish the wish that is being carried out, refuse all others, and end."""
        self._residency.drain()
        await self._task
