"""Requests to a table, and what each would do, before anything is stored.

Does not know games or encodings. Decides nothing: `engine.stream` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from attrs import frozen

from engine import timing
from engine.entry import Cause, Command, Entry
from engine.match import After, Match, OpenPrompt, Step
from engine.table.state import Seating


@frozen
class Request:
    """A command on its way into a stream."""

    command: Command
    id: bytes | None = None
    person: bytes | None = None
    """The sender; None for bots, timers and the server itself."""
    seat: int | None = None
    """The match seat that acts; None for a command of the table."""
    token: int = 0
    """The prompt that the command answers. For a `SitOut` by the server, the prompt that the seat
    does not answer. Not read for other commands of the table."""
    cause: Cause = Cause.COMMAND
    again: ClassVar[bool] = False
    """Whether it was granted before."""


@frozen
class Granted(Request):
    """A request that was granted before, decided again to verify a log. How often, and whose
    actions, may be taken back was checked then; what was revealed could never be taken back."""

    again: ClassVar[bool] = True


@frozen
class Draft:
    """What a request would do: the entry to store, and what to adopt afterwards."""

    entry: Entry
    seating: Seating
    match: Match[Any] | None
    """The match that runs after the entry (a new one if the entry starts it)."""
    step: Step[Any] | None
    """What the match adopts; None if nothing happens in it."""
    after: After | None = None
    """What follows from it in the match."""

    def wake_after(self) -> int | None:
        """Milliseconds after the entry until the table needs its server
        (`engine.timing.wake_after`)."""
        asked: Mapping[int, OpenPrompt] = {}
        if self.after is not None:
            asked = self.after.asked
        elif self.match is not None:
            asked = self.match.asked
        return timing.wake_after(self.seating, asked, self.entry.clocks)


@frozen
class Repeat:
    """The request was granted before, by entry `number`, and gets the original answer. The same
    answer goes to a request for what is so already, as of entry `number`, such as joining where one
    sits."""

    number: int
