"""The rulesets of Ra: values of a few parameters (rules, Rulesets).

The rules read the parameters; nothing asks a ruleset for its name.
"""

from __future__ import annotations

from attrs import frozen

from engine.ra.words.happenings import Reason


@frozen
class Ruleset:
    """One row of values; the defaults are those of `standard`."""

    name: str
    players: range = range(2, 6)
    full_track_starts_auction: bool = False
    """Whether the eighth tile starts an auction (forced) at once."""
    reason_of_full_track: Reason = Reason.FORCED
    """What Ra invoked with a full track is."""
    forced_discards: bool = True
    """Whether a forced auction without a bid discards the tiles."""
    gods_take_gods: bool = False
    points_without_civilization: int = -5
    points_of_lowest_suns: int = -5
    highest_sun_breaks_ties: bool = True
    """Otherwise a tie on points is a shared win."""


RULESETS: dict[str, Ruleset] = {
    ruleset.name: ruleset
    for ruleset in (
        Ruleset("standard"),
        Ruleset("alea-1999", players=range(3, 6), full_track_starts_auction=True),
        Ruleset(
            "wikipedia-ja-2012",
            full_track_starts_auction=True,
            reason_of_full_track=Reason.INVOKED,
            forced_discards=False,
            gods_take_gods=True,
            points_without_civilization=-2,
            points_of_lowest_suns=-2,
            highest_sun_breaks_ties=False,
        ),
    )
}
"""By name; the first is the default."""
