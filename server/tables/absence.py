"""Keeps absent people from holding up a table: clocks that run out, votes, hosts that are gone.

`Absences` watches one table and puts what is due into its inbox, like everything else: what
comes first counts. The engine decides what may be done; this module decides when to ask for it,
by presence and a clock that only goes forward. Does not know about games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.clock import Absence
from engine.entry import Cause
from engine.match import Match
from engine.stream import Request, Stream
from engine.table.words import PassHost, Phase, SitOut, Vote
from server.refusals import Denied, RefusalCode
from server.tables.timers import RETRY_MS, Alarm, Stopwatch, Ticker


class Absences:
    """The absent people of one table."""

    __slots__ = (
        "_alarm",
        "_host_gone",
        "_host_ms",
        "_present",
        "_retrying",
        "_silent_ms",
        "_stopped",
        "_stream",
        "_submit",
        "_ticker",
        "_under_way",
        "_vote_ms",
        "_watch",
    )

    def __init__(
        self,
        ticker: Ticker,
        watch: Stopwatch,
        stream: Stream,
        submit: Callable[[Request], None],
        present: Callable[[], Iterable[bytes]],
        *,
        vote_seconds: float,
        silent_seconds: float,
        host_seconds: float,
    ) -> None:
        """`watch` has the times of the stream's entries; `submit` puts a request into the inbox
        (it may raise Denied); `present` returns the public ids of those who attend."""
        self._ticker = ticker
        self._stream = stream
        self._submit = submit
        self._present = present
        self._vote_ms = int(vote_seconds * 1000)
        self._silent_ms = int(silent_seconds * 1000)
        self._host_ms = int(host_seconds * 1000)
        self._alarm = Alarm(ticker, self._ring)
        self._host_gone: int | None = None
        """When the host of a waiting table left, by the ticker."""
        self._under_way: tuple[int, int] | None = None
        """(seat, token) of the request in the inbox that is not decided yet."""
        self._retrying = False
        """Whether the alarm is set for another attempt."""
        self._stopped = False
        self._watch = watch
        self._look()

    @property
    def pending(self) -> bool:
        """Whether something due is under way, or will be tried again."""
        return self._under_way is not None or self._retrying

    # what happens at the table

    def entry_adopted(self) -> None:
        """The table has a new last entry."""
        match = self._stream.match
        self._watch.entry(() if match is None else (a.token for a in match.asked.values()))
        self._under_way = None
        self._look()

    def presence_changed(self) -> None:
        """Somebody has come or gone."""
        seating = self._stream.seating
        if seating.phase is Phase.WAITING:
            self._look()
        elif seating.votes:
            self._count_votes()

    def store_failed(self) -> None:
        """An entry could not be stored: nobody's time may run out because of that."""
        self._watch.hold()
        if self._stream.clocks is not None:
            self._look()

    def refused(self, *, moved_on: bool) -> None:
        """What was due could not be done. It is tried again, unless the state has changed
        meanwhile (`moved_on`)."""
        self._under_way = None
        if moved_on:
            self._look()
        else:
            self._try_later()

    def _try_later(self) -> None:
        if not self._stopped:
            self._retrying = True
            self._alarm.set(RETRY_MS)

    def stop(self) -> None:
        """Ask for nothing more."""
        self._stopped = True
        self._alarm.set(None)

    # what is due

    def _look(self) -> None:
        """Set the alarm for what is due next."""
        stream = self._stream
        seating = stream.seating
        if self._stopped:
            return
        self._retrying = False
        if seating.phase is Phase.WAITING:
            self._alarm.set(self._host_left())
            return
        self._host_gone = None
        if seating.votes:
            self._count_votes()
            if self._retrying:
                return
        if stream.clocks is None and "" not in seating.sitting_in:
            self._alarm.set(None)
            return
        due = stream.due()
        self._alarm.set(None if due is None else due.after - self._watch.elapsed())

    def _ring(self) -> None:
        if self._stopped:
            return
        self._retrying = False
        try:
            self._do_what_is_due()
        except Exception:
            # a fault in a game, for example, must not stop the table
            self._try_later()
            raise

    def _do_what_is_due(self) -> None:
        if self._stream.seating.phase is Phase.WAITING:
            self._pass_host()
            return
        if self._stream.seating.votes:
            self._count_votes()
        match, due = self._stream.match, self._stream.due()
        if match is None or due is None:
            return
        left = due.after - self._watch.elapsed()
        if left > 0:
            self._alarm.set(left)
            return
        token = match.asked[due.seat].token
        if self._under_way != (due.seat, token):
            self._under_way = (due.seat, token)
            self._request(self._answer(match, due.seat, token))

    def _answer(self, match: Match[Any], seat: int, token: int) -> Request:
        """The request for a seat whose time is up."""
        seating = self._stream.seating
        if seating.stand_in(seat) is None and seating.absence is not Absence.DEFAULT:
            return Request(self._sit_out(seat), cause=Cause.TIMEOUT)
        default = match.game.default(match.state, seat)
        return Request(default, None, None, seat, token, Cause.TIMEOUT)

    def _sit_out(self, seat: int) -> SitOut:
        levels = tuple(self._stream.game.bots)
        sits_in = self._stream.seating.absence is Absence.BOT and levels
        return SitOut(seat, levels[-1] if sits_in else "")

    def _request(self, request: Request) -> None:
        try:
            self._submit(request)
        except Denied:
            self.refused(moved_on=False)

    # votes

    def check(self, request: Request) -> None:
        """Raise Denied(TOO_SOON) for a vote about a seat that was asked only recently."""
        if not isinstance(request.command, Vote):
            return
        match, seat = self._stream.match, request.command.seat
        asked = None if match is None else match.asked.get(seat)
        if asked is None:
            return
        occupant = self._stream.seating.occupant(seat)
        here = occupant is not None and occupant.person in set(self._present())
        left = (self._silent_ms if here else self._vote_ms) - self._watch.age(asked.token)
        if left > 0:
            seconds = -(-left // 1000)
            raise Denied(RefusalCode.TOO_SOON, "that seat may still be thinking", seconds=seconds)

    def _count_votes(self) -> None:
        """Have each seat played for that more than half of the others who are there call
        absent."""
        seating = self._stream.seating
        here = set(self._present())
        match = self._stream.match
        there = [
            seat
            for seat in range(len(seating.places))
            if seating.stand_in(seat) is None
            and (occupant := seating.occupant(seat)) is not None
            and occupant.person in here
        ]
        for seat in sorted({seat for seat, _ in seating.votes}):
            others = [other for other in there if other != seat]
            voted = [by for by in seating.voters(seat) if by in others]
            asked = None if match is None else match.asked.get(seat)
            if asked is None or 2 * len(voted) <= len(others):
                continue
            if self._under_way != (seat, asked.token):
                self._under_way = (seat, asked.token)
                self._request(Request(self._sit_out(seat), token=asked.token, cause=Cause.HOUSE))

    # hosts

    def _host_left(self) -> int | None:
        """Milliseconds until somebody else becomes host; None if the host is there, or nobody
        is there to take over."""
        host = self._stream.seating.host
        if host is None or host in self._present():
            self._host_gone = None
            return None
        now = self._ticker.now()
        if self._host_gone is None:
            self._host_gone = now
        left = self._host_gone + self._host_ms - now
        return left if left > 0 or self._heir() is not None else None

    def _heir(self) -> bytes | None:
        """The seated person who becomes host: the first who is there."""
        here = set(self._present())
        seats = self._stream.seating.seats
        people = (occupant.person for occupant in seats if occupant is not None)
        return next((person for person in people if person is not None and person in here), None)

    def _pass_host(self) -> None:
        left = self._host_left()
        heir = self._heir()
        if left is None or heir is None:
            return
        if left > 0:
            self._alarm.set(left)
        else:
            self._request(Request(PassHost(heir), cause=Cause.HOUSE))
