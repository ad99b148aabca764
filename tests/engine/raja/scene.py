"""Games of Raja set up in the middle, for tests of single rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.entry import Command, Event, Prompt
from engine.errors import IllegalAction
from engine.game import Setup
from engine.raja.deal import RajaDeal
from engine.raja.game import RAJA
from engine.raja.state import RajaState
from engine.raja.words.map import CITIES, Place
from engine.raja.words.pieces import PARTS, Action, Character
from engine.raja.words.prompts import TurnPrompt
from engine.raja.words.views import RajaPhase

ORDER = tuple(Character)
"""Seat 0 holds the mogul, seat 1 the trader, and so on, unless a test says otherwise."""


def start(
    seats: int = 3, ruleset: str = "standard", options: tuple[str, ...] = (), *, first: int = 0
) -> RajaState:
    """The start of a game: the coats in alphabetical order, the lowest first."""
    return RAJA.setup(Setup(ruleset, seats, options), RajaDeal(CITIES, first))


class Scene:
    """A position, and what is done in it: a turn of seat 0, or choosing if no actions are open."""

    def __init__(
        self,
        seats: int = 3,
        ruleset: str = "standard",
        options: tuple[str, ...] = (),
        *,
        open: Sequence[Action] | None = (),
        characters: Sequence[Sequence[Character]] | None = None,
        gold: Sequence[int] | None = None,
        supply: int = 6,
        quarry: int = 10,
        architect: Place = Place.CAMP,
        houses: Mapping[Place, Sequence[int]] | None = None,
        central: Mapping[Place, int] | None = None,
        outer: Mapping[Place, Sequence[int]] | None = None,
        maharaja: Place = Place.AJMER,
        round: int = 1,
    ) -> None:
        """`open`: the actions of seat 0, whose turn it is; None: everybody is choosing."""
        state = start(seats, ruleset, options)
        held = characters or [[ORDER[seat]] for seat in range(seats)]
        state.characters = tuple(tuple(each) for each in held)
        given = {character for each in held for character in each}
        state.display = tuple(one for one in state.display if one not in given)
        state.gold = tuple(gold) if gold is not None else state.gold
        state.supply = (supply,) * seats
        state.quarry = (quarry,) * seats
        state.architects = (architect, *state.architects[1:])
        for place, owners in (houses or {}).items():
            for owner in owners:
                state.add_house(owner, place)
        state.central = tuple((central or {}).get(Place(at)) for at in range(8))
        state.outer = tuple(tuple((outer or {}).get(Place(at), ())) for at in range(8))
        state.built = tuple(
            state.central.count(seat) + sum(owners.count(seat) for owners in state.outer)
            for seat in range(seats)
        )
        state.maharaja = maharaja
        state.round = round
        state.phase = RajaPhase.CHOOSING
        state.asked = None
        if open is not None:
            state.chosen = (tuple(open), *((Action.GOLD, Action.GOLD),) * (seats - 1))
            state.phase = RajaPhase.TURN
            state.turn = state.asked = 0
            state.open = tuple((action, PARTS[action]) for action in open)
        self.state = state

    @property
    def asked(self) -> list[int]:
        return sorted(RAJA.prompts(self.state))

    def prompt(self, seat: int = 0) -> Prompt:
        return RAJA.prompts(self.state)[seat]

    @property
    def turn(self) -> TurnPrompt:
        """The prompt of the turn under way."""
        (prompt,) = RAJA.prompts(self.state).values()
        assert isinstance(prompt, TurnPrompt)
        return prompt

    def act(self, seat: int, command: Command) -> tuple[Event, ...]:
        """The events of a command, which leads on from here. A command that is granted stands in
        its prompt."""
        choices = RAJA.choices(RAJA.prompts(self.state)[seat])
        assert RAJA.canonical(command) in choices
        return RAJA.decide(self.state, seat, command)

    def refused(self, seat: int, command: Command) -> str:
        """The code and facts with which a command is refused. It does not stand in a prompt."""
        prompt = RAJA.prompts(self.state).get(seat)
        assert prompt is None or command not in RAJA.choices(prompt)
        before = self.state.copy()
        try:
            RAJA.decide(self.state, seat, command)
        except IllegalAction as error:
            assert self.state == before
            facts = [f"{name}={value}" for name, value in error.facts.items()]
            return " ".join([str(error.code), *facts])
        raise AssertionError(f"{command} is granted")


def names(events: Sequence[Event]) -> list[str]:
    return [type(event).__name__ for event in events]
