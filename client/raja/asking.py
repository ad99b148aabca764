"""What a prompt of Raja asks for, and all that answers it, grouped so that it can be read.

A turn can have hundreds of answers: each kind is one way, with the places or characters to choose
from. What stands in square brackets may be left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from client.games import Unreadable
from client.raja.phrases import place_words
from engine.raja.words.pieces import ACTIONS, CHITS, CHOSEN
from engine.raja.words.prompts import (
    CharacterPrompt,
    ChoosePrompt,
    Fare,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)


def ask(prompt: Any) -> tuple[str, tuple[str, ...]]:
    """What is asked for in a word or two, and the ways to answer, as `GameClient.ask`."""
    match prompt:
        case CharacterPrompt(take):
            return "character", (f"take <{_words(take)}>",)
        case ReplacementPrompt(take):
            return "replacement", (f"take <{_words(take)}>",)
        case FoundPrompt(villages):
            return "village", (f"found <{place_words(villages)}>",)
        case ChoosePrompt(chit):
            way = f"choose <{CHOSEN} of: {_words(ACTIONS)}>"
            return "actions", (f"{way} [chit <{_words(CHITS)}>]" if chit else way,)
        case TurnPrompt():
            return "turn", _turn(prompt)
    raise Unreadable("this client does not know what is asked")


def _turn(prompt: TurnPrompt) -> tuple[str, ...]:
    ways: list[str] = []
    if prompt.travel:
        ways.append(f"travel <{', '.join(map(_fare, prompt.travel))}>")
    if prompt.gold:
        ways.append("gold")
    if prompt.quarry:
        ways.append("quarry")
    if prompt.house:
        ways.append(f"house [{_words(prompt.house)}] <{place_words(prompt.space)}>")
    if prompt.city_house and prompt.city is not None:
        ways.append(f"house [{_words(prompt.city_house)}] <{place_words((prompt.city,))}>")
    if prompt.move:
        places = f"<from: {place_words(prompt.own)}> <to: {place_words(prompt.space)}>"
        ways.append(f"move [{_words(prompt.move)}] {places}")
    if prompt.palace:
        ways.append(f"palace [{_words(prompt.palace)}] <{_words(prompt.sites)}>")
    if prompt.governor:
        ways.append(f"governor <{place_words(prompt.governor)}>")
    if prompt.give:
        ways.append(f"swap <{_words(prompt.give)}> <{_words(prompt.take)}>")
    ways.append("end")
    return tuple(ways)


def _fare(fare: Fare) -> str:
    return (
        f"{place_words((fare.place,))} for {fare.gold} gold"
        if fare.gold
        else (f"{place_words((fare.place,))} free")
    )


def _words(several: Iterable[IntEnum]) -> str:
    return " ".join(one.name.lower().replace("_", "-") for one in several)
