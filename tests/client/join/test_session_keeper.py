"""Clients that start, or keep a session, at the same moment: none loses a seat without a word."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import json
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from client.dial.address import Address
from client.join.session_keeper import SessionKeeper
from client.join.session_store import Kept, SessionStore
from tests.client.typed_runs import run, typist
from tests.patience import PATIENCE
from tests.server.peer import server

HERE = Address("h", 1)


def tokens(folder: Path) -> set[str]:
    """Of all sessions that are kept and can be found again by the name they are under."""
    found = set()
    for path in folder.rglob("*.json"):
        told = json.loads(path.read_bytes())
        kept = SessionStore(folder, HERE).load(told["under"])
        assert kept is not None and kept.token.hex() == told["token"]
        found.add(told["token"])
    return found


def no_locks(*_: Any) -> None:
    raise OSError(errno.ENOLCK, "No locks available")


def together(*acts: Callable[[], object]) -> None:
    """Do several things at the same moment."""
    barrier = threading.Barrier(len(acts))

    def at_once(act: Callable[[], object]) -> None:
        barrier.wait(PATIENCE)
        act()

    threads = [threading.Thread(target=at_once, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)


async def test_the_second_first_client_comes_to_have_the_firsts_session(tmp_path: Path) -> None:
    told: list[str] = []
    first, second = (SessionKeeper(SessionStore(tmp_path, HERE), "Ann", told.append) for _ in "ab")
    assert await first.claim() is None
    waiting = asyncio.ensure_future(second.claim())
    await asyncio.sleep(0)
    assert not waiting.done()
    first.keep(b"one", "Ann")
    assert await waiting == Kept("Ann", b"one")
    assert first.words() == second.words() == ("--name", "Ann")
    assert not told


async def test_one_that_gets_no_connection_lets_the_others_go_first(tmp_path: Path) -> None:
    first, second = (SessionKeeper(SessionStore(tmp_path, HERE), "", print) for _ in "ab")
    assert await first.claim() is None
    waiting = asyncio.ensure_future(second.claim())
    first.release()
    assert await waiting is None
    second.keep(b"two", "Ann")
    assert await first.claim("Boris") is None, "a session of another name is not for Boris"


@pytest.mark.parametrize("locks", [True, False])
def test_a_session_kept_meanwhile_is_never_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locks: bool
) -> None:
    """Where nothing can be locked (NFS may be so) both are kept, and the second one says how
    it is come back to."""
    if not locks:
        monkeypatch.setattr(fcntl, "flock", no_locks)
    told: list[str] = []
    first, second, third = (
        SessionKeeper(SessionStore(tmp_path, HERE), "Ann", told.append) for _ in "abc"
    )
    first.keep(b"one", "Ann")
    second.keep(b"two", "Ann")
    third.keep(b"three", "Ann")
    second.keep(b"two anew", "Ann")
    assert SessionKeeper(SessionStore(tmp_path, HERE), "Ann", print).kept == Kept("Ann", b"one")
    assert first.words() == ("--name", "Ann")
    assert second.words() == ("--name", "Ann (2)")
    assert third.words() == ("--name", "Ann (3)")
    assert told == [
        "another client keeps its session under this name; ours is 'Ann (2)'",
        "another client keeps its session under this name; ours is 'Ann (3)'",
    ]
    assert tokens(tmp_path) == {token.hex() for token in (b"one", b"two", b"two anew", b"three")}


async def test_without_locks_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcntl, "flock", no_locks)
    both = [SessionKeeper(SessionStore(tmp_path, HERE), "Ann", print) for _ in "ab"]
    assert [await one.claim() for one in both] == [None, None]


def test_of_sessions_carried_here_at_the_same_moment_none_is_lost(tmp_path: Path) -> None:
    SessionStore(tmp_path, HERE).save("Ann", Kept("Ann", b"here"))

    def carry(token: bytes) -> Callable[[], object]:
        return lambda: SessionStore(tmp_path, HERE).carried("Ann", Kept("Ann", token))

    given = [bytes([number]) for number in range(8)]
    together(*map(carry, given))
    assert tokens(tmp_path) == {token.hex() for token in (b"here", *given)}
    assert not [path for path in tmp_path.rglob("*") if path.suffix == ".tmp"]


def test_of_secrets_made_at_the_same_moment_one_is_everybodys(tmp_path: Path) -> None:
    made: list[bytes] = []
    together(*[lambda: made.append(SessionStore(tmp_path, HERE).secret()) for _ in range(8)])
    assert len(made) == 8 and len(set(made)) == 1


def test_a_writer_that_is_killed_leaves_the_session_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = SessionStore(tmp_path, HERE)
    storage.save("Ann", Kept("Ann", b"before"))

    def killed(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        storage.save("Ann", Kept("Ann", b"after"), b"before")
    assert SessionStore(tmp_path, HERE).load("Ann") == Kept("Ann", b"before")


async def test_three_clients_started_together_lose_no_seat(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        codes: list[str] = []

        async def open_a_table() -> tuple[int, str]:
            flags = ("--create", "--seats", "2", "--bots", "1", "--name", "Ann", "--plain")
            async with typist(data, where, *flags) as ann:
                with suppress(AssertionError):  # another may take over before there is a table
                    codes.append((await ann.line(r"^table: (\S+) .*you have seat 1"))[1])
                return await ann.ended()

        ends = [asyncio.ensure_future(open_a_table()) for _ in "abc"]
        done, left = await asyncio.wait(ends, timeout=PATIENCE, return_when="FIRST_COMPLETED")
        while len(left) > 1:
            more, left = await asyncio.wait(left, return_when="FIRST_COMPLETED")
            done |= more
        # The newest holds the session; those before it were told so, and how to go on.
        for end in done:
            status, said = end.result()
            assert status == 1 and "another client took over" in said and "To go on here" in said
        for end in left:
            end.cancel()
        await asyncio.wait(left)
        for code in codes:
            back = await run(data, where, code, "--name", "Ann", "--plain", typed="quit\n")
            assert any(re.search("you have seat 1", line) for line in back.out), back
