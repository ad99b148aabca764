"""A stored match as its viewers may see it: what a replay shows.

Made from the very messages that the viewer was sent live, or would have been sent. Does not open
files, and does not know about rules or where the messages come from.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from attrs import frozen

from client.games import GameClient, NoSuchGame, find_client
from client.replay.steps import Note, ReplayStep, ReplaySteps, StepSource
from client.state.scene import Scene
from client.text import clean, clean_all
from protocol.codec import ProtocolError
from protocol.views import TableView

_MOST_VIEWS = 3
"""How many viewpoints have their steps kept at a time."""


@frozen
class Viewpoint:
    """Through whose eyes a match is seen."""

    seat: int | None
    """Match seat; None: a spectator, or everybody."""
    every: bool = False
    """Everything that all seats see."""


SPECTATOR = Viewpoint(None)
EVERYBODY = Viewpoint(None, every=True)

Sources = Callable[[Viewpoint], StepSource]
"""For each viewpoint, what it is sent, step by step."""
Annotate = Callable[[int, Viewpoint], Note | None]
"""The note on the entry with a number, as far as a viewpoint may see it."""


def _no_note(number: int, view: Viewpoint) -> None:
    return None


class Recording:
    """A stored match. `steps` gives its steps for each viewpoint in `views`."""

    def __init__(
        self,
        title: str,
        table: TableView,
        length: int,
        views: Sequence[Viewpoint],
        sources: Sources,
        *,
        running: bool,
        annotate: Annotate = _no_note,
        find: Callable[[str], GameClient] = find_client,
    ) -> None:
        """`table` is the table after the last of `length` steps. Raises ProtocolError."""
        self.title = clean(title)
        self.lineup = _at_the_end(clean_all(table), length)
        """The table after the last step, without the game: who plays, on which seats."""
        self.views = tuple(views)
        """The viewpoints that may be taken; a replay begins with the first."""
        self.running = running
        """Whether the match was still going on when it was stored or read."""
        try:
            self.game = find(self.lineup.table.game)
        except NoSuchGame as error:
            raise ProtocolError(f"this program does not know the game {error}") from None
        self._length = length
        self._sources = sources
        self._annotate = annotate
        self._find = find
        self._steps: OrderedDict[Viewpoint, ReplaySteps] = OrderedDict()

    @property
    def seats(self) -> int:
        """How many players there are; 0 before a match has started."""
        return len(self.lineup.table.places)

    def steps(self, view: Viewpoint) -> ReplaySteps:
        """The steps as `view` sees them, in order, at least one. Raises ValueError if `view` is
        not one of `views`."""
        if view not in self.views:
            raise ValueError("this viewpoint may not be taken")
        if view not in self._steps:
            self._steps[view] = ReplaySteps(
                self._sources(view),
                self._length,
                lambda number: self._annotate(number, view),
                self._find,
            )
        self._steps.move_to_end(view)
        while len(self._steps) > _MOST_VIEWS:
            self._steps.popitem(last=False)
        return self._steps[view]


def _at_the_end(table: TableView, number: int) -> Scene:
    return Scene(
        number=number,
        table_seat=None,
        table=table,
        board=None,
        own=None,
        prompts=(),
        undo=None,
    )


__all__ = [
    "EVERYBODY",
    "SPECTATOR",
    "Annotate",
    "Note",
    "Recording",
    "ReplayStep",
    "Sources",
    "Viewpoint",
]
