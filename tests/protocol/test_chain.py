"""Chained files: what was written is read, and each way to be wrong has its own name."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from io import BytesIO
from itertools import repeat
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.chain import (
    MAX_BODIES,
    MAX_BODY,
    MAX_ENTRIES,
    Fault,
    FileError,
    FileKind,
    Part,
    PartKind,
    Source,
    read_parts,
    write_parts,
)

FORM = FileKind(b"\x89RATEST\n", 1, "test")
ENTRIES = [b"one", b"two", b"", b"four" * 50, b"five"]


def parts_of(entries: Iterable[bytes] = ENTRIES, form: FileKind = FORM) -> list[bytes]:
    """Prefix, header, entries, end mark."""
    return list(write_parts(form, b"header", entries, b"end"))


def read(data: bytes) -> list[Part]:
    return list(read_parts(BytesIO(data), FORM))


def fault(data: bytes) -> tuple[Fault, int]:
    """What is wrong, and at which part."""
    return fault_of(BytesIO(data))


def fault_of(source: Source) -> tuple[Fault, int]:
    with pytest.raises(FileError) as error:
        list(read_parts(source, FORM))
    assert str(error.value).startswith(error.value.fault)
    assert error.value.detail
    return error.value.fault, error.value.number


def joined(parts: Iterable[bytes]) -> bytes:
    return b"".join(parts)


class Trickle:
    """A source that gives one byte at a time, as a pipe may."""

    def __init__(self, data: bytes) -> None:
        self._data = BytesIO(data)

    def read(self, size: int, /) -> bytes:
        return self._data.read(min(size, 1))


def test_what_was_written_is_read() -> None:
    wanted = [
        Part(PartKind.HEADER, 0, b"header"),
        *(Part(PartKind.ENTRY, number, body) for number, body in enumerate(ENTRIES, 1)),
        Part(PartKind.END, len(ENTRIES), b"end"),
    ]
    assert read(joined(parts_of())) == wanted
    assert list(read_parts(Trickle(joined(parts_of())), FORM)) == wanted


def test_a_file_without_entries_is_whole() -> None:
    assert [part.kind for part in read(joined(parts_of([])))] == [PartKind.HEADER, PartKind.END]


@given(st.lists(st.binary(max_size=60), max_size=6))
def test_any_bodies_travel(bodies: list[bytes]) -> None:
    assert [part.body for part in read(joined(parts_of(bodies)))] == [b"header", *bodies, b"end"]


def test_every_shorter_file_is_torn_or_cut() -> None:
    """Wherever it ends: inside a part it is torn, between two it is cut."""
    parts, whole = parts_of(), joined(parts_of())
    ends = {sum(map(len, parts[:count])): count - 1 for count in range(1, len(parts))}
    for size in range(1, len(whole)):
        found, number = fault(whole[:size])
        assert found is (Fault.CUT if size in ends else Fault.TORN)
        if size in ends:
            assert number == ends[size]
    assert fault(b"") == (Fault.NOT_OURS, 0)


def test_every_changed_byte_is_found() -> None:
    """A flipped bit is damage, except where it makes another kind of file of it; in the
    last link, which nothing else vouches for, it breaks the chain."""
    whole = joined(parts_of([b"one", b"two"]))
    seen = set()
    for at in range(len(whole)):
        for bit in (1, 128):
            changed = bytearray(whole)
            changed[at] ^= bit
            found, _ = fault(bytes(changed))
            seen.add(found)
            assert found is not Fault.TORN, "no length that lies is taken at its word"
            if at >= 10:
                in_last_link = at >= len(whole) - 32
                assert found is (Fault.UNCHAINED if in_last_link else Fault.DAMAGED)
    assert seen == {Fault.NOT_OURS, Fault.FUTURE_FORMAT, Fault.DAMAGED, Fault.UNCHAINED}


def test_each_missing_part_is_missed() -> None:
    parts = parts_of()
    for at in range(1, len(parts) - 1):
        assert fault(joined(parts[:at] + parts[at + 1 :])) == (Fault.MISSING, at - 1)
    assert fault(joined(parts[:2] + parts[-1:])) == (Fault.MISSING, 1)


def test_swapped_parts_are_told_from_missing_ones() -> None:
    for first in range(2, 6):
        for second in range(first + 1, 7):
            parts = parts_of()
            parts[first], parts[second] = parts[second], parts[first]
            assert fault(joined(parts)) == (Fault.SWAPPED, first - 1)


def test_swapped_and_damaged_is_one_or_the_other() -> None:
    """Behind the first anomaly the rest is only looked at to name it."""
    parts = parts_of()
    parts[2], parts[3] = parts[3], parts[2]
    assert fault(joined(parts)[:-200])[0] is Fault.SWAPPED
    damaged = bytearray(parts[3])
    damaged[0] ^= 1
    parts[3] = bytes(damaged)
    assert fault(joined(parts)) == (Fault.MISSING, 1)


def test_each_repeated_part_is_found() -> None:
    parts = parts_of()
    for at in range(1, len(parts) - 1):
        twice = joined([*parts[: at + 1], *parts[at:]])
        assert fault(twice) == (Fault.REPEATED, at)
    late = joined([*parts[:5], parts[2], *parts[5:]])
    assert fault(late) == (Fault.REPEATED, 4)


def test_an_end_mark_of_a_shorter_file_ends_nothing() -> None:
    parts, short = parts_of(), parts_of(ENTRIES[:2])
    assert fault(joined([*parts[:-1], short[-1]])) == (Fault.REPEATED, 6)


def test_parts_of_another_file_do_not_chain() -> None:
    parts, other = parts_of(), parts_of([b"ONE", *ENTRIES[1:]])
    assert fault(joined([*parts[:3], *other[3:]])) == (Fault.UNCHAINED, 2)
    assert fault(joined([*parts[:2], other[2], *parts[3:]])) == (Fault.UNCHAINED, 2)
    header = list(write_parts(FORM, b"Header", ENTRIES, b"end"))
    assert fault(joined([*parts[:1], header[1], *parts[2:]])) == (Fault.UNCHAINED, 1)


def test_nothing_follows_the_end() -> None:
    whole = joined(parts_of())
    for more in (b"\0", whole, parts_of()[-1]):
        assert fault(whole + more) == (Fault.TRAILING, 6)


def test_another_kind_of_file_is_no_file_of_ours() -> None:
    for data in (b"\0", b"PK\3\4" * 10, b"\x89RAREC\r\n\0\1", b"\x89RATEST\r", b"x" * 5000):
        assert fault(data) == (Fault.NOT_OURS, 0)


def test_a_later_format_is_named_with_both_numbers() -> None:
    data = joined(parts_of(form=FileKind(FORM.magic, 7, "test")))
    with pytest.raises(FileError, match=r"format 7.*format 1") as error:
        read(data)
    assert error.value.fault is Fault.FUTURE_FORMAT
    assert fault(joined(parts_of(form=FileKind(FORM.magic, 0, "test")))) == (Fault.NOT_OURS, 0)


def forged(kind: int, number: int, length: int, body: bytes) -> bytes:
    """A part whose checksums are right, whatever it claims."""
    head = struct.pack(">BII", kind, number, length)
    check = struct.pack(">I", crc32(head))
    return head + check + body + struct.pack(">I", crc32(body)) + bytes(32)


class Counting(BytesIO):
    """A source that knows how much was asked of it."""

    most = 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        self.most = max(self.most, size)
        return super().read(size)


def test_a_length_that_lies_costs_nothing() -> None:
    """Nothing is read, or kept, because a file claims it would be there."""
    for length in (MAX_BODY + 1, (1 << 32) - 1):
        source = Counting(FORM.prefix() + forged(1, 0, length, b"x"))
        with pytest.raises(FileError) as error:
            list(read_parts(source, FORM))
        assert error.value.fault is Fault.OVERSIZED
        assert source.most < 100
    assert fault(FORM.prefix() + forged(1, 0, MAX_BODY, b"x")) == (Fault.TORN, 0)


@pytest.mark.parametrize(
    ("part", "found"),
    [
        (forged(9, 0, 1, b"x"), Fault.UNREADABLE),
        (forged(1, 5, 1, b"x"), Fault.UNREADABLE),
        (forged(2, 1, 1, b"x"), Fault.MISSING),
        (forged(3, 0, 1, b"x"), Fault.MISSING),
        (forged(1, 0, 1, b"x"), Fault.UNCHAINED),
    ],
)
def test_a_first_part_that_is_no_header_is_refused(part: bytes, found: Fault) -> None:
    assert fault(FORM.prefix() + part) == (found, 0)


class Endless:
    """A file that goes on for ever, in right parts."""

    def __init__(self, body: bytes) -> None:
        self._parts = write_parts(FORM, b"header", repeat(body), b"end")
        self._rest = b""
        self.taken = 0

    def _next(self) -> bytes:
        return next(self._parts)

    def read(self, size: int, /) -> bytes:
        if not self._rest:
            self._rest = self._next()
        given, self._rest = self._rest[:size], self._rest[size:]
        return given


@pytest.mark.parametrize(
    ("body", "entries"), [(b"", MAX_ENTRIES), (bytes(MAX_BODY), MAX_BODIES // MAX_BODY - 1)]
)
def test_a_file_without_an_end_is_read_only_so_far(body: bytes, entries: int) -> None:
    kinds: list[PartKind] = []
    with pytest.raises(FileError) as error:
        kinds.extend(part.kind for part in read_parts(Endless(body), FORM))
    assert (error.value.fault, error.value.number) == (Fault.TOO_LONG, entries + 1)
    assert kinds.count(PartKind.ENTRY) == entries


@pytest.mark.parametrize(
    ("body", "most"), [(b"", MAX_ENTRIES), (bytes(MAX_BODY), MAX_BODIES // MAX_BODY)]
)
def test_a_missing_part_is_looked_for_only_so_far(body: bytes, most: int) -> None:
    class Counted(Endless):
        def _next(self) -> bytes:
            part = super()._next()
            self.taken += 1
            assert self.taken < most + 5, "it would never end"
            return super()._next() if self.taken == 3 else part  # no entry 1

    assert fault_of(Counted(body)) == (Fault.MISSING, 1)


def test_as_long_a_file_as_can_be_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = joined(parts_of())
    monkeypatch.setattr("protocol.chain.MAX_ENTRIES", len(ENTRIES))
    monkeypatch.setattr("protocol.chain.MAX_BODIES", len(b"header" + joined(ENTRIES)))
    assert [part.body for part in read(data)][1:-1] == ENTRIES
    monkeypatch.setattr("protocol.chain.MAX_ENTRIES", len(ENTRIES) - 1)
    assert fault(data) == (Fault.TOO_LONG, len(ENTRIES))


def test_a_body_beyond_the_limit_is_not_written() -> None:
    with pytest.raises(ValueError, match="at most"):
        parts_of([b"x" * (MAX_BODY + 1)])
    assert len(read(joined(parts_of([b"x" * MAX_BODY])))) == 3


@given(st.binary(max_size=300))
def test_any_bytes_end_in_a_named_fault(data: bytes) -> None:
    for start in (b"", FORM.prefix(), parts_of()[0] + parts_of()[1]):
        fault(start + data)
