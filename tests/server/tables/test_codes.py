"""Codes of tables: short where all may come, else such as nobody guesses; and what wrong ones
cost."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from contextlib import AsyncExitStack
from time import monotonic

import pytest
from attrs import evolve

from engine.stream import open_stream
from engine.table.words import Open
from protocol.messages import Accepted, Beat, GetRecord, Heartbeat, Refused, Snapshot, Watch
from server.games import game_services
from server.net import code_guesses as guesses
from server.store.memory import MemoryStore
from server.store.port import START, Row
from server.tables.codes import LETTERS, WORDS, clean_code, draw, guessable
from server.tables.directory import row_of
from tests.patience import until
from tests.server.peer import QUIET, Peer, peer, server

LONG = re.compile(f"[{LETTERS}]{{4}}([.][{LETTERS}]{{4}}){{2}}")
FEW = evolve(QUIET, wrong_codes=3)

elsewhere = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="this machine has one address"
)


async def told(one: Peer, code: str) -> str:
    """What comes of watching a code: "" is a table, else why not."""
    answer = await one.ask(Watch(code, 0), (Snapshot, Refused))
    return answer.code if isinstance(answer, Refused) else ""


async def wrong(one: Peer, count: int, first: int = 0) -> list[str]:
    return [await told(one, f"NONE-{first + n:04}") for n in range(count)]


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


# what wrong ones cost


async def test_wrong_codes_are_bounded_by_address_wherever_they_are_said() -> None:
    async with server(FEW) as app, peer(app, "Ann") as ann:
        code, secret = await ann.create(), await ann.create(listed=False)
        async with peer(app, "Eve") as eve, peer(app, "Mal") as mal:
            assert await wrong(eve, 1) == ["no_table"]
            assert (await eve.join("NONE-77-ABCD-EFGH-JKMN")).code == "no_table"  # type: ignore[union-attr]
            assert (await mal.ask(GetRecord("NONE-78"), Refused)).code == "no_table"
            for one in (eve, mal):
                assert await told(one, "NONE-79") == "too_many_codes"
            # what is no guess goes on, and so does everything else
            assert await told(eve, code) == await told(mal, secret) == ""
            assert await mal.ask(Beat(), Heartbeat)
            refused = await eve.ask(GetRecord("NONE-80"), Refused)
            assert refused.code == "too_many_codes"
            assert int(dict(refused.facts)["seconds"]) > 0


async def test_a_right_code_costs_nothing() -> None:
    async with server(FEW) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code, secret = await ann.create(), await ann.create(listed=False)
        assert [await told(bob, known) for _ in range(5) for known in (code, secret)] == [""] * 10
        assert await wrong(bob, 3) == ["no_table"] * 3


async def test_a_short_code_of_an_unlisted_table_is_kept_by_the_budget() -> None:
    """It is from an earlier version: it leads to its table as ever, but not those who try."""
    store = await store_with("KIWI-42", listed=False)
    async with server(FEW, store) as app, peer(app, "Bob") as bob:
        assert await told(bob, "kiwi 42") == ""
        assert isinstance(await bob.join("KIWI-42"), Accepted)
        async with peer(app, "Eve") as eve:
            await wrong(eve, 3)
            assert await told(eve, "KIWI-42") == "too_many_codes"
            assert (await eve.join("KIWI-42")).code == "too_many_codes"  # type: ignore[union-attr]
            # whoever sits there is behind the same address, and not locked out
            assert await told(bob, "KIWI-42") == ""


async def test_whoever_goes_on_with_wrong_codes_is_not_heard_for_a_while() -> None:
    async with server(FEW) as app, peer(app, "Eve") as eve, peer(app, "Ann") as ann:
        await wrong(eve, 3)
        start = monotonic()
        for n in range(40):
            await eve.send(Watch(f"NONE-{n:02}", 0))
        assert await ann.ask(Beat(), Heartbeat), "the others are"
        assert [(await eve.until(Refused)).code for _ in range(40)] == ["too_many_codes"] * 40
        assert monotonic() - start > 32 * 0.01, "at the pace of the address"


async def test_whoever_is_not_heard_is_not_dropped_for_pings_answered_late() -> None:
    """It would come back at once, and a handshake costs more than its codes."""
    async with server(evolve(FEW, ping_seconds=0.2)) as app, peer(app, "Eve") as eve:
        await wrong(eve, 3)
        for n in range(100):
            await eve.send(Watch(f"NONE-{n:02}", 0))
        assert [(await eve.until(Refused)).code for _ in range(100)] == ["too_many_codes"] * 100
        assert await eve.ask(Beat(), Heartbeat)


async def test_whoever_answers_no_ping_is_dropped_though_it_was_not_heard_for_a_while() -> None:
    async with server(evolve(FEW, ping_seconds=0.2)) as app, peer(app, "Eve") as eve:
        await wrong(eve, 20)
        (connection,) = app.endpoint.connections
        eve.socket.transport.pause_reading()  # no ping is answered any more
        await until(lambda: connection not in app.endpoint.connections)
        eve.socket.transport.resume_reading()


async def test_whoever_is_not_heard_and_goes_is_gone_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guesses, "_PACE_SECONDS", 1000)
    async with server(FEW) as app, peer(app, "Eve") as eve:
        await wrong(eve, 3 + 16)
        await eve.socket.close()
        await until(lambda: not app.endpoint.connections, seconds=20)


async def test_many_connections_at_once_get_no_more_wrong_codes_than_one() -> None:
    """Each is looked at before any is found to be wrong."""
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(server(FEW))
        eves = [await stack.enter_async_context(peer(app, f"Eve {n}x")) for n in range(8)]
        told_them = await asyncio.gather(*[wrong(eve, 1, n) for n, eve in enumerate(eves)])
        assert sorted(word for (word,) in told_them) == ["no_table"] * 3 + ["too_many_codes"] * 5


@elsewhere
async def test_another_address_has_a_budget_of_its_own() -> None:
    async with server(FEW) as app, peer(app, "Eve") as eve:
        assert await wrong(eve, 4) == ["no_table"] * 3 + ["too_many_codes"]
        async with peer(app, "Ann", host="127.0.0.2") as ann:
            assert await wrong(ann, 1) == ["no_table"]
