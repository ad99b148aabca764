"""Every text in every message of a server, made hostile: nothing that the client tells of it
steers the terminal, in lines or on the screen (S1)."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from client.net.endings import Dismissed, TryLater
from client.plain.printer import Printer
from client.screen.lines import text_of
from client.screen.pages import draw
from protocol.codec import ProtocolError
from protocol.messages import FromServer, Refused, Snapshot, Update, Welcome
from protocol.server_messages import Closing
from tests.client.seated import Seated
from tests.protocol.examples import SERVER

HOSTILE = "\x1b[2J\x9b\x7f\u202eevil\r\n\u2028SYSTEM\x07"
OFTEN = ("too_fast", "name_taken", "no_table", "bad_options", "too_soon", "", HOSTILE)


def hostile(value: Any) -> Any:
    """The same value with every text in it hostile."""
    if isinstance(value, str):
        return HOSTILE
    if isinstance(value, tuple):
        return tuple(map(hostile, value))
    if attrs.has(type(value)):
        fields = {field.name: getattr(value, field.name) for field in attrs.fields(type(value))}
        return type(value)(**{name: hostile(one) for name, one in fields.items()})
    return value


def harmless(text: str) -> bool:
    return all(line.isprintable() for line in text.split("\n"))


def hears(message: FromServer) -> None:
    """A client at a table hears a message: whatever it tells and shows is harmless."""
    sitting = Seated()
    joined = sitting.joined
    printer = Printer(joined.conversation.model)
    joined.changes.clear()
    ended = ""
    try:
        joined.down(message)
    except (ProtocolError, Dismissed, TryLater) as end:
        ended = str(end)
    assert harmless(ended)
    for change in joined.changes:
        for line in printer.tell(change):
            assert harmless(line) and "\nSYSTEM" not in line
    sitting.state.tick(1.0)
    for key in ("", "l", "x", "?", "x"):
        if key:
            sitting.press(key)
        for columns in (60, 100):
            assert harmless(text_of(draw(sitting.state, columns, 24)))


MESSAGES = [message for message in SERVER if not isinstance(message, Update | Welcome)]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_every_text_of_every_message(message: FromServer) -> None:
    if not isinstance(message, Snapshot):
        hears(hostile(message))
        return
    public = list(message.public)
    table = list(public[0])
    table[0] = HOSTILE
    table[6] = tuple((HOSTILE, bot) for _, bot in table[6])
    hears(attrs.evolve(message, public=(tuple(table), *public[1:])))


@pytest.mark.parametrize("code", OFTEN)
def test_facts_and_details_of_refusals_and_farewells(code: str) -> None:
    facts = tuple((name, HOSTILE) for name in ("seconds", "seats", "game", "bot", "least", HOSTILE))
    hears(Refused(None, code, facts, HOSTILE))
    hears(Closing(code, HOSTILE, 0))
    hears(Closing(code, HOSTILE, 1000))
