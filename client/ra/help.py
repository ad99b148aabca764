"""The help page of Ra: the marks on the board, then the game in short."""

from __future__ import annotations

from client.screen.game_help import game_help
from client.screen.lines import Line

_MARKS: tuple[tuple[str, str, str], ...] = (
    ("class:player.asked", "► Anna", "the table waits for this player"),
    ("class:sun.can", "13", "in an auction: a sun that can still be bid and would win"),
    ("class:sun.highest", "►9", "the highest bid"),
    ("class:sun.low", "4", "a sun that cannot be bid any more in this auction"),
    ("class:sun.down", "▒▒", "a sun face down until the epoch ends (▒7: yours, a 7)"),
    ("class:more", "▴3", "grew {since}"),
    ("class:less", "▾1", "shrank {since}"),
    ("class:mark.new", "▲ new", "under the tiles drawn {since}"),
    ("class:ra.last", "■", "the space of the Ra track that ends the epoch"),
)

_RULES = (
    "On your turn draw a tile, invoke Ra, or spend gods to take tiles of the auction track.",
    "A Ra tile, or Ra invoked, starts an auction for all tiles of the track and the sun on "
    "the board. Everybody in turn bids one face-up sun, higher than the bids before, or "
    "passes; the Ra player is last. The sun bid goes to the board; the sun won lies face "
    "down until the epoch ends.",
    "The key of a sun is its own number: 8 bids 8, 1 and 5 bid 15. Where you could bid 1 as "
    "well, 1 waits for ENTER or for the second digit.",
    "A player without face-up suns is out until the epoch ends. The epoch ends when the Ra "
    "track is full (without an auction), or when nobody has a face-up sun.",
    "Each epoch: god 2, gold 3; most pharaohs +5, fewest -2; Niles and floods 1 each, if you "
    "have a flood; 3, 4, 5 types of civilization 5, 10, 15, none at all costs points. Gods, "
    "gold, floods and civilizations are then discarded.",
    "At the end also: each type of monument 1 (7 types: 10, 8: 15); 3, 4, 5 of one type 5, "
    "10, 15; highest sum of suns +5, lowest loses points.",
    "A disaster takes two tiles: funeral pharaohs, drought floods and Niles, unrest "
    "civilizations, earthquake monuments.",
)


def help_lines(columns: int, since: str) -> list[Line]:
    """The whole page; `since` names the moment that marked changes are counted from."""
    return game_help(_MARKS, _RULES, columns, since)
