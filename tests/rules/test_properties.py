"""What holds in every game of Ra: random games of all rulesets, player counts and options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.deal import Chance
from engine.entry import Command, Event, Prompt
from engine.errors import IllegalAction
from engine.game import Setup
from engine.match import Match
from engine.ra.deal import RaDeal
from engine.ra.events import EpochScored
from engine.ra.game import RA
from engine.ra.state import RaState
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import GameEnded
from engine.ra.words.pieces import COPIES, SUN_SETS, Kind

pytestmark = pytest.mark.many_games

SETUPS = [
    Setup(ruleset, seats, options)
    for ruleset, allowed in RA.rulesets.items()
    for seats in allowed
    for options in ((), ("answer-passes",), ("answer-passes", "open-information"))
]
LONGEST = 1_000
"""No game takes more actions."""


@frozen
class Plan:
    """A random game, down to the last choice."""

    setup: Setup
    seed: int
    draws: float
    """How likely a tile is drawn where it may be."""
    gods: float
    """How likely gods are spent where they may be."""
    rare_first: bool
    """Whether gods, disasters and civilizations come early."""

    def deal(self) -> RaDeal:
        dealt = RA.deal(self.setup, Chance(self.seed.to_bytes(32, "big")))
        if not self.rare_first:
            return dealt
        random = Random(self.seed)
        rare = (Kind.GOD, Kind.UNREST, Kind.EARTHQUAKE, Kind.DROUGHT, Kind.FUNERAL)

        def early(tile: Kind) -> float:
            return random.random() * (0.3 if tile in rare else 1.5 if tile is Kind.RA else 1)

        return evolve(dealt, bag=tuple(sorted(dealt.bag, key=early)))


plans = st.builds(
    Plan,
    setup=st.sampled_from(SETUPS),
    seed=st.integers(0, 2**64),
    draws=st.sampled_from([0.3, 0.6, 0.9]),
    gods=st.sampled_from([0.1, 0.8]),
    rare_first=st.booleans(),
)


@frozen
class Action:
    """One action of a game, and the states around it."""

    before: RaState
    seat: int
    prompt: Prompt
    command: Command
    events: tuple[Event, ...]
    after: RaState


def choose(plan: Plan, prompt: Prompt, random: Random) -> Command:
    answers = RA.choices(prompt)
    if Draw() in answers and random.random() < plan.draws:
        return Draw()
    spending = [answer for answer in answers if isinstance(answer, SpendGods)]
    if spending and random.random() < plan.gods:
        return random.choice(spending)
    return random.choice(answers)


def play(plan: Plan) -> Iterator[Action]:
    """The game's actions; ends when nobody is asked any more."""
    state = RA.setup(plan.setup, plan.deal())
    random = Random(plan.seed)
    for _ in range(LONGEST):
        asked = RA.prompts(state)
        if not asked:
            return
        ((seat, prompt),) = asked.items()
        command = choose(plan, prompt, random)
        after = state.copy()
        events = RA.decide(after, seat, command)
        yield Action(state, seat, prompt, command, events, after)
        state = after
    raise AssertionError(f"not over after {LONGEST} actions")


def end_of(plan: Plan) -> RaState:
    state = None
    for action in play(plan):
        state = action.after
    assert state is not None
    return state


def tiles_of(state: RaState) -> Counter[Kind]:
    """All tiles, wherever they are."""
    tiles = Counter(state.terms.bag[state.drawn :])
    tiles.update(state.track)
    tiles[Kind.RA] += state.ra
    for held in (*state.tiles, state.gone):
        for kind, number in enumerate(held):
            tiles[Kind(kind)] += number
    return tiles


def suns_of(state: RaState) -> list[int]:
    return sorted([state.sun, *(sun for suns in (*state.up, *state.down) for sun in suns)])


def check_conserved(state: RaState) -> None:
    assert tiles_of(state) == dict(zip(Kind, COPIES, strict=True))
    assert suns_of(state) == sorted([1, *sum(SUN_SETS[state.terms.seats], ())])
    assert all(number >= 0 for held in (*state.tiles, state.gone) for number in held)
    assert len(state.track) <= 8
    assert state.ra <= state.terms.ra_spaces


@settings(max_examples=100, deadline=None)
@given(plans)
def test_tiles_and_suns_are_conserved_and_the_game_ends(plan: Plan) -> None:
    """B41, too: after every single event, and so after every entry."""
    state = RA.setup(plan.setup, plan.deal())
    check_conserved(state)
    for action in play(plan):
        for event in action.events:
            RA.evolve(state, event)
            check_conserved(state)
        assert state == action.after
        assert state.ra < state.terms.ra_spaces
        over = RA.result(action.after) is not None
        asked = RA.prompts(action.after)
        assert over != bool(asked), "prompts are empty exactly when the game is over"
        assert all(RA.choices(prompt) for prompt in asked.values())
        board = RA.public(action.after)
        assert board.bag == 180 - action.after.drawn
        assert all(points >= 0 for points in action.after.points)
    result = RA.result(action.after)
    assert result is not None
    assert result.points == action.after.points
    assert result.winners
    best = max(result.points)
    assert all(result.points[seat] == best for seat in result.winners)
    if plan.setup.ruleset != "wikipedia-ja-2012":
        assert len(result.winners) == 1


COMMANDS: tuple[Command, ...] = (
    Draw(),
    InvokeRa(),
    Pass(),
    *(Bid(sun) for sun in range(-1, 18)),
    Bid(True),
    SpendGods(()),
    Discard(()),
    *(SpendGods((kind,)) for kind in Kind),
    *(Discard((kind,) * 2) for kind in Kind),
    *(SpendGods((kind, Kind.NILE)) for kind in Kind),
    *(Discard((kind, Kind.ART)) for kind in Kind),
    SpendGods((Kind.NILE,) * 200),
)


