"""What `hard` makes of decisions: it sees what is plain, says why, and repeats itself."""

from __future__ import annotations

import pytest

from engine.deal import Chance
from engine.entry import Command, Prompt
from engine.game import Advice, Adviser, Watcher
from engine.ra.bots.hard import HardBot
from engine.ra.bots.information_set import observe
from engine.ra.bots.monte_carlo import SETTINGS, estimate_all, evaluate
from engine.ra.bots.position import Position
from engine.ra.game import RA
from engine.ra.rulesets import RULESETS
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from engine.ra.words.views import Auction, Board, Hidden
from tests.engine.ra.bots.games import decide, playing
from tests.engine.ra.test_bots import board, player


def advice(seen: Board, prompt: Prompt, hidden: Hidden, simulations: int = 40) -> Advice:
    return HardBot(simulations).advise(seen, hidden, prompt, Chance(bytes(32)))


def scene(*players: object, **facts: object) -> Board:
    """A board on which the tiles that are not to be seen are those of an unopened bag."""
    return board(*players, **{"epoch": 3, "sun": 1, **facts})  # type: ignore[arg-type]


MINE = Hidden(points=20, down=(3, 9), sheets=())
"""With the suns 4 and 8 face up: those of two players, the other's being 2, 5, 6, 7."""


def test_a_gift_is_bought() -> None:
    lot = (Kind.GOLD,) * 4 + (Kind.GOD,) * 3
    auction = Auction(seat=0, reason=Reason.INVOKED, bids=(None, 0))
    seen = scene(player((4, 8)), player((5, 7)), track=lot, auction=auction)
    said = advice(seen, BidPrompt((4, 8), False), MINE)
    assert said.options[0].command == Bid(4)
    assert "your sun 4" in said.reason


def test_what_hurts_is_passed_by() -> None:
    lot = (Kind.FUNERAL, Kind.FUNERAL, Kind.DROUGHT)
    auction = Auction(seat=0, reason=Reason.DRAWN, bids=(None, 0))
    seen = scene(
        player((4, 8), pharaoh=5, nile=4, flood=1), player((5, 7)), track=lot, auction=auction
    )
    said = advice(seen, BidPrompt((4, 8), True), MINE)
    assert said.options[0].command == Pass()
    assert "your suns may buy more" in said.reason


def test_one_who_can_only_pass_is_told_so() -> None:
    auction = Auction(seat=0, reason=Reason.DRAWN, bids=(None, 7))
    seen = scene(player((4,)), player((5, 7)), track=(Kind.NILE,), auction=auction)
    said = advice(seen, BidPrompt((), True), MINE)
    assert [option.command for option in said.options] == [Pass()]
    assert said.reason == "You have no sun that is high enough."


def test_an_empty_track_is_drawn_for() -> None:
    seen = scene(player((4, 8)), player((5, 7)), ra=1)
    said = advice(seen, TurnPrompt(True, 0, ()), MINE)
    assert said.options[0].command == Draw()
    assert said.reason.startswith("There is nothing to win yet")


def test_a_full_track_is_auctioned_off() -> None:
    lot = (Kind.GOLD,) * 4 + (Kind.PHARAOH,) * 4
    seen = scene(player((4, 8)), player((5, 7)), track=lot)
    said = advice(seen, TurnPrompt(False, 0, ()), MINE)
    assert said.options[0].command == InvokeRa()
    assert "The lot is worth about" in said.reason


def test_a_god_takes_the_flood_that_many_niles_wait_for() -> None:
    track = (Kind.FLOOD,)
    seen = scene(player((4, 8), god=1, nile=9), player((5, 7)), track=track, ra=5)
    said = advice(seen, TurnPrompt(True, 1, track), MINE)
    assert said.options[0].command == SpendGods((Kind.FLOOD,))
    assert said.reason == "A god is worth less to you than flood."


