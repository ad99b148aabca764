"""Scenes of real games of Raja, as a client would have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import frozen

from client.state.scene import Scene, SeatPrompt
from engine.deal import Chance
from engine.entry import Command, Event, Prompt
from engine.game import Game, Setup, find_game
from engine.match import Match
from engine.raja.words.commands import EndTurn, Travel
from engine.table.words import Phase
from protocol.views import SeatView, TableView

NAMES = ("Anna", "Boris", "Chen", "Dora", "Emil")
RAJA: Game[Any] = find_game("raja")


def scene(match: Match[Any], seat: int | None, names: Sequence[str] = NAMES) -> Scene:
    """What the viewer on `seat` (None: a spectator) sees of a match."""
    seats = match.setup.seats
    table = TableView(
        code="KIWI-42",
        game="raja",
        rules=1,
        ruleset=match.setup.ruleset,
        options=match.setup.options,
        phase=Phase.OVER if match.result is not None else Phase.PLAYING,
        seats=tuple(SeatView(name, None) for name in names[:seats]),
        host=0,
        places=tuple(range(seats)),
        commitment=b"",
        secret=None,
        nonces=(),
    )
    asked = [
        SeatPrompt(one, it.token, it.prompt)
        for one, it in sorted(match.asked.items())
        if it.prompt.public or one == seat
    ]
    return Scene(
        number=match.number,
        table_seat=seat,
        table=table,
        board=RAJA.public(match.state),
        own=None if seat is None else RAJA.private(match.state, seat),
        prompts=tuple(asked),
        undo=None,
    )


@frozen
class Step:
    """A match after some steps."""

    match: Match[Any]
    events: tuple[Event, ...]
    """Those of the last step."""


def positions(
    seats: int, seed: int = 1, *, ruleset: str = "standard", options: tuple[str, ...] = ()
) -> Iterator[Step]:
    """Every position of one game between players who do what they can before they end a turn."""
    setup = Setup(ruleset, seats, options)
    match: Match[Any] = Match(RAJA, setup, RAJA.deal(setup, Chance(bytes([seed]) * 32)))
    chance = Chance(bytes([seed + 100]) * 32)
    events: tuple[Event, ...] = ()
    while True:
        yield Step(match, events)
        if match.result is not None:
            return
        seat = chance.choice(sorted(match.asked))
        asked = match.asked[seat]
        step = match.draft(seat, asked.token, _busy(asked.prompt, chance))
        match.accept(match.number + 1, seat, step)
        events = step.events


def _busy(prompt: Prompt, chance: Chance) -> Command:
    choices = list(RAJA.choices(prompt))
    acts = [one for one in choices if not isinstance(one, EndTurn | Travel)]
    roads = [one for one in choices if isinstance(one, Travel)]
    if acts and chance.below(3):
        return chance.choice(acts)
    if roads and chance.below(3):
        return chance.choice(roads)
    return choices[-1] if isinstance(choices[-1], EndTurn) else chance.choice(choices)


def first(
    seats: int, wanted: Callable[[Match[Any]], bool], seeds: range = range(1, 20)
) -> Match[Any]:
    """The first match in a position of that kind."""
    for seed in seeds:
        for step in positions(seats, seed):
            if wanted(step.match):
                return step.match
    raise AssertionError("no such position in all these games")
