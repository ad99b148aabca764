"""What a prompt of Raja allows, as keys and as places to point at; and why a key does nothing now.

Everything here is read from the open prompt: what it does not offer has no key. A number travels,
letters carry out what is open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from client.raja.house_order import house_order
from client.raja.pointing import point_at
from client.raja.sight import board_of
from client.raja.words import (
    ACTION_NAMES,
    ACTION_ON_KEYS,
    CHARACTER_NAMES,
    CHARACTER_POWERS,
    place_name,
    place_with_road,
)
from client.screen.game_api import Choice, Item, Menu, Pick, Pointing, Target
from client.state.scene import Scene
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
from engine.raja.words.map import Place
from engine.raja.words.pieces import ACTIONS, CHITS, CHOSEN, Action, Character, Site
from engine.raja.words.prompts import (
    CharacterPrompt,
    ChoosePrompt,
    Fare,
    FoundPrompt,
    ReplacementPrompt,
    TurnPrompt,
)


def menu(scene: Scene) -> Menu | None:
    """The viewer's open prompt as a menu."""
    asked = scene.mine
    match asked.prompt if asked is not None else None:
        case TurnPrompt() as prompt:
            return _turn(prompt, scene)
        case ChoosePrompt(chit):
            return _choose(chit)
        case FoundPrompt(villages):
            targets = _targets(villages, FoundHouse)
            return Menu("Found a house", (), pointing=point_at("Found a house in", targets))
        case CharacterPrompt(take):
            return Menu("Take a character", _characters(take))
        case ReplacementPrompt(take):
            return Menu("You were robbed: take a character", _characters(take))
        case _:
            return None


def _characters(take: Sequence[Character]) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            str(one.value),
            f"{CHARACTER_NAMES[one]}, {CHARACTER_POWERS[one]}",
            CHARACTER_NAMES[one],
            TakeCharacter(one),
        )
        for one in take
    )


def _choose(chit: bool) -> Menu:
    def make(items: tuple[int, ...]) -> Any:
        """The last thing picked that can be chosen by chit is the chit's, if there are three."""
        picked = [ACTIONS[item] for item in items]
        third = None
        if len(picked) > CHOSEN:
            third = next((one for one in reversed(picked) if one in CHITS), picked[-1])
            picked.remove(third)
        return ChooseActions(tuple(sorted(picked)), third)

    most = CHOSEN + 1 if chit else CHOSEN
    title = "Two actions in secret, and one by chit" if chit else "Two actions in secret"
    items = tuple(Item(ACTION_NAMES[one], ACTION_ON_KEYS[one], most) for one in ACTIONS)
    return Menu(title, (), pick=Pick(title, items, CHOSEN, most, make))


# a turn


def _turn(prompt: TurnPrompt, scene: Scene) -> Menu:
    choices = [
        Choice(str(number), _fare(fare), _short_fare(fare), Travel(fare.place))
        for number, fare in enumerate(prompt.travel, 1)
    ]
    if prompt.gold:
        choices.append(Choice("g", "take 2 gold", "gold", TakeGold()))
    if prompt.quarry:
        choices.append(Choice("f", "fetch 2 houses", "fetch", TakeHouses()))
    choices += _building(prompt)
    choices += _moving(prompt)
    choices += _palaces(prompt)
    if prompt.governor:
        choices.append(Choice("k", "move a coat", "coat", pick=_coats(prompt)))
    if prompt.give:
        choices.append(Choice("s", "swap characters", "swap", pick=_swap(prompt)))
    turn = board_of(scene).turn
    failing = len(turn.open) if turn is not None else 0
    choices.append(Choice("e", "end the turn", "end", EndTurn()))
    return Menu("Your turn", tuple(choices), _failing(failing))


def _failing(count: int) -> str:
    """What ending the turn now would cost."""
    if not count:
        return "All is done."
    return f"To end now gives the others {2 * count} gold each."


def _fare(fare: Fare) -> str:
    name = place_name(fare.place).removeprefix("the ")
    return f"{name} ({fare.gold})" if fare.gold else f"{name} (free)"


def _short_fare(fare: Fare) -> str:
    name = fare.place.name.capitalize()[:4]
    return f"{name} {fare.gold}" if fare.gold else name


def _building(prompt: TurnPrompt) -> list[Choice]:
    found = []
    by_action = [one for one in (*prompt.house, *prompt.city_house) if one is not Action.BUILDER]
    if by_action:
        anywhere = {*prompt.space} if prompt.city is None else {*prompt.space, prompt.city}
        places = [place for place in sorted(anywhere) if _house_action(prompt, place) is not None]
        targets = _targets(places, lambda place: _build(prompt, place))
        found.append(_where("a", "a house (1)", "house", "Build a house in", targets))
    if Action.BUILDER in prompt.house:
        targets = _targets(prompt.space, lambda place: BuildHouse(Action.BUILDER, place))
        found.append(_where("d", "the free house", "free", "Build the free house in", targets))
    return found


def _where(key: str, label: str, short: str, title: str, targets: Sequence[Target]) -> Choice:
    """A choice that needs a place, unless there is only one."""
    if len(targets) == 1:
        (only,) = targets
        return Choice(key, f"{label} in {only.label}", short, only.command)
    return Choice(key, label, short, pointing=point_at(title, targets))


def _house_action(prompt: TurnPrompt, place: Place) -> Action | None:
    """The open action that a house in `place` is best built by."""
    usable = {*prompt.house, *(prompt.city_house if place is prompt.city else ())}
    return next((one for one in house_order(place) if one in usable), None)


