"""Lines of text and back, for any game: what the templates promise."""

from __future__ import annotations

from enum import IntEnum

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import Notation, UnreadableLine


class Colour(IntEnum):
    RED = 1
    DARK_BLUE = 2


@frozen
class Painted:
    seat: int
    colours: tuple[Colour, ...]
    wet: bool


@frozen
class Counted:
    counts: tuple[tuple[int, ...], ...]


@frozen
class Positive:
    number: int

    def __attrs_post_init__(self) -> None:
        if self.number < 1:
            raise ValueError("not positive")


NOTATION = Notation(
    {
        Painted: "{seat} paints {colours} wet {wet}",
        Counted: "counts {counts}",
        Positive: "positive {number}",
    }
)

INTEGERS = st.integers(-(2**63), 2**63 - 1)
VALUES = st.one_of(
    st.builds(Painted, INTEGERS, st.lists(st.sampled_from(Colour)).map(tuple), st.booleans()),
    st.builds(Counted, st.lists(st.lists(INTEGERS).map(tuple)).map(tuple)),
    st.builds(Positive, st.integers(1, 2**62)),
)


@given(VALUES)
def test_what_is_shown_parses_as_the_same(value: object) -> None:
    assert NOTATION.parse(NOTATION.show(value)) == value


def test_lines_read_well() -> None:
    painted = Painted(3, (Colour.DARK_BLUE, Colour.RED), False)
    assert NOTATION.show(painted) == "3 paints dark-blue red wet no"
    assert NOTATION.show(Painted(0, (), True)) == "0 paints nothing wet yes"
    assert NOTATION.show(Counted(((1, 2), (), (-3,)))) == "counts 1 2 / - / -3"
    assert NOTATION.show(Counted(((),))) == "counts -"
    assert NOTATION.show(Counted(())) == "counts nothing"


@pytest.mark.parametrize(
    "line",
    [
        "",
        "paints",
        "x paints red wet no",
        "03 paints red wet no",
        "+3 paints red wet no",
        "-0 paints red wet no",
        "３ paints red wet no",
        "99999999999999999999 paints red wet no",
        "3 paints Red wet no",
        "3 paints dark_blue wet no",
        "3 paints  wet no",
        "3 paints red wet maybe",
        "3 paints red wet no ",
        " 3 paints red wet no",
        "3 paints red wet no\n",
        "counts",
        "counts 1  2",
        "positive 0",
    ],
)
def test_only_the_very_line_parses(line: str) -> None:
    with pytest.raises(UnreadableLine):
        NOTATION.parse(line)


@given(st.text(st.sampled_from("0123 -/abcdeilnoprstuw"), max_size=40))
def test_whatever_parses_shows_as_the_same_line(text: str) -> None:
    try:
        value = NOTATION.parse(text)
    except UnreadableLine:
        return
    assert NOTATION.show(value) == text


def test_a_template_names_each_field_and_each_field_has_a_spelling() -> None:
    with pytest.raises(TypeError, match="not the fields"):
        Notation({Positive: "positive"})

    @frozen
    class Floating:
        value: list[int]

    with pytest.raises(TypeError):
        Notation({Floating: "floating {value}"})


def test_what_no_record_holds_is_no_number() -> None:
    for text in (str(2**63), str(-(2**63) - 1), "9" * 19, "-" + "9" * 19):
        with pytest.raises(UnreadableLine):
            NOTATION.parse(f"counts {text}")
