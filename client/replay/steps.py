"""The steps of a stored match from one viewpoint, made when they are looked at.

A match may have a hundred thousand steps: of those made, the latest are kept, and at regular
distances a checkpoint with all that is needed to go on from there. Steps are made by the same
model as a game watched live, so that the two cannot differ. Does not open files and does not
know any rule.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, overload

import attrs
from attrs import frozen

from client.games import GameClient
from client.state.events import Attended, Stepped
from client.state.model import Misfit, Model, hand
from client.state.scene import Scene, SeatPrompt
from client.text import clean_all
from protocol import delta
from protocol.codec import ProtocolError, Tree
from protocol.messages import Snapshot, Update

LEAST_APART, MOST_CHECKPOINTS = 64, 512
"""The fewest steps from one checkpoint to the next; the most checkpoints, give or take one."""
AT_ONCE = 500
"""Steps that are made in one go: a usual game has fewer."""


@frozen
class Note:
    """What only the log knows about an entry."""

    time: int
    """Milliseconds since 1970-01-01 UTC."""
    cause: str
    seat: int | None
    """Match seat that acted."""
    command: Any | None
    """Typed; None if it may not be shown (a sealed choice) or none was given."""
    sealed: Any | None
    """Secret and deal of an entry that has them, ready for JSON; None while hidden."""


@frozen
class ReplayStep:
    """One step: entry `number` has just happened."""

    number: int
    scene: Scene
    happenings: tuple[Any, ...]
    """Typed; the public ones first, then those of the viewer, or of all seats in order."""
    hands: tuple[Any, ...] = ()
    """From everybody's viewpoint: the private view of each match seat; else empty."""
    note: Note | None = None
    """None for a transcript."""

    @property
    def epoch(self) -> int | None:
        """The epoch, if the board of the game has one."""
        epoch: int | None = getattr(self.scene.board, "epoch", None)
        return epoch


Private: TypeAlias = tuple[tuple[Tree, ...], Tree] | None
"""What one entry brings to a seat alone: what happened, and the seat's view (in the first step)
or how it changes; None: nothing."""


@frozen
class StepData:
    """What one step is made from."""

    message: Snapshot | Update
    """What the viewer is sent."""
    privates: tuple[Private, ...] = ()
    """From everybody's viewpoint: what is sent to each match seat besides."""


StepSource: TypeAlias = Callable[[int], StepData]
"""Gives the data of a step by its index; cheapest in order."""


class _Cursor:
    """The model before one step, which makes that step from its data and moves on."""

    def __init__(self, find: Callable[[str], GameClient]) -> None:
        self.at = 0
        """Index of the step that is made next."""
        self.epoch: int | None = None
        """The epoch of the step before."""
        self._model = Model(find=find)
        self._trees: tuple[Tree, ...] = ()
        self._hands: tuple[tuple[Any, tuple[SeatPrompt, ...]], ...] = ()

    def copy(self) -> _Cursor:
        """Another cursor at the same step."""
        other = _Cursor.__new__(_Cursor)
        other.at, other.epoch = self.at, self.epoch
        other._model = self._model.copy()
        other._trees, other._hands = self._trees, self._hands
        return other

    def make(self, data: StepData, note: Note | None) -> ReplayStep:
        """Make the next step. Raises ProtocolError."""
        number, happenings, scene = self._step(clean_all(data.message))
        hands: tuple[Any, ...] = ()
        if data.privates:
            happenings += self._deal(clean_all(data.privates), scene)
            asked = [one for _, prompts in self._hands for one in prompts]
            scene = attrs.evolve(scene, prompts=_by_seat((*scene.prompts, *asked)))
            hands = tuple([own for own, _ in self._hands])
        step = ReplayStep(number, scene, happenings, hands, note)
        self.at, self.epoch = self.at + 1, step.epoch
        return step

    def _step(self, message: Snapshot | Update) -> tuple[int, tuple[Any, ...], Scene]:
        for change in self._model.apply(message):
            match change:
                case Attended(scene, missed):
                    return scene.number, tuple(one for _, some in missed for one in some), scene
                case Stepped(number, happenings, scene):
                    return number, happenings, scene
        raise AssertionError("a snapshot or an update changes the table attended")

    def _deal(self, privates: tuple[Private, ...], scene: Scene) -> tuple[Any, ...]:
        """Apply what each seat alone is sent; the happenings in it."""
        game = self._model.game
        assert game is not None
        first = not self._trees
        trees, hands, told = list(self._trees), list(self._hands), []
        if first:
            trees, hands = [None] * len(privates), [(None, ())] * len(privates)
        for seat, private in enumerate(privates):
            if private is None:
                continue
            happened, change = private
            trees[seat] = change if first else delta.apply(trees[seat], change)
            hands[seat] = hand(game, trees[seat], len(scene.table.places))
            told += [game.wire.happening.unpack(tree) for tree in happened]
        self._trees, self._hands = tuple(trees), tuple(hands)
        return tuple(told)


