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
from engine.stream import Draft, Repeat, Stream, Wish
from engine.table import Close, Closing, Join, Phase, TakeBack
from protocol.messages import Refused
from server.people.newcomer import check_newcomer
from server.play import Play
from server.refusals import Denied, Refusal, refused
from server.store.port import Conflict, Position, StoreError, Unknown
from server.tables.absence import Absences
from server.tables.audience import Audience, Link
from server.tables.bots import TableBots
from server.tables.due import due_of
from server.tables.house import House
from server.tables.inbox import Done, Inbox
from server.tables.life import Life, Stage
from server.tables.pen import Lost, Pen, Ready
from server.tables.presence import Attendance
from server.tables.recall import Recall
from server.tables.timers import RETRY_MS

_REAP = Close(Closing.REAPED)
_UNSURE_STATES = (Code.STALE_PROMPT, Code.NO_PROMPT, Code.NOT_RUNNING, Code.NOT_ABSENT)


class Table:
    """One table, awake."""

    __slots__ = (
        "_absences",
        "_house",
        "_inbox",
        "_life",
        "_pen",
        "_task",
        "attendance",
        "audience",
        "bots",
        "code",
        "recall",
        "stream",
        "updated",
    )

    def __init__(
        self,
        house: House,
        play: Play,
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
        self._house = house
        self.stream = stream
        self.code = stream.seating.code
        self.audience = Audience(play.projector, stream)
        self._pen = Pen(house, play, self.code, position, first.person, first.id)
        settings = house.settings
        self.recall = Recall(play, house, stream, entries)
        self.bots = TableBots(
            house,
            play,
            self.recall,
            stream,
            self.audience.waiters,
            first.person,
            partial(self.submit, None),
            self._bots_broken,
        )
        self._inbox = Inbox(settings.inbox)
        self._life = Life(
            house,
            stream,
            self.audience,
            self._inbox,
            self._busy,
            partial(house.asleep, self),
            self._let_go,
        )
        self._absences = Absences(
            house.ticker,
            stream,
            partial(self.submit, None),
            lambda: [link.person for link in self.audience.links],
            since=since,
            vote_seconds=settings.vote_seconds,
            silent_seconds=settings.silent_seconds,
            host_seconds=settings.host_seconds,
        )
        self.attendance = Attendance(
            self.audience,
            stream,
            self._absences,
            self._life,
            settings.watchers,
            settings.sharing.watchers_per_address,
            self.bots.minds.moved,
        )
        self.bots.wake()
        self._abandon_empty()
        self._life.maybe_sleep()
        # last: what is made in vain leaves no task behind
        self._task = asyncio.get_running_loop().create_task(self._work(), name=self.code)
        self._task.add_done_callback(self._worked)

    # what is done at it

    def submit(self, link: Link | None, wish: Wish, done: Done | None = None) -> None:
        """Put a wish into the inbox; its sender is answered, then `done` is called.

        Raises Denied(BUSY, STOPPING).
        """
        stage = self._life.stage
        if stage is Stage.DRAINING:
            raise Denied(Refusal.STOPPING, "the server is about to stop")
        if stage is not Stage.AWAKE:
            raise Denied(Refusal.BUSY, "this table is read anew from its log")
        guest = (
            link is not None
            and (link.seat is None or link not in self.audience.links)
            and wish.cause is not Cause.HOUSE  # as an operator's is
        )
        self._inbox.put((link, wish, done), guest=guest)

    async def _work(self) -> None:
        inbox = self._inbox
        while True:
            while inbox:
                link, wish, done = inbox.take()
                try:
                    ready = self._decided(link, wish, done)
                    if ready is not None:
                        await self._store(ready, link, wish, done)
                except Exception as error:
                    # it may have happened: only the log is right now
                    self._give_up(error, link)
            if self._life.stage is not Stage.AWAKE:
                return
            self._life.maybe_sleep()
            await inbox.wait()

    def _worked(self, task: asyncio.Task[None]) -> None:
        """The task is at its end; a table never goes on without it."""
        error = None if task.cancelled() else task.exception()
        try:
            if self._life.stage is Stage.AWAKE:
                self._life.lose()
        finally:
            if error is not None:
                self._fault(error)

    def _fault(self, error: BaseException) -> None:
        self._house.counters.faults += 1
        self._house.log.error("table_fault", table=self.code, error=error)

    def _give_up(self, error: BaseException, link: Link | None = None) -> None:
        """Leave memory after a fault, `link` having the wish that met it; and then tell of
        it, for telling may fail."""
        try:
            self._life.lose(link)
        finally:
            self._fault(error)

    def _decided(self, link: Link | None, wish: Wish, done: Done | None) -> Ready | None:
        """What is to be stored for a wish; None if it is answered for already. Raises what
        goes wrong while it is answered for."""
        try:
            return self._decide(link, wish, done)
        except Exception as error:  # nothing that one wish meets may end the table
            fault = error
        try:
            answer = refused(wish.id, Denied(Refusal.FAULT, "a fault of the server's own"))
            self._refuse(link, wish, answer)
        finally:
            self._fault(fault)
        return None

    def _decide(self, link: Link | None, wish: Wish, done: Done | None) -> Ready | None:
        """Decide a wish; one that is refused or was granted before is answered."""
        stream = self.stream
        if wish.command is _REAP and self.audience.links:
            return None  # somebody has come meanwhile
        try:
            elapsed = self._absences.elapsed()
            draft = stream.draft(wish, self._house.ticker.wall(), elapsed=elapsed)
            if isinstance(draft, Repeat):
                self._grant(link, wish, draft.number, done)
                return None
            self._check_length(draft)
            if wish.seat is None:
                check_newcomer(stream.seating, wish)
                self._absences.check(wish)
        except (IllegalAction, Denied) as why:
            self._refuse(link, wish, refused(wish.id, why))
            return None
        return self._pen.ready(draft)

    def _check_length(self, draft: Draft) -> None:
        """Raise Denied(LOG_FULL) for what brings no match to its end, once the log is long."""
        most = self._house.settings.table_entries
        if draft.entry.number > most and isinstance(draft.entry.command, Join | TakeBack):
            raise Denied(Refusal.LOG_FULL, "this table's log is long enough", most=most)

    async def _store(self, ready: Ready, link: Link | None, wish: Wish, done: Done | None) -> None:
        """Store, adopt, tell, answer; whatever is raised, it may have happened."""
        try:
            await self._pen.write(ready)
        except Lost:
            self._life.lose(link)
        except StoreError as trouble:
            if not isinstance(trouble, (Conflict, Unknown)):
                self._absences.store_failed()
            self._refuse(link, wish, refused(wish.id, trouble))
        else:
            self._adopt(ready.draft)
            self._grant(link, wish, ready.draft.entry.number, done)

    def _adopt(self, draft: Draft) -> None:
        """Make a stored draft the state, and tell everybody."""
        entry = draft.entry
        before = self.stream.seating.phase
        self.stream.accept(draft)
        self._absences.entry()
        self.recall.add(entry)
        self.updated = entry.time
        self._house.counters.entries += 1
        self.audience.tell(entry)
        if entry.seat is None or self.stream.seating.phase is not before:
            self._house.changed(self)
            if self.stream.seating.ended:
                self._life.ended()
            self.attendance.changed()
        self._abandon_empty()
        self.bots.wake()

    def _abandon_empty(self) -> None:
        """Close a table that everybody left before the match: nobody could start it."""
        seating = self.stream.seating
        if seating.phase is not Phase.WAITING or seating.host is not None:
            return
        wish = Wish(Close(Closing.ABANDONED), cause=Cause.HOUSE)
        with suppress(Denied):  # what is about to stop is closed the next time
            self.submit(None, wish)

    def reap(self, done: Done | None = None) -> bool:
        """Close a table that everybody gave up: whether that is under way, for nobody
        attends it. `done` is called once it is closed; never, if somebody comes first."""
        if self.audience.links:
            return False
        with suppress(Denied):
            self.submit(None, Wish(_REAP, cause=Cause.HOUSE), done)
            return True
        return False

    def _grant(self, link: Link | None, wish: Wish, number: int, done: Done | None) -> None:
        if link is not None and wish.id is not None:
            link.accepted(wish.id, number)
        if done is not None:
            done(number)

    def _refuse(self, link: Link | None, wish: Wish, answer: Refused) -> None:
        self._house.counters.refusals += 1
        if link is not None:
            link.tell(answer)
        elif wish.cause in (Cause.TIMEOUT, Cause.HOUSE):
            self._absences.refused(moved_on=answer.code in _UNSURE_STATES)
        elif wish.cause is Cause.BOT and wish.seat is not None:
            moved_on = answer.code in _UNSURE_STATES
            self.bots.refused(wish.seat, answer.code, moved_on=moved_on)

    def _bots_broken(self, error: Exception) -> None:
        """Not even the default could be played: another try may need another memory."""
        self._give_up(error)

    # its time in memory

    @property
    def since(self) -> int:
        """When the last entry came, by the house's ticker."""
        return self._absences.watch.since

    def due_in(self) -> int | None:
        """Milliseconds until it has to be in memory again; None: only if asked for."""
        if self._life.stage is Stage.LOST:
            return RETRY_MS  # what its log holds by now may make anything due
        due = due_of(self.stream)
        return None if due is None else max(0, due - self._absences.elapsed())

    @property
    def gone(self) -> bool:
        """Whether it left memory: its code has to be asked for anew."""
        return self._life.gone

    def _busy(self) -> bool:
        """Whether something is under way for which it has to be in memory."""
        return bool(self.recall.reading or self.bots.pending or self._absences.pending)

    def _let_go(self) -> None:
        self.bots.stop()
        self._absences.stop()
        self.attendance.stop()

    async def stop(self) -> None:
        """Finish the wish that is being carried out, refuse all others, and end."""
        self._life.drain()
        await self._task
