"""Ra as a game of the kernel: the parts of the rules, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from engine.deal import Chance
from engine.entry import Command, Event, Prompt
from engine.game import Bot, Game, Result, Setup, Vocabulary
from engine.ra import decide, evolve, legal, view
from engine.ra.bots.easy import EasyBot
from engine.ra.bots.hard import HardBot
from engine.ra.bots.normal import NormalBot
from engine.ra.bots.random_bot import RandomBot
from engine.ra.deal import RaDeal, check_deal, deal
from engine.ra.events import EVENTS
from engine.ra.rulesets import RULESETS
from engine.ra.state import RaPhase, RaState, Terms
from engine.ra.words.choices import canonical, choices
from engine.ra.words.commands import COMMANDS
from engine.ra.words.happenings import HAPPENINGS
from engine.ra.words.prompts import PROMPTS
from engine.ra.words.views import Board, Hidden


class Ra(Game[RaState]):
    """Ra for 2-5 players; see the modules of this folder for the rules."""

    name: ClassVar[str] = "ra"
    rules: ClassVar[int] = 1
    vocabulary: ClassVar[Vocabulary] = Vocabulary(
        commands=COMMANDS,
        prompts=PROMPTS,
        happenings=HAPPENINGS,
        events=EVENTS,
        public=Board,
        private=Hidden,
        deal=RaDeal,
    )
    rulesets: ClassVar[Mapping[str, range]] = {
        name: ruleset.players for name, ruleset in RULESETS.items()
    }
    options: ClassVar[tuple[str, ...]] = ("answer-passes", "open-information")
    bots: ClassVar[Mapping[str, type[Bot]]] = {
        "random": RandomBot,
        "easy": EasyBot,
        "normal": NormalBot,
        "hard": HardBot,
    }

    def deal(self, setup: Setup, chance: Chance) -> RaDeal:
        """First the sun sets are shuffled, then the bag (see `engine.ra.deal.deal`)."""
        return deal(setup.seats, chance)

    def setup(self, setup: Setup, deal: object) -> RaState:
        """The state before the first action; raises ValueError for an impossible deal."""
        dealt = check_deal(setup, deal)
        ruleset = RULESETS[setup.ruleset]
        terms = Terms.agree(ruleset, setup.seats, dealt.bag, setup.options)
        return RaState(terms, dealt.sets)

    def prompts(self, state: RaState) -> dict[int, Prompt]:
        """The one open prompt: Ra never asks two players at a time."""
        prompt = legal.open_prompt(state)
        if prompt is None or state.asked is None:
            return {}
        return {state.asked: prompt}

    def decide(self, state: RaState, seat: int, command: Command) -> tuple[Event, ...]:
        return decide.decide(state, seat, command)

    def evolve(self, state: RaState, event: Event) -> None:
        evolve.evolve(state, event)

    def public(self, state: RaState) -> Board:
        return view.public(state)

    def private(self, state: RaState, seat: int) -> Hidden:
        return view.private(state, seat)

    def result(self, state: RaState) -> Result | None:
        if state.phase is not RaPhase.OVER:
            return None
        return Result(state.points, state.winners)

    def default(self, state: RaState, seat: int) -> Command:
        """See `engine.ra.legal.harmless`; raises ValueError if `seat` is not asked."""
        prompt = legal.open_prompt(state)
        if prompt is None or seat != state.asked:
            raise ValueError(f"seat {seat} is asked nothing")
        return legal.harmless(prompt)

    def canonical(self, command: Command) -> Command:
        """The order in which tiles are named makes no difference."""
        return canonical(command)

    def choices(self, prompt: Prompt) -> Sequence[Command]:
        return choices(prompt)


RA = Ra()
