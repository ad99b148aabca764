"""Names and chat: one rule, for every script there is."""

from __future__ import annotations

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from protocol.messages import (
    Accepted,
    Hello,
    Said,
    Say,
    Welcome,
)
from server.accounts.names import clean_chat, clean_name
from tests.server.peer import peer, server


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
    "text",
    [
        *("", "        ", "\u200b" * 15, "\u3164", "\u2800", "---", "\u0301", "\x00"),
        # kept for the server and its clients
        *(
            "Seat 2",
            "seat2",
            "SEAT  12",
            "Seat l",
            "Ｓｅａｔ ２",
            "Sеat 2",
            "SYSTEM",
            "System",
            "ЅYSTEM",
        ),
        *("Server", "admin", "Moderator", "easy bot 3", "Random Bot", "Bot 1", "Ra Online"),
        # scripts with look-alikes, mixed
        *("B\u043eb", "Αnn", "Pаул", "Ꭺnn"),
    ],
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


async def test_b34_a_renamed_session_keeps_its_seat_and_the_seat_its_name() -> None:
    """A seat is a session's; what the session calls itself later is no matter."""
    async with server() as app, peer(app, "Bob") as bob, peer(app, "Ann") as ann:
        code = await bob.create(seats=3)
        await ann.join(code)
        async with peer(app, None) as again:
            hello = Hello(2, "tests/1", (), "en", "Bob", ann.token)
            assert (await again.ask(hello, Welcome)).name == "Bob"
            assert (await again.watch(code)).seat == 1
            said = await again.ask(Say("hi"), Said)
            assert (said.seat, said.name) == (1, "Ann")
            assert isinstance(await again.join(code), Accepted)
            names = [
                s.name for s in app.residents.tables[code].stream.seating.seats if s is not None
            ]
            assert names == ["Bob", "Ann"]
