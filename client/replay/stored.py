"""Opens a stored match: a record, a transcript, or a table in a server's database, each as a
recording and what verification finds.

A composition module: it may import everything. What takes time to import is imported when it is
needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from client.replay.progress import Progress, Watched, nobody

if TYPE_CHECKING:
    from client.replay.log import StoredLog
    from client.replay.recording import Note, Recording, Viewpoint
    from engine.entry import Entry
    from engine.stream import Stream
    from engine.verify import Finding
    from protocol.chain import FileError, Source
    from protocol.codec import ProtocolError

EXIT_UNSOUND = 1
EXIT_UNREADABLE = 3


class Trouble(Exception):
    """Ends the command: one line for stderr in plain words, and the exit code."""

    def __init__(self, text: str, code: int, *, where: str = "", fault: str = "") -> None:
        """`where` the trouble is, if that is known; `fault`: a stable word for programs."""
        super().__init__(f"{where}: {text}" if where else text)
        self.code = code
        self.coded = f"{where}: {fault}: {text}" if fault else str(self)
        """The line for programs."""


@frozen
class Stored:
    """A stored match: its recording, and what verification finds out about it (on demand)."""

    recording: Recording
    verify: Callable[[], Sequence[Finding]] = field(repr=False)
    proves: str = ""
    """What it is evidence of, if that is less than the whole game."""
    entries: StoredLog | tuple[()] = field(default=(), repr=False)
    """Its log; empty for a transcript."""

    def watch(self, watch: Callable[[int], object]) -> None:
        """Call `watch` with the number of each entry that is read."""
        if self.entries:
            self.entries.watch = watch


def open_file(path: Path, progress: Progress = nobody) -> Stored:
    """A record or a transcript; raises Trouble."""
    from protocol.chain import FileError
    from protocol.transcript import TRANSCRIPT

    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            source = Watched(file, lambda done: progress("reading", done, size))
            magic = file.read(len(TRANSCRIPT.magic))
            file.seek(0)
            return (_transcript if magic == TRANSCRIPT.magic else _record)(source)
    except FileError as error:
        raise _unsound(str(path), error) from None
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror or error}", EXIT_UNREADABLE) from None


def _record(source: Source) -> Stored:
    from client.replay.log import StoredLog
    from engine.verify import verify
    from protocol.entries import entry_codec
    from protocol.record import check_record

    bodies: list[bytes] = []
    checked = check_record(source, lambda _, body: bodies.append(body))
    entries = StoredLog(entry_codec(checked.stream.game.vocabulary), bodies)
    recording = recording_of("record", entries, checked.stream, reveal=False)
    chained = _chained(f"header, {len(entries)} entries and end mark are in their places")
    result = checked.ending.result
    return Stored(recording, lambda: (chained, *verify(entries, result)), entries=entries)


def _transcript(source: Source) -> Stored:
    from client.replay.recording import SPECTATOR, Recording, Viewpoint
    from client.replay.steps import StepData
    from engine.verify import Finding, Subject, Verdict
    from protocol.delta import apply
    from protocol.project import PUBLIC
    from protocol.transcript import check_transcript, decode_message

    bodies: list[bytes] = []
    public: Any = None

    def each(message: Any, body: bytes) -> None:
        nonlocal public
        bodies.append(body)
        first = len(bodies) == 1
        public = message.public if first else apply(public, message.public[1])

    heading, ended = check_transcript(source, each)
    view = SPECTATOR if heading.seat is None else Viewpoint(heading.seat)
    audience = "spectators" if heading.seat is None else f"seat {heading.seat + 1}"
    recording = Recording(
        f"transcript of table {heading.code} for {audience}",
        PUBLIC.unpack(public).table,
        len(bodies),
        [view],
        lambda _: lambda at: StepData(decode_message(bodies[at])),
        running=not ended,
    )
    chained = _chained(f"{len(bodies)} messages are in their places")
    nothing = "a transcript holds what was sent, not what it was made from"
    return Stored(
        recording,
        lambda: (
            chained,
            *(
                Finding(subject, Verdict.NOT_DERIVED, nothing)
                for subject in Subject
                if subject is not Subject.CHAIN
            ),
        ),
        f"a transcript proves only what was sent to {audience}",
    )


def open_db(path: Path, table: str, *, reveal: bool, progress: Progress = nobody) -> Stored:
    """A table of a server's database, running or ended; raises Trouble."""
    from client.join.codes import table_code
    from engine.verify import verify
    from protocol.chain import FileError
    from server.startup_errors import explain, reason_of
    from server.store.port import Damaged, StoreError
    from server.store.reader import Reader

    place = f"table {table} in {path}"
    try:
        with Reader(path) as reader:
            listed = reader.find(table) or reader.find(table_code(table))
            rows = reader.read(listed.code).rows if listed is not None else ()
            bodies = [row.body for row in rows]
    except StoreError as error:
        code = EXIT_UNSOUND if isinstance(error, Damaged) else EXIT_UNREADABLE
        raise Trouble(explain(error), code, where=str(path), fault=error.code) from None
    except OSError as error:
        raise Trouble(f"{path}: {reason_of(error)}", EXIT_UNREADABLE) from None
    if listed is None or not bodies:
        raise Trouble(f"{path}: there is no table {table}", EXIT_UNREADABLE)
    try:
        entries, stream = _folded(listed.game, bodies, progress)
    except FileError as error:
        raise _unsound(place, error) from None
    recording = recording_of("table", entries, stream, reveal=reveal)
    chained = _chained(f"{len(entries)} entries are those that the server wrote")
    result = None if stream.match is None else stream.match.result
    return Stored(recording, lambda: (chained, *verify(entries, result)), entries=entries)


