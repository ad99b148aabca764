"""Monte Carlo search over what others may have chosen.

What is hidden is sampled: each other player's actions, by what its own best plans would be worth to
it. Every candidate is tried against the same samples, so that they differ by merit and not by luck.
The round is played out, and one more, with narrow plans for everybody; what stands then is valued.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from engine.deal import Chance
from engine.entry import Command
from engine.raja.bots.plan import Plan, plans
from engine.raja.bots.policy import chosen
from engine.raja.bots.position import Position
from engine.raja.bots.value import score
from engine.raja.words.commands import ChooseActions
from engine.raja.words.pieces import PARTS, TRADER_GOLD, Action, Character

WIN = 30.0
"""Gold that winning counts for when the game is over."""
_MORE = 1
"""Rounds played out after this one."""
_WIDTH = 6
"""Positions that the plans of others go on from."""
_NARROW = 2
"""The same for everybody's plans in a game played out."""
_LEAST = 6
"""Samples before a candidate may be dropped."""
_SURE = 2.0
"""A candidate this many standard errors behind is dropped."""
_TRUST = 0.3
"""Gold by which a candidate must beat the plan's own first choice."""

Pair = tuple[Action, ...]


@frozen
class Candidate:
    """An answer to try."""

    command: Command
    position: Position
    """How things stand when it is carried out."""
    actions: Pair
    """The actions of the seat's turn, if that is still to come."""


@frozen
class Estimate:
    """What the search found about one candidate."""

    worth: float
    """What to choose by: its average value above the first candidate's, less the margin that
    others must earn."""
    lead: float
    """The average value above the first candidate's, in gold."""


class Others:
    """What the other players may have chosen."""

    def __init__(self, position: Position, seat: int) -> None:
        self._likely: dict[int, list[tuple[Pair, float]]] = {}
        for other in range(position.seats):
            if other != seat and not position.acted[other]:
                chit = Character.YOGI in position.characters[other]
                self._likely[other] = _likely(chosen(position, other, chit, _WIDTH))

    def sample(self, chance: Chance) -> dict[int, Pair]:
        """Actions for each of them."""
        return {other: _draw(likely, chance) for other, likely in self._likely.items()}


def _likely(answers: Sequence[tuple[Command, float]]) -> list[tuple[Pair, float]]:
    """Actions with their weights, which add up to 1."""
    best = answers[0][1]
    found = []
    for command, value in answers:
        assert isinstance(command, ChooseActions)
        behind = best - value
        found.append((pair_of(command), 1 / (1 + behind * behind)))
    total = sum(weight for _, weight in found)
    return [(pair, weight / total) for pair, weight in found]


def pair_of(command: ChooseActions) -> Pair:
    """The actions chosen, the chit's last."""
    return (*command.actions, *(() if command.chit is None else (command.chit,)))


def _draw(likely: Sequence[tuple[Pair, float]], chance: Chance) -> Pair:
    left = chance.word() / (1 << 32)
    at = 0
    while at < len(likely) - 1 and left >= likely[at][1]:
        left -= likely[at][1]
        at += 1
    return likely[at][0]


def estimate_all(
    candidates: Sequence[Candidate],
    position: Position,
    seat: int,
    simulations: int,
    chance: Chance,
    expired: Callable[[], bool],
) -> list[Estimate]:
    """Evaluate `candidates` of `position`, the plan's own choice first, with `simulations` games
    played out in all (at least one for each of them). One estimate for each."""
    count = len(candidates)
    alive = list(range(count))
    totals, squares, tried = [0.0] * count, [0.0] * count, [0] * count
    used = 0
    others = Others(position, seat) if count > 1 else None
    while others is not None and len(alive) > 1 and used + len(alive) <= max(simulations, count):
        sampled = others.sample(chance)
        first = 0.0
        for index in alive:
            candidate = candidates[index]
            actions = {**sampled, seat: candidate.actions}
            value = _play_out(candidate.position, actions, seat)
            if not index:
                first = value
            difference = value - first
            totals[index] += difference
            squares[index] += difference * difference
            tried[index] += 1
        used += len(alive)
        if expired():
            break
        if tried[0] >= _LEAST:
            alive = _contenders(alive, totals, squares, tried[0])
    leads = [total / max(number, 1) for total, number in zip(totals, tried, strict=True)]
    return [Estimate(lead - (_TRUST if index else 0.0), lead) for index, lead in enumerate(leads)]


def _contenders(
    alive: list[int], totals: list[float], squares: list[float], samples: int
) -> list[int]:
    """Those that are not clearly behind, and the first, with which all are compared."""
    best = max(alive, key=totals.__getitem__)
    kept = [best]
    for index in alive:
        if index != best:
            variance = 0.05
            for one in (index, best):
                mean = totals[one] / samples
                variance += squares[one] / samples - mean * mean
            behind = (totals[best] - totals[index]) / samples
            if behind * behind < _SURE * _SURE * variance / samples:
                kept.append(index)
    return sorted({0, *kept}) if len(kept) > 1 else kept


def _play_out(position: Position, actions: dict[int, Pair], seat: int) -> float:
    """How well `seat` stands after this round and `_MORE`."""
    position = _finish_round(position, actions)
    for _ in range(_MORE):
        if position.ended:
            break
        position.next_round()
        picked = {}
        for other in range(position.seats):
            chit = Character.YOGI in position.characters[other]
            command = chosen(position, other, chit, _NARROW)[0][0]
            assert isinstance(command, ChooseActions)
            picked[other] = pair_of(command)
        position = _finish_round(position, picked)
    if not position.ended:
        position.next_round()
        return score(position, seat)
    winner = max(range(position.seats), key=lambda s: _standing(position, s))
    return (WIN if winner == seat else -WIN) + 0.05 * score(position, seat)


def _standing(position: Position, seat: int) -> tuple[int, int, int]:
    return position.built[seat], position.gold[seat], -position.characters[seat][0]


def _finish_round(position: Position, actions: dict[int, Pair]) -> Position:
    """The turns to come, by rank, and the scoring; a position of its own."""
    position = position.copy()
    while not all(position.acted):
        waiting = [seat for seat, acted in enumerate(position.acted) if not acted]
        seat = min(waiting, key=lambda each: position.characters[each])
        trader = Character.TRADER in position.characters[seat]
        position.gold[seat] += TRADER_GOLD * trader
        left = tuple([(action, PARTS[action]) for action in actions[seat]])
        plan = Plan(position, left, (0, 0), 0, False, trader)
        position = plans(plan, seat, _NARROW)[0].position
    position.score()
    return position
