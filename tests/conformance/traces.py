"""Plays recorded games of Ra through the kernel and compares every step.

    python -m tests.conformance.traces FILE.jsonl.gz

prints a line per difference and at the end `N games, M steps, D differences`; the exit
code is 1 if there are differences. What is no such file counts as a difference too.
The format `ra-trace/1` is described in tests/data/README.md.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
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

FORMAT = "ra-trace/1"
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


class Malformed(Exception):
    """A part of a trace that is not of the format."""


class Comparison:
    """Counts, and a line for each difference."""

    def __init__(self) -> None:
        self.games = 0
        self.steps = 0
        self.differences: list[str] = []

    def differ(self, where: str, what: str) -> None:
        self.differences.append(_one_line(f"{where}: {what}"))

    def compare(self, where: str, traced: Any, engine: Any) -> None:
        """A difference for each place in which two JSON values differ."""
        if isinstance(traced, dict) and isinstance(engine, dict):
            for key in [*engine, *(key for key in traced if key not in engine)]:
                if key not in traced or key not in engine:
                    has, lacks = ("engine", "trace") if key in engine else ("trace", "engine")
                    value = _short({**traced, **engine}[key])
                    self.differ(f"{where}.{key}", f"{has} has {value}, {lacks} nothing")
                else:
                    self.compare(f"{where}.{key}", traced[key], engine[key])
        elif _text(traced) != _text(engine):
            self.differ(where, f"trace has {_short(traced)}, engine {_short(engine)}")

    def summary(self) -> str:
        return f"{self.games} games, {self.steps} steps, {len(self.differences)} differences"


def compare_file(path: Path) -> Comparison:
    """Compare every game of a file (gzip or plain, one JSON object a line)."""
    found = Comparison()
    number = 0
    try:
        for number, line in enumerate(_lines(path), 1):
            if line.strip():
                _compare_line(found, f"game {number}", line)
    except (OSError, EOFError, zlib.error) as error:
        found.differ(f"after line {number}", f"the file cannot be read: {error}")
    return found


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    with gzip.open(path) if packed else path.open("rb") as file:
        yield from file


def _compare_line(found: Comparison, where: str, line: bytes) -> None:
    found.games += 1
    try:
        trace = json.loads(line)
    except (ValueError, RecursionError) as error:
        found.differ(where, f"no JSON: {error}")
        return
    try:
        _compare_game(found, where, trace)
    except Malformed as error:
        found.differ(where, f"malformed: {error}")
    except RecursionError:
        found.differ(where, "malformed: nested too deeply")


def _compare_game(found: Comparison, where: str, trace: Any) -> None:
    if not isinstance(trace, dict) or trace.get("format", FORMAT) != FORMAT:
        raise Malformed(f"not an object of format {FORMAT}")
    match = _start(trace)
    played = True
    for number, step in enumerate(_list(trace, "steps"), 1):
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
    bag = _kinds(_list(trace, "bag"))
    sets = tuple(_suns(suns) for suns in _list(trace, "suns"))
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
        found.differ(f"{where} move", f"{_short(step.get('move'))} is refused: {error}")
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
    epochs = _list(trace, "epochs")
    found.compare(f"{where} number of epochs", len(epochs), len(scored))
    for number, (traced, engine) in enumerate(zip(epochs, scored, strict=False), 1):
        found.compare(f"{where} epoch {number}", traced, engine)
    result = match.result
    winners = sorted(result.winners) if result else None
    found.compare(f"{where} winners", _set_of_numbers(trace.get("winners")), winners)
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
            raise Malformed(f"{_short(name)} is no kind of tile")
    return tuple(_KINDS[name] for name in names)


def _suns(suns: Any) -> tuple[int, ...]:
    if not isinstance(suns, list) or any(type(sun) is not int for sun in suns):
        raise Malformed(f"{_short(suns)} is no set of suns")
    return tuple(suns)


def _list(trace: dict[str, Any], field: str) -> list[Any]:
    value = trace.get(field)
    if not isinstance(value, list):
        raise Malformed(f"{field} is no list")
    return value


def _sorted_bids(may: Any) -> Any:
    """Bids are a set: their order says nothing."""
    return {**may, "bids": _set_of_numbers(may["bids"])} if _has_bids(may) else may


def _has_bids(may: Any) -> bool:
    return isinstance(may, dict) and "bids" in may


def _set_of_numbers(numbers: Any) -> Any:
    """A list of numbers whose order says nothing, in the order of ours."""
    plain = isinstance(numbers, list) and all(type(number) is int for number in numbers)
    return sorted(numbers) if plain else numbers


def _one_line(text: str) -> str:
    """A text that any terminal prints as one line, whatever a file put into it."""
    return "".join(
        char if char.isascii() and char.isprintable() else char.encode("unicode_escape").decode()
        for char in text
    )


def _text(value: Any) -> str:
    """Equal exactly for equal JSON values; true is not 1."""
    return json.dumps(value, sort_keys=True)


def _short(value: Any) -> str:
    text = _text(value)
    return text if len(text) <= 160 else f"{text[:157]}..."


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m tests.conformance.traces FILE.jsonl.gz", file=sys.stderr)
        return 2
    found = compare_file(Path(arguments[0]))
    for difference in found.differences:
        print(difference)
    print(found.summary())
    return 1 if found.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
