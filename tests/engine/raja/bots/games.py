"""Games of Raja that bots play against each other, straight through the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.deal import Chance
from engine.entry import Command, Event, Happening
from engine.game import Bot, Setup, Watcher
from engine.raja.game import RAJA
from engine.raja.state import RajaState


def start(setup: Setup, number: int) -> RajaState:
    """The start of game `number` (0, 1, 2, ...) of a fixed series."""
    return RAJA.setup(setup, RAJA.deal(setup, Chance(number.to_bytes(32, "big"))))


def decide(bot: Bot, state: RajaState, seat: int, chance: Chance) -> Command:
    """What `bot` answers for `seat`, from the views of that seat."""
    views = RAJA.public(state), RAJA.private(state, seat)
    return bot.choose(*views, RAJA.prompts(state)[seat], chance)


def shown(events: Sequence[Event], seat: int) -> list[Happening]:
    """What one entry shows to `seat`."""
    every = [event.show(audience) for audience in (None, seat) for event in events]
    return [happening for happening in every if happening is not None]


def playing(
    bots: Sequence[Bot], ruleset: str, number: int, options: tuple[str, ...] = ()
) -> Iterator[tuple[RajaState, int, Command]]:
    """Game `number` of the series: each state, who acts in it, and how. What is illegal is
    refused."""
    state = start(Setup(ruleset, len(bots), options), number)
    chance = Chance(number.to_bytes(31, "big") + b"\x01")
    while asked := RAJA.prompts(state):
        seat = next(iter(asked))
        command = decide(bots[seat], state, seat, chance)
        assert command in RAJA.choices(asked[seat])
        yield state.copy(), seat, command
        events = RAJA.decide(state, seat, command)
        for other, bot in enumerate(bots):
            if isinstance(bot, Watcher):
                bot.watch(shown(events, other))
