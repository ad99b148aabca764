"""What every game must do, whatever its rules: run on all registered games."""

from __future__ import annotations

from typing import Any

import pytest

from engine.deal import Chance
from engine.entry import Audience, Command, Event, Happening
from engine.errors import Code, IllegalAction
from engine.game import Searcher, Setup, find_game
from engine.stream import Repeat, Request, Stream
from engine.table.words import COMMANDS, EVENTS, HAPPENINGS, Start, TakeBack
from protocol.delta import apply, diff
from protocol.entries import entry_codec
from protocol.project import PRIVATE, PUBLIC, Projector
from protocol.wire import Wire
from tests.games import NAMES, may_take_back, open_table, person, seed, setups, whole_game

CASES = [
    pytest.param(name, setup, id=f"{name}-{setup.ruleset}-{setup.seats}")
    for name in NAMES
    for setup in setups(name)
]
OPTIONS = [
    pytest.param(name, Setup(ruleset, allowed[-1], (option,)), id=f"{name}-{ruleset}-{option}")
    for name in NAMES
    for ruleset, allowed in find_game(name).rulesets.items()
    for option in find_game(name).options
]


def known(stream: Stream) -> tuple[Any, ...]:
    """All that a state shows to anybody, and what is asked."""
    match = stream.match
    assert match is not None
    game, state = match.game, match.state
    seats = range(match.setup.seats)
    return (
        game.public(state),
        tuple(game.private(state, seat) for seat in seats),
        game.prompts(state),
        game.result(state),
    )


class Unfit(Command):
    """A command of no game."""


@pytest.mark.parametrize(("name", "setup"), CASES + OPTIONS)
def test_a_match_is_the_fold_of_its_entries(name: str, setup: Setup) -> None:
    """Live and replayed, straight and through bytes, a match is the same at each step."""
    played = open_table(name, setup)
    codec = entry_codec(played.game.vocabulary)
    folded = Stream.replay([codec.decode(codec.encode(entry)) for entry in played.entries])
    for entry in played.moves(Chance(seed(1))):
        folded.fold(codec.decode(codec.encode(entry)))
        assert known(folded) == known(played.stream)
        assert folded.match is not None
        assert played.stream.match is not None
        assert folded.match.asked == played.stream.match.asked
        seats = range(setup.seats)
        assert [may_take_back(folded.match, seat) for seat in seats] == [
            may_take_back(played.stream.match, seat) for seat in seats
        ]
    again = Stream.replay(played.entries)
    assert known(again) == known(played.stream)
    assert again.seating.phase == played.stream.seating.phase
    assert again.seating.revealed == played.stream.seating.revealed is not None


@pytest.mark.parametrize(("name", "setup"), CASES)
def test_prompts_are_complete_and_exact(name: str, setup: Setup) -> None:
    """Somebody is asked until there is a result; every choice offered is accepted (each
    on a copy that leaves the state alone), and other commands change nothing."""
    played = open_table(name, setup, number=2)
    game, match = played.game, played.stream.match
    assert match is not None
    for _ in played.moves(Chance(seed(2))):
        assert bool(match.asked) == (match.result is None)
        before = known(played.stream)
        for seat in range(setup.seats):
            asked = match.asked.get(seat)
            if asked is None:
                with pytest.raises(IllegalAction, match=Code.NO_PROMPT):
                    match.draft(seat, 0, Unfit())
                continue
            choices = game.choices(asked.prompt)
            assert len(set(choices)) == len(choices) > 0
            assert list(game.choices(asked.prompt)) == list(choices)
            for command in choices:
                assert match.draft(seat, asked.token, command).events
                assert game.canonical(command) == command
            assert game.default(match.state.copy(), seat) in choices
            for unfit in (Unfit(), Start()):
                with pytest.raises(IllegalAction):
                    match.draft(seat, asked.token, unfit)
            with pytest.raises(IllegalAction, match=Code.STALE_PROMPT):
                match.draft(seat, asked.token + 1, choices[0])
        assert known(played.stream) == before


