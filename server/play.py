"""What the server needs of one game: the game, its projector, and its entries' codec.

Games are found by name; none is known here.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import frozen

from engine.entry import Entry
from engine.game import Game, find_game
from protocol.codec import Codec
from protocol.entries import entry_codec
from protocol.project import Projector


@frozen
class Play:
    """One game, ready to be served."""

    game: Game[Any]
    projector: Projector
    entries: Codec[Entry]


@cache
def find_play(name: str) -> Play:
    """The installed game `name`; raises IllegalAction(BAD_OPTIONS) if there is none."""
    game = find_game(name)
    return Play(game, Projector(game), entry_codec(game.vocabulary))
