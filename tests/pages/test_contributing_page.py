"""CONTRIBUTING.md is true: its paths exist, and what it teaches about new fields works."""

from __future__ import annotations

import re
from typing import Any

import attrs
import pytest

from engine.entry import ADDED
from protocol.codec import Codec, ProtocolError
from protocol.fields import VERSION, added_in
from tests.house.places import ROOT
from tests.pages.paths import missing

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
TAUGHT = dict(re.findall(r"^seconds: .*metadata=(.+?)\)  # (.+)$", PAGE, flags=re.MULTILINE))


@attrs.frozen
class Before:
    """A class as it was first written down."""

    seat: int


def grown(metadata: str) -> type[Any]:
    """The class with the field that the page adds."""
    taught = eval(metadata, {"added_in": added_in, "ADDED": ADDED})
    seconds = attrs.field(default=7, metadata=taught, type=int)
    return attrs.make_class(
        "Grown", {"seat": attrs.field(type=int), "seconds": seconds}, frozen=True
    )


def test_every_path_exists() -> None:
    assert not missing(PAGE)


def test_both_ways_to_add_a_field_are_taught() -> None:
    assert list(TAUGHT) == [f"added_in({VERSION + 1})", "ADDED"]


def test_a_field_of_a_message_is_there_from_its_version_on() -> None:
    kind = grown(f"added_in({VERSION + 1})")
    old, new = Codec(kind, version=VERSION), Codec(kind, version=VERSION + 1)
    assert old.encode(kind(1, 2)) == Codec(Before).encode(Before(1))
    assert old.decode(Codec(Before).encode(Before(1))) == kind(1, 7)
    assert new.decode(new.encode(kind(1, 2))) == kind(1, 2)
    with pytest.raises(ProtocolError):
        new.decode(Codec(Before).encode(Before(1)))


def test_a_field_of_what_is_read_without_a_version_may_be_missing() -> None:
    kind = grown("ADDED")
    stored = Codec(Before).encode(Before(1))
    assert Codec(kind).decode(stored) == kind(1, 7)
    assert Codec(kind).decode(Codec(kind).encode(kind(1, 2))) == kind(1, 2)
    assert Codec(kind, trim=True).encode(kind(1, 7)) == stored


def test_ten_pairs_of_sentences_show_how_we_write() -> None:
    section = PAGE.partition("## How we write")[2].partition("\n## ")[0]
    pairs = re.findall(r"^\| (?!not|---)(.+?) \| (.+?) \|$", section, flags=re.MULTILINE)
    assert len(pairs) == 10 and all(bad != good for bad, good in pairs)
