"""The client's copy of a table is the table, entry by entry, for whole games of every
registered game; and everything it offers to be shown is there."""

from __future__ import annotations

import pytest

from client.narration import narrate
from client.plain.printer import Printer
from client.state.events import Attended, Departed, Prompted, RequestRefused, Stepped
from engine.deal import Chance
from engine.errors import Code
from engine.game import Setup
from engine.ra.words.refusals import RaRefusal
from engine.stream import Request, Stream, open_stream
from engine.table.words import Join, Leave, Open, Phase, Start
from protocol.messages import Happened, Left, Refused
from server.refusals import RefusalCode
from tests.client.joined import Joined
from tests.games import NAMES, Played, nonce, open_table, person, seed, setups

GAMES = [
    pytest.param(name, setup, id=f"{name}-{setup.ruleset}-{setup.seats}")
    for name in NAMES
    for setup in setups(name)
]


@pytest.mark.parametrize(("name", "setup"), GAMES)
def test_a_followed_game_is_the_game(name: str, setup: Setup) -> None:
    for seat in (0, setup.seats - 1, None):
        joined = Joined(open_table(name, setup, number=seat or 0), seat)
        joined.attend()
        printer = Printer(joined.conversation.model)
        tokens: list[int] = []
        for entry in joined.play_on(joined.played.moves(Chance(seed(7)))):
            scene, match = joined.conversation.model.scene, joined.played.stream.match
            assert scene is not None and match is not None
            assert scene.number == entry.number
            assert scene.board == joined.played.game.public(match.state)
            asked = None if seat is None else match.asked.get(seat)
            assert (scene.mine and scene.mine.prompt) == (asked and asked.prompt)
            assert scene.seat == seat
            assert scene.asked == tuple(sorted(match.asked)), "whoever looks knows who is asked"
            lines = [line for change in joined.changes for line in printer.tell(change)]
            assert all(line.isprintable() and line for line in lines)
            assert all(line.isprintable() for line in printer.state_lines(scene))
            tokens += [c.asked.token for c in joined.changes if isinstance(c, Prompted)]
            joined.changes.clear()
        assert len(tokens) == len(set(tokens)), "a prompt is told once"
        assert tokens or seat is None
        scene = joined.conversation.model.scene
        assert scene is not None and scene.over and scene.mine is None
        game = joined.conversation.model.game
        assert game is not None and game.result(scene) and game.scores(scene)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_prompt_offers_is_what_the_game_takes(name: str) -> None:
    setup = setups(name)[-1]
    joined = Joined(open_table(name, setup), 0)
    joined.attend()
    game = joined.conversation.model.game
    assert game is not None
    for _ in joined.play_on(joined.played.moves(Chance(seed(3)))):
        scene = joined.conversation.model.scene
        if scene is None or scene.mine is None:
            continue
        prompt = scene.mine.prompt
        choices = game.choices(prompt)
        assert list(choices) == list(joined.played.game.choices(prompt))
        what, ways = game.ask(prompt)
        assert what.isalpha() and ways
        for command in choices:
            assert game.read(game.show(command), prompt) == command


@pytest.mark.parametrize("name", NAMES)
def test_happenings_are_told_with_names_and_in_the_notation(name: str) -> None:
    setup = setups(name)[0]
    joined = Joined(open_table(name, setup), 0)
    joined.attend()
    game = joined.conversation.model.game
    assert game is not None
    told = 0
    for entry in joined.play_on(joined.played.moves(Chance(seed(5)))):
        assert entry.number
        for change in joined.changes:
            if isinstance(change, Stepped):
                for happening in change.happenings:
                    sentences = narrate(happening, change.scene, game)
                    assert all(sentence.endswith(".") for sentence in sentences)
                    told += len(sentences)
        joined.changes.clear()
    assert told > joined.played.stream.number / 2


def test_what_happened_before_a_snapshot_is_told_and_counted_once() -> None:
    played = open_table("ra", Setup("standard", 2))
    joined = Joined(played, 0)
    joined.attend()
    moves = played.moves(Chance(seed(1)))
    joined.step(next(moves))
    missed = next(moves)
    happened = Happened(missed.number, joined.projector.happened(missed, None), ())
    joined.changes.clear()
    joined.snapshot((happened,))
    (attended,) = [c for c in joined.changes if isinstance(c, Attended)]
    assert [number for number, _ in attended.missed] == [missed.number]
    numbers = [number for number, _ in joined.conversation.model.log]
    assert numbers == sorted(set(numbers))


def test_leaving_forgets_the_table() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)), 0)
    joined.attend()
    joined.down(Left("KIWI-42"))
    assert joined.conversation.model.scene is None
    assert isinstance(joined.changes[-1], Departed)


def test_every_reason_to_refuse_is_told_in_words() -> None:
    joined = Joined(open_table("ra", Setup("standard", 2)), 0)
    joined.attend()
    known = "spaces named gods tile takeable sun highest given count held seats least most seconds"
    facts = tuple((name, "4") for name in known.split())
    for code in [*Code, *RaRefusal, *RefusalCode]:
        if code is RefusalCode.STOPPING:
            continue
        joined.changes.clear()
        joined.down(Refused(None, str(code), facts, "technical"))
        (refusal,) = [c for c in joined.changes if isinstance(c, RequestRefused)]
        assert "technical" not in refusal.text, code
        assert "{" not in refusal.text
        assert "?" not in refusal.text


def table_with_a_gap() -> Played:
    """A waiting table of four: Anna, nobody, Chen, nobody."""
    opening = Open("ra", "standard", (), 4, (), True, True, "Anna", nonce(0))
    entry = open_stream(
        opening,
        id=b"open",
        person=person(0),
        code="TEST-1",
        secret=seed(0),
        bot_nonces=(),
        time=1,
    )
    played = Played(Stream(entry), [entry])
    for seat, name in ((1, "Boris"), (2, "Chen")):
        played.request(Request(Join(name, nonce(seat)), b"join", person(seat)))
    played.request(Request(Leave(), b"leave", person(1)))
    return played


def test_a_table_with_gaps_maps_seats_to_places() -> None:
    played = table_with_a_gap()
    joined = Joined(played, 2)
    joined.attend()
    assert joined.conversation.model.scene is not None
    assert joined.conversation.model.scene.table_seat == 2
    assert joined.conversation.model.scene.seat is None
    entry = played.request(Request(Start(), b"start", person(0)))
    joined.seat = 1
    joined.step(entry)
    scene = joined.conversation.model.scene
    assert scene.table.phase is Phase.PLAYING
    assert (scene.table_seat, scene.seat) == (2, 1)
    assert scene.own is not None
    assert scene.name(1) == scene.table_name(2) == "Chen"
