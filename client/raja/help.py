"""The help page of Raja: the marks on the board, then the game in short."""

from __future__ import annotations

from client.raja.map_picture import ARCHITECTS, FREE, MAHARAJA
from client.screen.game_help import game_help
from client.screen.lines import Line

_MARKS: tuple[tuple[str, str, str], ...] = (
    ("class:player.asked", "► Anna", "the table waits for this player"),
    ("class:city.maharaja", f"{MAHARAJA}DELHI", "the Maharaja is here: this city is scored next"),
    ("", f"{ARCHITECTS}AB", "the architects of A and B stand here"),
    ("", "[A]BB", "palaces: A on the central site, two of B on outer ones"),
    ("", "A3B1", "three houses of A and one of B in a city"),
    ("", f"A{FREE}", "a village: a house of A, and space for another one"),
    ("class:mine.key", " 1 ", "before a city: the key that travels there"),
    ("class:points", "6+10", "houses that can be built, and houses in the quarry"),
    ("class:points", "pal", "palaces left to build"),
    ("class:open", "gold", "an action that is open; dim: it is done, or failed"),
    ("class:more", "▴3", "grew {since}"),
    ("class:less", "▾1", "shrank {since}"),
)

_RULES = (
    "Build palaces: who has built most when the game ends wins. It ends when somebody has built "
    "all, or after the last round.",
    "Each round the Maharaja visits the city whose coat lies lowest on the track. Everybody "
    "chooses two of nine actions in secret. Turns follow by the numbers of the characters, the "
    "lowest first, and a player's actions are shown when the turn begins.",
    "In your turn carry out your actions in any order, and travel between them: digits take a "
    "road, letters do what is open. For each action still open when you end the turn, every other "
    "player gets 2 gold.",
    "A house costs 1 gold and goes into any village with space, or into the city where your "
    "architect stands. Of two houses one must be in a city. A palace costs 12 gold, in the city "
    "where your architect stands.",
    "Every village of a road needs a house before it can be travelled. In a village without a "
    "house of yours you pay 1 gold to the owner of each house there.",
    "After the turns the Maharaja's city is scored: central palace 3, outer palaces, houses and "
    "the architect 1 each. By place the bank pays gold.",
    "Characters: 1 mogul first in all ties; 2 trader 1 gold a turn; 3 sadhu outer palaces count "
    "2; 4 monk roads are free; 5 builder a free house a turn; 6 artisan palaces cost 9; 7 yogi a "
    "third action.",
)


def help_lines(columns: int, since: str) -> list[Line]:
    """The whole page; `since` names the moment that marked changes are counted from."""
    return game_help(_MARKS, _RULES, columns, since)