def _build(prompt: TurnPrompt, place: Place) -> Any:
    action = _house_action(prompt, place)
    assert action is not None
    return BuildHouse(action, place)


def _moving(prompt: TurnPrompt) -> list[Choice]:
    found = []
    keys = (
        (Action.MOVE, "j", "move a house", "move"),
        (Action.BUILDER, "r", "move free", "m.free"),
    )
    for action, key, label, short in keys:
        if action in prompt.move:
            origin = _origins(prompt, action)
            found.append(Choice(key, label, short, pointing=origin))
    return found


def _origins(prompt: TurnPrompt, action: Action) -> Pointing:
    def onward(origin: Place) -> Pointing:
        places = [place for place in prompt.space if place is not origin]
        targets = _targets(places, lambda place: MoveHouse(action, origin, place))
        return point_at(f"Move it from {place_name(origin)} to", targets)

    movable = [one for one in prompt.own if any(place is not one for place in prompt.space)]
    targets = [Target(place, place_name(place), pointing=onward(place)) for place in movable]
    return point_at("Move the house in", targets)


def _palaces(prompt: TurnPrompt) -> list[Choice]:
    if not prompt.palace:
        return []
    action = prompt.palace[0]
    words = {
        Site.CENTRAL: ("p", "palace, centre", "centre"),
        Site.OUTER: ("o", "outer palace", "outer"),
    }
    return [Choice(*words[site], BuildPalace(action, site)) for site in prompt.sites]


def _coats(prompt: TurnPrompt) -> Pick:
    items = tuple(Item(place_name(city), place_name(city)[:5]) for city in prompt.governor)
    return Pick(
        "Move this coat two places down",
        items,
        1,
        1,
        lambda picked: MoveGovernor(prompt.governor[picked[0]]),
    )


def _swap(prompt: TurnPrompt) -> Pick:
    if len(prompt.give) == 1:
        return _take(prompt, prompt.give[0])
    return Pick(
        "Which character do you give?",
        _named(prompt.give),
        1,
        1,
        lambda picked: _take(prompt, prompt.give[picked[0]]),
    )


def _take(prompt: TurnPrompt, give: Character) -> Pick:
    return Pick(
        f"Take for the {CHARACTER_NAMES[give]}",
        _named(prompt.take),
        1,
        1,
        lambda picked: SwapCharacter(give, prompt.take[picked[0]]),
    )


def _named(characters: Sequence[Character]) -> tuple[Item, ...]:
    return tuple(
        Item(f"{one.value} {CHARACTER_NAMES[one]}", CHARACTER_NAMES[one][:6]) for one in characters
    )


def _targets(places: Sequence[Place], make: Callable[[Place], Any]) -> list[Target]:
    return [Target(place, place_with_road(place), make(place)) for place in places]


# what cannot be done now

_NOT_NOW: dict[str, str] = {
    "a": "You cannot build a house now: no open action, no gold, or no house in your supply.",
    "d": "You have no free house now.",
    "e": "It is not your turn to end.",
    "f": "You have no open action that fetches houses, or your quarry is empty.",
    "g": "You have no open action that takes gold.",
    "j": "You have no open action that moves a house.",
    "k": "You have no open action that moves a coat.",
    "o": "You cannot build an outer palace here now.",
    "p": "You cannot build a palace on the central site here now.",
    "r": "You have no free move now.",
    "s": "You have no open action that swaps characters.",
}
KEYS = frozenset(_NOT_NOW)
"""Letters that mean something in Raja, now or at another time; digits are roads, characters and
actions."""


def refuse(scene: Scene, key: str) -> str | None:
    """Why a key of Raja does nothing now."""
    if key not in KEYS and not (key.isascii() and key.isdigit()):
        return None
    if scene.over:
        return scene.end
    asked = scene.mine
    if asked is None:
        return waiting(scene) if scene.seat is not None else "You are watching."
    match asked.prompt:
        case TurnPrompt():
            return _NOT_NOW.get(key, f"There is no road {key} that you can take now.")
        case ChoosePrompt():
            return "First choose your actions for this round."
        case FoundPrompt():
            return "First found a house: the arrows move, ENTER founds."
        case _:
            return "First take a character."


def waiting(scene: Scene) -> str:
    """Who the table waits for, and for what."""
    if scene.over or not scene.prompts:
        return _unlisted(scene)
    if len(scene.prompts) > 1:
        names = [scene.name(one.seat) for one in scene.prompts]
        return f"Waiting for {', '.join(names[:-1])} and {names[-1]} to choose."
    who = scene.name(scene.prompts[0].seat)
    match scene.prompts[0].prompt:
        case ChoosePrompt():
            return f"Waiting for {who} to choose two actions."
        case FoundPrompt():
            return f"Waiting for {who} to found a house."
        case CharacterPrompt():
            return f"Waiting for {who} to take a character."
        case ReplacementPrompt():
            return f"{who} was robbed: waiting for {who} to take a character."
        case _:
            return f"It is {who}'s turn."


def _unlisted(scene: Scene) -> str:
    """What there is to say where no prompt can be seen: a turn's is for its owner alone."""
    if scene.over:
        return scene.end
    turn = board_of(scene).turn if scene.board is not None else None
    if turn is not None and turn.seat != scene.seat:
        return f"It is {scene.name(turn.seat)}'s turn."
    return "The table waits."
