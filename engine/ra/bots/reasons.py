"""Why a bot does what it does, in one sentence of plain English.

Speaks to the player whose decision it is, of what that player may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.game import Option
from engine.ra.bots.information_set import InformationSet
from engine.ra.bots.lot_value import WEIGHTS, LotValuation
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.pieces import Kind


def reason(information: InformationSet, options: Sequence[Option]) -> str:
    """Why the first of `options` is the best."""
    position, seat = information.position, information.seat
    match options[0].command:
        case Discard(give):
            return f"Of what must go, {_names(give)} will be missed least."
        case SpendGods(take):
            return f"A god is worth less to you than {_names(take)}."
        case Draw():
            why = _lot(information) if position.track else "There is nothing to win yet"
            return f"{why}: another tile promises more{_than(options)}."
        case InvokeRa():
            return f"{_lot(information)}: now is a better time for it than later{_than(options)}."
        case Bid(sun):
            return (
                f"{_lot(information)}, and your sun {sun} is the right one to pay{_than(options)}."
            )
        case Pass() if len(options) == 1:
            return "You have no sun that is high enough."
        case _:
            asked = _points(LotValuation(position, WEIGHTS).price(seat, position.up[seat][0]))
            return (
                f"{_lot(information)}, and your suns may buy more than that later (about {asked})."
            )


def _lot(information: InformationSet) -> str:
    lots = LotValuation(information.position, WEIGHTS)
    others = [
        lots.gain(s)
        for s in range(information.position.seats)
        if s != information.seat and information.position.up[s]
    ]
    mine = f"The lot is worth about {_points(lots.gain(information.seat))} to you"
    return f"{mine} and {_points(max(others))} to the keenest of the others" if others else mine


def _than(options: Sequence[Option]) -> str:
    if len(options) == 1:
        return ""
    behind = (options[0].value - options[1].value) / 100
    return f" (by {_points(behind)})" if behind >= 0.05 else ""


def _points(number: float) -> str:
    return f"{number:.1f} points"


def _names(tiles: Iterable[Kind]) -> str:
    return " and ".join(tile.name.lower().replace("_", " ") for tile in tiles)
