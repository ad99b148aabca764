"""The facts of the miniature, the one with a secret included."""

from __future__ import annotations

from attrs import frozen

from engine.entry import Audience, Event, Happening
from tests.miniature.words.happenings import (
    ChoicesShown,
    LotTurned,
    OwnChoice,
    PointsShown,
    SeatChose,
)


@frozen
class CardChosen(Event):
    """A sealed choice (None: held): everybody learns that, the seat alone learns what."""

    seat: int
    card: int | None

    def show(self, audience: Audience) -> Happening | None:
        if audience is None:
            return SeatChose(self.seat)
        return OwnChoice(self.card) if audience == self.seat else None


EVENTS: dict[int, type[Event]] = {
    32: LotTurned,
    33: CardChosen,
    35: ChoicesShown,
    36: PointsShown,
}
