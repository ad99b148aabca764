"""All events of a game of Ra. Those that hold a secret are defined here; the public ones are in
`engine.ra.words.happenings`.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen

from engine.entry import Audience, Event, Happening, PublicEvent
from engine.ra.words.happenings import HAPPENINGS, Sheet, SheetShown, SheetsShown


@frozen
class EpochScored(Event):
    """An epoch was scored; then gods, gold, floods and civilizations were discarded
    and all suns turned face up (The end of an epoch, 2 and 3)."""

    reveals: ClassVar[bool] = True
    sheets: tuple[Sheet, ...] = field(repr=False)
    """By seat."""
    open: bool
    """Whether points are open information."""

    def show(self, audience: Audience) -> Happening | None:
        """All sheets to everybody if open, else each player's own to that player."""
        if audience is None:
            return SheetsShown(self.sheets) if self.open else None
        if self.open or not 0 <= audience < len(self.sheets):
            return None
        return SheetShown(audience, self.sheets[audience])


EVENTS: dict[int, type[Event]] = {
    **{
        number: happening
        for number, happening in HAPPENINGS.items()
        if issubclass(happening, PublicEvent)
    },
    64: EpochScored,
}
