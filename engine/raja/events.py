"""All events of a game of Raja. The one that holds a secret is defined here; the public ones are in
`engine.raja.words.happenings`.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from engine.entry import Audience, Event, Happening, PublicEvent
from engine.raja.words.happenings import HAPPENINGS, OwnActions, SeatChose
from engine.raja.words.pieces import Action


@frozen
class ActionsChosen(Event):
    """A seat chose its actions, sealed until its turn begins (A round, 2)."""

    reveals: ClassVar[bool] = True
    """Nothing comes to light, but a choice is final."""
    seat: int
    actions: tuple[Action, ...] = field(repr=False)
    """The two in the order of the table, then the chit's if any."""

    def show(self, audience: Audience) -> Happening | None:
        """To everybody that the seat has chosen; to the seat alone what."""
        if audience is None:
            return SeatChose(self.seat)
        return OwnActions(self.actions) if audience == self.seat else None


EVENTS: dict[int, type[Event]] = {
    **{
        number: happening
        for number, happening in HAPPENINGS.items()
        if issubclass(happening, PublicEvent)
    },
    64: ActionsChosen,
}
