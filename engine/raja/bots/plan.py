"""Plans a turn: the best way found to use open actions, or which actions to choose.

A beam search: from the few best positions found so far, every part that is open is done wherever it
may make sense, with the travel it needs. Does not know what others will do.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.entry import Command
from engine.raja.bots.fares import Ways
from engine.raja.bots.position import Position
from engine.raja.bots.value import score
from engine.raja.words.commands import (
    BuildHouse,
    BuildPalace,
    MoveGovernor,
    MoveHouse,
    SwapCharacter,
    TakeGold,
    TakeHouses,
    Travel,
)
from engine.raja.words.map import Place
from engine.raja.words.pieces import (
    ACTIONS,
    CHITS,
    CHOSEN,
    DOWN,
    FROM_BANK,
    FROM_QUARRY,
    HOUSE_PRICE,
    MOST_ROADS,
    OUTER_SITES,
    PARTS,
    TRADER_GOLD,
    Action,
    Character,
    Part,
    Site,
)

Open = tuple[tuple[Action, tuple[Part, ...]], ...]

_CITIES = int(Place.V01)
_TOLL = 0.02
"""What a road counts besides its fare, so that nobody walks about for nothing."""
_LEFT = 1.2
"""What is lost, as a guess, by each action that is still open."""


class Plan:
    """A part of a turn: what is done, and how things stand then."""

    __slots__ = (
        "builder",
        "chosen",
        "free",
        "open",
        "position",
        "roads",
        "steps",
        "trader",
        "value",
    )

    def __init__(
        self,
        position: Position,
        open: Open,
        free: tuple[int, int],
        roads: int,
        builder: bool,
        trader: bool,
    ) -> None:
        """`open`: actions with the parts left; `free`: actions that are still to be chosen, and
        those by chit; `builder`, `trader`: whether these have done their work in this turn."""
        self.position = position
        self.open = open
        self.free = free
        self.roads = roads
        self.builder = builder
        self.trader = trader
        self.chosen: tuple[Action, ...] = ()
        """The actions chosen out of `free`, one by chit last."""
        self.steps: tuple[Command, ...] = ()
        self.value = 0.0

    def next(self, *steps: Command) -> Plan:
        """A copy, with what is to be done in it."""
        new = Plan.__new__(Plan)
        new.position = self.position.copy()
        new.open = self.open
        new.free = self.free
        new.roads = self.roads
        new.builder = self.builder
        new.trader = self.trader
        new.chosen = self.chosen
        new.steps = (*self.steps, *steps)
        new.value = 0.0
        return new

    def travel(self, seat: int, steps: tuple[int, ...]) -> None:
        """Go along open roads."""
        for place in steps:
            self.position.go(seat, place)
        self.roads += len(steps)
        self.steps += tuple([Travel(Place(place)) for place in steps])

    def close(self, action: Action, part: Part, left: Part | None = None) -> None:
        """Do a part of an open action."""
        at = next(
            at for at, (name, parts) in enumerate(self.open) if name is action and part in parts
        )
        rest = list(self.open[at][1])
        rest.remove(part)
        kept: Open = ()
        if rest:
            kept = ((action, tuple(rest) if left is None else (left,)),)
        self.open = (*self.open[:at], *kept, *self.open[at + 1 :])


def plans(start: Plan, seat: int, width: int, keep: int = 1) -> list[Plan]:
    """The best complete plans found, best first; of those that choose the same actions, or in a
    turn begin with the same step, only the best."""
    choosing = start.free != (0, 0)
    beam = [start]
    done: dict[tuple[object, ...], Plan] = {}
    while beam:
        found: list[Plan] = []
        for plan in beam:
            if plan.free == (0, 0):
                ended = _finish(plan, seat)
                key: tuple[object, ...] = ended.steps[:1]
                if choosing:
                    key = (*sorted(ended.chosen[:CHOSEN]), *ended.chosen[CHOSEN:])
                if key not in done or ended.value > done[key].value:
                    done[key] = ended
            found += _expand(plan, seat)
        for plan in found:
            left = len(plan.open)
            plan.value = (
                score(plan.position, seat, planning=True) - _LEFT * left - _TOLL * plan.roads
            )
        found.sort(key=_value, reverse=True)
        beam = _different(found, width)
    return sorted(done.values(), key=_value, reverse=True)[: max(keep, 1)]


def _value(plan: Plan) -> float:
    return plan.value


def _different(found: list[Plan], width: int) -> list[Plan]:
    """The first of `found`, without those that come to the same by another order."""
    kept: list[Plan] = []
    seen: set[tuple[object, ...]] = set()
    for plan in found:
        key = (
            round(plan.value, 6),
            plan.free,
            tuple(sorted(plan.chosen)),
            tuple(sorted(plan.open)),
        )
        if key not in seen:
            seen.add(key)
            kept.append(plan)
            if len(kept) == width:
                break
    return kept


def _finish(plan: Plan, seat: int) -> Plan:
    """The turn ended, where it is best to stand."""
    here = plan.position.architects[seat]
    position = plan.position
    way = position.ways(seat)
    best: Plan | None = None
    for place in {here, position.maharaja, *position.track[:2]}:
        steps = way.steps[place]
        if place != here and not _affordable(plan, seat, way, place):
            continue
        end = plan.next()
        end.travel(seat, steps)
        end.position.fail(seat, len(end.open))
        end.position.acted[seat] = True
        end.value = score(end.position, seat) - _TOLL * end.roads
        if best is None or end.value > best.value:
            best = end
    assert best is not None
    return best


def _affordable(plan: Plan, seat: int, way: Ways, place: int, price: int = 0) -> bool:
    return (
        way.fare[place] + price <= plan.position.gold[seat]
        and plan.roads + len(way.steps[place]) <= MOST_ROADS
    )


def _expand(plan: Plan, seat: int) -> Iterator[Plan]:
    """Every way to do one part more that may make sense."""
    position = plan.position
    way = position.ways(seat)
    tried: set[tuple[Action, Part]] = set()
    for action, parts in plan.open:
        for part in parts:
            if (action, part) not in tried:
                tried.add((action, part))
                yield from _do(plan, seat, way, action, part)
    if not plan.builder and Character.BUILDER in position.characters[seat]:
        if position.supply[seat]:
            yield from _houses(plan, seat, way, Action.BUILDER, Part.HOUSE)
        else:
            yield from _moves(plan, seat, way, Action.BUILDER)
    actions, chits = plan.free
    if actions and not plan.open:
        yield from _choose(plan, seat, way, ACTIONS, (actions - 1, chits))
    elif chits and not plan.open:
        yield from _choose(plan, seat, way, CHITS, (actions, chits - 1))


def _choose(
    plan: Plan, seat: int, way: Ways, actions: tuple[Action, ...], free: tuple[int, int]
) -> Iterator[Plan]:
    for action in actions:
        new = plan.next()
        new.free = free
        new.chosen = (*plan.chosen, action)
        new.open = ((action, PARTS[action]),)
        for part in dict.fromkeys(PARTS[action]):
            yield from _do(new, seat, way, action, part)


def _do(plan: Plan, seat: int, way: Ways, action: Action, part: Part) -> Iterator[Plan]:
    position = plan.position
    match part:
        case Part.GOLD:
            new = plan.next(TakeGold())
            new.position.gold[seat] += FROM_BANK
            new.close(action, part)
            yield new
        case Part.QUARRY:
            if position.quarry[seat]:
                new = plan.next(TakeHouses())
                new.position.quarry[seat] -= FROM_QUARRY
                new.position.supply[seat] += FROM_QUARRY
                new.close(action, part)
                yield new
        case Part.HOUSE | Part.CITY_HOUSE:
            if position.supply[seat]:
                yield from _houses(plan, seat, way, action, part)
        case Part.MOVE:
            yield from _moves(plan, seat, way, action)
        case Part.PALACE:
            yield from _palaces(plan, seat, way, action)
        case Part.GOVERNOR:
            for city in position.track[DOWN:]:
                new = plan.next(MoveGovernor(Place(city)))
                new.position.governor(city)
                new.close(action, part)
                yield new
        case _:
            yield from _swaps(plan, seat, action)


def _near(plan: Plan, seat: int, way: Ways, price: int) -> list[int]:
    """Cities that matter now and can be paid for."""
    position = plan.position
    here = position.architects[seat]
    wanted = dict.fromkeys([position.maharaja, position.track[0], position.track[1], here])
    return [
        place
        for place in wanted
        if place != Place.CAMP and _affordable(plan, seat, way, place, price)
    ]


def _houses(plan: Plan, seat: int, way: Ways, action: Action, part: Part) -> Iterator[Plan]:
    price = 0 if action is Action.BUILDER else HOUSE_PRICE
    if price > plan.position.gold[seat]:
        return
    places = _near(plan, seat, way, price)
    if part is Part.HOUSE:
        places += sites_in_villages(plan.position, seat, way)
    for place in places:
        new = plan.next()
        if place < _CITIES:
            new.travel(seat, way.steps[place])
        new.steps += (BuildHouse(action, Place(place)),)
        new.position.house(seat, place, price)
        _used(new, action, part, place)
        yield new


def _used(plan: Plan, action: Action, part: Part, place: int) -> None:
    if action is Action.BUILDER:
        plan.builder = True
    elif place < _CITIES:
        named = next(
            parts
            for name, parts in plan.open
            if name is action and (Part.HOUSE in parts or Part.CITY_HOUSE in parts)
        )
        plan.close(action, Part.CITY_HOUSE if Part.CITY_HOUSE in named else Part.HOUSE)
    else:
        plan.close(action, part, Part.CITY_HOUSE if action is Action.HOUSES else None)


def sites_in_villages(position: Position, seat: int, way: Ways) -> list[int]:
    """Villages worth a house: those that open or cheapen the roads to the cities to come."""
    found: dict[int, None] = {}
    for city in (position.maharaja, *position.track[:3]):
        for village in way.missing[city][:2]:
            found[village] = None
    return [village + _CITIES for village in found]


def _moves(plan: Plan, seat: int, way: Ways, action: Action) -> Iterator[Plan]:
    position = plan.position
    last = [city for city in reversed(position.track) if city != position.maharaja]
    origins = [city for city in last if seat in position.houses[city]][:2]
    for village, owners in enumerate(position.villages):
        if len(origins) < 3 and seat in owners and len(owners) > 1:
            origins.append(village + _CITIES)
    if not origins:
        return
    places = _near(plan, seat, way, 0)[:2] + sites_in_villages(position, seat, way)[:2]
    for origin in origins:
        for place in places:
            if place == origin:
                continue
            new = plan.next()
            if place < _CITIES:
                new.travel(seat, way.steps[place])
            new.steps += (MoveHouse(action, Place(origin), Place(place)),)
            new.position.remove_house(seat, origin)
            new.position.add_house(seat, place)
            if action is Action.BUILDER:
                new.builder = True
            else:
                new.close(action, Part.MOVE)
            yield new


def _palaces(plan: Plan, seat: int, way: Ways, action: Action) -> Iterator[Plan]:
    position = plan.position
    price = position.price(seat)
    if price > position.gold[seat] or position.built[seat] >= position.palaces:
        return
    for city in range(_CITIES):
        if city == Place.CAMP or not _affordable(plan, seat, way, city, price):
            continue
        if position.central[city] is not None and len(position.outer[city]) >= OUTER_SITES:
            continue
        new = plan.next()
        new.travel(seat, way.steps[city])
        central = new.position.palace(seat)
        new.steps += (BuildPalace(action, Site.CENTRAL if central else Site.OUTER),)
        new.close(action, Part.PALACE)
        yield new


def _swaps(plan: Plan, seat: int, action: Action) -> Iterator[Plan]:
    position = plan.position
    held = position.characters
    others = [character for other, each in enumerate(held) if other != seat for character in each]
    for give in held[seat]:
        for take in (*position.display, *others):
            new = plan.next(SwapCharacter(give, take))
            new.position.swap(seat, give, take)
            if take is Character.TRADER and not plan.trader:
                new.position.gold[seat] += TRADER_GOLD
                new.trader = True
            new.close(action, Part.SWAP)
            yield new
