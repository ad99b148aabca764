"""Reads what a person types in a game of Raja, leniently.

Case does not matter, the beginning of a word is enough where no other word begins so, and the
prompt says which words there are. A village is `v07`, `v7`, `village 7` or `7`. The action of a
house or palace may be left out: the open action that fits is used, the builder last. A command of
the notation that no prompt allows is read all the same: the server says why it is refused. Does
not know any rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, TypeVar

from client.games import Ambiguous, Unreadable
from client.raja.house_order import house_order
from client.raja.phrases import place_words
from client.sentences import listed
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
from engine.raja.words.map import CITIES, VILLAGES, Place
from engine.raja.words.notation import ACTION_WORDS, CHARACTER_WORDS, PLACE_WORDS, SITE_WORDS
from engine.raja.words.pieces import ACTIONS, CHITS, CHOSEN, Action, Character, Site
from engine.raja.words.prompts import (
    CharacterPrompt,
    ChoosePrompt,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)

W = TypeVar("W", bound=IntEnum)

_VERBS = ("take", "found", "choose", "travel", "gold", "quarry", "house", "move", "palace",
          "governor", "swap", "end")  # fmt: skip
_MOVING = (Action.MOVE, Action.BUILDER)
_PALACES = (Action.PALACE, Action.PALACE_HOUSE)


def verbs(prompt: Any | None) -> tuple[str, ...]:
    """The verbs that may be typed now."""
    match prompt:
        case CharacterPrompt() | ReplacementPrompt():
            return ("take",)
        case FoundPrompt():
            return ("found",)
        case ChoosePrompt():
            return ("choose",)
        case TurnPrompt():
            there = {
                "travel": prompt.travel,
                "gold": prompt.gold,
                "quarry": prompt.quarry,
                "house": prompt.house or prompt.city_house,
                "move": prompt.move,
                "palace": prompt.palace,
                "governor": prompt.governor,
                "swap": prompt.give,
                "end": True,
            }
            return tuple(verb for verb, possible in there.items() if possible)
        case _:
            return _VERBS


def read(text: str, prompt: Any | None) -> Any:
    """The command that `text` means; raises Unreadable or Ambiguous."""
    words = _split(text)
    if not words:
        raise Unreadable("nothing is typed")
    if len(words) > 9:
        raise Unreadable("this is too much for one command")
    short = _without_verb(words, prompt)
    if short is not None:
        return short
    verb = _find(words[0], verbs(prompt), _VERBS)
    return _READERS[verb](words[1:], prompt)


def _without_verb(words: Sequence[str], prompt: Any | None) -> Any | None:
    """A command whose verb was left out, where only one verb is possible; None if it was not."""
    offered = verbs(prompt)
    if len(offered) != 1 or offered[0].startswith(words[0]):
        return None
    try:
        return _READERS[offered[0]](words, prompt)
    except Ambiguous:
        raise
    except Unreadable:
        return None


# the verbs


def _take(words: Sequence[str], prompt: Any | None) -> Any:
    offered: Sequence[Character] = ()
    if isinstance(prompt, CharacterPrompt | ReplacementPrompt):
        offered = prompt.take
    (one,) = _expect(words, 1, "which character? {}", offered or tuple(Character))
    return TakeCharacter(_character(one, offered))


def _found(words: Sequence[str], prompt: Any | None) -> Any:
    offered = prompt.villages if isinstance(prompt, FoundPrompt) else ()
    (one,) = _expect(words, 1, "which village? {}", offered or VILLAGES)
    return FoundHouse(_place(one, offered))


def _choose(words: Sequence[str], prompt: Any | None) -> Any:
    if "chit" in words:
        at = words.index("chit")
        named, chits = list(words[:at]), list(words[at + 1 :])
    else:
        named, chits = list(words[:CHOSEN]), list(words[CHOSEN:])
    if len(named) != CHOSEN or len(chits) > 1:
        raise Unreadable(f"choose {CHOSEN} of: {_words(ACTIONS)}")
    # The same actions are the same command in whatever order they are typed.
    actions = tuple(sorted(_action(one, ACTIONS) for one in named))
    chit = None if chits in ([], ["none"]) else _action(chits[0], CHITS)
    return ChooseActions(actions, chit)


def _travel(words: Sequence[str], prompt: Any | None) -> Any:
    offered: Sequence[Place] = ()
    if isinstance(prompt, TurnPrompt):
        offered = tuple(fare.place for fare in prompt.travel)
    (one,) = _expect(words, 1, "where to? {}", offered or (*CITIES, Place.CAMP))
    return Travel(_place(one, offered))


def _house(words: Sequence[str], prompt: Any | None) -> Any:
    turn = prompt if isinstance(prompt, TurnPrompt) else None
    offered = _house_places(turn)
    if not 1 <= len(words) <= 2:
        raise Unreadable(f"where? {_words(offered or tuple(Place))}")
    place = _place(words[-1], offered)
    if len(words) == 2:
        actions = (*turn.house, *turn.city_house) if turn is not None else ()
        return BuildHouse(_action(words[0], actions), place)
    fitting = (*house_order(place), Action.BUILDER)
    if turn is None:
        return BuildHouse(fitting[0], place)
    possible = {
        *(turn.house if place in turn.space else ()),
        *(turn.city_house if place is turn.city else ()),
    }
    return BuildHouse(_first(fitting, possible, "a house can be built in", offered), place)


def _house_places(turn: TurnPrompt | None) -> tuple[Place, ...]:
    """Where a house can be built now."""
    if turn is None:
        return ()
    places = set(turn.space) if turn.house else set()
    if turn.city_house and turn.city is not None:
        places.add(turn.city)
    return tuple(sorted(places))


def _move(words: Sequence[str], prompt: Any | None) -> Any:
    turn = prompt if isinstance(prompt, TurnPrompt) and prompt.move else None
    own, space = (turn.own, turn.space) if turn is not None else ((), ())
    if not 2 <= len(words) <= 3:
        raise Unreadable("from where to where? for example: move v07 delhi")
    origin, place = _place(words[-2], own), _place(words[-1], space)
    if len(words) == 3:
        return MoveHouse(_action(words[0], turn.move if turn else ()), origin, place)
    if not isinstance(prompt, TurnPrompt):
        return MoveHouse(Action.MOVE, origin, place)
    action = _first(_MOVING, set(prompt.move), "a house can be moved to", space)
    return MoveHouse(action, origin, place)


def _palace(words: Sequence[str], prompt: Any | None) -> Any:
    turn = prompt if isinstance(prompt, TurnPrompt) else None
    sites: Sequence[Site] = turn.sites if turn is not None else ()
    if not words and len(sites) == 1:
        words = (sites[0].name.lower(),)
    if not 1 <= len(words) <= 2:
        raise Unreadable(f"which site? {_words(sites or tuple(Site))}")
    site = SITE_WORDS[_find(words[-1], _names(sites), SITE_WORDS)]
    if len(words) == 2:
        return BuildPalace(_action(words[0], turn.palace if turn else ()), site)
    if turn is None:
        return BuildPalace(Action.PALACE, site)
    return BuildPalace(_first(_PALACES, set(turn.palace), "a palace can be built on", sites), site)


def _governor(words: Sequence[str], prompt: Any | None) -> Any:
    offered = prompt.governor if isinstance(prompt, TurnPrompt) else ()
    (one,) = _expect(words, 1, "the coat of which city? {}", offered or CITIES)
    return MoveGovernor(_place(one, offered or CITIES))


def _swap(words: Sequence[str], prompt: Any | None) -> Any:
    turn = prompt if isinstance(prompt, TurnPrompt) else None
    give: Sequence[Character] = turn.give if turn is not None else ()
    take: Sequence[Character] = turn.take if turn is not None else ()
    if len(words) == 1 and len(give) == 1:
        words = (give[0].name.lower(), *words)
    if len(words) != 2:
        raise Unreadable("which character for which? for example: swap monk sadhu")
    return SwapCharacter(_character(words[0], give), _character(words[1], take))


def _alone(command: Any, verb: str) -> Callable[[Sequence[str], Any], Any]:
    """The reader of a verb that nothing follows."""

    def reader(words: Sequence[str], _: Any | None) -> Any:
        if words:
            raise Unreadable(f"nothing follows {verb!r}")
        return command

    return reader


_READERS: Mapping[str, Callable[[Sequence[str], Any], Any]] = {
    "take": _take,
    "found": _found,
    "choose": _choose,
    "travel": _travel,
    "gold": _alone(TakeGold(), "gold"),
    "quarry": _alone(TakeHouses(), "quarry"),
    "house": _house,
    "move": _move,
    "palace": _palace,
    "governor": _governor,
    "swap": _swap,
    "end": _alone(EndTurn(), "end"),
}


# their parts


def _first(
    order: Sequence[Action], possible: set[Action], what: str, offered: Sequence[IntEnum]
) -> Action:
    """The open action that fits best; raises Unreadable with what is possible if none does."""
    for action in order:
        if action in possible:
            return action
    if not offered:
        raise Unreadable("no open action does this now, or it cannot be paid")
    raise Unreadable(f"{what}: {_words(offered)}")


def _expect(
    words: Sequence[str], count: int, question: str, offered: Sequence[IntEnum]
) -> Sequence[str]:
    if len(words) != count:
        raise Unreadable(question.format(_words(offered)))
    return words


def _words(several: Sequence[IntEnum]) -> str:
    places = [one for one in several if isinstance(one, Place)]
    return place_words(places) if places else " ".join(_names(several))


def _names(several: Iterable[IntEnum]) -> list[str]:
    return [one.name.lower().replace("_", "-") for one in several]


def _action(typed: str, offered: Sequence[Action]) -> Action:
    return ACTION_WORDS[_find(typed, _names(offered), ACTION_WORDS)]


def _character(typed: str, offered: Sequence[Character]) -> Character:
    return CHARACTER_WORDS[_find(typed, _names(offered), CHARACTER_WORDS)]


_NUMBERED = re.compile(r"v?([0-9]{1,3})")


def _place(typed: str, offered: Sequence[Place]) -> Place:
    number = _NUMBERED.fullmatch(typed)
    if number is None:
        named = _names(place for place in offered if place < Place.V01)
        return PLACE_WORDS[_find(typed, named, _names((*CITIES, Place.CAMP)))]
    if not 1 <= int(number[1]) <= len(VILLAGES):
        raise Unreadable(f"the villages are 1 to {len(VILLAGES)}")
    return VILLAGES[int(number[1]) - 1]


_VILLAGE = re.compile(r"\bv(?:i(?:l(?:l(?:a(?:ge?)?)?)?)?)? ?(?=[0-9])")
_FILLERS = frozenset({"the", "to", "from", "in", "for"})


def _split(text: str) -> list[str]:
    text = " ".join(text.casefold().replace(",", " ").replace("_", "-").split())
    return [word for word in _VILLAGE.sub("v", text).split(" ") if word and word not in _FILLERS]


def _find(typed: str, offered: Iterable[str], known: Iterable[str]) -> str:
    """The word that `typed` is or begins: of those offered, otherwise of those known."""
    for words in (tuple(offered), tuple(known)):
        if typed in words:
            return typed
        found = [word for word in words if word.startswith(typed)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Ambiguous(f"{typed!r} could be {listed(found, 'or')}")
    raise Unreadable(f"there is no {typed[:40]!r} here")
