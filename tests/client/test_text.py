"""Text from elsewhere is harmless and fits its cells."""

from __future__ import annotations

import unicodedata

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from client.text import MAX_MARKS, clean, clean_all, clusters, cut, cut_name, pad, printable, width

STRANGE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x1b\x07\n\r\t\u202e\u2066\u200b\u2028\u0301\ufe0f\u200d東京👩😀 "),
    )
)


@given(STRANGE)
def test_b13_nothing_that_steers_or_hides_is_left(text: str) -> None:
    cleaned = clean(text)
    for char in cleaned:
        category = unicodedata.category(char)
        assert category[0] != "C"
        assert category not in ("Zl", "Zp")
        assert char == " " or category != "Zs"
    assert "  " not in cleaned
    assert cleaned == cleaned.strip()
    assert clean(cleaned) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Bob\nSYSTEM: you win", "Bob SYSTEM: you win"),
        ("\x1b[31mX", "[31mX"),
        ("\x1b]0;title\x07", "]0;title"),
        ("abc\u202ecba", "abccba"),
        ("\u2066", ""),
        ("e" + "\u0301" * 60, "e" + "\u0301" * MAX_MARKS),
        ("   ", ""),
        ("\u200b" * 15, ""),
        ("José", "José"),
        ("東京", "東京"),
        ("👩\u200d👩\u200d👧", "👩👩👧"),
        ("\u2764\ufe0f", "\u2764"),
    ],
)
def test_b13_the_rule_by_examples(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_b13_a_very_long_text_is_bounded() -> None:
    assert len(clean("x" * 10_000)) <= 4_000
    assert len(clean("東" * 10_000)) <= 4_000


@given(STRANGE.map(clean), st.integers(0, 30))
def test_b23_what_is_cut_fits_and_stays_whole(text: str, cells: int) -> None:
    short = cut(text, cells)
    assert width(short) <= cells
    if width(text) <= cells:
        assert short == text
    elif short:
        kept = short.removesuffix("…")
        pieces = list(clusters(text))
        assert kept == "".join(pieces[: len(list(clusters(kept)))])
    assert width(pad(text, cells)) == cells


@given(STRANGE.map(clean))
def test_b23_cells_are_counted_as_the_toolkit_counts_them(text: str) -> None:
    assert width(text) == get_cwidth(text)


@given(STRANGE.map(clean), st.integers(0, 99), st.integers(0, 30))
def test_names_that_differ_in_their_number_differ_where_they_are_cut(
    name: str, number: int, cells: int
) -> None:
    first, second = (cut_name(f"{name} {n}", cells) for n in (number, number + 100))
    assert width(first) <= cells and width(second) <= cells
    if cells >= 8:
        assert first != second
    assert cut_name("normal bot 2", 11) == "normal b… 2"


@given(STRANGE.map(clean))
def test_clusters_are_the_whole_text(text: str) -> None:
    assert "".join(clusters(text)) == text


@frozen
class Message:
    name: str
    parts: tuple[object, ...]
    data: bytes


def test_every_text_of_a_message_is_cleaned() -> None:
    message = Message("a\x1b", ("b\n", (Message("\u202ec", (1, None, True), b"\x1b"),)), b"\x00")
    assert clean_all(message) == Message(
        "a", ("b", (Message("c", (1, None, True), b"\x1b"),)), b"\x00"
    )


def test_what_was_typed_never_steers_the_terminal() -> None:
    assert printable("error: \x1b[31mx\x07: is there") == "error: [31mx: is there"
