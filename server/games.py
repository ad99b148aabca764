"""What the server needs of one game: the game, its projector, and its entries' codec.

Games are found by name; none is known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from attrs import frozen

from engine.entry import Entry
from engine.errors import Code, IllegalAction
from engine.game import Bot, Game, Searcher, find_game
from protocol.codec import Codec
from protocol.entries import entry_codec
from protocol.project import Projector


@frozen
class GameServices:
    """One game, ready to be served."""

    game: Game[Any]
    projector: Projector
    entries: Codec[Entry]


def game_services(name: str) -> GameServices:
    """The installed game `name`; raises IllegalAction(BAD_OPTIONS) if there is none."""
    if name not in installed():
        # asked by strangers, and often: the search on disk is not for them
        raise IllegalAction(Code.BAD_OPTIONS, game=name)
    return _play(name)


@cache
def installed() -> frozenset[str]:
    """The names of all games that were installed when the server started."""
    return frozenset(point.name for point in entry_points(group="ra_online.games"))


def levels() -> Mapping[str, bool]:
    """The levels of bots that any installed game has, and whether bots of that level think
    as long as they are told to. A game that cannot be loaded has none."""
    found: dict[str, bool] = {}
    for name in installed():
        try:
            bots = game_services(name).game.bots.items()
            found |= {level: found.get(level) or _thinks(bot) for level, bot in bots}
        except Exception:  # code of others; that it fails is logged when the server starts
            continue
    return found


def _thinks(bot: type[Bot]) -> bool:
    return isinstance(bot(), Searcher)


@cache
def _play(name: str) -> GameServices:
    game = find_game(name)
    return GameServices(game, Projector(game), entry_codec(game.vocabulary))