def test_tiles_held_twice_are_given_up() -> None:
    held = ((Kind.ASTRONOMY, 1), (Kind.WRITING, 3), (Kind.ART, 1))
    seen = scene(player((4, 8), astronomy=1, writing=3, art=1), player((5, 7)))
    said = advice(seen, DiscardPrompt(Kind.UNREST, 2, held), MINE)
    assert said.options[0].command == Discard((Kind.WRITING, Kind.WRITING))
    assert len(said.options) > 1
    assert said.reason == "Of what must go, writing and writing will be missed least."


def test_monuments_alike_are_kept() -> None:
    held = ((Kind.FORTRESS, 3), (Kind.OBELISK, 2), (Kind.STEP_PYRAMID, 2))
    seen = scene(player((4, 8), fortress=3, obelisk=2, step_pyramid=2), player((5, 7)))
    said = advice(seen, DiscardPrompt(Kind.EARTHQUAKE, 2, held), MINE)
    best = said.options[0].command
    assert isinstance(best, Discard)
    assert Kind.FORTRESS not in best.give
    assert "step pyramid" in said.reason or "obelisk" in said.reason


def test_one_without_time_answers_all_the_same() -> None:
    asked = 0

    def expired() -> bool:
        nonlocal asked
        asked += 1
        return True

    lot = (Kind.GOLD,) * 2
    seen = scene(player((4, 8)), player((5, 7)), track=lot)
    bot = HardBot(100_000, expired)
    said = bot.advise(seen, MINE, TurnPrompt(True, 0, ()), Chance(bytes(32)))
    assert {option.command for option in said.options} == {Draw(), InvokeRa()}
    assert asked == 1


def test_advice_is_what_is_played_best_first_and_always_the_same() -> None:
    seen: set[type[Command]] = set()
    for number in range(3):
        for match, _, _ in playing(["normal"] * 3, "standard", number):
            if match.number % 6 != number:
                continue
            for seat, asked in match.asked.items():
                views = RA.public(match.state), RA.private(match.state, seat)
                bot = HardBot(6)
                assert isinstance(bot, Adviser)
                assert isinstance(bot, Watcher)
                said = bot.advise(*views, asked.prompt, Chance(bytes(32)))
                assert said == HardBot(6).advise(*views, asked.prompt, Chance(bytes(32)))
                assert 0 in [option.value for option in said.options]
                allowed = set(RA.choices(asked.prompt))
                assert {option.command for option in said.options} <= allowed
                assert said.reason.endswith(".")
                if match.number % 12 == 0:
                    played = decide(bot, match, seat, Chance(bytes(32)))
                    assert played == said.options[0].command
                seen.add(type(said.options[0].command))
    assert seen >= {Draw, InvokeRa, Bid, Pass}


def test_what_is_said_of_equal_choices_is_equal() -> None:
    """That another choice than the policy's own must be better is no loss of points."""
    lot = (Kind.GOLD,) * 2
    seen = scene(player((4, 8)), player((5, 7)), track=lot)
    information = observe(seen, MINE, TurnPrompt(True, 0, ()), None)
    acts = [Position.invoke, Position.invoke]
    tried = estimate_all(
        information.position, 0, acts, information.determinize, information.unseen, 12, 1
    )
    assert [one.lead for one in tried] == [0.0, 0.0]
    assert [one.worth for one in tried] == [0.0, -SETTINGS.trust]
    assert tried[0].bags == tried[1].bags > 1


def test_points_are_said_as_points_when_the_game_ends_too() -> None:
    at = Position(RULESETS["standard"], 2)
    at.points = [25, 10]
    at.asked = None
    ended = evaluate(at, 0, SETTINGS)
    assert ended.lead == 15
    assert SETTINGS.lead * 15 < ended.use < SETTINGS.lead * 15 + SETTINGS.win


@pytest.mark.parametrize("seats", [2, 4])
def test_open_information_is_used(seats: int) -> None:
    """Points and face-down suns that are shown need no memory."""
    for match, _, _ in playing(["easy"] * seats, "standard", 4, ("open-information",)):
        for seat in match.asked if match.number % 4 == 0 else ():
            decide(HardBot(2), match, seat, Chance(bytes(32)))
    assert match.result is not None
