"""The conversation: commands act once over any number of connections, gaps heal, and the
listeners hear what is so."""

from __future__ import annotations

import pytest

from client.net.endings import TryLater
from client.state.events import Attended
from engine.deal import Chance
from engine.game import Setup
from protocol.codec import ProtocolError
from protocol.messages import (
    Heartbeat,
    Refused,
    Say,
    Snapshot,
    Update,
    Watch,
)
from tests.client.joined import RESUMED, Joined
from tests.games import open_table, seed


def test_b10_a_lost_update_heals_by_itself(joined: Joined) -> None:
    moves = joined.played.moves(Chance(seed(1)))
    joined.step(next(moves))
    before = joined.played.stream.number
    joined.update(next(moves))  # lost on its way
    joined.step(next(moves))
    assert joined.up() == [Watch("TEST-1", before)]
    joined.step(next(moves))
    assert joined.up() == [], "asked once"
    joined.snapshot()
    scene, match = joined.conversation.model.scene, joined.played.stream.match
    assert scene is not None and match is not None
    assert scene.board == joined.played.game.public(match.state)
    joined.step(next(moves))
    assert isinstance(joined.conversation.model.scene, type(scene))


def test_b10_a_lost_last_update_is_noticed_by_the_heartbeat(joined: Joined) -> None:
    joined.update(next(joined.played.moves(Chance(seed(1)))))
    joined.down(Heartbeat(joined.played.stream.number))
    assert joined.up() == [Watch("TEST-1", joined.played.stream.number - 1)]
    joined.snapshot()
    joined.down(Heartbeat(joined.played.stream.number))
    assert joined.up() == []


def test_b10_a_server_from_a_backup_is_believed(joined: Joined) -> None:
    moves = joined.played.moves(Chance(seed(1)))
    old = joined.views()
    number = joined.played.stream.number
    for _ in range(5):
        joined.step(next(moves))
    joined.conversation.broken("cut", 1)
    joined.connect(RESUMED)
    joined.down(Snapshot(number, 0, *old, ()))
    assert joined.conversation.model.scene is not None
    assert joined.conversation.model.scene.number == number
    assert joined.up() == []


def test_a_delta_that_does_not_fit_heals_but_not_for_ever(joined: Joined) -> None:
    number = joined.played.stream.number
    bad = Update(number + 1, ((), (999, 0)), None)
    for _ in range(3):
        joined.down(bad)
        assert joined.up() == [Watch("TEST-1", number + 1)]
        joined.snapshot()
    joined.step(next(joined.played.moves(Chance(seed(1)))))
    bad = Update(number + 2, ((), (999, 0)), None)
    for _ in range(3):
        joined.down(bad)
        joined.up()
        joined.snapshot()
    with pytest.raises(ProtocolError):
        joined.down(bad)


def test_a_table_that_is_gone_is_left() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.attend()
    joined.conversation.broken("cut", 1)
    joined.connect(RESUMED)
    joined.down(Refused(None, "no_table", (), ""))
    assert joined.conversation.model.scene is None
    joined.conversation.broken("cut", 1)
    assert joined.connect(RESUMED) == []


def test_a_table_that_cannot_be_read_for_a_moment_is_not_left(joined: Joined) -> None:
    """The disk's fault as we come back: come again, and the seat is resumed."""
    number = joined.played.stream.number
    for _ in range(3):
        joined.conversation.broken("cut", 1)
        assert joined.connect(RESUMED) == [Watch("TEST-1", number)]
        with pytest.raises(TryLater):
            joined.down(Refused(None, "store_unavailable", (("reason", "io_error"),), ""))
    joined.conversation.broken("cut", 1)
    assert joined.connect(RESUMED) == [Watch("TEST-1", number)]
    joined.snapshot()
    assert joined.conversation.model.scene is not None


def test_a_line_of_chat_that_cannot_be_said_is_told_so(joined: Joined) -> None:
    assert joined.conversation.requests.say("hello")
    assert joined.up() == [Say("hello")]
    joined.conversation.broken("cut", 1)
    assert not joined.conversation.requests.say("hello")
    joined.connect(RESUMED)
    assert not joined.conversation.requests.say("hello"), "the table has not come back yet"
    assert not joined.conversation.requests.ask_hint()
    joined.snapshot()
    assert joined.up() == []


def test_joining_anew_shows_the_table_once() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.attend()
    assert len([change for change in joined.changes if isinstance(change, Attended)]) == 1
