"""A recording as lines of text and as JSON: what `ra-replay` prints. Does not
know any rule, does not open anything, and does not print anything itself."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

import attrs

from client.games import GameClient
from client.narration import AT_TABLE, narrate
from client.replay.recording import EVERYBODY, Recording, ReplayStep, Viewpoint
from client.text import cut
from protocol.table import Phase

LONGEST = 2_000
"""The most cells of a line."""


def view_name(view: Viewpoint) -> str:
    """`all`, `spectator` or `seat 1`."""
    if view == EVERYBODY:
        return "all"
    return "spectator" if view.seat is None else f"seat {view.seat + 1}"


def head_lines(recording: Recording, view: Viewpoint, *, notation: bool = False) -> Iterator[str]:
    """What is shown, and who plays on which match seat; `notation`: the steps are printed in
    the notation."""
    scene = recording.lineup
    table = scene.table
    options = f", {' '.join(table.options)}" if table.options else ""
    yield f"{recording.title}: {table.game}, {table.ruleset}{options}, rules number {table.rules}"
    if table.places:
        also = " (in the notation from 0)" if notation else ""
        yield f"seats, as --seat counts them{also}:"
    for seat, place in enumerate(table.places):
        taken = table.seats[place]
        bot = f" ({taken.bot} bot)" if taken is not None and taken.bot is not None else ""
        yield f"  {seat + 1}  {scene.name(seat)}{bot}"
    yield f"seen by: {view_name(view)}"


def step_sentences(step: ReplayStep, game: GameClient) -> Iterator[str]:
    """One step as the live client tells it: each sentence after the step's number."""
    told = [text for one in step.happenings for text in narrate(one, step.scene, game)]
    for text in told:
        yield cut(f"#{step.number} {text}", LONGEST)


def step_line(step: ReplayStep, game: GameClient) -> str:
    """One step in one line: its number, and what happened in the notation."""
    told = "; ".join(happening_text(one, step, game) for one in step.happenings)
    return cut(f"{step.number:>5}  {told or '(nothing that may be seen)'}", LONGEST)


def happening_text(happening: Any, step: ReplayStep, game: GameClient) -> str:
    """A happening of the game in its notation, or one of the table as a sentence."""
    if isinstance(happening, AT_TABLE):
        return " ".join(narrate(happening, step.scene, game)).removesuffix(".")
    return game.notate(happening)


def table_lines(step: ReplayStep, game: GameClient) -> Iterator[str]:
    """The whole table after one step."""
    yield f"after step {step.number}:"
    yield from game.table(step.scene)
    yield from game.scores(step.scene)
    for seat, hand in enumerate(step.hands):
        yield f"{step.scene.name(seat)} alone sees: {_words(hand)}"
    for asked in step.scene.prompts if step.scene.running else ():
        what, ways = game.ask(asked.prompt)
        yield f"{step.scene.name(asked.seat)} is asked ({what}): {', '.join(ways)}"
    result = game.result(step.scene)
    if result is not None:
        yield result


def ending(recording: Recording, last: ReplayStep, game: GameClient) -> str:
    """The last line: how the match ended, or that it goes on, or that it will never end."""
    result = game.result(last.scene)
    if result is not None:
        return f"over: {result}"
    if recording.running:
        return "So far: the match goes on from here."
    return "over: the table was closed without a result."


def json_object(step: ReplayStep, game: GameClient) -> dict[str, Any]:
    """One step as an object; docs/record.md lists the keys."""
    scene, note = step.scene, step.note
    told: dict[str, Any] = {"number": step.number}
    if note is not None:
        command = note.command
        told |= {
            "time": note.time,
            "cause": note.cause,
            "seat": note.seat,
            "command": None if command is None else plain_value(command),
        }
        if note.sealed is not None:
            told["sealed"] = note.sealed
    return told | {
        "phase": Phase(scene.table.phase).name.lower(),
        "happened": [
            {**plain_value(one), "text": happening_text(one, step, game)} for one in step.happenings
        ],
        "asked": [asked.seat for asked in scene.prompts] if scene.running else [],
        "board": plain_value(scene.board),
        "own": plain_value(scene.own),
        "hands": [plain_value(hand) for hand in step.hands],
    }


def plain_value(value: Any) -> Any:
    """A frozen value as JSON has it: an instance as an object with its class in `is`, a tuple
    as a list, an enum as a word, bytes as hex."""
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list):
        return [plain_value(item) for item in value]
    if attrs.has(type(value)):
        fields = {f.name: plain_value(getattr(value, f.name)) for f in attrs.fields(type(value))}
        return {"is": type(value).__name__, **fields}
    return value


def _words(hand: Any) -> str:
    if not attrs.has(type(hand)):
        return "nothing"
    return ", ".join(f"{f.name} {_value(getattr(hand, f.name))}" for f in attrs.fields(type(hand)))


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(_value, value)) or "none"
    if attrs.has(type(value)):
        return "(" + _words(value) + ")"
    return value.name.lower() if isinstance(value, Enum) else str(value)
