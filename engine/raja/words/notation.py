"""One readable line for each command and happening of Raja, and back.

    take monk | found v07 | choose gold houses chit none | travel delhi | gold | quarry
    house builder v07 | move builder v07 delhi | palace palace-house outer | governor kota
    swap monk sadhu | end

Players are seat numbers; places, characters, actions and sites are the words of the rules, with a
hyphen for an underscore.
"""

from __future__ import annotations

from typing import Any

from engine.entry import Command, Happening
from engine.notation import Notation, Spelling, number, word
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    ChooseActions,
    EndTurn,
    FoundHouse,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    TakeCharacter,
    TakeGold,
    TakeHouses,
    Travel,
)
from engine.raja.words.happenings import (
    ActionFailed,
    CharacterSwapped,
    CharacterTaken,
    CityScored,
    GameEnded,
    GoldTaken,
    GovernorMoved,
    HouseBuilt,
    HouseFounded,
    HouseMoved,
    HousesTaken,
    MatchBegan,
    OwnActions,
    PalaceBuilt,
    RoundBegan,
    SeatChose,
    SupplyFilled,
    TraderPaid,
    Travelled,
    TurnBegan,
    TurnEnded,
)
from engine.raja.words.map import Place
from engine.raja.words.pieces import Action, Character, Site

PLACE_WORDS: dict[str, Place] = {word(place): place for place in Place}
"""Places as the notation writes them."""
CHARACTER_WORDS: dict[str, Character] = {word(character): character for character in Character}
ACTION_WORDS: dict[str, Action] = {word(action): action for action in Action}
SITE_WORDS: dict[str, Site] = {word(site): site for site in Site}

COMMAND_LINES: dict[type[Command], str] = {
    TakeCharacter: "take {character}",
    FoundHouse: "found {village}",
    ChooseActions: "choose {actions} chit {chit}",
    Travel: "travel {place}",
    TakeGold: "gold",
    TakeHouses: "quarry",
    BuildHouse: "house {action} {place}",
    MoveHouse: "move {action} {origin} {place}",
    BuildPalace: "palace {action} {site}",
    MoveGovernor: "governor {city}",
    SwapCharacter: "swap {give} {take}",
    EndTurn: "end",
}

HAPPENING_LINES: dict[type, str] = {
    MatchBegan: "match begins with {first} track {track}",
    CharacterTaken: "{seat} takes {character}",
    HouseFounded: "{seat} founds {village}",
    SupplyFilled: "supplies are filled with {count}",
    RoundBegan: "round {round} begins in {city}",
    SeatChose: "{seat} chooses",
    OwnActions: "own actions {actions}",
    TurnBegan: "turn of {seat} begins with {actions}",
    TraderPaid: "trader pays {seat}",
    Travelled: "{seat} travels from {origin} to {place} paying {paid} bank {bank}",
    GoldTaken: "{seat} takes gold",
    HousesTaken: "{seat} takes {count} houses",
    HouseBuilt: "{seat} builds house in {place} by {action} for {price}",
    HouseMoved: "{seat} moves house from {origin} to {place} by {action}",
    PalaceBuilt: "{seat} builds palace in {city} {site} by {action} for {price}",
    GovernorMoved: "{seat} moves governor {city}",
    CharacterSwapped: "{seat} swaps {give} for {take} robbing {robbed}",
    ActionFailed: "{seat} fails {action}",
    TurnEnded: "turn of {seat} ends",
    CityScored: "{city} scores {points} paying {gold}",
    GameEnded: "game ends with {palaces} gold {gold} winner {winner}",
}

_NONE = "none"


def _show_seat(seat: int | None) -> str:
    return _NONE if seat is None else str(seat)


def _parse_seat(text: str) -> int | None:
    return None if text == _NONE else number(text)


def _show_chit(chit: Action | None) -> str:
    return _NONE if chit is None else word(chit)


def _parse_chit(text: str) -> Action | None:
    if text == _NONE:
        return None
    if text not in ACTION_WORDS:
        raise ValueError(f"no action: {text[:80]!r}")
    return ACTION_WORDS[text]


_SPELLINGS: dict[Any, Spelling] = {
    int | None: Spelling(_show_seat, _parse_seat),
    Action | None: Spelling(_show_chit, _parse_chit),
}
_COMMANDS = Notation(COMMAND_LINES, _SPELLINGS)
_HAPPENINGS = Notation(HAPPENING_LINES, _SPELLINGS)


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
