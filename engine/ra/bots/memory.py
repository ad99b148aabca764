"""What an attentive player remembers: who took which suns, and everybody's points.

Made of the happenings shown to everybody, and so the same again when they are shown
again. Knows nothing that is hidden from those who count along.
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
from engine.table import TakenBack

_MOST_BELIEFS = 32
"""Ways in which things may stand after an action was taken back."""
_NOTED = (AuctionWon, EpochEnded, GodsSpent, TilesLost, TakenBack)


@frozen
class Known:
    """What is remembered, by seat."""

    epoch: int
    points: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    """Tiles held, 19 counts each."""
    down: tuple[tuple[int, ...], ...]
    """Face-down suns, ascending."""
    receiver: int | None = None
    """Who received tiles last."""

    def agrees(self, board: Board) -> bool:
        """Whether what can be seen is as remembered."""
        return (
            self.epoch == board.epoch
            and self.hands == tuple([player.tiles for player in board.players])
            and [len(suns) for suns in self.down] == [player.down for player in board.players]
        )


class Memory:
    """Of one match."""

    __slots__ = ("_beliefs", "_heard", "_past")

    def __init__(self) -> None:
        self._heard: list[Happening] = []
        """Not thought about yet: how many play is known only with a board."""
        self._beliefs: list[Known] = []
        self._past: list[Known] = []
        """How things stood before each action of this epoch."""

    def hear(self, happened: Iterable[Happening]) -> None:
        """Note what happened."""
        self._heard += [happening for happening in happened if isinstance(happening, _NOTED)]

    def recall(self, board: Board) -> Known | None:
        """What is remembered, if it agrees with what is seen: who came in late or missed
        something knows nothing for sure."""
        seats = len(board.players)
        if not self._beliefs:
            none: tuple[tuple[int, ...], ...] = ((),) * seats
            hands = ((0,) * Kind.FUNERAL,) * seats
            self._beliefs = [Known(1, (START_POINTS,) * seats, hands, none)]
        for happening in self._heard:
            self._note(happening, board.ruleset)
        self._heard.clear()
        return next((known for known in self._beliefs if known.agrees(board)), None)

    def _note(self, happening: Happening, ruleset: str) -> None:
        if isinstance(happening, TakenBack):
            # which action is not said: any of those that stand
            self._beliefs = [*self._beliefs, *reversed(self._past)][:_MOST_BELIEFS]
            return
        if isinstance(happening, EpochEnded):
            self._past.clear()
        else:
            self._past.append(self._beliefs[0])
        self._beliefs = [_after(known, happening, ruleset) for known in self._beliefs]


def _after(known: Known, happening: Happening, ruleset: str) -> Known:
    match happening:
        case AuctionWon(seat, _, taken, tiles):
            down = list(known.down)
            down[seat] = tuple(sorted((*down[seat], taken)))
            held = _changed(known, seat, tiles, 1)
            return evolve(known, hands=held, down=tuple(down), receiver=seat)
        case GodsSpent(seat, taken):
            spent = evolve(known, hands=_changed(known, seat, (Kind.GOD,) * len(taken), -1))
            return evolve(spent, hands=_changed(spent, seat, taken, 1), receiver=seat)
        case TilesLost(seat, _, tiles):
            return evolve(known, hands=_changed(known, seat, tiles, -1))
    return _scored(known, ruleset)


def _changed(
    known: Known, seat: int, tiles: Iterable[Kind], by: int
) -> tuple[tuple[int, ...], ...]:
    hands = list(known.hands)
    held = list(hands[seat])
    for tile in tiles:
        if tile < Kind.FUNERAL:
            held[tile] += by
    hands[seat] = tuple(held)
    return tuple(hands)


def _scored(known: Known, ruleset: str) -> Known:
    """After the end of an epoch; suns count only at the end of the game, which nobody
    needs to remember."""
    at = Position(RULESETS[ruleset], len(known.hands))
    at.epoch = min(known.epoch, EPOCHS - 1)
    at.hands = [list(held) for held in known.hands]
    at.points = list(known.points)
    at.score()
    hands = tuple([tuple(hand) for hand in at.hands])
    return Known(known.epoch + 1, tuple(at.points), hands, ((),) * len(hands))
