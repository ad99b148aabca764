"""One readable line for each command and happening of Ra, and back.

    draw | ra | gods nile flood | bid 7 | pass | discard astronomy art

Players are seat numbers, tiles the words of the rules (`step-pyramid` is one). A scoring sheet is
its epoch, its eight lines in the order of the rules, and the total: `2:+2+0+5+4-5+0+0+0=16`.
"""

from __future__ import annotations

import re

import attrs

from engine.entry import Command, Happening
from engine.notation import Notation, Spelling, UnreadableLine, number, word
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import (
    AuctionBegan,
    AuctionLapsed,
    AuctionWon,
    EpochBegan,
    EpochEnded,
    GameEnded,
    GodsSpent,
    Passed,
    Sheet,
    SheetShown,
    SheetsShown,
    SunBid,
    TileDrawn,
    TilesLost,
)
from engine.ra.words.pieces import Kind

KIND_WORDS: dict[str, Kind] = {word(kind): kind for kind in Kind}
"""The kinds of tiles as the notation writes them."""

COMMAND_LINES: dict[type[Command], str] = {
    Draw: "draw",
    InvokeRa: "ra",
    SpendGods: "gods {take}",
    Bid: "bid {sun}",
    Pass: "pass",
    Discard: "discard {give}",
}

HAPPENING_LINES: dict[type, str] = {
    EpochBegan: "epoch {epoch} begins with {seat}",
    TileDrawn: "{seat} draws {tile}",
    AuctionBegan: "auction of {seat} begins {reason}",
    SunBid: "{seat} bids {sun}",
    Passed: "{seat} passes",
    AuctionWon: "{seat} wins {tiles} paying {paid} taking {taken}",
    AuctionLapsed: "auction of {seat} lapses discarding {discarded}",
    GodsSpent: "{seat} spends gods taking {taken}",
    TilesLost: "{seat} loses {tiles} to {disaster}",
    EpochEnded: "epoch {epoch} ends by {reason}",
    SheetShown: "sheet of {seat} {sheet}",
    SheetsShown: "sheets {sheets}",
    GameEnded: "game ends with {points} winners {winners} sheets {sheets}",
}

_SHEET = re.compile(r"(?P<epoch>-?\d+):(?P<lines>(?:[+-]\d+){8})=(?P<total>-?\d+)", re.ASCII)
_LINE = re.compile(r"[+-]\d+", re.ASCII)


def show_sheet(sheet: Sheet) -> str:
    """A sheet as one word."""
    epoch, *lines, total = attrs.astuple(sheet)
    return f"{epoch}:{''.join(f'{line:+}' for line in lines)}={total}"


def parse_sheet(text: str) -> Sheet:
    """The sheet of a word; raises ValueError."""
    match = _SHEET.fullmatch(text)
    if match is None:
        raise UnreadableLine(f"no sheet: {text[:80]!r}")
    god, gold, pharaoh, nile, civilization, types, alike, suns = map(
        _signed, _LINE.findall(match["lines"])
    )
    epoch, total = number(match["epoch"]), number(match["total"])
    return Sheet(epoch, god, gold, pharaoh, nile, civilization, types, alike, suns, total)


def _signed(text: str) -> int:
    return number(text.removeprefix("+"))


SPELLINGS: dict[type, Spelling] = {Sheet: Spelling(show_sheet, parse_sheet)}
_COMMANDS = Notation(COMMAND_LINES)
_HAPPENINGS = Notation(HAPPENING_LINES, SPELLINGS)


def show_command(command: Command) -> str:
    """The line of a command."""
    return _COMMANDS.show(command)


def parse_command(text: str) -> Command:
    """The command of a line; raises UnreadableLine."""
    command: Command = _COMMANDS.parse(text)
    return command


def show_happening(happening: Happening) -> str:
    """The line of a happening."""
    return _HAPPENINGS.show(happening)


def parse_happening(text: str) -> Happening:
    """The happening of a line; raises UnreadableLine."""
    happening: Happening = _HAPPENINGS.parse(text)
    return happening
