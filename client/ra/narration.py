"""What happens in Ra, told in sentences; used by every display.

Each player is called by the name that the caller gives a seat. It is unique at the table, so that
no sentence is ambiguous. Does not know about rules or layout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from client.ra import phrases
from client.sentences import listed, number_of
from engine.ra.words.happenings import (
    AuctionBegan,
    AuctionLapsed,
    AuctionWon,
    EpochBegan,
    EpochEnd,
    EpochEnded,
    GameEnded,
    GodsSpent,
    Passed,
    Reason,
    Sheet,
    SheetShown,
    SheetsShown,
    SunBid,
    TileDrawn,
    TilesLost,
)
from engine.ra.words.pieces import Kind

Names = Callable[[int], str]

SHEET_LINES: tuple[tuple[str, str], ...] = (
    ("god", "gods"),
    ("gold", "gold"),
    ("pharaoh", "pharaohs"),
    ("nile", "Niles and floods"),
    ("civilization", "civilizations"),
    ("monument_types", "different monuments"),
    ("monument_alike", "monuments alike"),
    ("suns", "suns"),
)
"""The lines of a sheet (fields of `Sheet`) in the order of the rules, each with a title."""


def narrate(happening: Any, names: Names) -> tuple[str, ...]:
    """Sentences about a happening of Ra; none for one that this version does not know."""
    match happening:
        case EpochBegan(epoch, seat):
            return (
                f"Epoch {epoch} begins. {names(seat)} holds the highest sun and is first to act.",
            )
        case TileDrawn(seat, tile):
            return (f"{names(seat)} draws {phrases.tile(tile)}.",)
        case AuctionBegan(seat, reason):
            return (_AUCTIONS[reason].format(names(seat)),)
        case SunBid(seat, sun):
            return (f"{names(seat)} bids {sun}.",)
        case Passed(seat):
            return (f"{names(seat)} passes.",)
        case AuctionWon(seat, paid, taken, tiles):
            won = phrases.tiles(tiles)
            return (f"{names(seat)} wins {won} with sun {paid} and takes sun {taken}.",)
        case AuctionLapsed(_, discarded):
            return (_lapsed(discarded),)
        case GodsSpent(seat, taken):
            gods = "a god" if len(taken) == 1 else f"{len(taken)} gods"
            return (f"{names(seat)} spends {gods} and takes {phrases.tiles(taken)}.",)
        case TilesLost(seat, disaster, tiles):
            return (_lost(names(seat), disaster.name.lower(), tiles),)
        case EpochEnded(epoch, reason):
            return (f"Epoch {epoch} ends: {_EPOCH_ENDS[reason]}.",)
        case SheetShown(seat, sheet):
            return (sheet_sentence(names(seat), sheet),)
        case SheetsShown(sheets):
            return tuple(sheet_sentence(names(seat), sheet) for seat, sheet in enumerate(sheets))
        case GameEnded(points, winners, _):
            return (f"The game is over. {result_sentence(points, winners, names)}",)
        case _:
            return ()


_AUCTIONS = {
    Reason.DRAWN: "{} drew Ra: an auction begins.",
    Reason.INVOKED: "{} invokes Ra: an auction begins.",
    Reason.FORCED: "The auction track is full and {} is the Ra player: an auction begins.",
}
_EPOCH_ENDS = {
    EpochEnd.RA_TRACK: "the Ra track is full",
    EpochEnd.SUNS_SPENT: "nobody has a face-up sun left",
}


def _lost(who: str, cause: str, tiles: Sequence[Kind]) -> str:
    if not tiles:
        return f"{who} has nothing to lose to {cause}."
    return f"{who} loses {phrases.tiles(tiles)} to {cause}."


def _lapsed(discarded: Sequence[Kind]) -> str:
    if not discarded:
        return "Nobody bids."
    verb = "leaves" if len(discarded) == 1 else "leave"
    return f"Nobody bids: {phrases.tiles(discarded)} {verb} the game."


def sheet_sentence(name: str, sheet: Sheet) -> str:
    """`Anna scores +9 in epoch 1 (gods +4, pharaohs +5): 19 points.`"""
    lines = [
        f"{title} {getattr(sheet, field):+}"
        for field, title in SHEET_LINES
        if getattr(sheet, field)
    ]
    told = f" ({', '.join(lines)})" if lines else ""
    total = number_of(sheet.total, "point", "points")
    return f"{name} scores {sheet.change:+} in epoch {sheet.epoch}{told}: {total}."


def result_sentence(points: tuple[int, ...], winners: tuple[int, ...], names: Names) -> str:
    """`Anna has 45 points, Boris 30. Anna wins.`"""
    order = sorted(range(len(points)), key=lambda seat: (-points[seat], seat not in winners, seat))
    told = ", ".join(
        f"{names(seat)} {points[seat]}"
        if place
        else f"{names(seat)} has {number_of(points[seat], 'point', 'points')}"
        for place, seat in enumerate(order)
    )
    who = listed([names(seat) for seat in winners])
    return f"{told}. {who} {'wins' if len(winners) == 1 else 'share the win'}."
