"""When a table has to be in memory: one rule for the directory, for tables that leave
memory and for those that a server finds at its start.

Knows no game and no clock on a wall.
"""

from __future__ import annotations

from collections.abc import Collection

from engine import timing
from engine.stream import Draft, Stream
from engine.table.state import Seating


def due_after(
    seating: Seating, asked: Collection[int], clocks: tuple[int, ...] | None
) -> int | None:
    """Milliseconds after the last entry until the house has something to do: at once where
    a bot is asked or somebody absent is played for, with a clock or without; None: people
    alone are waited for, for as long as they like."""
    return timing.wakes(seating, asked, clocks)


def due_of(stream: Stream) -> int | None:
    """`due_after` of a table as it is."""
    match = stream.match
    return due_after(stream.seating, () if match is None else match.asked, stream.clocks)


def due_of_draft(draft: Draft) -> int | None:
    """`due_after` of a table as a draft makes it."""
    entry, after, match = draft.entry, draft.after, draft.match
    if entry.clocks is not None:
        return draft.wakes  # is what `due_after` gives, and is there already
    asked = after.asked if after is not None else () if match is None else match.asked
    return due_after(draft.seating, asked, None)
