"""One readable line for each event of Ra, and back: the notation of logs.

Beside the happenings these are the events that hold a secret; players' notation is
`engine.ra.words.notation`.
"""

from __future__ import annotations

from engine.entry import Event
from engine.notation import Notation
from engine.ra.events import EVENTS, EpochScored
from engine.ra.words.notation import HAPPENING_LINES, SPELLINGS

_EVENTS = Notation(
    {
        **{kind: line for kind, line in HAPPENING_LINES.items() if kind in EVENTS.values()},
        EpochScored: "epoch scored open {open} sheets {sheets}",
    },
    SPELLINGS,
)


def show_event(event: Event) -> str:
    """The line of an event."""
    return _EVENTS.show(event)


def parse_event(text: str) -> Event:
    """The event of a line; raises Unreadable (a ValueError)."""
    event: Event = _EVENTS.parse(text)
    return event
