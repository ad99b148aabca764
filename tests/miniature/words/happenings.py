"""What happens in the miniature, as players may know it."""

from __future__ import annotations

from typing import ClassVar

from attrs import frozen

from engine.entry import Happening, PublicEvent


@frozen
class LotTurned(PublicEvent):
    """The lot of the next round lies open."""

    reveals: ClassVar[bool] = True
    lot: int


@frozen
class SeatChose(Happening):
    """A seat has chosen; what, nobody else knows yet."""

    seat: int


@frozen
class OwnChoice(Happening):
    """What the seat itself chose."""

    card: int | None


@frozen
class ChoicesShown(PublicEvent):
    """All have chosen: the cards by seat (None: held), and who takes the lot."""

    reveals: ClassVar[bool] = True
    cards: tuple[int | None, ...]
    winner: int | None


@frozen
class PointsShown(PublicEvent):
    """The last round is over; everything hidden is shown."""

    reveals: ClassVar[bool] = True
    points: tuple[int, ...]
    winners: tuple[int, ...]


HAPPENINGS: dict[int, type[Happening]] = {
    32: LotTurned,
    33: SeatChose,
    34: OwnChoice,
    35: ChoicesShown,
    36: PointsShown,
}
