"""The bots: all always play on, each level plays better than the one below, and none sees
what is hidden."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.deal import Chance
from engine.entry import Command, Prompt
from engine.game import Setup, Watcher
from engine.match import Match
from engine.ra.bots.easy import EasyBot
from engine.ra.bots.random_bot import RandomBot
from engine.ra.deal import RaDeal
from engine.ra.game import RA
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from engine.ra.words.views import Auction, Board, Hidden, Player
from tests.engine.ra.bots.games import act, bot_of, decide, play, shown, start

LEVELS = list(RA.bots)
TWINS = given(
    number=st.integers(0, 10_000),
    seats=st.integers(2, 5),
    after=st.integers(0, 200),
    other=st.binary(min_size=32, max_size=32),
    level=st.sampled_from(LEVELS),
)
"""So many actions into a game, for what differs behind the back of a bot."""


def few(level: str, seats: int) -> list[str]:
    """All seats of `level`; but of those that take their time only one."""
    return ["hard", *["normal"] * (seats - 1)] if level == "hard" else [level] * seats


NOBODY_KNOWS = Hidden(points=10, down=(), sheets=())


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        pytest.param(ruleset, seats, marks=() if seats == 3 else pytest.mark.many_games)
        for ruleset, range_ in RA.rulesets.items()
        for seats in range_
    ],
)
def test_every_game_is_played_to_its_end(level: str, ruleset: str, seats: int) -> None:
    """No command is illegal: one would be refused, and raise."""
    for number in range(3):
        match = play(few(level, seats), ruleset, number)
        assert match.result is not None
        assert len(match.result.points) == seats


@pytest.mark.parametrize("level", LEVELS)
def test_all_options_are_played_as_well(level: str) -> None:
    for number in range(3):
        match = play(few(level, 4), "standard", number, RA.options)
        assert match.result is not None


def test_easy_scores_like_a_person() -> None:
    """Not only more than a bot that plays blindly: among its equals it builds a hand."""
    points: list[int] = []
    for number in range(10):
        result = play(["easy"] * 3, "standard", number).result
        assert result is not None
        points += result.points
    assert sum(points) / len(points) > 35


PROMPTS: list[Prompt] = [
    TurnPrompt(True, 0, ()),
    TurnPrompt(False, 0, ()),
    TurnPrompt(True, 2, (Kind.NILE, Kind.ART, Kind.NILE, Kind.GOLD)),
    BidPrompt((3, 8, 13), True),
    BidPrompt((2, 9), False),
    BidPrompt((), True),
    DiscardPrompt(Kind.UNREST, 2, ((Kind.WRITING, 1), (Kind.RELIGION, 1), (Kind.ART, 2))),
]


@pytest.mark.parametrize("prompt", PROMPTS, ids=str)
def test_random_gives_every_answer_and_no_other(prompt: Prompt) -> None:
    chance = Chance(bytes(32))
    bot = RandomBot()
    given_ = {bot.choose(None, None, prompt, chance) for _ in range(600)}
    assert given_ == set(RA.choices(prompt))


@pytest.mark.parametrize("level", LEVELS)
def test_a_prompt_of_another_game_is_refused(level: str) -> None:
    seen = board(player((4, 7)), player((5, 8)))
    with pytest.raises(TypeError):
        bot_of(level).choose(seen, NOBODY_KNOWS, Prompt(), Chance(bytes(32)))


@settings(max_examples=30, deadline=None)
@TWINS
def test_bots_do_not_see_the_bag(
    number: int, seats: int, after: int, other: bytes, level: str
) -> None:
    """Two games that differ only in the order of the undrawn tiles, with all that
    happened in them watched: the same decision."""
    setup = Setup("standard", seats)
    match, deal = start(setup, number)
    chance = Chance(bytes(32))
    played: list[tuple[int, Command]] = []
    for _ in range(after):
        for seat in match.asked:
            played.append((seat, decide(bot_of("normal"), match, seat, chance)))
            act(match, *played[-1])
    drawn = len(deal.bag) - RA.public(match.state).bag
    bag = (*deal.bag[:drawn], *Chance(other).shuffle(deal.bag[drawn:]))
    decisions = []
    for given_ in (deal.bag, bag):
        twin = Match(RA, setup, RaDeal(given_, deal.sets))
        bot = bot_of(level)
        for seat, command in played:
            step = act(twin, seat, command)
            if isinstance(bot, Watcher):
                bot.watch(shown(step.events, next(iter(match.asked), 0)))
        decisions.append([decide(bot, twin, seat, Chance(other)) for seat in twin.asked])
    assert decisions[0] == decisions[1]


@settings(max_examples=30, deadline=None)
@TWINS
def test_bots_do_not_see_the_points_and_face_down_suns_of_others(
    number: int, seats: int, after: int, other: bytes, level: str
) -> None:
    """Two states with other points and face-down suns, changed hands, in front of all
    seats but the one asked: the same decision of one who was not there before."""
    match, _ = start(Setup("standard", seats), number)
    for _ in range(after):
        for seat in match.asked:
            act(match, seat, decide(bot_of("easy"), match, seat, Chance(bytes(32))))
    for seat in match.asked:
        mine = decide(bot_of(level), match, seat, Chance(other))
        chance, state = Chance(other), match.state
        suns = [sun for s in range(seats) if s != seat for sun in state.down[s]]
        mixed = iter(chance.shuffle(suns))
        state.down = tuple(
            theirs if s == seat else tuple(sorted(next(mixed) for _ in theirs))
            for s, theirs in enumerate(state.down)
        )
        state.points = tuple(
            points if s == seat else chance.below(60) for s, points in enumerate(state.points)
        )
        assert decide(bot_of(level), match, seat, Chance(other)) == mine


def board(*players: Player, **facts: object) -> Board:
    """A board of the second epoch with `players`, the first on turn."""
    facts = {
        "ruleset": "standard",
        "epoch": 2,
        "ra": 3,
        "ra_spaces": 6,
        "track": (),
        "sun": 1,
        "bag": 90,
        "turn": 0,
        "auction": None,
        "gone": (0,) * len(Kind),
        "winners": (),
        **facts,
    }
    return Board(players=players, **facts)  # type: ignore[arg-type]


def player(up: tuple[int, ...] = (), **held: int) -> Player:
    """A player with face-up suns and tiles, named by their kind."""
    tiles = tuple(held.get(Kind(kind).name.lower(), 0) for kind in range(Kind.FUNERAL))
    return Player(tiles=tiles, up=up, down=4 - len(up), hidden=None)


def easy(board: Board, prompt: Prompt) -> Command:
    return EasyBot().choose(board, NOBODY_KNOWS, prompt, Chance(bytes(32)))


def test_easy_spends_a_god_on_the_flood_for_its_niles() -> None:
    track = (Kind.GOLD, Kind.FLOOD)
    seen = board(player((4, 7), god=1, nile=6), player((5, 8)), track=track, ra=5)
    assert easy(seen, TurnPrompt(True, 1, track)) == SpendGods((Kind.FLOOD,))


def test_easy_keeps_a_god_from_a_disaster() -> None:
    seen = board(player((4, 7), god=1, pharaoh=2), player((5, 8)), track=(Kind.FUNERAL,))
    assert easy(seen, TurnPrompt(True, 1, (Kind.FUNERAL,))) != SpendGods((Kind.FUNERAL,))


def test_easy_invokes_ra_when_the_track_is_full() -> None:
    track = (Kind.DROUGHT,) * 2 + (Kind.FUNERAL,) * 2 + (Kind.UNREST,) * 4
    seen = board(player((4, 7), nile=4, pharaoh=4), player((5, 8)), track=track)
    assert easy(seen, TurnPrompt(False, 0, ())) == InvokeRa()


def test_easy_draws_when_nothing_is_on_offer() -> None:
    assert easy(board(player((4, 7)), player((5, 8))), TurnPrompt(True, 0, ())) == Draw()


def auction(track: tuple[Kind, ...], *players: Player) -> Board:
    """The first player, who is the Ra player, is asked last."""
    called = Auction(seat=0, reason=Reason.INVOKED, bids=(None, 0))
    return board(*players, track=track, auction=called)


def test_easy_buys_a_good_lot_with_the_lower_sun_that_is_enough() -> None:
    lot = (Kind.GOLD, Kind.GOLD, Kind.GOD, Kind.GOD, Kind.FLOOD)
    seen = auction(lot, player((4, 7)), player((5, 8)))
    assert easy(seen, BidPrompt((4, 7), True)) == Bid(4)


def test_easy_passes_on_a_lot_that_hurts() -> None:
    seen = auction((Kind.FUNERAL, Kind.FUNERAL), player((4, 7), pharaoh=4), player((5, 8)))
    assert easy(seen, BidPrompt((4, 7), True)) == Pass()


def test_easy_bids_what_it_must_where_it_may_not_pass() -> None:
    seen = auction((Kind.FUNERAL, Kind.FUNERAL), player((4, 7), pharaoh=4), player((5, 8)))
    assert easy(seen, BidPrompt((4, 7), False)) in {Bid(4), Bid(7)}


def test_easy_gives_up_the_tiles_it_has_twice() -> None:
    held = ((Kind.ASTRONOMY, 1), (Kind.WRITING, 3), (Kind.ART, 1))
    seen = board(player((4, 7), astronomy=1, writing=3, art=1), player((5, 8)))
    answer = easy(seen, DiscardPrompt(Kind.UNREST, 2, held))
    assert answer == Discard((Kind.WRITING, Kind.WRITING))


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_who_owes_is_told_from_one_who_holds_more(level: str) -> None:
    """The board does not say who gives up tiles; the prompt's tiles do."""
    held = ((Kind.TEMPLE, 1), (Kind.STATUE, 1), (Kind.SPHINX, 1))
    more = player((4, 7), palace=1, pyramid=1, temple=1, statue=1, sphinx=1)
    seen = board(more, player((5, 8), temple=1, statue=1, sphinx=1))
    prompt = DiscardPrompt(Kind.EARTHQUAKE, 2, held)
    hidden = Hidden(points=10, down=(2, 6), sheets=())
    answer = bot_of(level).choose(seen, hidden, prompt, Chance(bytes(32)))
    assert answer in RA.choices(prompt)
