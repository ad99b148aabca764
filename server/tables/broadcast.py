"""Who attends one table: what each was sent last, and what each is sent next.

The public part of an update is packed once, and everybody gets the same bytes. Does not know
about sockets beyond `Subscriber`, nor about the store or games.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from engine.entry import Entry
from engine.stream import Stream
from protocol.codec import Tree
from protocol.delta import diff
from protocol.frames import pack_part, update_frames
from protocol.messages import FromServer, Happened, Peer, Presence, Snapshot
from protocol.project import Projector
from server.bots.queue import Waiter

_MOST_ELAPSED = (1 << 32) - 1
"""The most that a message can hold."""


class Subscriber(Protocol):
    """One connection, as a table sees it. None of its methods waits."""

    person: bytes
    """Public id of its session."""
    name: str
    network: str
    """Where it comes from."""
    seat: int | None
    """Its seat at the table it attends: match seat, or table seat while the table waits."""

    def update(self, number: int, frame: bytes) -> None:
        """Send an update that is packed already."""

    def accepted(self, id: bytes, number: int) -> None:
        """Say that the command `id` is entry `number`."""

    def tell(self, message: FromServer) -> None:
        """Send any other message."""

    def lose_table(self) -> None:
        """The table has left memory: close the connection, so that the client comes back."""


class Broadcast:
    """The subscribers of one table, and the views that they have."""

    __slots__ = ("_private", "_projector", "_public", "_stream", "subscribers")

    def __init__(self, projector: Projector, stream: Stream) -> None:
        self._projector = projector
        self._stream = stream
        self._public: Tree = None
        """The public view as of the last entry; None while nobody attends."""
        self._private: dict[int, Tree] = {}
        """The private view of each match seat that attends, as of the last entry."""
        self.subscribers: dict[Subscriber, None] = {}

    # who attends

    def seat_of(self, person: bytes) -> int | None:
        """Match seat of a session, or its table seat while no match has started."""
        seating = self._stream.seating
        return seating.match_seat_of(person) if seating.places else seating.seat_of(person)

    def has_room(self, subscriber: Subscriber, most: int, most_together: int) -> bool:
        """Whether `subscriber` may attend: at most `most` spectators do, and at most
        `most_together` of them from one network."""
        if subscriber in self.subscribers or self.seat_of(subscriber.person) is not None:
            return True
        there = [one.network for one in self.subscribers if one.seat is None]
        return len(there) < most and there.count(subscriber.network) < most_together

    def people(self) -> list[bytes]:
        """The public ids of all who attend."""
        return [subscriber.person for subscriber in self.subscribers]

    def waiters(self) -> tuple[Waiter, ...]:
        """All who attend, as those who wait for the bots."""
        return tuple([Waiter(one.network, one.person) for one in self.subscribers])

    def presence(self) -> Presence:
        """Who is there now, as everybody is told."""
        here = {one.person for one in self.subscribers if one.seat is not None}
        seats = tuple(
            None
            if occupant is None
            else Peer.BOT
            if occupant.bot is not None
            else Peer.HERE
            if occupant.person in here
            else Peer.AWAY
            for occupant in self._stream.seating.seats
        )
        return Presence(seats, sum(one.seat is None for one in self.subscribers))

    # snapshots

    def subscribe(self, subscriber: Subscriber, since: Iterable[Entry], elapsed: int = 0) -> None:
        """Send a snapshot, `elapsed` milliseconds after the last entry (told if a clock runs), with
        what the entries `since` brought; from now on send everything that happens."""
        stream, projector = self._stream, self._projector
        if not self.subscribers:
            self._public = projector.public(stream)
        subscriber.seat = seat = self.seat_of(subscriber.person)
        self.subscribers[subscriber] = None
        private = None
        if seat is not None:
            if seat not in self._private:
                self._private[seat] = projector.private(stream, seat)
            private = self._private[seat]
        happened = tuple([self._happened(entry, seat) for entry in since])
        elapsed = 0 if stream.clocks is None else min(elapsed, _MOST_ELAPSED)
        host = stream.seating.host == subscriber.person
        number = stream.number
        subscriber.tell(Snapshot(number, seat, self._public, private, happened, elapsed, host))

    def _happened(self, entry: Entry, seat: int | None) -> Happened:
        show = self._projector.happened
        private = () if seat is None else show(entry, seat)
        return Happened(entry.number, show(entry, None), private)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Send `subscriber` nothing more."""
        if subscriber not in self.subscribers:
            return
        del self.subscribers[subscriber]
        seat, subscriber.seat = subscriber.seat, None
        if not self.subscribers:
            self._public = None
            self._private.clear()
        elif seat is not None and all(other.seat != seat for other in self.subscribers):
            self._private.pop(seat, None)

    # updates

    def publish(self, entry: Entry) -> None:
        """Send everybody the update of an entry that is stored and adopted."""
        subscribers = self.subscribers
        if not subscribers:
            return
        stream, projector = self._stream, self._projector
        number = entry.number
        moved = self._reseat() if entry.seat is None else ()
        public = projector.public(stream)
        part = pack_part(projector.happened(entry, None), diff(self._public, public))
        self._public = public
        private = self._private_parts(entry)
        frame, frames = update_frames(number, part, private)
        for subscriber in tuple(subscribers):
            if subscriber in moved:
                self.subscribe(subscriber, (entry,))
            elif subscriber.seat is None or not private:
                subscriber.update(number, frame)
            else:
                subscriber.update(number, frames.get(subscriber.seat, frame))

    def _private_parts(self, entry: Entry) -> dict[int, bytes]:
        """The private parts of an update, by seat that attends and has one."""
        parts: dict[int, bytes] = {}
        stream, projector = self._stream, self._projector
        tells = projector.tells_seats(entry)
        for seat, old in self._private.items():
            new = projector.private(stream, seat)
            happened = projector.happened(entry, seat) if tells else ()
            if new != old:
                parts[seat] = pack_part(happened, diff(old, new))
                self._private[seat] = new
            elif happened:
                parts[seat] = pack_part(happened, ())
        return parts

    def _reseat(self) -> set[Subscriber]:
        """Give everybody their seat after an entry of the table. Those who have another one
        now are returned: they need a snapshot, because their views are of another seat."""
        subscribers = self.subscribers
        moved = {one for one in subscribers if one.seat != self.seat_of(one.person)}
        if moved:
            for subscriber in moved:
                subscriber.seat = self.seat_of(subscriber.person)
            seats = {one.seat for one in subscribers}
            moved_to = {one.seat for one in moved}
            for seat in tuple(self._private):
                if seat not in seats or seat in moved_to:
                    del self._private[seat]
        return moved
