"""How `hard` thinks: it supposes what it cannot see, plays each of its choices on to the
end of the epoch many times, and takes what served it best.

What it goes by counts winning in the last epoch and asks another choice than the policy's
own to be better by something; what it says of a choice is points alone.

All choices are tried with the same supposed bags, so that they differ by their own merit
and not by luck, and the first tile of the bags is spread evenly over what is unseen. Who
plays on is `policy`, for all seats. What is left after the epoch is reckoned as points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from engine.ra.bots import policy
from engine.ra.bots.chain import following, part
from engine.ra.bots.lots import TASTE, Taste
from engine.ra.bots.position import Position
from engine.ra.state import Phase

Act = Callable[[Position], None]


@frozen
class Care:
    """The numbers that the search depends on."""

    least: int = 6
    """Bags before a choice may be dropped."""
    sure: float = 2.5
    """So many standard errors behind, a choice is dropped."""
    trust: float = 0.3
    """Points by which another choice must be better than the policy's own."""
    win: float = 12.0
    """Points that winning counts for when the game is over."""
    close: float = 4.0
    """Points of lead at which a win is half won."""
    lead: float = 0.25
    """What points count for beside winning."""
    best: float = 0.5
    """How much of the others is the best of them, and not all of them alike."""
    hope: float = 1.1
    """Points that come of a point that kept tiles are reckoned at."""
    sun: float = 4.2
    """Points that a pip on a sun brings in the epochs to come, for each space of the Ra
    track: the more suns there are, the less one pip does."""


CARE = Care()


@frozen
class Tried:
    """What became of one choice."""

    worth: float
    """By which to choose: how much better than the policy's own choice it served, on
    average, less the trust that others must earn."""
    lead: float
    """How many points further ahead of the others than the policy's own choice it brought
    the seat, on average."""
    bags: int


@frozen
class Standing:
    """How a seat stands after an epoch."""

    use: float
    """What the search goes by: the lead, and at the end of the game mostly whether it wins."""
    lead: float
    """Points ahead of the others."""


def try_all(
    at: Position,
    seat: int,
    acts: Sequence[Act],
    suppose: Callable[[Position, int], None],
    unseen: Sequence[int],
    simulations: int,
    seed: int,
    care: Care = CARE,
    expired: Callable[[], bool] = lambda: False,
) -> list[Tried]:
    """Try `acts` for `seat`, the policy's own choice first, with `simulations` games
    played on in all. `unseen` are the tiles of the bag, sorted; `suppose` fills in the
    rest of what is hidden, given a random word."""
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
        word = following(word)
        bag, word = _bag(unseen, round_ * size // rounds + (seed >> 8) % size, word)
        base = at.copy()
        base.bag = bag
        base.drawn = 0
        suppose(base, word)
        own = None
        for index in alive:
            trial = base.copy()
            acts[index](trial)
            stands = play_out(trial, at.epoch, seat, care)
            own = own or stands
            difference = stands.use - own.use
            totals[index] += difference
            leads[index] += stands.lead - own.lead
            squares[index] += difference * difference
            bags[index] += 1
        used += len(alive)
        round_ += 1
        if round_ >= care.least:
            alive = _still(alive, totals, squares, round_, care)
            if expired():
                break
    return [
        Tried(total / max(tried, 1) - (care.trust if index else 0.0), lead / max(tried, 1), tried)
        for index, (total, lead, tried) in enumerate(zip(totals, leads, bags, strict=True))
    ]


def _still(
    alive: list[int], totals: list[float], squares: list[float], rounds: int, care: Care
) -> list[int]:
    """The choices that may yet be the best: the policy's own, which the others are
    measured by, is dropped only with all but one."""
    means = {index: totals[index] / rounds - (care.trust if index else 0.0) for index in alive}
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
        if behind * behind < care.sure * care.sure * error:
            kept.append(index)
    return sorted({0, *kept}) if len(kept) > 1 else kept


def _bag(unseen: Sequence[int], first: int, word: int) -> tuple[list[int], int]:
    """The unseen tiles in a random order, the one at `first` to begin with."""
    bag = list(unseen)
    size = len(bag)
    first %= size
    bag[0], bag[first] = bag[first], bag[0]
    for at in range(size - 1, 1, -1):
        word = following(word)
        other = 1 + part(word, at)
        bag[at], bag[other] = bag[other], bag[at]
    return bag, word


def play_out(
    at: Position, epoch: int, seat: int, care: Care = CARE, taste: Taste = TASTE
) -> Standing:
    """Play on to the end of `epoch`; how well `seat` stands then."""
    turn, bid, discard = policy.turn, policy.bid, policy.discard
    while at.epoch == epoch:
        phase = at.phase
        if phase is Phase.TURN:
            take = turn(at, taste)
            if take is None:
                at.draw()
            elif take:
                at.spend_gods(take)
            else:
                at.invoke()
        elif phase is Phase.AUCTION:
            sun = bid(at, taste)
            if sun:
                at.bid(sun)
            else:
                at.pass_bid()
        elif phase is Phase.DISASTERS:
            at.discard(discard(at))
        else:
            break
    return standing(at, seat, care)


def standing(at: Position, seat: int, care: Care) -> Standing:
    """How `seat` stands after an epoch; what is not points yet is reckoned as points."""
    over = at.asked is None
    totals: list[float] = []
    for other in range(at.seats):
        total = float(at.points[other])
        if not over:
            total += care.hope * policy.hope(at, other)
            total += care.sun / at.spaces * sum(at.up[other])
        totals.append(total)
    mine = totals[seat]
    best, mean = -1000.0, 0.0
    for other, total in enumerate(totals):
        if other != seat:
            mean += total
            if total > best:
                best = total
    mean /= at.seats - 1
    lead = mine - care.best * best - (1 - care.best) * mean
    if not over:
        return Standing(lead, lead)
    ahead = mine - best
    if not ahead:
        highest = max(range(at.seats), key=lambda s: (totals[s] == mine, at.up[s][-1]))
        ahead = 0.5 if highest == seat else -0.5
    use = care.win * ahead / (abs(ahead) + care.close) + care.lead * lead
    return Standing(use, lead)
