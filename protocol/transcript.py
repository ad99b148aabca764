"""Transcripts: everything that one audience was sent of a table, and nothing else.

A transcript is a different kind of file than a record, with a chain of its own: a snapshot as of
the first entry and one update for each later entry, byte for byte the frames of the wire. It may be
given out while the match runs, because it holds nothing that the audience does not know already.
Does not know games, and opens no file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import frozen

from engine.entry import Entry
from engine.stream import Stream
from protocol.chain import Fault, FileError, FileKind, PartKind, Source, read_parts, write_parts
from protocol.codec import Codec, ProtocolError, Tree
from protocol.delta import diff
from protocol.messages import Happened, Snapshot, Update, server_codec
from protocol.project import Projector

TRANSCRIPT = FileKind(b"\x89RATRA\r\n", 1, "transcript")
_VERSION = 1
"""The version of the protocol whose frames are in a transcript, whatever its reader speaks: none of
the later fields says what happened at the table."""


@frozen
class Heading:
    """What a transcript is about, and for whom."""

    code: str
    """The table's code."""
    game: str
    rules: int
    ruleset: str
    options: tuple[str, ...]
    software: str
    """Name and version of the program that wrote it."""
    seat: int | None
    """The match seat whose transcript it is; None for everybody."""


@frozen
class EndMark:
    """The end mark."""

    ended: bool
    """Whether the table had ended; if not, the match was still running."""


HEADING: Codec[Heading] = Codec(Heading)
END_MARK: Codec[EndMark] = Codec(EndMark)


class Follower:
    """Follows a stream for one audience, entry by entry, as the server does live."""

    def __init__(self, projector: Projector, stream: Stream, seat: int | None) -> None:
        self._projector = projector
        self._seat = seat
        self.public: Tree = projector.public(stream)
        self.private: Tree = projector.private(stream, seat)

    def snapshot(self, stream: Stream, entry: Entry, place: int | None) -> Snapshot:
        """The current views, with what `entry`, the last one, brought.

        `place` is the audience's table seat, by which it is known until a match starts.
        """
        happened = Happened(
            entry.number,
            self._projector.happened(entry, None),
            () if self._seat is None else self._projector.happened(entry, self._seat),
        )
        seat = place if stream.match is None else self._seat
        return Snapshot(stream.number, seat, self.public, self.private, (happened,))

    def update(self, stream: Stream, entry: Entry) -> Update:
        """The update for `entry`, which `stream` has just accepted."""
        public = self._projector.public(stream)
        part = (self._projector.happened(entry, None), diff(self.public, public))
        self.public = public
        return Update(entry.number, part, self._private(stream, entry))

    def _private(self, stream: Stream, entry: Entry) -> tuple[tuple[Tree, ...], Tree] | None:
        if self._seat is None:
            return None
        private = self._projector.private(stream, self._seat)
        happened = self._projector.happened(entry, self._seat)
        delta = diff(self.private, private)
        self.private = private
        return (happened, delta) if happened or delta else None


def write_transcript(
    entries: Sequence[Entry], projector: Projector, seat: int | None, software: str
) -> Iterator[bytes]:
    """The bytes of the transcript for match seat `seat` (a table seat while no match has started;
    None: everybody), part by part.

    `entries` are those of the table so far, at least the first. Raises BrokenLog.
    """
    stream = Stream.replay(entries, lambda _: projector.game)
    seating = stream.seating
    heading = Heading(
        code=seating.code,
        game=seating.game,
        rules=seating.rules,
        ruleset=seating.ruleset,
        options=seating.options,
        software=software,
        seat=seat,
    )
    frames = map(server_codec(_VERSION).encode, follow(entries, projector, seat, seating.places))
    end = END_MARK.encode(EndMark(seating.ended))
    return write_parts(TRANSCRIPT, HEADING.encode(heading), frames, end)


def follow(
    entries: Sequence[Entry], projector: Projector, seat: int | None, places: tuple[int, ...]
) -> Iterator[Snapshot | Update]:
    """What the audience `seat` is sent for `entries`: a snapshot as of the first and an update for
    each later one. `places` are the table seats of the match seats. Raises BrokenLog."""
    stream = Stream(entries[0], lambda _: projector.game)
    follower = Follower(projector, stream, seat)
    place = places[seat] if seat is not None and places else seat
    yield follower.snapshot(stream, entries[0], place)
    for entry in entries[1:]:
        stream.fold(entry)
        yield follower.update(stream, entry)


@frozen
class WholeTranscript:
    """A whole transcript, read."""

    heading: Heading
    snapshot: Snapshot
    updates: tuple[Update, ...]
    ended: bool


def read_transcript(source: Source) -> WholeTranscript:
    """The whole transcript in `source`; raises FileError and nothing else."""
    messages: list[Any] = []
    heading, ended = check_transcript(source, lambda message, _: messages.append(message))
    return WholeTranscript(heading, messages[0], tuple(messages[1:]), ended)


def check_transcript(
    source: Source, each: Callable[[Snapshot | Update, bytes], object]
) -> tuple[Heading, bool]:
    """Read a transcript to its end, message by message: `each` is called with every message and its
    bytes. Returns its heading, and whether the table had ended. Raises FileError and nothing
    else."""
    parts = read_parts(source, TRANSCRIPT)
    number, ended, misplaced = 0, False, 0
    try:
        heading = HEADING.decode(next(parts).body)
        for part in parts:
            if part.kind is PartKind.END:
                ended = END_MARK.decode(part.body).ended
                continue
            number += 1
            message = decode_message(part.body)
            wanted = Snapshot if number == 1 else Update
            if not isinstance(message, wanted) or message.number != number:
                misplaced = misplaced or number
            elif not misplaced:
                each(message, part.body)
    except ProtocolError as error:
        raise FileError(Fault.UNREADABLE, 0, str(error)) from error
    if misplaced:
        kind = Snapshot if misplaced == 1 else Update
        raise FileError(
            Fault.UNREADABLE, misplaced, f"part {misplaced} is no {kind.__name__} {misplaced}"
        )
    if number == 0:
        raise FileError(Fault.UNREADABLE, 1, "a transcript begins with a snapshot")
    return heading, ended


def decode_message(body: bytes) -> Any:
    """A message of a transcript from its bytes; raises ProtocolError."""
    return server_codec(_VERSION).decode(body)
