"""Who we say we are, and what becomes of it."""

from __future__ import annotations

from client.net.conversation import Conversation
from client.net.identity import Identity
from engine.game import Setup
from protocol.messages import (
    VERSION,
    Hello,
    Refused,
)
from tests.client.joined import WELCOME, Ids, Joined
from tests.games import open_table


def test_hello_says_who_we_are_and_the_token_is_kept() -> None:
    kept: list[tuple[bytes, str]] = []
    conversation = Conversation(
        Identity("ra-client/1", "Anna", b"old"),
        random=Ids(),
        keep_token=lambda token, name: kept.append((token, name)),
    )
    joined = Joined(open_table("ra", Setup("standard", 2)), conversation=conversation)
    joined.open()
    (hello,) = joined.up()
    assert hello == Hello(VERSION, "ra-client/1", (), "en", "Anna", b"old")
    joined.down(WELCOME)
    assert kept == [(b"token", "Anna")]
    conversation.broken("cut", 1)
    joined.open()
    (hello,) = joined.up()
    assert isinstance(hello, Hello) and hello.token == b"token"


def test_a_name_that_is_refused_can_be_changed_at_once() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.open()
    joined.up()
    joined.down(Refused(None, "bad_name", (), ""))
    assert joined.conversation.greeting
    joined.conversation.rename("Anna B.")
    (hello,) = joined.up()
    assert isinstance(hello, Hello) and hello.name == "Anna B."
    joined.down(WELCOME)
    assert joined.conversation.online
