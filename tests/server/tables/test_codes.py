"""Codes of tables: short for listed tables, and impossible to guess for all others."""

from __future__ import annotations

import os
import re
import sys

import pytest

from engine.stream import open_stream
from engine.table.words import Open
from protocol.messages import Accepted, Refused, Snapshot, Watch
from server.games import game_services
from server.store.memory import MemoryStore
from server.store.port import START, Row
from server.tables.codes import LETTERS, WORDS, clean_code, draw, guessable
from server.tables.directory import row_of
from tests.server.peer import Peer, peer, server

LONG = re.compile(f"[{LETTERS}]{{4}}([.][{LETTERS}]{{4}}){{2}}")

elsewhere = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="this machine has one address"
)


async def told(one: Peer, code: str) -> str:
    """Watch a code: "" if there is a table, else the code of the refusal."""
    answer = await one.ask(Watch(code, 0), (Snapshot, Refused))
    return answer.code if isinstance(answer, Refused) else ""


async def store_with(code: str, *, listed: bool) -> MemoryStore:
    """A database with one table of this code, opened by `ann`."""
    play, store = game_services("ra"), MemoryStore()
    opened = Open("ra", "standard", (), 3, (), listed, True, "Ann", b"n" * 16)
    entry = open_stream(
        opened,
        id=b"id",
        person=b"ann",
        code=code,
        secret=os.urandom(32),
        bot_nonces=(),
        time=1,
        game=play.game,
    )
    row = Row(1, play.entries.encode(entry))
    await store.append(code, START, row, row_of((row,)))
    return store


# codes


def test_the_code_of_an_unlisted_table_has_sixty_bits() -> None:
    drawn = [next(draw(listed=False)) for _ in range(500)]
    assert all(LONG.fullmatch(code) for code in drawn) and len(set(drawn)) == 500
    assert len(LETTERS) ** 12 >= 2**60
    for place in range(12):
        # of 32 letters, 500 times: one that never comes is one in 100,000 runs
        assert len({code.replace(".", "")[place] for code in drawn}) >= 31
    assert not any(guessable(code) for code in drawn)
    assert not any("-" in code for code in drawn), "clients of 0.1.0 take two for an invitation"


def test_a_code_is_what_a_person_means_by_it() -> None:
    for typed in ("kiwi-42", "KIWI 42", " kiwi42 ", "Kiwi_42"):
        assert clean_code(typed) == "KIWI-42"
    for typed in ("k0qx.m1pd.91we", "KOQX-MIPD-9LWE", "koqx mlpd 9iwe", "K0QXM1PD91WE"):
        assert clean_code(typed) == "K0QX.M1PD.91WE"
    for word in WORDS:
        assert clean_code(f"{word}-424242") == f"{word}-424242", "none is read as a long one"
    assert clean_code("ABCDEFGHJ424") == "ABCD.EFGH.J424", "no word of ours"
    for typed in ("", "KIWI", "K0QX.M1PD", "K0QX.M1PD.91WU", "../../x", "K" * 64, "KIWI-42-7"):
        assert clean_code(typed) is None


async def test_an_unlisted_table_is_reached_by_its_code_however_it_is_typed() -> None:
    async with server() as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create(listed=False)
        assert LONG.fullmatch(code)
        listed = await ann.create()
        assert guessable(listed) and listed.split("-")[0] in WORDS
        assert await told(bob, code.lower().replace(".", "-")) == ""
        assert isinstance(await bob.join(code.replace(".", " ")), Accepted)


# what wrong codes cost
