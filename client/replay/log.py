"""A stored log in little memory: its entries stay the bytes that are stored, and each is decoded
when it is asked for; and what the entries show to a viewer.

A composition module, like `stored`: the kernel says what an entry leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from client.replay.steps import Private, StepData
from engine.entry import Entry
from engine.stream import Stream
from protocol.codec import Codec, Tree, dumps, loads
from protocol.delta import diff
from protocol.messages import SERVER_CODEC
from protocol.project import Projector
from protocol.transcript import Follower

_MOST_BYTES = 1 << 24
"""The most bytes that one step takes when it is kept."""


class StoredLog(Sequence[Entry]):
    """Entries by index, kept as bytes."""

    def __init__(self, codec: Codec[Entry], bodies: Sequence[bytes]) -> None:
        self._codec = codec
        self._bodies = bodies
        self.watch: Callable[[int], object] = lambda number: None
        """Called with the number of each entry that is iterated over."""

    def __len__(self) -> int:
        return len(self._bodies)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> StoredLog: ...
    def __getitem__(self, index: int | slice) -> Entry | StoredLog:
        if isinstance(index, slice):
            part = StoredLog(self._codec, self._bodies[index])
            part.watch = self.watch
            return part
        return self._codec.decode(self._bodies[index])

    def __iter__(self) -> Iterator[Entry]:
        for body in self._bodies:
            entry = self._codec.decode(body)
            self.watch(entry.number)
            yield entry


class Projection:
    """What a viewer is sent of a log, step by step: by index, cheapest in order."""

    def __init__(
        self,
        entries: Sequence[Entry],
        projector: Projector,
        seat: int | None,
        places: tuple[int, ...],
        *,
        every: bool = False,
    ) -> None:
        """`seat` is the viewer's match seat; `places` are the table seats of the players. With
        `every`, everything that each player alone is sent is added to what the viewer is sent."""
        self._projector = projector
        self._shown = tuple(range(len(places))) if every else ()
        self._run = self._follow(entries, seat, places)
        self._taken: list[bytes] = []

    def __call__(self, at: int) -> StepData:
        """The data of a step."""
        while len(self._taken) <= at:
            data = next(self._run)
            packed = (SERVER_CODEC.pack(data.message), data.privates)
            self._taken.append(dumps(packed))
            if len(self._taken) == at + 1:
                return data
        message, privates = loads(self._taken[at], _MOST_BYTES)
        return StepData(SERVER_CODEC.unpack(message), privates)

    def _follow(
        self, entries: Sequence[Entry], seat: int | None, places: tuple[int, ...]
    ) -> Iterator[StepData]:
        projector = self._projector
        rest = iter(entries)
        first = next(rest)
        stream = Stream(first, lambda _: projector.game)
        follower = Follower(projector, stream, seat)
        place = places[seat] if seat is not None and places else seat
        trees = [projector.private(stream, one) for one in self._shown]
        begun: list[Private] = [
            (projector.happened(first, one), tree)
            for one, tree in zip(self._shown, trees, strict=True)
        ]
        yield StepData(follower.snapshot(stream, first, place), tuple(begun))
        for entry in rest:
            stream.fold(entry)
            message = follower.update(stream, entry)
            yield StepData(
                message, tuple([self._private(stream, entry, at, trees) for at in self._shown])
            )

    def _private(self, stream: Stream, entry: Entry, seat: int, trees: list[Tree]) -> Private:
        tree = self._projector.private(stream, seat)
        happened, change = self._projector.happened(entry, seat), diff(trees[seat], tree)
        trees[seat] = tree
        return (happened, change) if happened or change else None
