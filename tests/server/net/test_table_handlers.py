"""What a client may ask at a table, and of a table that there is not."""

from __future__ import annotations

from attrs import evolve

from protocol.messages import (
    Act,
    Refused,
    Said,
    Say,
    Watch,
)
from tests.server.peer import QUIET, peer, server


async def test_chat_is_cleaned_limited_and_kept_nowhere() -> None:
    settings = evolve(QUIET, chat_burst=2, chat_rate=0.01)
    async with server(settings) as app, peer(app, "Ann") as ann, peer(app, "Bob") as bob:
        code = await ann.create()
        await bob.watch(code)
        number = ann.number
        said = await bob.ask(Say("  hi\x1b[31m\u202e\nthere "), Said)
        assert (said.seat, said.name, said.text) == (None, "Bob", "hi[31m there")
        assert await ann.until(Said) == said
        assert (await ann.ask(Say("Me too"), Said)).seat == 0
        assert (await bob.ask(Say("\u200b"), Refused)).code == "empty_text"
        await bob.ask(Say("2"), Said)
        assert (await bob.ask(Say("3"), Refused)).code == "too_fast"
        assert app.residents.tables[code].stream.number == number


async def test_codes_of_no_table_are_refused() -> None:
    async with server() as app, peer(app) as one:
        for text in ("", "KIWI", "NONE-00", "\x00", "../../x", "K" * 64):
            assert (await one.ask(Watch(text, 0), Refused)).code == "no_table"
            assert (await one.join(text)).code == "no_table"  # type: ignore[union-attr]


async def test_commands_that_are_none_of_the_game_are_refused() -> None:
    async with server() as app, peer(app) as one:
        await one.create(bots=("random", "random"))
        for tree in (None, 7, (), (99,), (32, 1), ("x",), ((32,),), (True,)):
            refused = await one.ask(Act(b"id", 1, tree), Refused)
            assert (refused.code, refused.id) == ("bad_field", b"id")
