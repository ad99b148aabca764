"""The steps of a stored match, each as its viewer may know it: what a replay shows.

Made from the very messages that the viewer was, or would have been, sent live, by the
same model; so a replay and a game watched live cannot differ. Opens no file, knows no
rule, and nothing of how the messages came about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs
from attrs import frozen

from client.changes import Attended, Stepped
from client.games import GameClient, find_client
from client.model import Model
from client.scene import Scene
from client.text import clean_all
from protocol.messages import Snapshot, Update


@frozen
class Viewpoint:
    """Through whose eyes a match is seen."""

    seat: int | None
    """Match seat; None: a spectator, or everybody."""
    every: bool = False
    """What all seats see, together."""


SPECTATOR = Viewpoint(None)
EVERYBODY = Viewpoint(None, every=True)


@frozen
class Note:
    """What only the log tells of an entry."""

    time: int
    """Milliseconds since 1970-01-01 UTC."""
    cause: str
    seat: int | None
    """Match seat that acted."""
    command: Any | None
    """Typed; None where it may not be shown (a sealed choice) or none was given."""
    sealed: Any | None
    """Secret and deal of an entry that holds them, ready for JSON; None while hidden."""


@frozen
class Frame:
    """One step: entry `number` has just happened."""

    number: int
    scene: Scene
    happenings: tuple[Any, ...]
    """Typed, the public ones first; then those of the viewer, or of all seats in order."""
    hands: tuple[Any, ...] = ()
    """Seen by everybody: the private view of each match seat; else empty."""
    note: Note | None = None
    """None for a transcript."""

    @property
    def epoch(self) -> int | None:
        """The chapter of the game, where its board counts them as `epoch`."""
        epoch: int | None = getattr(self.scene.board, "epoch", None)
        return epoch


Shoot = Callable[[int | None], Iterable[Snapshot | Update]]
"""What a match seat (None: a spectator) is sent, from the first entry on."""
Annotate = Callable[[int, Viewpoint], Note | None]
"""The note on the entry of a number, as far as a viewpoint may know it."""


def _no_note(number: int, view: Viewpoint) -> None:
    return None


class Film:
    """A stored match. `frames` gives its steps for each viewpoint in `views`."""

    def __init__(
        self,
        title: str,
        seats: int,
        views: Sequence[Viewpoint],
        shoot: Shoot,
        *,
        running: bool,
        annotate: Annotate = _no_note,
        find: Callable[[str], GameClient] = find_client,
    ) -> None:
        self.title = title
        self.seats = seats
        """How many play; 0 before a match has started."""
        self.views = tuple(views)
        """The viewpoints that may be taken; the first is the one to begin with."""
        self.running = running
        """Whether the match was still going on when it was stored or read."""
        self._shoot = shoot
        self._annotate = annotate
        self._find = find
        self._made: dict[Viewpoint, tuple[Frame, ...]] = {}

    def frames(self, view: Viewpoint) -> tuple[Frame, ...]:
        """The steps as `view` sees them, in order, at least one. Raises ProtocolError
        where what is stored does not fit together, ValueError for no view of `views`."""
        if view not in self.views:
            raise ValueError("this viewpoint may not be taken")
        if view not in self._made:
            eyes = [None, *range(self.seats)] if view.every else [view.seat]
            self._made[view] = tuple(self._film(view, eyes))
        return self._made[view]

    @property
    def game(self) -> GameClient:
        """The client side of the game that is played."""
        return self._find(self.frames(self.views[0])[0].scene.table.game)

    def _film(self, view: Viewpoint, eyes: Sequence[int | None]) -> Iterable[Frame]:
        models = [Model(find=self._find) for _ in eyes]
        reels = [self._shoot(eye) for eye in eyes]
        for messages in zip(*reels, strict=True):
            steps = [_step(model, each) for model, each in zip(models, messages, strict=True)]
            number, happenings, scene = steps[0]
            for _, seen, theirs in steps[1:]:
                happenings += seen[len(steps[0][1]) :]
                scene = attrs.evolve(scene, prompts=_merged(scene, theirs))
            yield Frame(
                number=number,
                scene=scene,
                happenings=happenings,
                hands=tuple(theirs.own for _, _, theirs in steps[1:]),
                note=self._annotate(number, view),
            )


def _step(model: Model, message: Snapshot | Update) -> tuple[int, tuple[Any, ...], Scene]:
    for change in model.apply(clean_all(message)):
        match change:
            case Attended(scene, missed):
                return scene.number, tuple(one for _, some in missed for one in some), scene
            case Stepped(number, happenings, scene):
                return number, happenings, scene
    raise AssertionError("a snapshot or an update changes the table attended")


def _merged(scene: Scene, other: Scene) -> tuple[Any, ...]:
    known = {asked.seat: asked for asked in (*scene.prompts, *other.prompts)}
    return tuple(known[seat] for seat in sorted(known))
