"""Coming to a table, leaving it, and talking there. Everybody who attends is told at once; it is
in no stream and kept nowhere.

Does not know about sockets or games, nor how requests are carried out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from engine.entry import Entry
from engine.stream import Stream
from protocol.messages import Presence, Said
from server.refusals import Denied, RefusalCode
from server.tables.absence import Absences
from server.tables.broadcast import Broadcast, Subscriber
from server.tables.residency import Residency
from server.tables.timers import Stopwatch

_SECONDS = 0.05
"""Comings and goings within this time are told as one."""


class Attendance:
    """The people who attend one table."""

    __slots__ = (
        "_absences",
        "_broadcast",
        "_moved",
        "_residency",
        "_stream",
        "_timer",
        "_told",
        "_watch",
        "_watchers",
        "_watchers_together",
    )

    def __init__(
        self,
        broadcast: Broadcast,
        stream: Stream,
        watch: Stopwatch,
        absences: Absences,
        residency: Residency,
        watchers: int,
        watchers_together: int,
        moved: Callable[[], None],
    ) -> None:
        """At most `watchers` attend without a seat, and at most `watchers_together` of them
        from one network. `moved` is called when somebody has come or gone."""
        self._broadcast = broadcast
        self._stream = stream
        self._watch = watch
        self._absences = absences
        self._residency = residency
        self._watchers = watchers
        self._watchers_together = watchers_together
        self._moved = moved
        self._told: Presence | None = None
        """What everybody was told last."""
        self._timer: asyncio.TimerHandle | None = None

    def check_room(self, subscriber: Subscriber) -> None:
        """Raise Denied(TOO_MANY_WATCHERS) unless `subscriber` may attend."""
        most = self._watchers
        if not self._broadcast.has_room(subscriber, most, self._watchers_together):
            raise Denied(RefusalCode.TOO_MANY_WATCHERS, "too many watch this table", most=most)

    def join(self, subscriber: Subscriber, since: Iterable[Entry] = ()) -> None:
        """Send `subscriber` a snapshot with what the entries `since` brought, and from then on
        everything that happens."""
        self._broadcast.subscribe(subscriber, since, self._watch.elapsed())
        self._told = None  # the newcomer was told nothing yet
        self.changed()
        self._absences.presence_changed()
        self._moved()

    def leave(self, subscriber: Subscriber) -> None:
        """`subscriber` attends no longer."""
        self._broadcast.unsubscribe(subscriber)
        self.changed()
        self._absences.presence_changed()
        self._moved()
        self._residency.maybe_sleep()

    def changed(self) -> None:
        """Tell everybody soon who is there, if that is new."""
        if self._timer is None and self._broadcast.subscribers:
            self._timer = asyncio.get_running_loop().call_later(_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        presence = self._broadcast.presence()
        if presence != self._told:
            self._told = presence
            for subscriber in tuple(self._broadcast.subscribers):
                subscriber.tell(presence)

    def say(self, subscriber: Subscriber, text: str) -> None:
        """Send everybody a line of chat, which the caller has cleaned."""
        seating = self._stream.seating
        place = seating.seat_of(subscriber.person)
        occupant = None if place is None else seating.seats[place]
        said = Said(place, occupant.name if occupant else subscriber.name, text)
        for other in tuple(self._broadcast.subscribers):
            other.tell(said)

    def stop(self) -> None:
        """Tell nothing more."""
        if self._timer is not None:
            self._timer.cancel()
