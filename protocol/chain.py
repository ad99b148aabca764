"""Files of numbered parts, each length-prefixed, checksummed and chained by hash to the one before:
what records and transcripts are made of (docs/record.md, byte for byte).

Does not know what a part holds, and opens no file: it reads from anything with `read`, and yields
the bytes to write. A `Fault` names each thing that can be wrong with a file. One part bounds the
memory, whatever the bytes claim, and the work for that part; `MAX_ENTRIES` and `MAX_BODIES` bound a
whole file. To tell swapped parts from a missing one, the rest of the file is read, once, as far as
these limits go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum, StrEnum
from hashlib import sha256
from struct import Struct
from typing import Protocol
from zlib import crc32

from attrs import frozen

MAX_BODY = 1 << 20
"""The most bytes that the body of one part may have."""
MAX_ENTRIES = 200_000
"""The most entries of one file: ten times the number at which nobody may join a table any more,
unless its server is configured otherwise, and twice the most that a server can be configured to."""
MAX_BODIES = 64 << 20
"""The most bytes in all bodies of one file; that many entries of a game need less."""

_PREFIX = Struct(">8sH")
_HEAD = Struct(">BII")
_CHECK = Struct(">I")
_LINK = b"ra-online/link/1\x00"
_LINK_BYTES = 32


class Fault(StrEnum):
    """What is wrong with a file."""

    NOT_OURS = "not_ours"
    """It does not begin as a file of this kind does."""
    FUTURE_FORMAT = "future_format"
    """Written in a later format than this program knows."""
    TORN = "torn"
    """It ends inside a part."""
    CUT = "cut"
    """It ends between two parts, before the end mark."""
    DAMAGED = "damaged"
    """A checksum, or a link between two parts that do follow each other, does not fit: the bytes
    are not those that were written."""
    MISSING = "missing"
    """A part is left out."""
    SWAPPED = "swapped"
    """A part is further down than its place."""
    REPEATED = "repeated"
    """A part is there a second time."""
    UNCHAINED = "unchained"
    """A whole part in its place, but not written after the one before it."""
    TRAILING = "trailing"
    """Something follows the end mark."""
    OVERSIZED = "oversized"
    """A part claims to be larger than any can be."""
    TOO_LONG = "too_long"
    """More entries, or more bytes in them, than any file can have."""
    FUTURE_RULES = "future_rules"
    """Played under a later rules number than this program knows."""
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_EVENT = "unknown_event"
    """An event or command of a kind that this program does not know."""
    UNKNOWN_FIELD = "unknown_field"
    """A known event or command with more fields than this program knows."""
    UNREADABLE = "unreadable"
    """Intact, but not what this kind of file holds."""
    IMPOSSIBLE = "impossible"
    """Readable, but one entry cannot follow from those before it."""


class FileError(Exception):
    """A file that is not whole and sound: `fault` says how, `number` where (the number of the part
    that was expected; 0 is the header)."""

    def __init__(self, fault: Fault, number: int, detail: str) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault = fault
        self.number = number
        self.detail = detail


class Source(Protocol):
    """Anything that bytes are read from: an open binary file, a `BytesIO`."""

    def read(self, size: int, /) -> bytes: ...


class PartKind(IntEnum):
    """What a part is."""

    HEADER = 1
    """The first part, number 0."""
    ENTRY = 2
    """Numbers 1, 2, 3, ..."""
    END = 3
    """The end mark; its number is that of the last entry."""


@frozen
class Part:
    """One part, checked and in its place."""

    kind: PartKind
    number: int
    body: bytes


@frozen
class FileKind:
    """A kind of file: how it begins, and its newest format that this program knows."""

    magic: bytes
    """8 bytes."""
    format: int
    name: str

    def prefix(self) -> bytes:
        """The first 10 bytes of a file of this kind."""
        return _PREFIX.pack(self.magic, self.format)


# write


def write_parts(
    file: FileKind, header: bytes, entries: Iterable[bytes], end: bytes
) -> Iterator[bytes]:
    """The bytes of a whole file, part by part; a body has at most MAX_BODY bytes."""
    prefix = file.prefix()
    yield prefix
    link = sha256(prefix).digest()
    number = 0
    link, part = _write(PartKind.HEADER, number, header, link)
    yield part
    for body in entries:
        number += 1
        link, part = _write(PartKind.ENTRY, number, body, link)
        yield part
    _, part = _write(PartKind.END, number, end, link)
    yield part


def _write(kind: PartKind, number: int, body: bytes, before: bytes) -> tuple[bytes, bytes]:
    if len(body) > MAX_BODY:
        raise ValueError(f"{len(body)} bytes in one part, at most {MAX_BODY} allowed")
    head = _HEAD.pack(kind, number, len(body))
    link = _chain(before, head, body)
    check = _CHECK.pack
    return link, b"".join((head, check(crc32(head)), body, check(crc32(body)), link))


def _chain(before: bytes, head: bytes, body: bytes) -> bytes:
    return sha256(_LINK + before + head + body).digest()


# read


def read_parts(source: Source, file: FileKind) -> Iterator[Part]:
    """The parts of a file in order, each checked before it is yielded; raises FileError. Only a
    caller that has seen the part END has seen the whole file."""
    link = sha256(_read_prefix(source, file)).digest()
    due = held = 0
    while True:
        kind, number, body, head, claimed = _read_part(source, due)
        held += len(body)
        _check_place(source, due, kind, number, held)
        if kind is PartKind.ENTRY:
            _check_length(due, held)
        link = _chain(link, head, body)
        if link != claimed:
            if _goes_on(source, due, link):
                raise _damaged(due)
            raise FileError(
                Fault.UNCHAINED, due, f"part {due} was not written after the one before it"
            )
        if kind is PartKind.END:
            if source.read(1):
                raise FileError(Fault.TRAILING, due, "something follows the end mark")
            yield Part(kind, number, body)
            return
        yield Part(kind, number, body)
        due += 1


def _read_prefix(source: Source, file: FileKind) -> bytes:
    prefix = _up_to(source, _PREFIX.size)
    if not prefix or not (file.magic.startswith(prefix) or prefix.startswith(file.magic)):
        raise FileError(Fault.NOT_OURS, 0, f"this is no {file.name}")
    if len(prefix) < _PREFIX.size:
        raise FileError(Fault.TORN, 0, "the file ends in its first bytes")
    _, number = _PREFIX.unpack(prefix)
    if number != file.format:
        fault = Fault.FUTURE_FORMAT if number > file.format else Fault.NOT_OURS
        raise FileError(
            fault,
            0,
            f"{file.name} format {number}; this program knows format {file.format}",
        )
    return prefix


def _read_part(source: Source, due: int) -> tuple[PartKind, int, bytes, bytes, bytes]:
    """Kind, number, body, head and link of the next part, its checksums checked."""
    first = _up_to(source, _HEAD.size + _CHECK.size)
    if not first:
        raise FileError(Fault.CUT, due, f"the file ends before part {due}, without an end mark")
    if len(first) < _HEAD.size + _CHECK.size:
        raise _torn(due)
    head = first[: _HEAD.size]
    if _CHECK.pack(crc32(head)) != first[_HEAD.size :]:
        raise _damaged(due)
    kind, number, length = _HEAD.unpack(head)
    if kind not in PartKind.__members__.values():
        raise FileError(Fault.UNREADABLE, due, f"part {due} is of unknown kind {kind}")
    if length > MAX_BODY:
        raise FileError(
            Fault.OVERSIZED, due, f"part {due} claims {length} bytes, at most {MAX_BODY} allowed"
        )
    rest = _up_to(source, length + _CHECK.size + _LINK_BYTES)
    if len(rest) < length + _CHECK.size + _LINK_BYTES:
        raise _torn(due)
    body, check = rest[:length], rest[length : length + _CHECK.size]
    if _CHECK.pack(crc32(body)) != check:
        raise _damaged(due)
    return PartKind(kind), number, body, head, rest[length + _CHECK.size :]


def _check_place(source: Source, due: int, kind: PartKind, number: int, held: int) -> None:
    """Raise FileError unless a part of `kind` and `number` may stand where part `due` is expected;
    `held` is how many bytes the bodies up to it have."""
    if due == 0:
        if kind is not PartKind.HEADER:
            raise FileError(Fault.MISSING, 0, "the header is missing")
        if number != 0:
            raise FileError(Fault.UNREADABLE, 0, f"the header has number {number}")
        return
    if kind is PartKind.HEADER:
        raise FileError(Fault.REPEATED, due, "the header stands there twice")
    last = number + 1 if kind is PartKind.END else number
    if last < due:
        raise FileError(Fault.REPEATED, due, f"entry {number} stands where entry {due} is due")
    if last > due:
        if kind is PartKind.ENTRY and _stands_further_down(source, due, held):
            raise FileError(Fault.SWAPPED, due, f"entry {number} stands before entry {due}")
        raise FileError(Fault.MISSING, due, f"entry {due} is missing")


def _check_length(number: int, held: int) -> None:
    """Raise FileError if a file cannot have that much: `number` entries with `held` bytes."""
    if number > MAX_ENTRIES:
        raise FileError(Fault.TOO_LONG, number, f"more than {MAX_ENTRIES} entries")
    if held > MAX_BODIES:
        raise FileError(Fault.TOO_LONG, number, f"more than {MAX_BODIES} bytes in its parts")


def _stands_further_down(source: Source, due: int, held: int) -> bool:
    """Whether entry `due` comes later, within what a file may have; `held` bytes of that were
    read."""
    for _ in range(MAX_ENTRIES - due):
        try:
            kind, number, body, *_ = _read_part(source, due)
        except FileError:
            return False
        if kind is PartKind.ENTRY and number == due:
            return True
        held += len(body)
        if held > MAX_BODIES:
            return False
    return False


def _goes_on(source: Source, due: int, link: bytes) -> bool:
    """Whether the next part was written after one with `link`: then the link that was read instead
    is all that is wrong."""
    try:
        _, _, body, head, claimed = _read_part(source, due)
    except FileError:
        return False
    return _chain(link, head, body) == claimed


def _up_to(source: Source, size: int) -> bytes:
    """`size` bytes, fewer only at the end of the source."""
    data = source.read(size)
    while len(data) < size:
        more = source.read(size - len(data))
        if not more:
            break
        data += more
    return data


def _torn(due: int) -> FileError:
    return FileError(Fault.TORN, due, f"the file ends inside part {due}")


def _damaged(due: int) -> FileError:
    return FileError(Fault.DAMAGED, due, f"part {due} is damaged")
