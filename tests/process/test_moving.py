"""A seat is carried from one device to another; and the ways in which a server ends a
connection are each said in own words (real processes, a folder for each device)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from client.net.link import Patience
from client.refusal_texts import closing_text
from server.refusals import DisconnectReason
from tests.client.typed_runs import run, typist
from tests.server.peer import server


async def test_a_seat_is_carried_to_another_device(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        async with typist(here, where, "--plain", "--create", "--name", "Anna") as anna:
            code = (await anna.line(r"^table: (\S+) .*you have seat 1$"))[1]
            moved = await anna.type("move", r"^move: (\S+) is good for \d+ s$")
            assert moved is not None
            async with typist(there, where, code, "--plain", "--seat-code", moved[1]) as again:
                await again.line("^link: connected as Anna$")
                await again.line("you have seat 1$")
                assert await anna.ended() == (0, "ra-client: your seat is on another device now\n")
                assert await again.end() == 0
        kept = await run(there, where, code, "--plain")
        assert any(line.endswith("you have seat 1") for line in kept.out), "it is kept there"
        used = await run(tmp_path / "third", where, "--plain", "--seat-code", moved[1])
        assert (used.code, used.out) == (1, [])
        assert used.err == "ra-client: this code is used up, too old, or none\n"


@pytest.mark.parametrize("listed", [(), ("--unlisted",)])
async def test_whoever_is_carried_elsewhere_comes_to_the_table_where_they_play(
    tmp_path: Path, listed: tuple[str, ...]
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        flags = ("--plain", "--create", *listed, "--bots", "1", "--name", "Anna")
        async with typist(here, where, *flags) as anna:
            await anna.line("^your ")
            moved = await anna.type("move", r"^move: (\S+) is good")
            assert moved is not None
            async with typist(there, where, "--plain", "--seat-code", moved[1]) as again:
                await again.line("^table: .* you have seat 1$")
                assert await again.end() == 0


async def test_a_code_may_be_had_without_joining_in_and_be_typed(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        nothing = await run(here, where, "--move-seat")
        assert (nothing.code, nothing.out) == (1, [])
        assert "no session is kept" in nothing.err
        await run(here, where, "--plain", "--name", "Anna")
        told = await run(here, where, "--move-seat")
        assert (told.code, told.err) == (0, "")
        code = re.match(r"(\S+)   good once, for \d+ (minutes|seconds)$", told.out[0])
        assert code is not None
        assert told.out[1] == f"there: ra-client {where} --seat-code {code[1]}"
        typed = f"{code[1].lower()}\nsay nobody hears\n"
        again = await run(there, where, "--plain", "--seat-code", typed=typed)
        assert again.code == 0
        assert again.out[0] == "link: connected as Anna"
        assert again.out[1].startswith("error: you are at no table"), "the next line is a line"
        wrong = await run(there, where, "--plain", "--seat-code", typed="?\n")
        assert wrong.code == 2


async def test_a_second_client_of_a_session_takes_over_and_the_first_ends(tmp_path: Path) -> None:
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        async with typist(tmp_path, where, "--plain", "--name", "Anna") as first:
            await first.line("^link: connected")
            second = await run(tmp_path, where, "--plain", "--name", "Anna")
            assert second.out == ["link: connected as Anna"]
            code, err = await first.ended()
            assert code == 1
            assert err.startswith("ra-client: another client took over this session")
            assert err.count("\n") == 1


@pytest.mark.parametrize("reason", [word for word in DisconnectReason if word not in ("too_old",)])
def test_every_way_in_which_a_server_ends_a_connection_has_its_words(reason: str) -> None:
    text = closing_text(reason, "technical")
    assert text.isprintable() and len(text) < 120
    if reason not in ("malformed", "text_message"):
        # These two are faults of a client, for whoever mends it.
        assert "technical" not in text


@pytest.mark.parametrize("asked", [0.0, 1.5, 60.0, 10.0**9])
def test_a_server_that_asks_to_wait_is_obeyed_within_a_bound_and_not_by_all_at_once(
    asked: float,
) -> None:
    patience = Patience()
    waits = {patience.wait(0, chance / 10, asked) for chance in range(11)}
    assert min(waits) >= min(asked, patience.polite)
    assert max(waits) <= patience.polite * 1.5
    assert len(waits) == 11
