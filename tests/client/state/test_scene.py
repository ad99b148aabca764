"""Names at a table are told apart, whatever people call themselves."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from client.state.scene import NAME_CELLS, Scene
from client.text import clean, width
from engine.table.words import Phase
from protocol.views import SeatView, TableView


def scene(*names: str | None) -> Scene:
    seats = tuple(None if name is None else SeatView(clean(name), None) for name in names)
    places = tuple(seat for seat, name in enumerate(names) if name is not None)
    table = TableView(
        "KIWI-42", "ra", 1, "standard", (), Phase.PLAYING, seats, 0, places, b"", None, ()
    )
    return Scene(1, 0, table, None, None, (), None)


def test_b34_names_that_look_alike_get_their_seats_number() -> None:
    assert scene("Bob", "Anna").names == ("Bob", "Anna")
    assert scene("Bob", "bob", "Ｂｏｂ").names == ("Bob (1)", "bob (2)", "Ｂｏｂ (3)")
    assert scene("Bob", "Bob ", "Bo\u200bb").names == ("Bob (1)", "Bob (2)", "Bob (3)")
    assert scene("Bob", "B\u043eb").names == ("Bob", "B\u043eb (2)")
    assert scene("José", "東京").names == ("José", "東京")
    assert scene("x" * 60 + "1", "x" * 60 + "2").names[0] != scene("x" * 60, "x" * 60).names[1]


def test_a_name_of_which_nothing_is_left_is_its_seat() -> None:
    assert scene("\u200b" * 15, "Anna").names == ("seat 1", "Anna")
    assert scene(None, "Anna").names == (None, "Anna")
    assert scene(None, "Anna").table_name(0) == "seat 1"


def test_seats_of_the_match_are_those_of_the_table_without_gaps() -> None:
    gap = scene("Anna", None, "Chen")
    assert [gap.name(seat) for seat in (0, 1)] == ["Anna", "Chen"]
    assert gap.seat == 0
    assert gap.name(7) == "seat ?8"


@given(st.lists(st.text(max_size=40), min_size=1, max_size=5))
def test_b34_shown_names_are_all_different_and_short(names: list[str]) -> None:
    shown = [name for name in scene(*names).names if name is not None]
    assert len(set(shown)) == len(shown)
    assert all(name and width(name) <= NAME_CELLS + 4 for name in shown)


def test_b34_a_name_cannot_pose_as_anothers_number() -> None:
    assert len(set(scene("Bob", "Bob (1)", "Bob").names)) == 3
    assert len(set(scene("Bob", "Bob (3)", "Bob").names)) == 3
    assert len(set(scene("seat 2", "\u200b").names)) == 2
