"""The bot `easy`: plays sensible Ra from a simple estimate of the lot on offer.

It estimates what the auction track is worth to every player from the tiles that everybody
sees, and what a sun is worth while suns and Ra tiles last. It does not look ahead, and knows
nothing of other players that is hidden.
"""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import frozen

from engine.deal import Chance
from engine.entry import Command
from engine.ra.bots.easy_value import EasyOutlook, easy_outlook, give_up, with_tiles, worth
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.pieces import BOARD_SUN, EPOCHS, SUN_SETS, TRACK_SPACES, Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from engine.ra.words.views import Board, Hidden

_USUAL_LOT = 5.5
"""Points that a sun usually buys while there is time."""
_GOD_MARGIN = 1.5
"""Points that a tile must bring beyond the god spent on it."""


class EasyBot:
    """Plays by `easy_value`; the same views and prompt always give the same answer."""

    quick: ClassVar[bool] = True

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        """An answer to `prompt` for the seat that it asks."""
        board: Board = public
        match prompt:
            case TurnPrompt():
                assert board.turn is not None
                return _turn(Appraisal.of(board, private, board.turn), prompt)
            case BidPrompt():
                return _bid(Appraisal.of(board, private, _bidder(board)), prompt)
            case DiscardPrompt():
                return _discard(board, prompt)
        raise TypeError(f"no answer to {type(prompt).__name__}")


@frozen
class Appraisal:
    """The figures behind one decision."""

    board: Board
    seat: int
    gains: tuple[float, ...]
    """By seat: what the lot on the auction track would bring that player."""
    sun_weight: float
    """Points that one more pip on a sun won for later is worth."""

    @classmethod
    def of(cls, board: Board, private: Hidden, seat: int) -> Appraisal:
        """Estimate the lot for everybody, as seen from `seat`."""
        gains = tuple(_gain(board, other) for other in range(len(board.players)))
        return cls(board, seat, gains, _sun_weight(board, private, seat))

    def price(self, seat: int) -> float:
        """Points that `seat` should ask for one of its suns: less as time runs out."""
        auctions = self.board.ra_spaces - self.board.ra
        suns = len(self.board.players[seat].up)
        return _USUAL_LOT * min(1.0, (auctions - 1) / (suns + 1))

    def surplus(self, sun: int) -> float:
        """What winning with `sun` brings this seat beyond that sun's price."""
        swap = self.sun_weight * (self.board.sun - sun)
        highest = max(self.board.players[self.seat].up)
        strong = 1.0 if sun == highest else 0.85
        return self.gains[self.seat] + swap - strong * self.price(self.seat)

    def beaten(self, sun: int, seats: list[int]) -> float:
        """The probability that one of `seats`, yet to bid, outbids `sun`."""
        safe = 1.0
        for seat in seats:
            player = self.board.players[seat]
            if player.up and player.up[-1] > sun:
                wants = self.gains[seat] > self.price(seat)
                safe *= 0.3 if wants else 0.85
        return 1.0 - safe


def _gain(board: Board, seat: int) -> float:
    hand = board.players[seat].tiles
    view = easy_outlook(board, seat)
    return worth(with_tiles(hand, board.track, view), view) - worth(hand, view)


def _sun_weight(board: Board, private: Hidden, seat: int) -> float:
    if board.epoch < EPOCHS:
        return 0.3
    count = len(board.players)
    average = (sum(map(sum, SUN_SETS[count])) + BOARD_SUN) / count
    mine = sum(board.players[seat].up) + sum(private.down)
    return 0.5 if abs(mine - average) < 8 else 0.2


def _bidder(board: Board) -> int:
    """The seat that is asked for a bid now."""
    auction = board.auction
    assert auction is not None
    count = len(board.players)
    order = [(auction.seat + step) % count for step in range(1, count + 1)]
    return next(s for s in order if auction.bids[s] is None and board.players[s].up)


def _yet_to_bid(board: Board, seat: int) -> list[int]:
    """The seats asked after `seat` in the auction under way."""
    auction = board.auction
    assert auction is not None
    count = len(board.players)
    after = range(1, (auction.seat - seat) % count + 1)
    return [(seat + step) % count for step in after]


def _bid(appraisal: Appraisal, prompt: BidPrompt) -> Command:
    later = _yet_to_bid(appraisal.board, appraisal.seat)
    best: int | None = None
    best_hope = 0.0
    for sun in prompt.suns:
        hope = appraisal.surplus(sun) * (1.0 - appraisal.beaten(sun, later))
        if hope > best_hope or (best is None and not prompt.may_pass):
            best, best_hope = sun, hope
    return Pass() if best is None else Bid(best)


def _turn(appraisal: Appraisal, prompt: TurnPrompt) -> Command:
    take = _worth_a_god(appraisal.board, appraisal.seat, prompt)
    if take:
        return SpendGods(take)
    if not prompt.draw or _worth_an_auction(appraisal):
        return InvokeRa()
    return Draw()


def _worth_an_auction(appraisal: Appraisal) -> bool:
    """Whether to invoke Ra rather than to draw: the lot is good, and good for this seat
    above all, or another tile is more likely to spoil it than to improve it."""
    board, seat = appraisal.board, appraisal.seat
    others = [other for other in range(len(board.players)) if other != seat]
    hope = max(
        appraisal.surplus(sun) * (1.0 - appraisal.beaten(sun, others))
        for sun in board.players[seat].up
    )
    room = TRACK_SPACES - len(board.track)
    return hope > 0.5 + 0.5 * room


def _worth_a_god(board: Board, seat: int, prompt: TurnPrompt) -> tuple[Kind, ...]:
    """The tiles to spend gods on, as long as each is worth it; often none."""
    view = easy_outlook(board, seat)
    hand = list(board.players[seat].tiles)
    left = list(prompt.takeable)
    take: list[Kind] = []
    for _ in range(prompt.gods):
        before = worth(hand, view)
        best: Kind | None = None
        best_gain = _GOD_MARGIN
        for kind in sorted(set(left)):
            gain = worth(_after_god(hand, kind, view), view) - before
            if gain > best_gain:
                best, best_gain = kind, gain
        if best is None:
            break
        hand = _after_god(hand, best, view)
        left.remove(best)
        take.append(best)
    return tuple(sorted(take))


def _after_god(hand: list[int], kind: Kind, view: EasyOutlook) -> list[int]:
    counts = with_tiles(hand, (kind,), view)
    counts[Kind.GOD] -= 1
    return counts


def _discard(board: Board, prompt: DiscardPrompt) -> Command:
    counts = [0] * Kind.FUNERAL
    for kind, number in prompt.held:
        counts[kind] = number
    view = EasyOutlook(0.5, EPOCHS - board.epoch, 0, 0)
    kinds = [kind for kind, _ in prompt.held]
    return Discard(tuple(sorted(give_up(counts, kinds, prompt.count, view))))
