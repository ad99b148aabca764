"""Records: an ended match as one self-contained file, `.ra` (docs/record.md).

A header, numbered entries with everything in them, the secret included, and an end mark with the
result. A running match is never written as a record: what may leave the server of it is a
transcript (`protocol.transcript`), a different kind of file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from attrs import frozen

from engine.entry import Entry
from engine.errors import BrokenLog, FutureLog, IllegalAction
from engine.game import FindGame, Game, Result, find_game
from engine.stream import Stream
from engine.table.state import Seating
from engine.table.words import Phase
from protocol.chain import Fault, FileError, FileKind, PartKind, Source, read_parts, write_parts
from protocol.codec import Codec, ProtocolError
from protocol.entries import UnknownEvent, UnknownField, entry_codec

RECORD = FileKind(b"\x89RAREC\r\n", 1, "record")


@frozen
class RecordedPlayer:
    """A match seat's occupant."""

    name: str
    bot: str | None
    """A bot's level; None for a person."""


@frozen
class Header:
    """What a record is about."""

    game: str
    rules: int
    ruleset: str
    options: tuple[str, ...]
    software: str
    """Name and version of the program that wrote it."""
    code: str
    """The table's code."""
    players: tuple[RecordedPlayer, ...]
    """By match seat; those who sat there if no match was started."""


@frozen
class Ending:
    """How the table ended, as it stood when the record was written."""

    phase: Phase
    result: Result | None
    """None if the match did not come to an end."""


HEADER: Codec[Header] = Codec(Header)
ENDING: Codec[Ending] = Codec(Ending)

T = TypeVar("T")


def header_of(stream: Stream, software: str) -> Header:
    """The header of a record of `stream`."""
    seating = stream.seating
    return Header(
        game=seating.game,
        rules=seating.rules,
        ruleset=seating.ruleset,
        options=seating.options,
        software=software,
        code=seating.code,
        players=_players(seating),
    )


def ending_of(stream: Stream) -> Ending:
    """How `stream` stands now."""
    return Ending(stream.seating.phase, None if stream.match is None else stream.match.result)


def _players(seating: Seating) -> tuple[RecordedPlayer, ...]:
    return tuple(RecordedPlayer(o.name, o.bot) for o in seating.seats if o is not None)


def write_record(stream: Stream, bodies: Iterable[bytes], software: str) -> Iterator[bytes]:
    """The bytes of the record of an ended table, part by part.

    `stream` is the fold of `bodies`, which are its entries as they are stored. Raises ValueError at
    once while the table runs, and for bodies that are not all of its entries.
    """
    if not stream.seating.ended:
        raise ValueError("a running match leaves as a transcript, never as a record")
    header = HEADER.encode(header_of(stream, software))
    end = ENDING.encode(ending_of(stream))
    return write_parts(RECORD, header, _counted(bodies, stream.number), end)


def _counted(bodies: Iterable[bytes], number: int) -> Iterator[bytes]:
    count = 0
    for body in bodies:
        count += 1
        yield body
    if count != number:
        raise ValueError(f"{count} entries given of {number}")


class RecordReader:
    """Reads a record entry by entry. Iterate it to its end: only then is there an `ending`, and
    only then is the file known to be whole. Raises FileError at any point."""

    def __init__(self, source: Source, find: FindGame = find_game) -> None:
        self._parts = read_parts(source, RECORD)
        self.header = _unpack(HEADER, next(self._parts).body, 0)
        self.game = _known_game(self.header.game, self.header.rules, find)
        self.ending: Ending | None = None
        self.body = b""
        """The bytes of the entry that was yielded last."""
        self._codec = entry_codec(self.game.vocabulary)

    def __iter__(self) -> Iterator[Entry]:
        for part in self._parts:
            if part.kind is PartKind.END:
                self.ending = _unpack(ENDING, part.body, part.number)
                return
            entry = _unpack(self._codec, part.body, part.number)
            self.body = part.body
            if entry.number != part.number:
                raise FileError(
                    Fault.UNREADABLE,
                    part.number,
                    f"part {part.number} holds entry {entry.number}",
                )
            yield entry