@pytest.mark.parametrize(("name", "setup"), CASES)
def test_a_copy_is_independent(name: str, setup: Setup) -> None:
    """Whatever is done to a copy to the end of the game, the original stays."""
    played = open_table(name, setup, number=3)
    game, match, chance = played.game, played.stream.match, Chance(seed(3))
    assert match is not None
    before = known(played.stream)
    copy = match.state.copy()
    while asked := game.prompts(copy):
        seat = chance.choice(sorted(asked))
        game.decide(copy, seat, chance.choice(game.choices(asked[seat])))
    assert game.result(copy) is not None
    assert known(played.stream) == before


@pytest.mark.parametrize(("name", "setup"), CASES)
def test_an_action_never_makes_anothers_answer_stale(name: str, setup: Setup) -> None:
    """A token holds until its own seat acts or its prompt changes."""
    played = open_table(name, setup, number=4)
    match = played.stream.match
    assert match is not None
    before = dict(match.asked)
    for entry in played.moves(Chance(seed(4))):
        for seat, asked in match.asked.items():
            old = before.get(seat)
            kept = old is not None and seat != entry.seat and old.prompt == asked.prompt
            assert asked.token == (old.token if kept and old else entry.number)
        before = dict(match.asked)


@pytest.mark.parametrize(("name", "setup"), CASES)
def test_an_id_acts_once(name: str, setup: Setup) -> None:
    """The same id gets the same answer for ever, also from the log; another command
    under it is refused; another seat's same id is its own."""
    played = open_table(name, setup, number=5)
    for _ in played.moves(Chance(seed(5))):
        pass
    for stream in (played.stream, Stream.replay(played.entries)):
        for entry in played.entries:
            assert entry.command is not None
            again = Request(entry.command, entry.id, entry.person, entry.seat, token=12345)
            assert stream.draft(again, 0) == Repeat(entry.number)
            other = Request(TakeBack(77), entry.id, entry.person, entry.seat)
            with pytest.raises(IllegalAction, match=Code.ID_REUSED):
                stream.draft(other, 0)
        acted = next(entry for entry in played.entries if entry.seat == 0)
        assert acted.command is not None
        strange = Request(acted.command, acted.id, person(1), 1)
        with pytest.raises(IllegalAction, match=Code.NOT_RUNNING):
            stream.draft(strange, 0)


@pytest.mark.parametrize(("name", "setup"), CASES)
def test_what_is_taken_back_is_as_before(name: str, setup: Setup) -> None:
    """Where taking back is offered it leads to the very state of that entry, for the
    replay too, and the way on is open; what revealed something is never offered."""
    played = open_table(name, setup, number=6)
    match, taken = played.stream.match, 0
    assert match is not None
    states = {played.stream.number: known(played.stream)}
    for entry in played.moves(Chance(seed(6))):
        states[entry.number] = known(played.stream)
        offers = {seat: may_take_back(match, seat) for seat in range(setup.seats)}
        if any(event.reveals for event in entry.events):
            assert set(offers.values()) == {None}
        elif match.result is None and taken < 6 and entry.number % 3 == 0:
            assert entry.seat is not None
            to = offers.pop(entry.seat)
            assert to == entry.number - 1
            assert set(offers.values()) <= {None}
            played.request(Request(TakeBack(to), None, entry.person, entry.seat))
            assert known(played.stream) == states[to]
            states[played.stream.number] = states[to]
            taken += 1
    folded = None
    for number, entry in enumerate(played.entries, 1):
        if folded is None:
            folded = Stream(entry)
        else:
            folded.fold(entry)
        if number in states:
            assert known(folded) == states[number]


