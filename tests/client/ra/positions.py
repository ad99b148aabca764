"""Scenes of real games of Ra, as a client would have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import frozen

from client.state.scene import Scene, SeatPrompt
from engine.deal import Chance
from engine.entry import Event
from engine.game import Setup
from engine.match import Match
from engine.ra.game import RA
from engine.table.words import Phase
from protocol.views import SeatView, TableView

NAMES = ("Anna", "Boris", "Chen", "Dora", "Emil")


def scene(
    match: Match[Any], seat: int | None, names: Sequence[str] = NAMES, undo: bool = False
) -> Scene:
    """What the viewer on `seat` (None: a spectator) sees of a match."""
    seats = match.setup.seats
    over = match.result is not None
    table = TableView(
        code="KIWI-42",
        game="ra",
        rules=1,
        ruleset=match.setup.ruleset,
        options=match.setup.options,
        phase=Phase.OVER if over else Phase.PLAYING,
        seats=tuple(SeatView(name, None) for name in names[:seats]),
        host=0,
        places=tuple(range(seats)),
        commitment=b"",
        secret=None,
        nonces=(),
    )
    return Scene(
        number=match.number,
        table_seat=seat,
        table=table,
        board=RA.public(match.state),
        own=None if seat is None else RA.private(match.state, seat),
        prompts=tuple(
            SeatPrompt(asked_seat, asked.token, asked.prompt)
            for asked_seat, asked in sorted(match.asked.items())
        ),
        undo=(seat, match.number - 1) if undo and seat is not None else None,
    )


@frozen
class Position:
    """A match after some steps."""

    match: Match[Any]
    events: tuple[Event, ...]
    """Those of the last step."""


def positions(
    seats: int, seed: int = 1, *, ruleset: str = "standard", options: tuple[str, ...] = ()
) -> Iterator[Position]:
    """Every position of one game between sensible bots."""
    setup = Setup(ruleset, seats, options)
    match: Match[Any] = Match(RA, setup, RA.deal(setup, Chance(bytes([seed]) * 32)))
    bots = [RA.bots["easy"]() for _ in range(seats)]
    chance = Chance(b"\x07" * 32)
    events: tuple[Event, ...] = ()
    while True:
        yield Position(match, events)
        if match.result is not None:
            return
        seat, asked = next(iter(match.asked.items()))
        private = RA.private(match.state, seat)
        command = bots[seat].choose(RA.public(match.state), private, asked.prompt, chance)
        step = match.draft(seat, asked.token, command)
        match.accept(match.number + 1, seat, step)
        events = step.events


def first(
    seats: int, wanted: Callable[[Match[Any]], bool], seeds: range = range(1, 40)
) -> Position:
    """The first position of that kind."""
    for seed in seeds:
        for position in positions(seats, seed):
            if wanted(position.match):
                return position
    raise AssertionError("no such position in all these games")
