"""Flat Monte Carlo search over determinized positions: what is hidden is sampled, each
candidate is rolled out to the end of the epoch many times, and the best on average wins.

The utility counts winning in the last epoch, and a candidate must beat the policy's own
choice by a margin. The lead that is reported for a candidate is in points alone.

All candidates are tried with the same sampled bags (common random numbers), so that they
differ by merit and not by luck; the first tile of the bags is spread evenly over the unseen
tiles. `policy` plays all seats in a rollout. What remains after the epoch is evaluated in
points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from engine.ra.bots import policy
from engine.ra.bots.lot_value import WEIGHTS, PolicyWeights
from engine.ra.bots.position import Position
from engine.ra.bots.random_words import below, next_word
from engine.ra.state import RaPhase

Move = Callable[[Position], None]


@frozen
class SearchSettings:
    """The numbers that the search depends on."""

    least: int = 6
    """Samples before a candidate may be dropped."""
    sure: float = 2.5
    """A candidate this many standard errors behind is dropped."""
    trust: float = 0.3
    """Points by which a candidate must beat the policy's own choice."""
    win: float = 12.0
    """Points that winning counts for when the game is over."""
    close: float = 4.0
    """Points of lead at which a win is half won."""
    lead: float = 0.25
    """What points count for besides winning."""
    best: float = 0.5
    """The weight of the best opponent against the average of all."""
    expected_points: float = 1.1
    """Points for each point that kept tiles are estimated at."""
    sun: float = 4.2
    """Points that a pip on a sun brings in the epochs to come, for each space of the Ra
    track: the more suns there are, the less one pip does."""


SETTINGS = SearchSettings()


@frozen
class Estimate:
    """What the search found about one candidate."""

    worth: float
    """What to choose by: its average utility above the policy's own choice, less the margin
    that other candidates must earn."""
    lead: float
    """The average lead in points that it gave the seat beyond the policy's own choice."""
    bags: int


@frozen
class Outcome:
    """How a rollout ended for a seat."""

    use: float
    """What the search maximizes: the lead, and at the end of the game mostly whether it wins."""
    lead: float
    """Points ahead of the others."""


def estimate_all(
    position: Position,
    seat: int,
    acts: Sequence[Move],
    determinize: Callable[[Position, int], None],
    unseen: Sequence[int],
    simulations: int,
    seed: int,
    settings: SearchSettings = SETTINGS,
    expired: Callable[[], bool] = lambda: False,
) -> list[Estimate]:
    """Evaluate the moves `acts` of `seat`, the policy's own choice first, with `simulations`
    rollouts in all. `unseen` are the tiles of the bag, sorted; `determinize` fills in the
    rest of what is hidden, given a random word. One estimate for each of `acts`."""
    count = len(acts)
    alive = list(range(count))
    totals = [0.0] * count
    leads = [0.0] * count
    squares = [0.0] * count
    bags = [0] * count
    rounds = max(simulations // count, 1)
    used = round_ = 0
    word = seed
    size = len(unseen)
    while used + len(alive) <= max(simulations, count) and len(alive) > 1:
        word = next_word(word)
        bag, word = _bag(unseen, round_ * size // rounds + (seed >> 8) % size, word)
        base = position.copy()
        base.bag = bag
        base.drawn = 0
        determinize(base, word)
        policy_choice = None
        for index in alive:
            trial = base.copy()
            acts[index](trial)
            stands = roll_out(trial, position.epoch, seat, settings)
            policy_choice = policy_choice or stands
            difference = stands.use - policy_choice.use
            totals[index] += difference
            leads[index] += stands.lead - policy_choice.lead
            squares[index] += difference * difference
            bags[index] += 1
        used += len(alive)
        round_ += 1
        if round_ >= settings.least:
            alive = _contenders(alive, totals, squares, round_, settings)
            if expired():
                break
    return [
        Estimate(
            total / max(tried, 1) - (settings.trust if index else 0.0), lead / max(tried, 1), tried
        )
        for index, (total, lead, tried) in enumerate(zip(totals, leads, bags, strict=True))
    ]


def _contenders(
    alive: list[int],
    totals: list[float],
    squares: list[float],
    rounds: int,
    settings: SearchSettings,
) -> list[int]:
    """The candidates that may still be the best. The policy's own, which the others are
    measured against, is dropped only when a single one is left."""
    means = {index: totals[index] / rounds - (settings.trust if index else 0.0) for index in alive}
    best = max(alive, key=lambda index: (means[index], -index))
    kept = []
    for index in alive:
        if index == best:
            kept.append(index)
            continue
        variance = 0.0
        for one in (index, best):
            mean = totals[one] / rounds
            variance += squares[one] / rounds - mean * mean
        error = max(variance, 0.01) / rounds
        behind = means[best] - means[index]
        if behind * behind < settings.sure * settings.sure * error:
            kept.append(index)
    return sorted({0, *kept}) if len(kept) > 1 else kept


def _bag(unseen: Sequence[int], first: int, word: int) -> tuple[list[int], int]:
    """The unseen tiles in random order, beginning with the one at `first`; and the next word."""
    bag = list(unseen)
    size = len(bag)
    first %= size
    bag[0], bag[first] = bag[first], bag[0]
    for place in range(size - 1, 1, -1):
        word = next_word(word)
        other = 1 + below(word, place)
        bag[place], bag[other] = bag[other], bag[place]
    return bag, word


def roll_out(
    position: Position,
    epoch: int,
    seat: int,
    settings: SearchSettings = SETTINGS,
    weights: PolicyWeights = WEIGHTS,
) -> Outcome:
    """Play on to the end of `epoch`, and evaluate the result for `seat`."""
    turn, bid, discard = policy.turn, policy.bid, policy.discard
    while position.epoch == epoch:
        phase = position.phase
        if phase is RaPhase.TURN:
            take = turn(position, weights)
            if take is None:
                position.draw()
            elif take:
                position.spend_gods(take)
            else:
                position.invoke()
        elif phase is RaPhase.AUCTION:
            sun = bid(position, weights)
            if sun:
                position.bid(sun)
            else:
                position.pass_bid()
        elif phase is RaPhase.DISASTERS:
            position.discard(discard(position))
        else:
            break
    return evaluate(position, seat, settings)


def evaluate(position: Position, seat: int, settings: SearchSettings) -> Outcome:
    """How well `seat` stands after an epoch; tiles and suns are estimated in points."""
    over = position.asked is None
    totals: list[float] = []
    for other in range(position.seats):
        total = float(position.points[other])
        if not over:
            total += settings.expected_points * policy.expected_points(position, other)
            total += settings.sun / position.spaces * sum(position.up[other])
        totals.append(total)
    mine = totals[seat]
    best, mean = -1000.0, 0.0
    for other, total in enumerate(totals):
        if other != seat:
            mean += total
            if total > best:
                best = total
    mean /= position.seats - 1
    lead = mine - settings.best * best - (1 - settings.best) * mean
    if not over:
        return Outcome(lead, lead)
    ahead = mine - best
    if not ahead:
        highest = max(range(position.seats), key=lambda s: (totals[s] == mine, position.up[s][-1]))
        ahead = 0.5 if highest == seat else -0.5
    use = settings.win * ahead / (abs(ahead) + settings.close) + settings.lead * lead
    return Outcome(use, lead)
