"""A game of Ra for simulations: the rules once more, without events, prompts or checks, in
lists that are changed in place.

It equals the engine's state after every action, which a property test shows
(`tests/engine/ra/bots/test_position.py`). The bag is the one that a bot has sampled. How
actions are chosen is not known here.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.ra.legal import TILES_PER_DISASTER, forced_loss
from engine.ra.rulesets import Ruleset
from engine.ra.scoring import by_rank, civilization, monument_alike, monument_types
from engine.ra.state import RaPhase
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import CIVILIZATIONS, EPOCHS, MONUMENTS, RA_SPACES, TRACK_SPACES, Kind

_RA, _GOD, _GOLD, _PHARAOH, _NILE, _FLOOD = range(6)
_FUNERAL, _UNREST, _EARTHQUAKE = int(Kind.FUNERAL), int(Kind.UNREST), int(Kind.EARTHQUAKE)
_DISASTERS = tuple(Kind(kind) for kind in range(_FUNERAL, _EARTHQUAKE + 1))
_ORDERS = {
    seats: tuple(
        tuple((seat + step) % seats for step in range(1, seats + 1)) for seat in range(seats)
    )
    for seats in RA_SPACES
}
ASKED_FOR = {Kind.UNREST: CIVILIZATIONS, Kind.EARTHQUAKE: MONUMENTS}
"""The kinds of tiles that a disaster with a choice takes."""
_DISCARDED = (1, 2, 5, 6, 7, 8, 9, 10)


class Position:
    """The position of a simulated game. It has one owner; tiles are numbers of `Kind`."""

    __slots__ = (
        "asked",
        "bag",
        "down",
        "drawn",
        "epoch",
        "hands",
        "highest",
        "leader",
        "memo",
        "owed",
        "phase",
        "points",
        "ra",
        "reason",
        "ruleset",
        "seats",
        "spaces",
        "sun",
        "track",
        "turn",
        "up",
    )

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        """An empty table with nobody asked; the caller fills it in."""
        self.ruleset = ruleset
        self.seats = seats
        self.spaces = RA_SPACES[seats]
        self.bag: Sequence[int] = ()
        """The tiles still to come, from `drawn` on."""
        self.drawn = 0
        self.phase = RaPhase.TURN
        self.epoch = 1
        self.ra = 0
        self.track: list[int] = []
        self.sun = 0
        self.up: list[list[int]] = [[] for _ in range(seats)]
        """Face-up suns by seat, ascending."""
        self.down: list[list[int]] = [[] for _ in range(seats)]
        self.hands: list[list[int]] = [[0] * _FUNERAL for _ in range(seats)]
        self.points = [0] * seats
        self.turn = 0
        self.asked: int | None = None
        self.reason: Reason | None = None
        self.highest = 0
        self.leader: int | None = None
        self.owed = [0, 0, 0, 0]
        self.memo: object = None
        """The policy's valuation of the auction under way, cached."""

    def copy(self) -> Position:
        """An independent copy; the bag is shared."""
        new = Position.__new__(Position)
        new.ruleset = self.ruleset
        new.seats = self.seats
        new.spaces = self.spaces
        new.bag = self.bag
        new.drawn = self.drawn
        new.phase = self.phase
        new.epoch = self.epoch
        new.ra = self.ra
        new.track = self.track[:]
        new.sun = self.sun
        new.up = [suns[:] for suns in self.up]
        new.down = [suns[:] for suns in self.down]
        new.hands = [hand[:] for hand in self.hands]
        new.points = self.points[:]
        new.turn = self.turn
        new.asked = self.asked
        new.reason = self.reason
        new.highest = self.highest
        new.leader = self.leader
        new.owed = self.owed[:]
        new.memo = None
        return new

    # What the player asked may do

    def draw(self) -> None:
        """A turn, 1."""
        tile = self.bag[self.drawn]
        self.drawn += 1
        if not tile:
            self.ra += 1
            if self.ra == self.spaces:
                self._end_epoch()
            else:
                self._begin_auction(Reason.DRAWN)
            return
        self.track.append(tile)
        if len(self.track) == TRACK_SPACES and self.ruleset.full_track_starts_auction:
            self._begin_auction(Reason.FORCED)
        else:
            self._pass_turn()

    def invoke(self) -> None:
        """A turn, 2."""
        full = len(self.track) == TRACK_SPACES
        self._begin_auction(self.ruleset.reason_of_full_track if full else Reason.INVOKED)

    def spend_gods(self, take: Sequence[int]) -> None:
        """A turn, 3."""
        seat = self.turn
        for tile in take:
            self.track.remove(tile)
        self.hands[seat][_GOD] -= len(take)
        self._receive(seat, take)

    def bid(self, sun: int) -> None:
        """An auction: `sun` is higher than all bids before it."""
        self.highest = sun
        self.leader = self.asked
        self._ask_next_bidder()

    def pass_bid(self) -> None:
        """An auction."""
        self._ask_next_bidder()

    def discard(self, give: Sequence[int]) -> None:
        """Disasters: the tiles owed to the first kind that leaves a choice."""
        seat = self.asked
        assert seat is not None
        hand = self.hands[seat]
        for tile in give:
            hand[tile] -= 1
        owed = self.owed
        owed[2 if owed[2] else 3] = 0
        self._settle(seat)

    # What follows

    def next_with_sun(self, seat: int) -> int | None:
        """The next seat after `seat` that has suns left; it may be `seat` again."""
        up, seats = self.up, self.seats
        for _ in range(seats):
            seat += 1
            if seat == seats:
                seat = 0
            if up[seat]:
                return seat
        return None

    def order(self, seat: int) -> tuple[int, ...]:
        """All seats clockwise, from the one after `seat` to `seat` itself."""
        return _ORDERS[self.seats][seat]

    def _pass_turn(self) -> None:
        self.phase = RaPhase.TURN
        self.asked = seat = self.next_with_sun(self.turn)
        if seat is None:
            self._end_epoch()
        else:
            self.turn = seat

    def _begin_auction(self, reason: Reason) -> None:
        self.phase = RaPhase.AUCTION
        self.memo = None
        self.reason = reason
        self.asked = self.next_with_sun(self.turn)

    def _ask_next_bidder(self) -> None:
        asked = self.asked
        assert asked is not None
        if asked == self.turn:
            self._close_auction()
        else:
            self.asked = self.next_with_sun(asked)

    def _close_auction(self) -> None:
        leader, reason = self.leader, self.reason
        self.reason = self.leader = None
        if leader is None:
            if reason is Reason.FORCED and self.ruleset.forced_discards:
                self.track = []
            self._pass_turn()
            return
        paid = self.highest
        self.highest = 0
        self.up[leader].remove(paid)
        down = self.down[leader]
        down.append(self.sun)
        down.sort()
        self.sun = paid
        tiles, self.track = self.track, []
        self._receive(leader, tiles)

    def _receive(self, seat: int, tiles: Sequence[int]) -> None:
        hand = self.hands[seat]
        struck = False
        for tile in tiles:
            if tile < _FUNERAL:
                hand[tile] += 1
            else:
                self.owed[tile - _FUNERAL] += 1
                struck = True
        if struck:
            self._settle(seat)
        else:
            self._pass_turn()

    def _settle(self, seat: int) -> None:
        """Carry out disasters without a choice; then ask for the choice, or pass the turn."""
        hand, owed = self.hands[seat], self.owed
        open_choice = False
        for at, disaster in enumerate(_DISASTERS):
            if not owed[at]:
                continue
            lost = forced_loss(tuple(hand), disaster, owed[at])
            if lost is None:
                open_choice = True
                continue
            owed[at] = 0
            for tile in lost:
                hand[tile] -= 1
        if open_choice:
            self.phase = RaPhase.DISASTERS
            self.asked = seat
        else:
            self._pass_turn()

    def owes(self) -> tuple[Kind, int]:
        """The disaster that waits for a choice, and how many tiles it costs."""
        at = 2 if self.owed[2] else 3
        return _DISASTERS[at], TILES_PER_DISASTER * self.owed[at]

    def _end_epoch(self) -> None:
        self.track = []
        self.ra = 0
        self.score()
        up = self.up
        if self.epoch == EPOCHS:
            self.phase = RaPhase.OVER
            self.asked = None
            return
        self.epoch += 1
        self.phase = RaPhase.TURN
        self.turn = self.asked = max(range(self.seats), key=lambda seat: up[seat][-1])

    def score(self) -> None:
        """Score the epoch, discard what is not kept, turn all suns face up."""
        last = self.epoch == EPOCHS
        hands, points, ruleset = self.hands, self.points, self.ruleset
        pharaohs = by_rank([hand[_PHARAOH] for hand in hands], 5, -2)
        for seat, hand in enumerate(hands):
            change = 2 * hand[_GOD] + 3 * hand[_GOLD] + pharaohs[seat]
            if hand[_FLOOD]:
                change += hand[_NILE] + hand[_FLOOD]
            change += civilization(hand, ruleset)
            if last:
                change += monument_types(hand) + monument_alike(hand)
            points[seat] += change
            for kind in _DISCARDED:
                hand[kind] = 0
        up = self.up = [sorted(u + d) for u, d in zip(self.up, self.down, strict=True)]
        self.down = [[] for _ in up]
        if last:
            suns = by_rank(list(map(sum, up)), 5, ruleset.points_of_lowest_suns)
            for seat, change in enumerate(suns):
                points[seat] += change
        for seat, total in enumerate(points):
            if total < 0:
                points[seat] = 0
