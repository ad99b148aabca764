"""Names and chat: one rule, for every script there is."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from server.names import clean_chat, clean_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Bob", "Bob"),
        ("  Bob \t the\n builder ", "Bob the builder"),
        ("José", "José"),
        ("Jose\u0301", "José"),
        ("東京", "東京"),
        ("Ｂｏｂ", "Bob"),
        ("Bo\u200bb", "Bob"),
        ("abc\u202ecba", "abccba"),
        ("\u2066x\u2069", "x"),
        ("Bob\nSYSTEM: you win", "Bob SYSTEM: you win"),
        ("\x1b[31mX", "[31mX"),
        ("x\u2028y\u2029z", "x y z"),
        ("a" + "\u0301" * 60, "á" + "\u0301" * 2),
        ("x" * 10_000, "x" * 20),
        ("日" * 30, "日" * 10),
        ("हिन्दी", "हिन्दी"),
        ("שלום", "שלום"),
        ("7", "7"),
    ],
)
def test_a_name_is_cleaned(text: str, name: str) -> None:
    assert clean_name(text, 20) == name


@pytest.mark.parametrize(
    "text", ["", "   ", "\u200b" * 15, "\u3164", "\u2800", "---", "\u0301", "\x00"]
)
def test_what_cannot_be_called_a_name_is_refused(text: str) -> None:
    assert clean_name(text, 20) is None


@given(st.text(max_size=80), st.integers(1, 40))
def test_whatever_is_written_is_one_tame_line_and_stays_so(text: str, cells: int) -> None:
    for clean in (clean_name, clean_chat):
        line = clean(text, cells)
        if line is None:
            continue
        assert 0 < wcswidth(line) <= cells
        assert line == line.strip() and "  " not in line
        assert all(category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in line)
        assert clean(line, cells) == line
