"""What bots remember is what an attentive player could know, and true."""

from __future__ import annotations

import pytest

from engine.entry import Event
from engine.match import Match
from engine.ra.bots.memory import Memory
from engine.ra.game import RA
from engine.ra.state import RaState
from engine.ra.words.commands import Bid
from engine.ra.words.happenings import AuctionWon
from engine.table.words import TakeBack, TakenBack
from tests.engine.ra.bots.games import game, playing, shown
from tests.games import may_take_back


def check(memory: Memory, state: RaState) -> None:
    belief = memory.recall(RA.public(state))
    assert belief is not None
    assert belief.points == state.points
    assert belief.down == state.down
    assert belief.hands == state.tiles


@pytest.mark.parametrize("ruleset", list(RA.rulesets))
def test_all_suns_and_points_are_remembered(ruleset: str) -> None:
    for number in range(6):
        memory, epochs = Memory(), set()
        for step, state in game(["random", "easy", "normal"], ruleset, number):
            memory.hear(shown(step.events, 0))
            if RA.result(state) is None:
                check(memory, state)
                epochs.add(state.epoch)
        assert epochs == {1, 2, 3}


def test_who_hears_all_at_once_remembers_the_same() -> None:
    late = Memory()
    for heard, (step, state) in enumerate(game(["easy"] * 4, "standard", 3)):
        late.hear(shown(step.events, 2))
        if heard % 90 == 0 and RA.result(state) is None:
            check(late, state)


def test_who_comes_in_late_is_sure_of_nothing() -> None:
    memory, won = Memory(), 0
    for step, state in game(["easy"] * 3, "standard", 5):
        won += any(isinstance(event, AuctionWon) for event in step.events)
        if won > 1:
            memory.hear(shown(step.events, 1))
            assert memory.recall(RA.public(state)) is None
        if won > 4:
            return
    raise AssertionError("too few auctions")


def test_what_is_taken_back_is_forgotten() -> None:
    """An auction is won, that is taken back, and then won with another sun; the memory
    hears all of it before it is asked."""
    done = 0
    for number in range(30):
        memory = Memory()
        for match, seat, step in playing(["easy"] * 3, "standard", number):
            events: tuple[Event, ...] = step.events
            memory.hear(shown(events, 0))
            won = next((event for event in events if isinstance(event, AuctionWon)), None)
            to = may_take_back(match, seat)
            if won is None or to is None:
                continue
            take_back(match, seat, to, memory)
            suns = [s for s in match.state.up[seat] if s > match.state.highest and s != won.paid]
            if not suns:
                check(memory, match.state)
                break
            again = match.draft(seat, match.asked[seat].token, Bid(suns[-1]))
            match.accept(match.number + 1, seat, again)
            memory.hear(shown(again.events, 0))
            check(memory, match.state)
            done += 1
            break
    assert done > 3


def take_back(match: Match[RaState], seat: int, to: int, memory: Memory) -> None:
    asked = next(iter(match.asked.values()))
    back = match.draft(seat, asked.token, TakeBack(to))
    match.accept(match.number + 1, seat, back)
    memory.hear([TakenBack(seat, to)])
