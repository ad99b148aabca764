"""A session goes to another device by a code, and by nothing that outlives it."""

from __future__ import annotations

import asyncio

import pytest
from attrs import evolve

from protocol.messages import (
    VERSION,
    Beat,
    GetMoveCode,
    Heartbeat,
    Hello,
    MoveCode,
    Refused,
    Welcome,
)
from server.accounts.move_codes import LETTERS, MoveCodes
from server.app import App
from server.store.memory import MemoryStore
from server.store.port import SessionRow, Unavailable, Unknown
from tests.server.peer import QUIET, Peer, farewell, peer, server


async def dismissed(one: Peer) -> tuple[int | None, str, int]:
    """(close code, word, retry) once the server has closed."""
    closing, code = await farewell(one)
    return code, closing.code, closing.retry


async def move_code(one: Peer) -> MoveCode:
    return await one.ask(GetMoveCode(), MoveCode)


def hello(token: bytes | None, name: str = "") -> Hello:
    return Hello(VERSION, "tests/1", (), "en", name, token)


async def test_a_code_carries_the_seat_to_another_device_once() -> None:
    async with server() as app, peer(app, "Ann") as old, peer(app, "Bob") as bob:
        table = await old.create(seats=2)
        await bob.join(table)
        code = await move_code(old)
        assert code.seconds == 300 and len(code.code) == 9
        assert set(code.code) <= {*LETTERS, "-"}
        # typed as people type
        typed = f" {code.code.lower().replace('-', ' ')} ".encode()
        async with peer(app, None) as new:
            welcome = await new.ask(hello(typed), Welcome)
            assert (welcome.session, welcome.name) == (old.person, "Ann")
            assert welcome.token is not None and welcome.token != old.token
            assert isinstance(await old.ask(Beat(), Heartbeat), Heartbeat), "not carried yet"
            assert (await new.watch(table)).seat == 0
            assert await dismissed(old) == (4002, "moved", 0)
            for said in (typed, code.code.encode()):
                async with peer(app, None) as third:
                    refused = await third.ask(hello(said), Refused)
                    assert refused.code == "no_move_code"
            async with peer(app, None) as stale:
                anew = await stale.ask(hello(old.token, "Ann"), Welcome)
                assert anew.session != welcome.session, "the old token is void"
            await asyncio.gather(new.ask(Beat(), Heartbeat), bob.ask(Beat(), Heartbeat))
        async with peer(app, "", welcome.token) as later:
            assert (await later.watch(table)).seat == 0


async def test_a_welcome_lost_on_its_way_loses_no_seat() -> None:
    async with server() as app, peer(app, "Ann") as old:
        table = await old.create(seats=2)
        code = (await move_code(old)).code.encode()
        async with peer(app, None) as lost:
            await lost.ask(hello(code), Welcome)
            lost.socket.transport.abort()
        async with peer(app, None) as new:
            welcome = await new.ask(hello(code), Welcome)
            assert welcome.session == old.person
            assert (await new.watch(table)).seat == 0
        async with peer(app, None) as late:
            assert (await late.ask(hello(code), Refused)).code == "no_move_code"


async def test_until_the_new_device_speaks_the_old_one_keeps_the_seat() -> None:
    async with server() as app, peer(app, "Ann") as old:
        table = await old.create(seats=2)
        code = (await move_code(old)).code.encode()
        async with peer(app, None) as lost, peer(app, None) as slow:
            tokens = [(await one.ask(hello(code), Welcome)).token for one in (lost, slow)]
            lost.socket.transport.abort()
            assert await old.ask(Beat(), Heartbeat)
            async with peer(app, "", old.token) as again:
                assert again.person == old.person, "its token is good"
                assert (await again.watch(table)).seat == 0
                # the newest welcome was lost too, and its token is said in a new hello
                async with peer(app, "", tokens[1]) as new:
                    assert (await new.watch(table)).seat == 0
                    assert await dismissed(again) == (4002, "moved", 0)
            await slow.send(Beat())
            assert (await dismissed(slow))[1] == "unsure"
        async with peer(app, "Eve", tokens[0]) as late:
            assert late.person != old.person, "one device alone"


