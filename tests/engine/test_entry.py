"""Entries and events: what is hidden stays out of sight by default."""

from __future__ import annotations

from attrs import frozen

from engine.deal import Chance
from engine.entry import Cause, Entry, Event, PublicEvent, Sealed
from engine.game import Setup
from engine.ra.game import RA


@frozen
class Noted(Event):
    """Nothing is said about who may know this."""

    number: int


@frozen
class Told(PublicEvent):
    number: int


def test_an_event_is_hidden_unless_it_says_otherwise() -> None:
    assert [Noted(1).show(audience) for audience in (None, 0, 3, -1, 99)] == [None] * 5


def test_a_public_event_is_told_to_everybody_once() -> None:
    assert Told(1).show(None) == Told(1)
    assert Told(1).show(0) is None


def test_no_text_of_an_entry_holds_what_is_sealed() -> None:
    """Log lines and error messages are made of `repr`."""
    secret = bytes(range(100, 132))
    deal = RA.deal(Setup("standard", 3), Chance(secret))
    sealed = Sealed(secret, deal)
    entry = Entry(1, 0, Cause.HOUSE, None, None, None, None, (), sealed)
    for text in (repr(entry), str(entry), repr(sealed)):
        assert "secret" not in text
        assert "deal" not in text
        assert repr(secret)[2:-1] not in text
    assert "bag" not in repr(deal)