@frozen
class WholeRecord:
    """A whole record, read and folded: its entries lead to its ending."""

    header: Header
    entries: tuple[Entry, ...]
    ending: Ending


def read_record(source: Source, find: FindGame = find_game) -> WholeRecord:
    """The whole record in `source`, folded once; raises FileError and nothing else.

    The match ended as its end mark says: a shortened match is never returned.
    """
    entries: list[Entry] = []
    checked = check_record(source, lambda entry, _: entries.append(entry), find)
    return WholeRecord(checked.header, tuple(entries), checked.ending)


@frozen
class Checked:
    """What is known about a whole record without keeping its entries."""

    header: Header
    ending: Ending
    stream: Stream
    """The fold of its entries."""


def check_record(
    source: Source, each: Callable[[Entry, bytes], object], find: FindGame = find_game
) -> Checked:
    """Read a record to its end, entry by entry: `each` is called with every entry and its bytes.
    Only the returned value says that the record is whole and leads to its ending. Raises FileError
    and nothing else."""
    reader = RecordReader(source, find)

    def entries() -> Iterator[Entry]:
        for entry in reader:
            each(entry, reader.body)
            yield entry

    try:
        stream = fold(entries(), lambda _: reader.game)
    except FileError:
        # What is wrong with the file itself, further down, says more.
        for _ in reader:
            pass
        raise
    assert reader.ending is not None
    if header_of(stream, reader.header.software) != reader.header:
        raise FileError(Fault.IMPOSSIBLE, 0, "the header is not that of these entries")
    if not stream.seating.ended or ending_of(stream) != reader.ending:
        raise FileError(
            Fault.IMPOSSIBLE, stream.number, "the entries do not lead to the recorded ending"
        )
    return Checked(reader.header, reader.ending, stream)


def each_entry(name: str, bodies: Iterable[bytes], find: FindGame = find_game) -> Iterator[Entry]:
    """The entries of a table of game `name` from their stored bodies, one by one, so that no
    more than one need be kept; raises FileError."""
    codec = entry_codec(_known_game(name, 0, find).vocabulary)
    for number, body in enumerate(bodies, 1):
        yield _unpack(codec, body, number)


def fold(entries: Iterable[Entry], find: FindGame = find_game) -> Stream:
    """The fold of all entries; raises FileError (as `Stream.replay` raises BrokenLog)."""
    try:
        return Stream.replay(entries, find)
    except FutureLog as error:
        raise FileError(Fault.FUTURE_RULES, 1, str(error)) from error
    except BrokenLog as error:
        raise FileError(Fault.IMPOSSIBLE, 0, str(error)) from error
    except IllegalAction as error:
        raise FileError(Fault.UNKNOWN_GAME, 1, f"no such game here: {error}") from error


def _known_game(name: str, rules: int, find: FindGame) -> Game[Any]:
    try:
        game = find(name)
    except IllegalAction:
        raise FileError(
            Fault.UNKNOWN_GAME, 0, f"played {name!r}, a game that is not known here"
        ) from None
    if rules > game.rules:
        raise FileError(Fault.FUTURE_RULES, 0, str(FutureLog(name, rules, game.rules)))
    return game


def _unpack(codec: Codec[T], body: bytes, number: int) -> T:
    try:
        return codec.decode(body)
    except UnknownEvent as error:
        raise FileError(Fault.UNKNOWN_EVENT, number, f"part {number}: {error}") from error
    except UnknownField as error:
        raise FileError(Fault.UNKNOWN_FIELD, number, f"part {number}: {error}") from error
    except ProtocolError as error:
        raise FileError(Fault.UNREADABLE, number, f"part {number}: {error}") from error