class Forgetful(MemoryStore):
    """Does what is asked of it, or does not, and cannot say which."""

    done = True
    trouble = False

    async def move_session(self, public: bytes, token_hash: bytes) -> SessionRow | None:
        row = await super().move_session(public, token_hash) if self.done else None
        if self.trouble:
            raise Unknown("io_error")
        return row

    async def put_session(self, session: SessionRow) -> None:
        if self.done:
            await super().put_session(session)
        if self.trouble:
            raise Unknown("io_error")


class Slow(MemoryStore):
    """Moves a session when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()

    async def move_session(self, public: bytes, token_hash: bytes) -> SessionRow | None:
        self.asked.set()
        await self.go_on.wait()
        return await super().move_session(public, token_hash)


@pytest.mark.parametrize("done", [True, False])
async def test_a_move_whose_outcome_is_unknown_loses_no_seat(done: bool) -> None:
    store = Forgetful()
    async with server(store=store) as app, peer(app, "Ann") as old:
        table = await old.create(seats=2)
        code = (await move_code(old)).code.encode()
        store.trouble, store.done = True, done
        async with peer(app, None) as new:
            welcome = await new.ask(hello(code), Welcome)
            await new.send(Beat())
            assert (await dismissed(new))[:2] == (1013, "unsure")
        async with peer(app, None) as fresh:
            await fresh.send(hello(None, "Bob"))
            assert (await dismissed(fresh))[:2] == (1013, "unsure"), "not refused"
        store.trouble, store.done = False, True
        async with peer(app, "", welcome.token) as again:
            assert (await again.watch(table)).seat == 0
        async with peer(app, "", welcome.token) as again:
            assert (await again.watch(table)).seat == 0


async def test_a_code_is_good_for_a_while_and_the_newest_alone() -> None:
    async with server(evolve(QUIET, move_seconds=0.2)) as app, peer(app, "Ann") as ann:
        first = (await move_code(ann)).code.encode()
        second = (await move_code(ann)).code.encode()
        async with peer(app, None) as other:
            assert (await other.ask(hello(first), Refused)).code == "no_move_code"
            await asyncio.sleep(0.25)  # it is age that ends it
            assert (await other.ask(hello(second), Refused)).code == "no_move_code"
        await ann.ask(Beat(), Heartbeat)


async def test_few_codes_can_be_tried() -> None:
    async with server(evolve(QUIET, move_tries=3)) as app, peer(app, "Ann") as ann:
        code = (await move_code(ann)).code.encode()
        async with peer(app, None) as thief:
            told = [(await thief.ask(hello(b"2345-678%d" % n), Refused)).code for n in range(5)]
            assert told == ["no_move_code"] * 3 + ["too_fast"] * 2
            assert (await thief.ask(hello(None, "Eve"), Welcome)).token, "that is all"
        async with peer(app, None) as thief:
            assert (await thief.ask(hello(code), Refused)).code == "too_fast"
    async with server(evolve(QUIET, move_tries_of_all=3)) as app, peer(app, None) as thief:
        told = [(await thief.ask(hello(b"AAAA-AAAA"), Refused)).code for n in range(4)]
        assert told[3] == "too_fast"


def test_codes_and_their_tokens_are_spent_by_a_clock_and_by_proof() -> None:
    now = 0.0
    codes = MoveCodes[str](10.0, lambda: now)
    first = codes.issue(b"ann", "Ann").encode()
    assert codes.use(first, b"1") == codes.use(first, b"2") == "Ann", "until one has spoken"
    assert codes.whose(b"1") == codes.whose(b"2") == "Ann"
    proven = codes.prove(b"2")
    assert proven is not None and codes.whose(b"1") is None
    codes.unproven(proven, b"2")
    assert codes.whose(b"2") == "Ann", "once more, if what followed is not known"
    codes.void(b"ann")
    codes.unproven(proven, b"2")
    assert codes.use(first, b"3") is None and codes.whose(b"2") is None
    second = codes.issue(b"ann", "Ann").encode()
    for n in range(100):
        assert codes.use(second, b"t%d" % n) == "Ann"
    assert [codes.whose(b"t0"), codes.whose(b"t99")] == [None, "Ann"], "few are remembered"
    now = 10.0
    assert codes.use(second, b"4") is None and codes.whose(b"t99") is None
    assert len({codes.issue(b"ann", "Ann") for _ in range(200)}) == 200
    assert codes.use("ÄÖ".encode(), b"5") is None and codes.use(b"", b"5") is None
    assert not codes._by_token and len(codes._codes) == 1


# what outlives its purpose


async def carried(app: App, code: bytes) -> bytes:
    """The token that somebody gets for a code and keeps for later."""
    async with peer(app, None) as new:
        token = (await new.ask(hello(code), Welcome)).token
        assert token is not None
        return token


async def test_a_token_that_never_spoke_is_void_once_another_code_is_asked_for() -> None:
    async with server() as app, peer(app, "Ann") as ann:
        token = await carried(app, (await move_code(ann)).code.encode())
        again = (await move_code(ann)).code.encode()
        async with peer(app, "Eve", token) as late:
            assert late.person != ann.person
        assert await ann.ask(Beat(), Heartbeat), "nobody took the seat"
        async with peer(app, None) as new:
            assert (await new.ask(hello(again), Welcome)).session == ann.person


async def test_a_token_that_never_spoke_is_void_with_its_code() -> None:
    async with server(evolve(QUIET, move_seconds=0.2)) as app, peer(app, "Ann") as ann:
        code = (await move_code(ann)).code.encode()
        async with peer(app, None) as silent:
            token = (await silent.ask(hello(code), Welcome)).token
            await asyncio.sleep(0.25)  # it is age that ends it
            await silent.send(Beat())
            assert (await dismissed(silent))[1] == "unsure"
        async with peer(app, "Eve", token) as late:
            assert late.person != ann.person
        assert await ann.ask(Beat(), Heartbeat), "nobody took the seat"


async def test_a_code_asked_for_before_a_move_does_not_take_the_session_back() -> None:
    """Who had the session asks for another code while the other device proves itself."""
    store = Slow()
    async with server(store=store) as app, peer(app, "Ann") as old:
        code = (await move_code(old)).code.encode()
        async with peer(app, None) as new:
            welcome = await new.ask(hello(code), Welcome)
            await new.send(Beat())
            await store.asked.wait()
            late = (await move_code(old)).code.encode()
            store.go_on.set()
            await new.until(Heartbeat)
            async with peer(app, None) as other:
                assert (await other.ask(hello(late), Refused)).code == "no_move_code"
        async with peer(app, "", welcome.token) as again:
            assert again.person == old.person


async def test_a_move_that_happened_unseen_is_believed_later() -> None:
    """The store could not say, the time of the code went by, and yet it was done."""
    store = Forgetful()
    async with server(evolve(QUIET, move_seconds=0.2), store) as app, peer(app, "Ann") as old:
        code = (await move_code(old)).code.encode()
        async with peer(app, None) as new:
            welcome = await new.ask(hello(code), Welcome)
            store.trouble = True
            await new.send(Beat())
            assert (await dismissed(new))[1] == "unsure"
        store.trouble = False
        await asyncio.sleep(0.25)  # it is age that ends the code
        async with peer(app, "", welcome.token) as again:
            assert again.person == old.person


async def test_a_move_that_cannot_be_stored_changes_nothing() -> None:
    class Full(MemoryStore):
        async def move_session(self, public: bytes, token_hash: bytes) -> SessionRow | None:
            raise Unavailable("disk_full")

    async with server(store=Full()) as app, peer(app, "Ann") as ann:
        code = (await move_code(ann)).code.encode()
        async with peer(app, None) as new:
            await new.ask(hello(code), Welcome)
            await new.send(Beat())
            assert (await dismissed(new))[:2] == (1013, "unsure")
        await ann.ask(Beat(), Heartbeat)
        async with peer(app, "", ann.token) as again:
            assert again.person == ann.person


async def test_the_right_code_costs_nothing() -> None:
    async with server(evolve(QUIET, move_tries=3)) as app:
        for name in "ABCDE":
            async with peer(app, name) as one, peer(app, None) as new:
                code = (await move_code(one)).code.encode()
                assert (await new.ask(hello(code), Welcome)).session == one.person
