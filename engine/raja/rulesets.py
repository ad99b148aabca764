"""The rulesets of Raja: values of a few parameters (rules, Rulesets).

The rules read the parameters; nothing asks a ruleset for its name.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Ruleset:
    """One row of values; the defaults are those of `standard`."""

    name: str
    players: range = range(2, 6)
    characters: int = 6
    """Characters in the game: those with the numbers 1 to this."""
    held: int = 1
    """Characters that a player holds."""
    palaces: int = 7
    """Palaces of each player."""
    last_round: int = 10


RULESETS: dict[str, Ruleset] = {
    ruleset.name: ruleset
    for ruleset in (
        Ruleset("standard"),
        Ruleset("yogi", characters=7),
        Ruleset("short", palaces=6, last_round=8),
        Ruleset("two-player-advanced", players=range(2, 3), held=2),
    )
}
"""By name; the first is the default."""
