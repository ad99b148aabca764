"""Who is there at a table: how they come and go, and what they say to each other. It is told
to all who attend, in no stream and kept nowhere.

Knows no socket and no game, and nothing of how wishes are carried out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from engine.entry import Entry
from engine.stream import Stream
from protocol.messages import Presence, Said
from server.refusals import Denied, Refusal
from server.tables.absence import Absences
from server.tables.broadcast import Audience, Subscriber
from server.tables.residency import Residency

_SECONDS = 0.05
"""Comings and goings within this time are told as one."""


class Attendance:
    """Those who attend one table."""

    __slots__ = (
        "_absences",
        "_audience",
        "_moved",
        "_residency",
        "_stream",
        "_timer",
        "_told",
        "_watchers",
        "_watchers_together",
    )

    def __init__(
        self,
        audience: Audience,
        stream: Stream,
        absences: Absences,
        residency: Residency,
        watchers: int,
        watchers_together: int,
        moved: Callable[[], None],
    ) -> None:
        """At most `watchers` attend without a seat, and so many of them from one network;
        `moved` is told that somebody came or went."""
        self._audience = audience
        self._stream = stream
        self._absences = absences
        self._residency = residency
        self._watchers = watchers
        self._watchers_together = watchers_together
        self._moved = moved
        self._told: Presence | None = None
        self._timer: asyncio.TimerHandle | None = None

    def check_room(self, subscriber: Subscriber) -> None:
        """Raise Denied(TOO_MANY_WATCHERS) unless `subscriber` may attend."""
        most = self._watchers
        if not self._audience.has_room(subscriber, most, self._watchers_together):
            raise Denied(Refusal.TOO_MANY_WATCHERS, "too many watch this table", most=most)

    def come(self, subscriber: Subscriber, since: Iterable[Entry] = ()) -> None:
        """Send `subscriber` a snapshot with what the entries `since` brought; from then on it
        is told everything."""
        self._audience.join(subscriber, since, self._absences.elapsed())
        self.changed(anew=True)
        self._absences.came_or_went()
        self._moved()

    def part(self, subscriber: Subscriber) -> None:
        """`subscriber` attends no more."""
        self._audience.part(subscriber)
        self.changed()
        self._absences.came_or_went()
        self._moved()
        self._residency.maybe_sleep()

    def changed(self, *, anew: bool = False) -> None:
        """Somebody came or went; `anew`: somebody who was told nothing yet."""
        if anew:
            self._told = None
        if self._timer is None and self._audience.subscribers:
            self._timer = asyncio.get_running_loop().call_later(_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        presence = self._audience.presence()
        if presence != self._told:
            self._told = presence
            for subscriber in tuple(self._audience.subscribers):
                subscriber.tell(presence)

    def say(self, subscriber: Subscriber, text: str) -> None:
        """A line of chat, cleaned before, to everybody."""
        seating = self._stream.seating
        place = seating.seat_of(subscriber.person)
        occupant = None if place is None else seating.seats[place]
        said = Said(place, occupant.name if occupant else subscriber.name, text)
        for other in tuple(self._audience.subscribers):
            other.tell(said)

    def stop(self) -> None:
        """Tell nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
