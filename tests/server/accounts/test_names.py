"""Names and chat: one rule, for every script there is."""

from __future__ import annotations

import asyncio
from importlib.metadata import entry_points
from unicodedata import category

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from engine.game import find_game
from protocol.messages import (
    Accepted,
    CloseTable,
    Hello,
    LeaveTable,
    Left,
    Refused,
    Said,
    Say,
    StartMatch,
    Welcome,
)
from server.accounts.lookalikes import alike
from server.accounts.names import clean_chat, clean_name
from server.accounts.reserved_names import WORDS
from tests.server.peer import QUIET, peer, server


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


def disguises(word: str) -> tuple[str, ...]:
    """A word in other letters that are read or drawn like it."""
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c != " " else c for c in word)
    strange = word.translate(str.maketrans("oOlI", "00I1"))
    small = word.translate(str.maketrans("abcdegijkmnoprtuvwz", "ᴀʙᴄᴅᴇɢɪᴊᴋᴍɴᴏᴘʀᴛᴜᴠᴡᴢ"))
    spaced, marked = "  ".join(word.split()), "".join(f"{c}\u0301" for c in word)
    return word, word.upper(), word.title(), wide, strange, small, spaced, marked, f"~{word}!"


def levels() -> set[str]:
    """The levels of bots of all games that are installed."""
    games = entry_points(group="ra_online.games")
    return {level for game in games for level in find_game(game.name).bots}


def test_the_words_of_servers_and_clients_are_nobodys_name_however_they_are_written() -> None:
    asked = [*WORDS, "no one", "ra online", "Bob (watching)"]
    for word in asked:
        for name in disguises(word):
            assert clean_name(name, 40) is None, name


def test_bots_of_every_level_there_is_have_their_names_to_themselves() -> None:
    assert levels() >= {"random", "easy", "normal", "hard"}
    for level in levels():
        for word in (f"{level} bot", f"{level} bot 2", f"bot ({level})", f"a {level} bot"):
            for name in disguises(word):
                assert clean_name(name, 40) is None, name


@pytest.mark.parametrize(
    "name",
    ["Freeman", "Youssef", "Allan", "Hostetler", "Norman", "Talbot 2", "Player", "Bird watcher"],
)
def test_names_that_only_begin_or_end_like_such_words_are_fine(name: str) -> None:
    assert clean_name(name, 20) == name


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


TWINS = (
    "Bob",
    "bob",
    "BOB",
    "Bob ",
    " B o b",
    "Bo\u200bb",
    "Ｂｏｂ",
    "Bob\u0301",
    "B\u00f6b",
    "Вов",
    "B0b",
)
"""What looks like Bob, and is allowed as a name where no Bob sits."""
NEVER = ("B\u043eb", "\u200b" * 15, "", "        ", "Seat 2", "SYSTEM")


@pytest.mark.parametrize("name", TWINS)
def test_twins_look_alike(name: str) -> None:
    cleaned = clean_name(name, 20)
    assert cleaned is not None and alike(cleaned, "Bob") and alike("Bob", cleaned)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Bill", "BiII", True),
        ("Bill", "Bi11", True),
        ("José", "Jose", True),
        ("Straße", "STRASSE", True),
        ("Ai", "Al", False),
        ("Ann", "Anna", False),
        ("東京", "京都", False),
        ("हिन्दी", "हन्द", False),
        ("かき", "がき", False),
        ("ОЛЕГ", "Олег", True),
        ("Ada", "Bob", False),
    ],
)
def test_what_looks_alike_and_what_does_not(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is alike(other, one) is same


@given(st.text(max_size=40))
def test_every_name_looks_like_itself(text: str) -> None:
    name = clean_name(text, 20)
    if name is not None:
        assert alike(name, name)


async def test_b34_nobody_at_a_table_is_mistaken_for_another() -> None:
    """The whole list of twins, on real sockets: refused at the table, fine elsewhere; nobody
    takes or acts for seat 0."""
    settings = evolve(QUIET, create_burst=1000)
    async with server(settings) as app, peer(app, "Bob") as bob:
        code = await bob.create(seats=5)
        for name in TWINS:
            async with peer(app, None) as twin:
                await twin.hello(name)
                refused = await twin.join(code)
                assert isinstance(refused, Refused) and refused.code == "name_taken", name
                assert dict(refused.facts) == {"seat": "0"}
                # watching is allowed, being heard under that name is not
                assert (await twin.watch(code)).seat is None
                assert (await twin.ask(Say("I am Bob"), Refused)).code == "name_taken"
                for sly in (StartMatch(b"s"), CloseTable(b"c")):
                    assert (await twin.ask(sly, Refused)).code == "not_host"
                await twin.ask(LeaveTable(b"l"), Left)
                elsewhere = await twin.create()
                assert app.residents.tables[elsewhere].stream.seating.seats[0] is not None
        for name in NEVER:
            async with peer(app, None) as odd:
                hello = Hello(2, "tests/1", (), "en", name, None)
                assert (await odd.ask(hello, Refused)).code == "bad_name", name
        seats = app.residents.tables[code].stream.seating.seats
        assert [seat.name for seat in seats if seat is not None] == ["Bob"]
        for seat, name in enumerate(("José", "東京"), 1):
            async with peer(app, name) as guest:
                assert isinstance(await guest.join(code), Accepted)
                assert guest.seat == seat
                said = await guest.ask(Say("hello"), Said)
                assert (said.seat, said.name) == (seat, name)


async def test_b34_two_twins_that_join_at_the_same_moment_do_not_both_sit() -> None:
    async with server() as app, peer(app, "Host") as host:
        code = await host.create(seats=4)
        async with peer(app, "Ann") as one, peer(app, "ann") as two:
            told = [
                answer
                for answer in await asyncio.gather(one.join(code), two.join(code))
                if isinstance(answer, Refused)
            ]
            assert [answer.code for answer in told] == ["name_taken"]


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
