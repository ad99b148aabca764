"""Games that bots play against each other, straight through the kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.deal import Chance
from engine.entry import Command, Event, Happening
from engine.game import Bot, Setup, Watcher
from engine.match import Match, Step
from engine.ra.bots.hard import HardBot
from engine.ra.deal import RaDeal
from engine.ra.game import RA
from engine.ra.state import RaState


def start(setup: Setup, number: int) -> tuple[Match[RaState], RaDeal]:
    """The match that game `number` (0, 1, 2, ...) of a fixed series begins with."""
    deal = RA.deal(setup, Chance(number.to_bytes(32, "big")))
    return Match(RA, setup, deal), deal


def decide(bot: Bot, match: Match[RaState], seat: int, chance: Chance) -> Command:
    """What `bot` answers for `seat`, from the views of that seat."""
    views = RA.public(match.state), RA.private(match.state, seat)
    return bot.choose(*views, match.asked[seat].prompt, chance)


def act(match: Match[RaState], seat: int, command: Command) -> Step[RaState]:
    """Carry out the answer of `seat`; raises IllegalAction."""
    step = match.draft(seat, match.asked[seat].token, command)
    match.accept(match.number + 1, seat, step)
    return step


def shown(events: Sequence[Event], seat: int) -> list[Happening]:
    """What one entry shows to `seat`."""
    every = [event.show(audience) for audience in (None, seat) for event in events]
    return [happening for happening in every if happening is not None]


def bot_of(level: str, simulations: int = 2) -> Bot:
    """A bot of `level` that is quick enough for tests."""
    return HardBot(simulations) if level == "hard" else RA.bots[level]()


def playing(
    levels: Sequence[str],
    ruleset: str,
    number: int,
    options: tuple[str, ...] = (),
    simulations: int = 2,
) -> Iterator[tuple[Match[RaState], int, Step[RaState]]]:
    """Game `number` of the series, with who acted and what followed, after each action."""
    bots = [bot_of(level, simulations) for level in levels]
    match, _ = start(Setup(ruleset, len(bots), options), number)
    chance = Chance(number.to_bytes(31, "big") + b"\x01")
    while match.asked:
        (seat,) = match.asked
        step = act(match, seat, decide(bots[seat], match, seat, chance))
        for other, bot in enumerate(bots):
            if isinstance(bot, Watcher):
                bot.watch(shown(step.events, other))
        yield match, seat, step


def game(
    levels: Sequence[str], ruleset: str, number: int
) -> Iterator[tuple[Step[RaState], RaState]]:
    """Game `number` of the series: what followed from each action, and the state then."""
    for match, _, step in playing(levels, ruleset, number):
        yield step, match.state


def play(
    levels: Sequence[str],
    ruleset: str,
    number: int,
    options: tuple[str, ...] = (),
    simulations: int = 2,
) -> Match[RaState]:
    """Game `number` of the series, played to its end."""
    every = [match for match, _, _ in playing(levels, ruleset, number, options, simulations)]
    return every[-1]
