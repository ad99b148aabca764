"""The views of Raja in a scene, typed; and the marks that stand for players."""

from __future__ import annotations

from client.state.scene import Scene
from client.text import width
from engine.raja.words.views import Board, Hidden

_LETTERS = "ABCDE"


def board_of(scene: Scene) -> Board:
    """The public view; a match must have started."""
    board = scene.board
    if not isinstance(board, Board):
        raise TypeError("no match of Raja is being played here")
    return board


def own_of(scene: Scene) -> Hidden | None:
    """The viewer's private view."""
    own = scene.own
    return own if isinstance(own, Hidden) else None


def marks(scene: Scene) -> tuple[str, ...]:
    """By seat, one letter that stands for the player on the map: the initial, if all initials are
    different, else A to E in the order of the seats."""
    seats = range(len(board_of(scene).players))
    initials = tuple(scene.name(seat)[:1].upper() for seat in seats)
    plain = all(width(letter) == 1 and letter.isalpha() for letter in initials)
    if plain and len(set(initials)) == len(initials):
        return initials
    return tuple(_LETTERS[seat] for seat in seats)
