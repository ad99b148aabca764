"""How a server ends a conversation."""

from __future__ import annotations

import pytest

from client.net.endings import Dismissed, TryLater
from engine.game import Setup
from protocol.messages import (
    Closing,
    Refused,
    TooOld,
)
from tests.client.joined import Joined
from tests.games import open_table


def test_a_server_that_does_not_want_us_says_so() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)))
    joined.open()
    with pytest.raises(TryLater, match="too fast"):
        joined.down(Refused(None, "too_fast", (), "too many\n new people"))
    joined.open()
    with pytest.raises(TryLater, match="the server is full"):
        joined.down(Refused(None, "full", (), "the server\n is full"))
    joined.open()
    with pytest.raises(Dismissed, match="too old"):
        joined.down(TooOld(3, 4, "update, please"))
    joined.connect()
    with pytest.raises(Dismissed, match="too much was sent"):
        joined.down(Closing("flood", "", 0))
    joined.connect()
    with pytest.raises(TryLater, match="the server restarts"):
        joined.down(Closing("restart", "", 1500))
    assert joined.conversation.retry == 1.5
    joined.open()
    with pytest.raises(Dismissed, match="used up"):
        joined.down(Refused(None, "no_move_code", (), ""))
