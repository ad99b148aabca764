"""What an attentive player remembers: who took which suns, and everybody's points.

It follows from the happenings that everybody is shown, so the same happenings always give the same
memory. Does not know anything that is hidden from a player who keeps count.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve, frozen

from engine.entry import Happening
from engine.ra.bots.position import Position
from engine.ra.rulesets import RULESETS
from engine.ra.words.happenings import AuctionWon, EpochEnded, GodsSpent, TilesLost
from engine.ra.words.pieces import EPOCHS, START_POINTS, Kind
from engine.ra.words.views import Board
from engine.table.words import TakenBack

_MOST_BELIEFS = 32
"""How many alternatives are kept after an action was taken back."""
_NOTED = (AuctionWon, EpochEnded, GodsSpent, TilesLost, TakenBack)


@frozen
class Belief:
    """One account of what is hidden, by seat."""

    epoch: int
    points: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    """Tiles held, 19 counts each."""
    down: tuple[tuple[int, ...], ...]
    """Face-down suns, ascending."""
    receiver: int | None = None
    """The seat that received tiles last."""

    def agrees(self, board: Board) -> bool:
        """Whether what can be seen is as remembered."""
        return (
            self.epoch == board.epoch
            and self.hands == tuple([player.tiles for player in board.players])
            and [len(suns) for suns in self.down] == [player.down for player in board.players]
        )


class Memory:
    """The memory of one match."""

    __slots__ = ("_beliefs", "_heard", "_past")

    def __init__(self) -> None:
        self._heard: list[Happening] = []
        """Not evaluated yet: the number of players is known only with a board."""
        self._beliefs: list[Belief] = []
        self._past: list[Belief] = []
        """How things stood before each action of this epoch."""

    def hear(self, happened: Iterable[Happening]) -> None:
        """Note what happened."""
        self._heard += [happening for happening in happened if isinstance(happening, _NOTED)]

    def recall(self, board: Board) -> Belief | None:
        """What is remembered, if it agrees with the board. A player who came in late or missed
        something remembers nothing for certain, and gets None."""
        seats = len(board.players)
        if not self._beliefs:
            none: tuple[tuple[int, ...], ...] = ((),) * seats
            hands = ((0,) * Kind.FUNERAL,) * seats
            self._beliefs = [Belief(1, (START_POINTS,) * seats, hands, none)]
        for happening in self._heard:
            self._note(happening, board.ruleset)
        self._heard.clear()
        return next((belief for belief in self._beliefs if belief.agrees(board)), None)

    def _note(self, happening: Happening, ruleset: str) -> None:
        if isinstance(happening, TakenBack):
            # it is not said which action: any that still stands
            self._beliefs = [*self._beliefs, *reversed(self._past)][:_MOST_BELIEFS]
            return
        if isinstance(happening, EpochEnded):
            self._past.clear()
        else:
            self._past.append(self._beliefs[0])
        self._beliefs = [_after(belief, happening, ruleset) for belief in self._beliefs]


def _after(belief: Belief, happening: Happening, ruleset: str) -> Belief:
    match happening:
        case AuctionWon(seat, _, taken, tiles):
            down = list(belief.down)
            down[seat] = tuple(sorted((*down[seat], taken)))
            held = _changed(belief, seat, tiles, 1)
            return evolve(belief, hands=held, down=tuple(down), receiver=seat)
        case GodsSpent(seat, taken):
            spent = evolve(belief, hands=_changed(belief, seat, (Kind.GOD,) * len(taken), -1))
            return evolve(spent, hands=_changed(spent, seat, taken, 1), receiver=seat)
        case TilesLost(seat, _, tiles):
            return evolve(belief, hands=_changed(belief, seat, tiles, -1))
    return _scored(belief, ruleset)


def _changed(
    belief: Belief, seat: int, tiles: Iterable[Kind], by: int
) -> tuple[tuple[int, ...], ...]:
    hands = list(belief.hands)
    held = list(hands[seat])
    for tile in tiles:
        if tile < Kind.FUNERAL:
            held[tile] += by
    hands[seat] = tuple(held)
    return tuple(hands)


def _scored(belief: Belief, ruleset: str) -> Belief:
    """The belief after the end of an epoch. Suns score only at the end of the game, and
    nothing needs to be remembered after it."""
    position = Position(RULESETS[ruleset], len(belief.hands))
    position.epoch = min(belief.epoch, EPOCHS - 1)
    position.hands = [list(held) for held in belief.hands]
    position.points = list(belief.points)
    position.score()
    hands = tuple([tuple(hand) for hand in position.hands])
    return Belief(belief.epoch + 1, tuple(position.points), hands, ((),) * len(hands))
