"""The installed games, found by name, and what the server needs to serve one: the game itself,
its projector, and the codec of its entries. Does not know any game by name.
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
        # strangers may ask often, and must not cause a search on disk each time
        raise IllegalAction(Code.BAD_OPTIONS, game=name)
    return _services(name)


@cache
def installed() -> frozenset[str]:
    """The names of all games that were installed when the server started."""
    return frozenset(point.name for point in entry_points(group="ra_online.games"))


def levels() -> Mapping[str, bool]:
    """The levels of bots in all installed games, and whether bots of that level think for as
    long as they are told to. A game that cannot be loaded has none."""
    found: dict[str, bool] = {}
    for name in installed():
        try:
            bots = game_services(name).game.bots.items()
            found |= {level: found.get(level) or _thinks(bot) for level, bot in bots}
        except Exception:  # other people's code; the failure is logged when the server starts
            continue
    return found


def _thinks(bot: type[Bot]) -> bool:
    return isinstance(bot(), Searcher)


@cache
def _services(name: str) -> GameServices:
    game = find_game(name)
    return GameServices(game, Projector(game), entry_codec(game.vocabulary))
