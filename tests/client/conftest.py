"""What several of the client's tests stand on."""

from __future__ import annotations

import pytest

from engine.game import Setup
from tests.client.joined import Joined
from tests.games import open_table


@pytest.fixture
def joined() -> Joined:
    """A client at a running table, on seat 0, which is asked."""
    for number in range(20):
        joined = Joined(open_table("ra", Setup("standard", 2), number=number))
        joined.attend()
        scene = joined.conversation.model.scene
        assert scene is not None
        if scene.mine is not None:
            return joined
    raise AssertionError("seat 0 never begins")
