"""Raja as a game of the kernel: the parts of the rules, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from engine.deal import Chance
from engine.entry import Command, Event, Prompt
from engine.game import Bot, Game, Result, Setup, Vocabulary
from engine.raja import decide, evolve, legal, view
from engine.raja.bots.easy import EasyBot
from engine.raja.bots.hard import HardBot
from engine.raja.bots.normal import NormalBot
from engine.raja.bots.random_bot import RandomBot
from engine.raja.deal import RajaDeal, check_deal, deal
from engine.raja.events import EVENTS
from engine.raja.rulesets import RULESETS
from engine.raja.state import RajaState, Terms
from engine.raja.words.choices import canonical, choices
from engine.raja.words.commands import COMMANDS
from engine.raja.words.happenings import HAPPENINGS
from engine.raja.words.prompts import PROMPTS
from engine.raja.words.views import Board, Hidden


class Raja(Game[RajaState]):
    """Raja for 2-5 players; see the modules of this folder for the rules."""

    name: ClassVar[str] = "raja"
    rules: ClassVar[int] = 1
    vocabulary: ClassVar[Vocabulary] = Vocabulary(
        commands=COMMANDS,
        prompts=PROMPTS,
        happenings=HAPPENINGS,
        events=EVENTS,
        public=Board,
        private=Hidden,
        deal=RajaDeal,
    )
    rulesets: ClassVar[Mapping[str, range]] = {
        name: ruleset.players for name, ruleset in RULESETS.items()
    }
    options: ClassVar[tuple[str, ...]] = ("open-information",)
    bots: ClassVar[Mapping[str, type[Bot]]] = {
        "random": RandomBot,
        "easy": EasyBot,
        "normal": NormalBot,
        "hard": HardBot,
    }

    def deal(self, setup: Setup, chance: Chance) -> RajaDeal:
        """First the coats of arms are shuffled, then the first seat is drawn (see
        `engine.raja.deal.deal`)."""
        return deal(setup.seats, chance)

    def setup(self, setup: Setup, deal: object) -> RajaState:
        """The state before the first action; raises ValueError for an impossible deal."""
        dealt = check_deal(setup, deal)
        ruleset = RULESETS[setup.ruleset]
        terms = Terms.agree(ruleset, setup.seats, dealt.first, setup.options)
        return RajaState(terms, dealt.track)

    def prompts(self, state: RajaState) -> dict[int, Prompt]:
        """One open prompt; while choosing, one for each seat that has not chosen."""
        return legal.prompts(state)

    def decide(self, state: RajaState, seat: int, command: Command) -> tuple[Event, ...]:
        return decide.decide(state, seat, command)

    def evolve(self, state: RajaState, event: Event) -> None:
        evolve.evolve(state, event)

    def public(self, state: RajaState) -> Board:
        return view.public(state)

    def private(self, state: RajaState, seat: int) -> Hidden:
        return view.private(state, seat)

    def result(self, state: RajaState) -> Result | None:
        if state.winner is None:
            return None
        return Result(state.built, (state.winner,))

    def default(self, state: RajaState, seat: int) -> Command:
        """See `engine.raja.legal.harmless`; raises ValueError if `seat` is not asked."""
        prompt = legal.prompts(state).get(seat)
        if prompt is None:
            raise ValueError(f"seat {seat} is asked nothing")
        return legal.harmless(prompt)

    def canonical(self, command: Command) -> Command:
        """The order in which actions are chosen makes no difference."""
        return canonical(command)

    def choices(self, prompt: Prompt) -> Sequence[Command]:
        return choices(prompt)


RAJA = Raja()