def meaning(command: Command) -> tuple[object, ...]:
    """Equal for commands that mean the same: the order of tiles says nothing."""
    match command:
        case SpendGods(tiles) | Discard(tiles):
            return (type(command), tuple(sorted(tiles)))
        case Bid(sun):
            return (Bid, type(sun), sun)
    return (type(command),)


@settings(max_examples=40, deadline=None)
@given(plans)
def test_every_answer_of_a_prompt_is_granted_and_all_else_refused(plan: Plan) -> None:
    random = Random(plan.seed)
    for action in play(plan):
        answers = RA.choices(action.prompt)
        some = answers if len(answers) <= 20 else random.sample(answers, 20)
        for answer in some:
            assert RA.decide(action.before.copy(), action.seat, answer)
        offered = set(map(meaning, answers))
        before = action.before.copy()
        for request in random.sample(COMMANDS, 30):
            if meaning(request) not in offered:
                with pytest.raises(IllegalAction):
                    RA.decide(action.before.copy(), action.seat, request)
        for seat in range(-1, plan.setup.seats + 1):
            if seat != action.seat:
                with pytest.raises(IllegalAction):
                    RA.decide(action.before.copy(), seat, action.command)
        assert action.before == before
        assert RA.default(action.before, action.seat) in answers


@settings(max_examples=100, deadline=None)
@given(plans)
def test_the_fold_of_the_events_is_the_live_state(plan: Plan) -> None:
    folded = RA.setup(plan.setup, plan.deal())
    match = Match(RA, plan.setup, plan.deal())
    for number, action in enumerate(play(plan), 1):
        assert action.events
        for event in action.events:
            RA.evolve(folded, event)
        assert folded == action.after
        match.fold(number, action.seat, action.events)
        assert match.state == folded
        assert {seat: asked.prompt for seat, asked in match.asked.items()} == RA.prompts(folded)
    assert match.result == RA.result(folded)


@settings(max_examples=100, deadline=None)
@given(plans)
def test_a_copy_shares_nothing_that_changes(plan: Plan) -> None:
    kept: list[tuple[RaState, RaState]] = []
    for number, action in enumerate(play(plan)):
        if number % 20 == 0:
            kept.append((action.before, action.before.copy()))
    for state, copy in kept:
        assert state == copy


@settings(max_examples=100, deadline=None)
@given(plans)
def test_the_lines_of_a_sheet_add_up_to_the_net_change(plan: Plan) -> None:
    points = (10,) * plan.setup.seats
    scored = 0
    for action in play(plan):
        for event in action.events:
            if isinstance(event, EpochScored):
                scored += 1
                for before, sheet in zip(points, event.sheets, strict=True):
                    assert sheet.epoch == scored
                    assert sheet.total == max(0, before + sheet.change)
                points = tuple(sheet.total for sheet in event.sheets)
            if isinstance(event, GameEnded):
                assert event.points == points
                assert [len(sheets) for sheets in event.sheets] == [3] * plan.setup.seats
        assert action.after.points == points
    assert scored == 3


@settings(max_examples=60, deadline=None)
@given(plans)
def test_views_know_nothing_of_what_they_hide(plan: Plan) -> None:
    """Other points, other face-down suns, another order of the bag: until the end each
    audience sees the same."""
    if "open-information" in plan.setup.options:
        plan = evolve(plan, setup=evolve(plan.setup, options=()))
    random = Random(plan.seed + 1)
    for action in play(plan):
        state = action.after
        if RA.result(state) is not None:
            continue
        other = state.copy()
        undrawn = list(state.terms.bag[state.drawn :])
        random.shuffle(undrawn)
        bag = state.terms.bag[: state.drawn] + tuple(undrawn)
        other.terms = evolve(state.terms, bag=bag)
        assert RA.public(other) == RA.public(state)
        for seat in range(plan.setup.seats):
            assert RA.private(other, seat) == RA.private(state, seat)
        seat = random.randrange(plan.setup.seats)
        down = [sun for held, suns in enumerate(state.down) if held != seat for sun in suns]
        random.shuffle(down)
        other.down = tuple(
            suns if held == seat else tuple(sorted(down.pop() for _ in suns))
            for held, suns in enumerate(state.down)
        )
        other.points = tuple(
            points if held == seat else random.randrange(100)
            for held, points in enumerate(state.points)
        )
        assert RA.public(other) == RA.public(state)
        assert RA.private(other, seat) == RA.private(state, seat)
        assert RA.prompts(other) == RA.prompts(state)


@settings(max_examples=100, deadline=None)
@given(plans)
def test_answering_for_bidders_who_can_only_pass_changes_nothing_else(plan: Plan) -> None:
    """The same deal and the same real choices lead to the same end, asked or not."""
    asking = evolve(plan.setup, options=())
    answering = evolve(plan.setup, options=("answer-passes",))
    state = RA.setup(asking, plan.deal())
    quick = RA.setup(answering, plan.deal())
    random = Random(plan.seed)
    while asked := RA.prompts(state):
        ((seat, prompt),) = asked.items()
        command = choose(plan, prompt, random)
        if RA.prompts(quick) == asked:
            assert len(RA.choices(prompt)) > 1 or command != Pass()
            RA.decide(quick, seat, command)
        else:
            assert RA.choices(prompt) == (Pass(),)
            command = Pass()
        RA.decide(state, seat, command)
    assert RA.result(quick) == RA.result(state)
    assert quick.sheets == state.sheets


@settings(max_examples=20, deadline=None)
@given(plans)
def test_a_game_is_its_deal_and_its_commands(plan: Plan) -> None:
    assert end_of(plan) == end_of(plan)
