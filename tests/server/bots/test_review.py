"""Reviews of ended matches: every decision, with what was known then, and the same again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from engine.deal import Chance
from engine.entry import Cause, Entry
from engine.game import Setup
from engine.ra.words.commands import Discard, Draw, InvokeRa, SpendGods
from engine.stream import Request, Stream
from engine.table.words import TakeBack
from protocol.record import read_record
from server.bots.answering import answer
from server.bots.review import Decision, NotReviewed, ReviewedDecision, decisions, review
from server.games import game_services
from tests.games import Played, may_take_back, open_table, person, seed, whole_game

PLAY = game_services("ra")
SETUP = Setup("standard", 2)
GOLDEN = Path(__file__).resolve().parents[2] / "golden"


@pytest.fixture(scope="module")
def game() -> Played:
    return whole_game("ra", SETUP, 3)


def made(entries: list[Entry], **options: Any) -> list[Decision]:
    return list(decisions(PLAY, entries, "hard", **{"simulations": 8, **options}))


def test_every_decision_that_left_a_choice_is_there_once(game: Played) -> None:
    wanted = []
    stream = Stream(game.entries[0])
    for entry in game.entries[1:]:
        if entry.seat is not None and stream.match is not None:
            asked = stream.match.asked[entry.seat]
            if len(game.game.choices(asked.prompt)) > 1:
                wanted.append((entry.number, entry.seat, entry.command))
        stream.fold(entry)
    assert [(d.number, d.seat, d.command) for d in made(game.entries)] == wanted
    only = made(game.entries, seats=lambda seat: seat == 1)
    assert [d.number for d in only] == [number for number, seat, _ in wanted if seat == 1]


def test_a_decision_is_put_as_it_was_known_then(game: Played) -> None:
    """What is asked of the decision of an entry is the same if nothing came after it."""
    everything = made(game.entries)
    for decision in everything[:: len(everything) // 9]:
        cut = game.entries[: decision.number]
        assert made(cut)[-1] == decision
        assert len(decision.question.happened) == decision.number - 1


def test_what_is_undrawn_changes_no_question() -> None:
    """The bag below the first tiles is another one: what is asked before they are drawn
    is the same."""
    supplied: Any = open_table("ra", SETUP, number=1).stream.sealed.deal
    twin = evolve(supplied, bag=(*supplied.bag[:4], *reversed(supplied.bag[4:])))
    asked = []
    for deal in (supplied, twin):
        played = open_table("ra", SETUP, deal=deal)
        moves = played.moves(Chance(seed(5)))
        for _ in range(2):
            next(moves)
        asked.append([decision.question for decision in made(played.entries)])
    assert asked[0] == asked[1] and asked[0]


def test_what_was_taken_back_or_played_by_others_is_no_decision_of_the_player() -> None:
    played = open_table("ra", Setup("standard", 2))
    moves, chance = played.moves(Chance(seed(1))), 0
    match = played.stream.match
    assert match is not None
    while may_take_back(match, 0) is None and may_take_back(match, 1) is None:
        next(moves)
        chance += 1
        assert chance < 500
    seat = 0 if may_take_back(match, 0) is not None else 1
    to = may_take_back(match, seat)
    assert to is not None
    undone = played.entries[-1].number
    played.request(Request(TakeBack(to), b"back", person(seat), seat))
    numbers = {decision.number for decision in made(played.entries)}
    assert not numbers & {undone, undone + 1}
    late = [evolve(entry, cause=Cause.TIMEOUT) for entry in played.entries]
    assert made(late) == []


async def test_a_review_is_the_same_whatever_number_of_processes(game: Played) -> None:
    some = made(game.entries)[:24]
    told: list[int] = []
    one = await review(PLAY, some, 1, told.append)
    assert told == list(range(1, 25))
    assert await review(PLAY, some, 2) == one
    for judged in one:
        said = answer(judged.decision.question)
        wire = PLAY.projector.wire
        assert judged.best == wire.command.unpack(said.options[0][0])
        assert judged.reason == said.reason
        assert 0 in [value for _, value in judged.options], "normal's own"
        if judged.cost is not None:
            assert (judged.cost == 0) or judged.best != judged.decision.command
    assert any(judged.cost for judged in one)
    others = made(game.entries, seed=2)[:24]
    assert [d.question.seed for d in others] != [d.question.seed for d in some]


def test_what_the_bot_did_not_think_of_has_no_cost(game: Played) -> None:
    decision = made(game.entries)[0]
    first, second = Draw(), InvokeRa()
    assert ReviewedDecision(evolve(decision, command=first), ((first, 50),), "").cost == 0
    assert (
        ReviewedDecision(evolve(decision, command=second), ((first, 50), (second, -70)), "").cost
        == 120
    )
    assert ReviewedDecision(evolve(decision, command=second), ((first, 50),), "").cost is None


async def test_tiles_named_in_another_order_are_the_same_answer() -> None:
    """Of a record in which two gods took two tiles: turned round, it is judged the same."""
    with (GOLDEN / "gods-take-gods.ra").open("rb") as file:
        entries = list(read_record(file).entries)

    def turned(entry: Entry) -> Entry:
        match entry.command:
            case SpendGods(take):
                return evolve(entry, command=SpendGods(take[::-1]))
            case Discard(give):
                return evolve(entry, command=Discard(give[::-1]))
        return entry

    other = [turned(entry) for entry in entries]
    differ = {a.number for a, b in zip(entries, other, strict=True) if a != b}
    found = [
        [one for one in made(which, simulations=4) if one.number in differ]
        for which in (entries, other)
    ]
    assert found[0] == found[1]
    assert len(found[0]) > 0
    for judged in await review(PLAY, found[1], 2):
        assert judged.decision.command == PLAY.game.canonical(judged.decision.command)


async def test_a_bot_that_cannot_review_is_said_to(game: Played) -> None:
    some = list(decisions(PLAY, game.entries, "easy"))[:3]
    with pytest.raises(NotReviewed, match="easy cannot say what it thinks"):
        await review(PLAY, some, 1)


async def test_where_no_process_can_be_started_nothing_is_reviewed(
    game: Played, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    with pytest.raises(NotReviewed, match="no process for bots can be started"):
        await review(PLAY, made(game.entries)[:3], 2)


async def test_what_was_known_and_cannot_be_packed_is_one_line(
    game: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    decision = made(game.entries)[0]
    odd = evolve(decision, question=evolve(decision.question, private=object()))
    with pytest.raises(NotReviewed, match=rf"step {decision.number}: hard cannot be asked"):
        await review(PLAY, [odd], 1)
    monkeypatch.setattr(type(PLAY.game), "private", lambda *_: None)
    with pytest.raises(NotReviewed, match="what was known cannot be packed"):
        made(game.entries)