def _by_seat(prompts: Sequence[SeatPrompt]) -> tuple[SeatPrompt, ...]:
    known = {asked.seat: asked for asked in prompts}
    return tuple(known[seat] for seat in sorted(known))


class ReplaySteps(Sequence[ReplayStep]):
    """All steps, by index. A step that does not follow from those before it raises ProtocolError
    when it is made."""

    def __init__(
        self,
        source: StepSource,
        length: int,
        annotate: Callable[[int], Note | None],
        find: Callable[[str], GameClient],
    ) -> None:
        self.begins: list[int] = []
        """Indices of the steps made so far in which an epoch begins."""
        self._source = source
        self._length = length
        self._annotate = annotate
        self._find = find
        self._apart = max(LEAST_APART, length // MOST_CHECKPOINTS + 1)
        self._front = _Cursor(find)
        """At the first step that has not been made yet."""
        self._checkpoints: list[_Cursor] = []
        self._recent: OrderedDict[int, ReplayStep] = OrderedDict()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> ReplayStep: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[ReplayStep, ...]: ...
    def __getitem__(self, index: int | slice) -> ReplayStep | tuple[ReplayStep, ...]:
        if isinstance(index, slice):
            return tuple([self[at] for at in range(*index.indices(self._length))])
        at = index + self._length if index < 0 else index
        if not 0 <= at < self._length:
            raise IndexError("there is no such step")
        if at not in self._recent:
            self._make(at)
        self._recent.move_to_end(at)
        return self._recent[at]

    def __iter__(self) -> Iterator[ReplayStep]:
        """All steps in order; none of them is kept."""
        cursor = _Cursor(self._find)
        for _ in range(self._length):
            yield self._next(cursor)

    @property
    def made(self) -> int:
        """How many steps have been made, from the first one on."""
        return self._front.at

    def reach(self, at: int, until: float) -> bool:
        """Make the steps up to index `at`, until a time of the monotonic clock, but at least as
        many as a usual game has; whether all are made."""
        least = self._front.at + AT_ONCE
        while self._front.at <= at:
            self._advance()
            if self._front.at >= least and time.monotonic() >= until:
                break
        return self._front.at > at

    def _make(self, at: int) -> None:
        """Make a step, and those around it that hardly take longer."""
        while self._front.at <= at:
            self._advance()
        if at in self._recent:
            return
        checkpoint = at // self._apart
        cursor = self._checkpoints[checkpoint].copy()
        for _ in range(min(self._apart, self._front.at - cursor.at)):
            self._keep(cursor.at, self._next(cursor))

    def _advance(self) -> None:
        front = self._front
        if front.at == self._apart * len(self._checkpoints):
            self._checkpoints.append(front.copy())
        at, before = front.at, front.epoch
        step = self._next(front)
        if step.epoch is not None and step.epoch != before:
            self.begins.append(at)
        self._keep(at, step)

    def _next(self, cursor: _Cursor) -> ReplayStep:
        try:
            return cursor.make(self._source(cursor.at), self._annotate(cursor.at + 1))
        except Misfit:
            raise
        except ProtocolError as error:
            raise ProtocolError(f"entry {cursor.at + 1}: {error}") from None
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            # The checks are not known to miss any; but no file may get through if one does.
            raise ProtocolError(f"entry {cursor.at + 1} makes no sense") from None

    def _keep(self, at: int, step: ReplayStep) -> None:
        self._recent[at] = step
        self._recent.move_to_end(at)
        while len(self._recent) > 2 * self._apart:
            self._recent.popitem(last=False)
