"""docs/record.md: its example is what the program writes, its table of faults is whole."""

from __future__ import annotations

import re
import struct
import zlib
from hashlib import sha256
from pathlib import Path

from protocol.chain import MAX_BODIES, MAX_BODY, MAX_ENTRIES, Fault
from protocol.record import RECORD
from protocol.transcript import TRANSCRIPT
from tests import vectors

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "record.md").read_text("utf-8")
(BLOCK,) = re.findall(r"^```bytes\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)


def test_the_example_is_what_the_program_writes() -> None:
    assert BLOCK.splitlines() == list(vectors.record_lines())
    data, pieces = vectors.record()
    assert b"".join(piece for _, piece in pieces) == data


def test_the_example_follows_from_the_page_alone() -> None:
    """Links and checks computed as the page says, from its own bytes."""
    pieces = {name: bytes.fromhex(text) for name, text in re.findall(r"(.*) = (\w+)", BLOCK)}
    link = sha256(pieces["prefix"]).digest()
    for kind, number in (("header", 0), ("entry", 1), ("end", 1)):
        part = f"{kind} {number}: "
        head, body = pieces[part + "head"], pieces[part + "body"]
        assert struct.unpack(">BII", head)[1:] == (number, len(body))
        assert pieces[part + "head check"] == struct.pack(">I", zlib.crc32(head))
        assert pieces[part + "body check"] == struct.pack(">I", zlib.crc32(body))
        link = sha256(b"ra-online/link/1\0" + link + head + body).digest()
        assert pieces[part + "link"] == link


def test_every_fault_is_explained() -> None:
    table = PAGE[PAGE.index("## What can be wrong") : PAGE.index("## The JSON")]
    assert re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE) == [f.value for f in Fault]


def test_the_magics_and_limits_are_those_of_the_program() -> None:
    for form in (RECORD, TRANSCRIPT):
        assert f"`{form.magic.hex(' ')}`" in PAGE
    assert f"at most {MAX_BODY}" in PAGE
    assert f"at most {MAX_ENTRIES} entries, and at most {MAX_BODIES} bytes" in PAGE
