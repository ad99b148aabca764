"""Every command and happening of Ra is one line and back."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any, get_args, get_origin

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import UnreadableLine
from engine.ra.words.commands import COMMANDS, Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import (
    HAPPENINGS,
    AuctionWon,
    EpochEnd,
    EpochEnded,
    Sheet,
    SheetShown,
    SheetsShown,
    TilesLost,
)
from engine.ra.words.notation import (
    parse_command,
    parse_happening,
    parse_sheet,
    show_command,
    show_happening,
)
from engine.ra.words.pieces import Kind


def values(kind: Any) -> st.SearchStrategy[Any]:
    """All values of an annotated type."""
    if get_origin(kind) is tuple:
        return st.lists(values(get_args(kind)[0]), max_size=5).map(tuple)
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(-99, 999)
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    hints = typing.get_type_hints(kind)
    return st.builds(kind, **{f.name: values(hints[f.name]) for f in attrs.fields(kind)})


def members(union: Mapping[int, type]) -> st.SearchStrategy[Any]:
    return st.one_of([values(kind) for kind in union.values()])


@given(members(COMMANDS))
def test_commands_come_back(command: Any) -> None:
    assert parse_command(show_command(command)) == command


@given(members(HAPPENINGS))
def test_happenings_come_back_as_one_printable_line(happening: Any) -> None:
    line = show_happening(happening)
    assert line.isprintable()
    assert parse_happening(line) == happening


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (Draw(), "draw"),
        (InvokeRa(), "ra"),
        (SpendGods((Kind.NILE, Kind.FLOOD)), "gods nile flood"),
        (SpendGods((Kind.STEP_PYRAMID,)), "gods step-pyramid"),
        (Bid(7), "bid 7"),
        (Pass(), "pass"),
        (Discard((Kind.ASTRONOMY, Kind.ART)), "discard astronomy art"),
    ],
)
def test_commands_read_like_the_rules(command: Any, line: str) -> None:
    assert show_command(command) == line
    assert parse_command(line) == command


SHEET = Sheet(2, 2, 0, 5, 4, -5, 0, 0, 0, 16)


@pytest.mark.parametrize(
    ("happening", "line"),
    [
        (
            AuctionWon(1, 7, 9, (Kind.NILE, Kind.UNREST)),
            "1 wins nile unrest paying 7 taking 9",
        ),
        (TilesLost(0, Kind.DROUGHT, (Kind.FLOOD,)), "0 loses flood to drought"),
        (EpochEnded(1, EpochEnd.SUNS_SPENT), "epoch 1 ends by suns-spent"),
        (SheetShown(2, SHEET), "sheet of 2 2:+2+0+5+4-5+0+0+0=16"),
        (
            SheetsShown((SHEET, SHEET)),
            "sheets 2:+2+0+5+4-5+0+0+0=16 2:+2+0+5+4-5+0+0+0=16",
        ),
    ],
)
def test_happenings_read_like_the_rules(happening: Any, line: str) -> None:
    assert show_happening(happening) == line


def test_what_is_no_happening_cannot_be_read_as_one() -> None:
    with pytest.raises(UnreadableLine):
        parse_happening("epoch scored")


@pytest.mark.parametrize(
    "word",
    [
        "2:+2+0+5+4-5+0+0=16",
        "2:+2+0+5+4-5+0+0+00=16",
        "2:+2+0+5+4-5+0+0-0=16",
        "2:+2+0+5+4-5+0+0+0=x",
        "2:+2+0+5+4-5+0+0-00=16",
        "02:+2+0+5+4-5+0+0+0=16",
        "2:+2+0+5+4-5+0+0+0=",
        "",
    ],
)
def test_only_the_very_word_is_a_sheet(word: str) -> None:
    with pytest.raises(ValueError):
        parse_sheet(word)
