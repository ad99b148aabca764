"""Why a command of Raja was refused, in words. Does not know any rule."""

from __future__ import annotations

from collections.abc import Mapping

from client.raja import phrases
from client.raja.words import place_name
from engine.raja.words.notation import ACTION_WORDS, CHARACTER_WORDS, PLACE_WORDS
from engine.raja.words.refusals import RajaRefusal

_TEXTS: dict[RajaRefusal, str] = {
    RajaRefusal.NOT_AVAILABLE: "{character} cannot be given or taken now",
    RajaRefusal.NO_SUCH_PLACE: "that is no place where this could be done",
    RajaRefusal.NOT_AN_ACTION: "there is no such action",
    RajaRefusal.WRONG_COUNT: "{count} actions are chosen, and you named {given}",
    RajaRefusal.NO_CHIT: "'{action}' cannot be added by chit: you have to hold the yogi, and the "
    "action needs to have a chit",
    RajaRefusal.NOT_OPEN: "'{action}' is not open for this",
    RajaRefusal.ROADS_SPENT: "you have taken {roads} roads in this turn and can take no more",
    RajaRefusal.NO_ROAD: "no road leads from your architect to {place}",
    RajaRefusal.ROAD_CLOSED: "the road is closed: there is no house in {village}",
    RajaRefusal.NOT_HERE: "you cannot build in {place} now: a house goes into a village, or in a "
    "turn into the city where your architect is, and a palace into that city",
    RajaRefusal.NEEDS_CITY: "one of the two houses has to stand in a city, and {place} is none",
    RajaRefusal.NO_HOUSE_THERE: "you have no house in {place}",
    RajaRefusal.SAME_PLACE: "the house is in {place} already",
    RajaRefusal.VILLAGE_FULL: "{place} has no space for another house",
    RajaRefusal.SITE_TAKEN: "no {site} site is free in this city",
    RajaRefusal.NO_PALACE: "all your palaces are built",
    RajaRefusal.NO_HOUSE: "there is no house in your supply",
    RajaRefusal.QUARRY_EMPTY: "your quarry is empty",
    RajaRefusal.TOO_LOW: "the coat of arms of {city} is one of the two lowest and cannot go down",
    RajaRefusal.TOO_POOR: "this costs {price} gold, and you have {gold}",
}

_NO_BUILDER = "you do not hold the builder, or the free house of this turn is used"


def refusal(code: str, facts: Mapping[str, str]) -> str | None:
    """The text for one of Raja's own refusals; None for another code, or without its facts."""
    try:
        text = _TEXTS[RajaRefusal(code)]
    except ValueError:
        return None
    if code == RajaRefusal.NOT_OPEN and facts.get("action") == "builder":
        return _NO_BUILDER
    try:
        return text.format_map({fact: _told(fact, value) for fact, value in facts.items()})
    except (KeyError, IndexError):
        return None


def _told(fact: str, value: str) -> str:
    """A fact in words; as it is if it is no word of Raja."""
    if fact in ("place", "village", "city") and value in PLACE_WORDS:
        return place_name(PLACE_WORDS[value])
    if fact == "character" and value in CHARACTER_WORDS:
        return phrases.character(CHARACTER_WORDS[value])
    if fact == "action" and value in ACTION_WORDS:
        return phrases.action(ACTION_WORDS[value])
    return value
