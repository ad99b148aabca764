"""Plays a recorded game of Ra, of the format `ra-trace/1`, and compares every step.

Does not know files: `tests.conformance.traces` reads them.
"""

from __future__ import annotations

from typing import Any

from engine.entry import Command, Prompt
from engine.errors import IllegalAction
from engine.game import Setup
from engine.match import Match
from engine.ra.deal import RaDeal
from engine.ra.game import RA
from engine.ra.state import RaPhase, RaState
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import Sheet
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from tests.conformance.comparison import Comparison, Malformed, list_of, set_of_numbers, short

_PHASES = {
    RaPhase.TURN: "turn",
    RaPhase.AUCTION: "auction",
    RaPhase.DISASTERS: "discard",
    RaPhase.OVER: "over",
}
_LINES = (
    "god",
    "gold",
    "pharaoh",
    "nile",
    "civilization",
    "monument_types",
    "monument_alike",
    "suns",
)
"""The lines of a sheet; they have the names of `Sheet`'s fields."""
_KINDS = {kind.name.lower(): kind for kind in Kind}


def compare_game(found: Comparison, where: str, trace: dict[str, Any]) -> None:
    """Play a game and compare every step; raises Malformed."""
    match = _start(trace)
    played = True
    for number, step in enumerate(list_of(trace, "steps"), 1):
        found.steps += 1
        played = _compare_step(found, f"{where} step {number}", match, step)
        if not played:
            break
    if played and match.result is None:
        found.differ(where, "the trace stops before the game is over")
    _compare_result(found, where, match, trace)


def _start(trace: dict[str, Any]) -> Match[RaState]:
    ruleset, players = trace.get("ruleset"), trace.get("players")
    if type(ruleset) is not str or type(players) is not int:
        raise Malformed("ruleset or players")
    setup = Setup(ruleset, players)
    bag = _kinds(list_of(trace, "bag"))
    sets = tuple(_suns(suns) for suns in list_of(trace, "suns"))
    try:
        RA.check(setup)
        return Match(RA, setup, RaDeal(bag, sets))
    except (IllegalAction, ValueError) as error:
        raise Malformed(str(error)) from None


def _compare_step(found: Comparison, where: str, match: Match[RaState], step: Any) -> bool:
    """Compare one step and play its move; False if the game cannot go on."""
    if not isinstance(step, dict):
        raise Malformed(f"{where} is no object")
    asked = sorted(match.asked)
    found.compare(f"{where} seat", [step.get("seat")], asked)
    if not asked:
        return False
    seat = asked[0]
    found.compare(f"{where} may", _sorted_bids(step.get("may")), _may(match.asked[seat].prompt))
    try:
        command = _command(step.get("move"))
        draft = match.draft(seat, match.asked[seat].token, command)
    except (IllegalAction, Malformed) as error:
        found.differ(f"{where} move", f"{short(step.get('move'))} is refused: {error}")
        return False
    match.accept(match.number + 1, seat, draft)
    found.compare(f"{where} then", step.get("then"), _then(match))
    return True


def _compare_result(
    found: Comparison, where: str, match: Match[RaState], trace: dict[str, Any]
) -> None:
    by_epoch = zip(*match.state.sheets, strict=True)
    scored = [
        {
            "totals": [sheet.total for sheet in sheets],
            "sheet": [_sheet(sheet) for sheet in sheets],
        }
        for sheets in by_epoch
    ]
    epochs = list_of(trace, "epochs")
    found.compare(f"{where} number of epochs", len(epochs), len(scored))
    for number, (traced, engine) in enumerate(zip(epochs, scored, strict=False), 1):
        found.compare(f"{where} epoch {number}", traced, engine)
    result = match.result
    winners = sorted(result.winners) if result else None
    found.compare(f"{where} winners", set_of_numbers(trace.get("winners")), winners)
    if result is not None:
        found.compare(f"{where} points", scored[-1]["totals"], list(result.points))


# the engine's words as those of the trace


def _may(prompt: Prompt) -> dict[str, Any]:
    match prompt:
        case TurnPrompt(draw, gods, _):
            return {"draw": draw, "invoke": True, "gods": gods}
        case BidPrompt(suns, may_pass):
            return {"bids": list(suns), "pass": may_pass}
        case DiscardPrompt(_, count, held):
            return {"discard": count, "from": {_name(kind): number for kind, number in held}}
    raise AssertionError(prompt)


def _then(match: Match[RaState]) -> dict[str, Any]:
    state = match.state
    return {
        "phase": _PHASES[state.phase],
        "player": next(iter(match.asked), None),
        "epoch": state.epoch,
        "ra": state.ra,
        "track": [_name(kind) for kind in state.track],
        "board_sun": state.sun,
        "up": [list(suns) for suns in state.up],
        "down": [list(suns) for suns in state.down],
        "tiles": [
            {_name(Kind(kind)): number for kind, number in enumerate(held) if number}
            for held in state.tiles
        ],
        "bag": RA.public(state).bag,
    }


def _sheet(sheet: Sheet) -> dict[str, int]:
    lines = {line: getattr(sheet, line) for line in _LINES}
    return {line: points for line, points in lines.items() if points}


def _name(kind: Kind) -> str:
    return kind.name.lower()


# the trace's words as those of the engine


def _command(move: Any) -> Command:
    match move:
        case ["draw"]:
            return Draw()
        case ["invoke"]:
            return InvokeRa()
        case ["gods", list() as kinds]:
            return SpendGods(_kinds(kinds))
        case ["bid", int() as sun]:
            return Bid(sun)
        case ["pass"]:
            return Pass()
        case ["discard", list() as kinds]:
            return Discard(_kinds(kinds))
    raise Malformed("no move")


def _kinds(names: list[Any]) -> tuple[Kind, ...]:
    for name in names:
        if not isinstance(name, str) or name not in _KINDS:
            raise Malformed(f"{short(name)} is no kind of tile")
    return tuple(_KINDS[name] for name in names)


def _suns(suns: Any) -> tuple[int, ...]:
    if not isinstance(suns, list) or any(type(sun) is not int for sun in suns):
        raise Malformed(f"{short(suns)} is no set of suns")
    return tuple(suns)


def _sorted_bids(may: Any) -> Any:
    """Bids are a set: their order says nothing."""
    return {**may, "bids": set_of_numbers(may["bids"])} if _has_bids(may) else may


def _has_bids(may: Any) -> bool:
    return isinstance(may, dict) and "bids" in may
