"""Those who attend one table: what each was sent last, and what each is sent next.

Packs the public part of an update once and gives everybody the same bytes. Knows
nothing of sockets beyond the `Subscriber` it is given, nothing of the store, and no game.
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
"""What a message can hold."""


class Subscriber(Protocol):
    """One connection, as a table sees it. None of its methods waits."""

    person: bytes
    """Public id of its session."""
    name: str
    network: str
    """Where it comes from."""
    seat: int | None
    """Its seat at the table attended: match seat, or table seat while the table waits."""

    def update(self, number: int, frame: bytes) -> None:
        """Send a ready update."""

    def accepted(self, id: bytes, number: int) -> None:
        """Say that the command `id` is entry `number`."""

    def tell(self, message: FromServer) -> None:
        """Send any other message."""

    def lose_table(self) -> None:
        """The table attended is gone from memory: close, to come back later."""


class Audience:
    """The subscribers of one table, and the views that they have."""

    __slots__ = ("_private", "_projector", "_public", "_stream", "subscribers")

    def __init__(self, projector: Projector, stream: Stream) -> None:
        self._projector = projector
        self._stream = stream
        self._public: Tree = None
        """The public view as of the last entry; None while nobody attends."""
        self._private: dict[int, Tree] = {}
        """By match seat that attends: its private view as of the last entry."""
        self.subscribers: dict[Subscriber, None] = {}

    def seat_of(self, person: bytes) -> int | None:
        """Match seat of a session, or its table seat while no match has started."""
        seating = self._stream.seating
        return seating.match_seat_of(person) if seating.places else seating.seat_of(person)

    def has_room(self, subscriber: Subscriber, most: int, most_together: int) -> bool:
        """Whether `subscriber` may attend: of spectators at most so many, and at most so many of
        them from one network."""
        if subscriber in self.subscribers or self.seat_of(subscriber.person) is not None:
            return True
        there = [one.network for one in self.subscribers if one.seat is None]
        return len(there) < most and there.count(subscriber.network) < most_together

    def waiters(self) -> tuple[Waiter, ...]:
        """Who waits for what the bots do."""
        return tuple([Waiter(one.network, one.person) for one in self.subscribers])

    def watchers(self) -> int:
        """How many attend without a seat."""
        return sum(subscriber.seat is None for subscriber in self.subscribers)

    def join(self, subscriber: Subscriber, since: Iterable[Entry], elapsed: int = 0) -> None:
        """Send a snapshot, `elapsed` milliseconds after the last entry (if a clock runs);
        from now on `subscriber` is told what happens."""
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
        elapsed = min(elapsed, _MOST_ELAPSED)
        host = stream.seating.host == subscriber.person
        number = stream.number
        subscriber.tell(Snapshot(number, seat, self._public, private, happened, elapsed, host))

    def _happened(self, entry: Entry, seat: int | None) -> Happened:
        show = self._projector.happened
        private = () if seat is None else show(entry, seat)
        return Happened(entry.number, show(entry, None), private)

    def part(self, subscriber: Subscriber) -> None:
        """`subscriber` attends no more."""
        if subscriber not in self.subscribers:
            return
        del self.subscribers[subscriber]
        seat, subscriber.seat = subscriber.seat, None
        if not self.subscribers:
            self._public = None
            self._private.clear()
        elif seat is not None and all(other.seat != seat for other in self.subscribers):
            self._private.pop(seat, None)

    def tell(self, entry: Entry) -> None:
        """Tell everybody of an entry that is stored and adopted."""
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
                self.join(subscriber, (entry,))
            elif subscriber.seat is None or not private:
                subscriber.update(number, frame)
            else:
                subscriber.update(number, frames.get(subscriber.seat, frame))

    def _private_parts(self, entry: Entry) -> dict[int, bytes]:
        """By seat that attends, its part, where it has something of its own to know."""
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
        """The subscribers whose seat is another one after an entry of the table: they get a
        snapshot, for what they have is another audience's."""
        moved = {one for one in self.subscribers if one.seat != self.seat_of(one.person)}
        if moved:
            for subscriber in moved:
                subscriber.seat = self.seat_of(subscriber.person)
            seats = {subscriber.seat for subscriber in self.subscribers}
            moved_to = {subscriber.seat for subscriber in moved}
            for seat in tuple(self._private):
                if seat not in seats or seat in moved_to:
                    del self._private[seat]
        return moved

    def presence(self) -> Presence:
        """Who is there now."""
        here = {subscriber.person for subscriber in self.subscribers if subscriber.seat is not None}
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
        return Presence(seats, self.watchers())