@pytest.mark.parametrize(("name", "setup"), CASES)
def test_views_and_happenings_travel(name: str, setup: Setup) -> None:
    """Each view survives its codec, each delta leads from one view to the next, and
    what happened is what the vocabulary can say."""
    played = open_table(name, setup, number=7)
    projector, wire = Projector(played.game), Wire(played.game.vocabulary)
    audiences: tuple[Audience, ...] = (None, *range(setup.seats))

    def trees() -> list[Any]:
        private = [projector.private(played.stream, seat) for seat in range(setup.seats)]
        return [projector.public(played.stream), *private]

    old = trees()
    for entry in played.moves(Chance(seed(7))):
        new = trees()
        for before, after in zip(old, new, strict=True):
            assert apply(before, diff(before, after)) == after
        assert PUBLIC.decode(PUBLIC.encode(PUBLIC.unpack(new[0]))) == PUBLIC.unpack(new[0])
        for tree in new[1:]:
            assert PRIVATE.decode(PRIVATE.encode(PRIVATE.unpack(tree))) == PRIVATE.unpack(tree)
        assert wire.public.unpack(PUBLIC.unpack(new[0]).match) is not None
        for audience in audiences:
            for happening in projector.happened(entry, audience):
                assert wire.happening.decode(
                    wire.happening.encode(wire.happening.unpack(happening))
                ) == wire.happening.unpack(happening)
        assert entry.command is not None
        if entry.seat is not None:
            assert wire.command.unpack(wire.command.pack(entry.command)) == entry.command
        old = new


@pytest.mark.parametrize("name", NAMES)
def test_nobody_else_sees_what_a_seat_sees(name: str) -> None:
    """Audiences that are no seat of the match get nothing private, whatever they say."""
    played = whole_game(name, setups(name)[-1], 8)
    projector = Projector(played.game)
    seats = played.stream.match.setup.seats if played.stream.match else 0
    for stranger in (None, -1, seats, 99):
        assert projector.private(played.stream, stranger) is None
    for entry in played.entries:
        for event in entry.events:
            assert event.show(99) is None
            assert event.show(-1) is None


def test_an_event_shows_nothing_unless_it_says_so() -> None:
    class Whispered(Event):
        """An event without a `show` of its own."""

    assert [Whispered().show(audience) for audience in (None, 0, 1, 99)] == [None] * 4


@pytest.mark.parametrize("name", NAMES)
def test_the_vocabulary_keeps_to_its_numbers(name: str) -> None:
    """Numbers below 32 are the kernel's; public events are happenings of one number."""
    words = find_game(name).vocabulary
    for mapping in (words.commands, words.prompts, words.happenings, words.events):
        assert min(mapping) >= 32
        assert len(set(mapping.values())) == len(mapping)
    assert max(COMMANDS) < 32
    assert max(HAPPENINGS) < 32
    own = HAPPENINGS.keys() - EVENTS.keys()
    assert min(own) > max(EVENTS), "what is no event never takes an event's number"
    for number, event in words.events.items():
        if issubclass(event, Happening):
            assert words.happenings[number] is event


@pytest.mark.parametrize(("name", "setup"), CASES)
def test_bots_answer_what_they_are_asked(name: str, setup: Setup) -> None:
    """A game of bots, who know what a client of their seat knows, comes to its end."""
    played = open_table(name, setup, number=9)
    game, match, chance = played.game, played.stream.match, Chance(seed(9))
    assert match is not None
    levels = list(game.bots)
    bots = [game.bots[levels[seat % len(levels)]]() for seat in range(setup.seats)]
    for bot in bots:
        if isinstance(bot, Searcher):
            bot.simulations = 2
    while match.asked:
        seat = min(match.asked)
        asked, state = match.asked[seat], match.state
        views = game.public(state), game.private(state, seat)
        played.act(seat, bots[seat].choose(*views, asked.prompt, chance))
    assert match.result is not None


@pytest.mark.parametrize(("name", "setup"), CASES + OPTIONS)
def test_a_deal_follows_from_its_seed_alone(name: str, setup: Setup) -> None:
    game = find_game(name)
    deals = [game.deal(setup, Chance(seed(number))) for number in range(50)]
    assert deals == [game.deal(setup, Chance(seed(number))) for number in range(50)]
    assert len(set(deals)) > 40, "the miniature has but 504 orders of its lots"
