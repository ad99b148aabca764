"""Every command and happening of Raja is one line and back."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from enum import Enum
from types import UnionType
from typing import Any, get_args, get_origin

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import UnreadableLine
from engine.raja.words.commands import (
    COMMANDS,
    BuildHouse,
    BuildPalace,
    ChooseActions,
    EndTurn,
    FoundHouse,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    TakeCharacter,
    TakeGold,
    TakeHouses,
    Travel,
)
from engine.raja.words.happenings import (
    HAPPENINGS,
    CharacterSwapped,
    CityScored,
    HouseMoved,
    OwnActions,
    PalaceBuilt,
    Travelled,
)
from engine.raja.words.map import Place
from engine.raja.words.notation import (
    parse_command,
    parse_happening,
    show_command,
    show_happening,
)
from engine.raja.words.pieces import Action, Character, Site


def values(kind: Any) -> st.SearchStrategy[Any]:
    """All values of an annotated type."""
    if get_origin(kind) is tuple:
        return st.lists(values(get_args(kind)[0]), max_size=5).map(tuple)
    if get_origin(kind) is UnionType:
        return st.none() | values(get_args(kind)[0])
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
        (TakeCharacter(Character.MONK), "take monk"),
        (FoundHouse(Place.V07), "found v07"),
        (ChooseActions((Action.GOLD, Action.HOUSES)), "choose gold houses chit none"),
        (
            ChooseActions((Action.PALACE_HOUSE, Action.SWAP), Action.MOVE),
            "choose palace-house swap chit move",
        ),
        (Travel(Place.DELHI), "travel delhi"),
        (TakeGold(), "gold"),
        (TakeHouses(), "quarry"),
        (BuildHouse(Action.BUILDER, Place.V30), "house builder v30"),
        (MoveHouse(Action.MOVE, Place.V01, Place.KOTA), "move move v01 kota"),
        (BuildPalace(Action.PALACE, Site.OUTER), "palace palace outer"),
        (MoveGovernor(Place.AJMER), "governor ajmer"),
        (SwapCharacter(Character.YOGI, Character.MOGUL), "swap yogi mogul"),
        (EndTurn(), "end"),
    ],
)
def test_commands_read_like_the_rules(command: Any, line: str) -> None:
    assert show_command(command) == line
    assert parse_command(line) == command


@pytest.mark.parametrize(
    ("happening", "line"),
    [
        (OwnActions((Action.GOLD, Action.SWAP)), "own actions gold swap"),
        (
            Travelled(1, Place.CAMP, Place.JAIPUR, (2, 0), False),
            "1 travels from camp to jaipur paying 2 0 bank no",
        ),
        (
            HouseMoved(0, Action.BUILDER, Place.V01, Place.V02),
            "0 moves house from v01 to v02 by builder",
        ),
        (
            PalaceBuilt(2, Action.PALACE, Place.KOTA, Site.CENTRAL, 12),
            "2 builds palace in kota central by palace for 12",
        ),
        (
            CharacterSwapped(0, Character.MONK, Character.MOGUL, None),
            "0 swaps monk for mogul robbing none",
        ),
        (CityScored(Place.DELHI, (3, 1), (10, 5)), "delhi scores 3 1 paying 10 5"),
    ],
)
def test_happenings_read_like_the_rules(happening: Any, line: str) -> None:
    assert show_happening(happening) == line


@pytest.mark.parametrize("line", ["choose gold gold chit", "choose gold chit hut", "take nobody"])
def test_what_is_no_command_cannot_be_read_as_one(line: str) -> None:
    with pytest.raises(UnreadableLine):
        parse_command(line)
