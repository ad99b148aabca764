"""The pages before a game."""

from __future__ import annotations

import pytest

from client.dial.address import is_local
from tests.client.seated import Seated


@pytest.mark.parametrize("where", ["127.0.0.1:8765", "localhost", "[::1]:9", "example.org:8765"])
def test_an_invitation_says_nothing_of_other_machines_that_is_not_known(where: str) -> None:
    """The server that is reached by this machine alone may listen to nobody else."""
    from attrs import evolve

    from engine.table.words import Phase

    made = Seated()
    scene = made.state.timeline.scene
    assert scene is not None
    table = evolve(scene.table, phase=Phase.WAITING, places=(), host=0)
    made.state.timeline.scene = evolve(scene, table=table, board=None, prompts=())
    made.state.where = where
    room = made.screen()
    assert where in room and table.code in room
    assert ("on this machine:" in room) == is_local(where)
    assert ("tell the others:" in room) != is_local(where)
    assert "elsewhere" not in room and "name of this machine" not in room
