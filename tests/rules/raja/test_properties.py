"""What holds in every game of Raja: numbers to check an implementation with."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.deal import Chance
from engine.entry import Command
from engine.errors import IllegalAction
from engine.game import Setup
from engine.raja.events import ActionsChosen
from engine.raja.game import RAJA
from engine.raja.state import RajaState
from engine.raja.words.commands import EndTurn, MoveHouse
from engine.raja.words.happenings import (
    ActionFailed,
    CityScored,
    GoldTaken,
    HouseBuilt,
    OwnActions,
    PalaceBuilt,
    SeatChose,
    TraderPaid,
    Travelled,
)
from engine.raja.words.map import VILLAGES, Place
from engine.raja.words.pieces import HOUSES, START_GOLD
from engine.raja.words.prompts import ChoosePrompt, TurnPrompt
from engine.raja.words.views import RajaPhase

pytestmark = pytest.mark.many_games

SETUPS = [
    Setup(ruleset, seats, options)
    for ruleset, allowed in RAJA.rulesets.items()
    for seats in allowed
    for options in ((), ("open-information",))
]
LONGEST = 10 * 5 * 60
"""No game takes more actions: a turn has at most 20 roads."""


def bank(event: Any, seats: int) -> int:
    """What the bank paid by an event, less what it took."""
    match event:
        case ActionFailed():
            return 2 * (seats - 1)
        case GoldTaken():
            return 2
        case TraderPaid():
            return 1
        case Travelled(paid=paid, bank=True):
            return sum(paid)
        case HouseBuilt(price=price) | PalaceBuilt(price=price):
            return -price
        case CityScored(gold=gold):
            return sum(gold)
    return 0


def check(state: RajaState, paid: int) -> None:
    """The numbers that hold in every state; `paid` is what the bank has paid."""
    seats = range(state.terms.seats)
    ruleset = state.terms.ruleset
    for seat in seats:
        on_map = sum(owners.count(seat) for owners in state.houses)
        assert on_map + state.supply[seat] + state.quarry[seat] == HOUSES
        palaces = state.central.count(seat) + sum(o.count(seat) for o in state.outer)
        assert palaces == state.built[seat] <= ruleset.palaces
    held = [character for each in state.characters for character in each]
    assert sorted([*held, *state.display]) == list(range(1, ruleset.characters + 1))
    assert sum(state.gold) == START_GOLD * len(seats) + paid
    assert min(state.gold) >= 0
    assert min(state.quarry) >= 0
    assert state.space == tuple(v for v in VILLAGES if len(state.houses[v]) < state.terms.space)
    assert not state.houses[Place.CAMP]
    assert all(len(owners) <= 6 for owners in state.outer)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 1 << 32), st.booleans())
def test_the_numbers_of_the_rules_hold_in_every_game(
    setup: Setup, number: int, in_haste: bool
) -> None:
    chance = Chance(number.to_bytes(32, "big"))
    state = RAJA.setup(setup, RAJA.deal(setup, chance))
    paid = actions = 0
    while asked := RAJA.prompts(state):
        assert (state.phase is RajaPhase.CHOOSING) or len(asked) == 1
        seat = chance.choice(sorted(asked))
        answers = RAJA.choices(asked[seat])
        if isinstance(asked[seat], ChoosePrompt):
            assert len(answers) in (45, 360)
        if isinstance(asked[seat], TurnPrompt):
            assert answers[-1] == EndTurn()
        assert RAJA.default(state, seat) in answers
        patient = [answer for answer in answers if not isinstance(answer, EndTurn | MoveHouse)]
        command = chance.choice(patient if patient and not in_haste else answers)
        for event in RAJA.decide(state, seat, command):
            paid += bank(event, setup.seats)
        check(state, paid)
        actions += 1
        assert actions < LONGEST
    result = RAJA.result(state)
    assert result is not None
    assert len(result.winners) == 1


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(SETUPS), st.integers(0, 1 << 32))
def test_a_command_that_no_prompt_lists_is_refused(setup: Setup, number: int) -> None:
    """Commands that were allowed at another moment are tried at this one."""
    chance = Chance(number.to_bytes(32, "big"))
    state = RAJA.setup(setup, RAJA.deal(setup, chance))
    known: set[Command] = set()
    while asked := RAJA.prompts(state):
        seat = chance.choice(sorted(asked))
        answers = RAJA.choices(asked[seat])
        listed = set(answers)
        for command in chance.shuffle(sorted(known - listed, key=repr))[:8]:
            try:
                RAJA.decide(state.copy(), seat, command)
            except IllegalAction:
                continue
            raise AssertionError(f"{command} is granted and not listed")
        known.update(answers[:: max(1, len(answers) // 7)])
        RAJA.decide(state, seat, chance.choice(answers))


def test_the_actions_chosen_show_to_their_owner_alone() -> None:
    event = ActionsChosen(1, ())
    assert event.show(None) == SeatChose(1)
    assert event.show(1) == OwnActions(())
    assert [event.show(seat) for seat in (0, 2, 99, -1)] == [None] * 4
