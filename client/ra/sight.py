"""The views of Ra in a scene, typed."""

from __future__ import annotations

from client.state.scene import Scene
from engine.ra.words.views import Board, Hidden


def board_of(scene: Scene) -> Board:
    """The public view; a match must have started."""
    board = scene.board
    if not isinstance(board, Board):
        raise TypeError("no match of Ra is being played here")
    return board


def own_of(scene: Scene) -> Hidden | None:
    """The viewer's private view."""
    own = scene.own
    return own if isinstance(own, Hidden) else None
