"""The miniature as the kernel knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from engine.deal import Chance
from engine.entry import Command, Event, Prompt
from engine.game import Bot, Game, Result, Setup, Vocabulary
from tests.miniature import decide, evolve, legal, view
from tests.miniature.bots.easy import EasyBot
from tests.miniature.bots.random import RandomBot
from tests.miniature.events import EVENTS
from tests.miniature.state import Deal, State
from tests.miniature.words.commands import COMMANDS, Hold
from tests.miniature.words.happenings import HAPPENINGS
from tests.miniature.words.prompts import PROMPTS
from tests.miniature.words.views import Hand, Market

LOTS = tuple(range(1, 10))


class Miniature(Game[State]):
    """Sealed choices, all seats at once."""

    name: ClassVar[str] = "miniature"
    rules: ClassVar[int] = 1
    vocabulary: ClassVar[Vocabulary] = Vocabulary(
        commands=COMMANDS,
        prompts=PROMPTS,
        happenings=HAPPENINGS,
        events=EVENTS,
        public=Market,
        private=Hand,
        deal=Deal,
    )
    rulesets: ClassVar[Mapping[str, range]] = {"open": range(2, 5), "veiled": range(2, 5)}
    options: ClassVar[tuple[str, ...]] = ("long",)
    bots: ClassVar[Mapping[str, type[Bot]]] = {"random": RandomBot, "easy": EasyBot}

    def deal(self, setup: Setup, chance: Chance) -> Deal:
        rounds = 5 if "long" in setup.options else 3
        lots = chance.shuffle(LOTS)[:rounds]
        each = rounds + 1
        if setup.ruleset == "open":
            return Deal(lots, (tuple(range(1, each + 1)),) * setup.seats)
        deck = chance.shuffle(range(1, setup.seats * each + 1))
        hands = [deck[seat * each : (seat + 1) * each] for seat in range(setup.seats)]
        return Deal(lots, tuple(tuple(sorted(hand)) for hand in hands))

    def setup(self, setup: Setup, deal: Deal) -> State:
        if len(deal.hands) != setup.seats or not deal.lots:
            raise ValueError("a deal has a hand for each seat, and lots")
        return State(setup.ruleset, deal)

    def prompts(self, state: State) -> dict[int, Prompt]:
        return legal.prompts(state)

    def decide(self, state: State, seat: int, command: Command) -> tuple[Event, ...]:
        return decide.decide(state, seat, command)

    def evolve(self, state: State, event: Event) -> None:
        evolve.evolve(state, event)

    def public(self, state: State) -> Market:
        return view.public(state)

    def private(self, state: State, seat: int) -> Hand:
        return view.private(state, seat)

    def result(self, state: State) -> Result | None:
        return state.result

    def default(self, state: State, seat: int) -> Command:
        return Hold()

    def choices(self, prompt: Prompt) -> Sequence[Command]:
        return legal.choices(prompt)


MINIATURE = Miniature()