def _folded(game: str, bodies: Sequence[bytes], progress: Progress) -> tuple[StoredLog, Stream]:
    """The log of a table of a game, and its fold; raises FileError."""
    from client.replay.log import StoredLog
    from protocol.entries import entry_codec
    from protocol.record import each_entry, fold

    def entries() -> Iterator[Entry]:
        for entry in each_entry(game, bodies):
            progress("reading", entry.number, len(bodies))
            yield entry

    stream = fold(entries())
    return StoredLog(entry_codec(stream.game.vocabulary), bodies), stream


def _unsound(where: str, error: FileError) -> Trouble:
    return Trouble(error.detail, EXIT_UNSOUND, where=where, fault=str(error.fault))


def misfit(where: str, error: ProtocolError) -> Trouble:
    """The trouble with a log that is whole and can be folded, but cannot be shown."""
    from protocol.chain import Fault

    text = f"what is stored does not fit together: {error}"
    return Trouble(text, EXIT_UNSOUND, where=where, fault=str(Fault.IMPOSSIBLE))


def _chained(detail: str) -> Finding:
    """The finding on the chain: reading would have failed if it did not hold."""
    from engine.verify import Finding, Subject, Verdict

    return Finding(Subject.CHAIN, Verdict.HOLDS, detail)


# the recording of a log


def recording_of(kind: str, entries: Sequence[Entry], stream: Stream, *, reveal: bool) -> Recording:
    """The recording of a log whose fold is `stream`; `reveal` opens one that still runs."""
    from client.replay.log import Projection
    from client.replay.recording import EVERYBODY, SPECTATOR, Recording, Viewpoint
    from protocol.project import Projector, table_view

    seating, match = stream.seating, stream.match
    seats = match.setup.seats if match is not None else 0
    views = [SPECTATOR]
    if seating.ended or reveal:
        views = [EVERYBODY, SPECTATOR, *map(Viewpoint, range(seats))]
    projector = Projector(stream.game)
    return Recording(
        f"{kind} of table {seating.code}" if kind == "record" else f"table {seating.code}",
        table_view(seating),
        len(entries),
        views,
        lambda view: Projection(entries, projector, view.seat, seating.places, every=view.every),
        running=not seating.ended,
        annotate=lambda number, view: _note(entries[number - 1], view),
    )


def _note(entry: Entry, view: Viewpoint) -> Note:
    """The note on an entry: all of it for everybody's viewpoint; for others the command only if
    it is their own."""
    from client.replay.recording import EVERYBODY
    from client.replay.retell import plain_value
    from client.replay.steps import Note
    from client.text import clean_all

    everything = view == EVERYBODY
    own = everything or (entry.seat is not None and entry.seat == view.seat)
    return Note(
        time=entry.time,
        cause=entry.cause.name.lower(),
        seat=entry.seat,
        command=clean_all(entry.command) if own else None,
        sealed=plain_value(clean_all(entry.sealed)) if everything else None,
    )
