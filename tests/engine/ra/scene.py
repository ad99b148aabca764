"""Games of Ra set up in the middle, for tests of single rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from engine.entry import Command, Event, Prompt
from engine.errors import IllegalAction
from engine.game import Setup
from engine.ra.deal import FULL_BAG, RaDeal
from engine.ra.game import RA
from engine.ra.state import RaState
from engine.ra.words.pieces import HELD, SUN_SETS, Kind

Tiles = Mapping[Kind, int]


def stacked(*first: Kind) -> tuple[Kind, ...]:
    """A bag of the 180 tiles that begins with `first`."""
    rest = Counter(FULL_BAG) - Counter(first)
    return (*first, *rest.elements())


def start(
    seats: int = 3, ruleset: str = "standard", options: tuple[str, ...] = (), *first: Kind
) -> RaState:
    """The start of a game whose bag begins with `first`; seat 0 has the first set."""
    return RA.setup(Setup(ruleset, seats, options), RaDeal(stacked(*first), SUN_SETS[seats]))


def counts(tiles: Tiles) -> tuple[int, ...]:
    """Tiles held, as a state has them."""
    return tuple(tiles.get(Kind(kind), 0) if kind in HELD else 0 for kind in range(HELD.stop))


class Scene:
    """A position, and what is done in it."""

    def __init__(
        self,
        seats: int = 3,
        ruleset: str = "standard",
        options: tuple[str, ...] = (),
        *,
        bag: Sequence[Kind] = (),
        track: Sequence[Kind] = (),
        tiles: Mapping[int, Tiles] | None = None,
        up: Sequence[Sequence[int]] | None = None,
        down: Sequence[Sequence[int]] | None = None,
        sun: int = 1,
        turn: int = 0,
        epoch: int = 1,
        ra: int = 0,
        points: Sequence[int] | None = None,
    ) -> None:
        state = start(seats, ruleset, options, *bag)
        state.track = tuple(track)
        state.tiles = tuple(counts((tiles or {}).get(seat, {})) for seat in range(seats))
        state.up = state.up if up is None else tuple(map(tuple, up))
        state.down = state.down if down is None else tuple(map(tuple, down))
        state.points = state.points if points is None else tuple(points)
        state.sun, state.epoch, state.ra = sun, epoch, ra
        state.turn = state.asked = turn
        self.state = state

    def act(self, seat: int, command: Command) -> tuple[Event, ...]:
        """Do what is allowed; the events."""
        state = self.state.copy()
        events = RA.decide(state, seat, command)
        self.state = state
        return events

    def refused(self, seat: int, command: Command) -> str:
        """The code that `command` is refused with; nothing has changed."""
        before = self.state.copy()
        try:
            RA.decide(self.state.copy(), seat, command)
        except IllegalAction as refusal:
            assert self.state == before
            return str(refusal.code)
        raise AssertionError(f"{command} of seat {seat} was granted")

    @property
    def asked(self) -> int | None:
        return self.state.asked

    @property
    def prompt(self) -> Prompt:
        """The one open prompt."""
        (prompt,) = RA.prompts(self.state).values()
        return prompt

    def held(self, seat: int) -> dict[Kind, int]:
        """Tiles of a player by kind, zero counts left out."""
        held = enumerate(self.state.tiles[seat])
        return {Kind(kind): number for kind, number in held if number}

    def gone(self) -> dict[Kind, int]:
        """Tiles that have left the game, zero counts left out."""
        gone = enumerate(self.state.gone)
        return {Kind(kind): number for kind, number in gone if number}


def names(events: Sequence[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [type(event).__name__ for event in events]
