"""The two laws of secrets, on the bytes that leave the server, for every audience.

What is undrawn: two matches that differ only in its order and the secret behind it send
identical bytes (the commitment is a given datum). What other seats hide, such as points, suns,
gold, and actions chosen: replace it, in any state, and all bytes stay equal until it legally
shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.deal import Chance, derive_seed
from engine.entry import Entry
from engine.game import Setup, find_game
from engine.stream import Stream
from engine.table.words import Return, SitOut, TakeBack, Vote
from protocol.codec import dumps
from protocol.delta import diff
from protocol.messages import SERVER_CODEC, Heartbeat, Snapshot
from protocol.project import Projector
from protocol.transcript import follow, write_transcript
from tests.conformance.hidden import HIDING
from tests.conformance.twins import refusals, same_request, table
from tests.games import NAMES, Played, nonce, open_table, seed, setups

SETUPS = [(name, setup) for name in NAMES for setup in setups(name)]
SHORT = ("miniature",)
"""Games that are so short that more of them are played."""
HIDDEN = [(name, setup) for name, setup in SETUPS if setup.ruleset != "open"]
"""The miniature's ruleset `open` hides nothing but the lots to come."""


def sent(entries: list[Entry], projector: Projector, seats: int) -> Iterator[bytes]:
    """Every frame that anybody is sent of these entries, audience by audience."""
    places = tuple(range(seats))
    for audience in (None, *range(seats)):
        for message in follow(entries, projector, audience, places):
            yield SERVER_CODEC.encode(message)
            yield SERVER_CODEC.encode(Heartbeat(message.number))
    # A transcript holds these very frames; one audience's shows that nothing is added.
    yield from write_transcript(entries, projector, len(entries) % seats, "tests 1.0")


def answers(played: Played, setup: Setup) -> Iterator[bytes]:
    """What each seat is told when it tries everything, fitting or not."""
    projector = Projector(played.game)
    for seat in range(setup.seats):
        yield SERVER_CODEC.encode(
            Snapshot(
                played.stream.number,
                seat,
                projector.public(played.stream),
                projector.private(played.stream, seat),
                (),
            )
        )
        yield from refusals(played, seat)


@pytest.mark.parametrize("name", NAMES)
def test_the_undrawn_order_and_its_secret_change_no_byte(name: str) -> None:
    """Thousands of (state, audience) pairs: whole games, each cut at random places and
    played again on a twin whose rest of the bag lies in another order."""
    projector, compared = Projector(find_game(name)), 0
    kinds: set[type] = set()
    cases = [setup for known, setup in SETUPS if known == name]
    rounds = 6 if name in SHORT else 1
    for number, setup in enumerate(cases * rounds):
        chance = Chance(seed(number))
        deal = projector.game.deal(setup, chance)
        one = table(name, setup, deal, seed(100 + number), number)
        boards: list[Any] = [None] * len(one.entries)
        for entry in one.lively(chance):
            kinds.add(type(entry.command))
            assert one.stream.match is not None
            boards.append(one.game.public(one.stream.match.state))
        for _ in range(2):
            cut = setup.seats + chance.below(len(one.entries) - setup.seats)
            board = boards[cut - 1] if cut > setup.seats else None
            redealt = HIDING[name].redeal(deal, board, chance)
            twin = table(name, setup, redealt, seed(1000 + number), number)
            for entry in one.entries[setup.seats : cut]:
                twin.pass_time(same_request(twin, entry))
            first = list(sent(one.entries[:cut], projector, setup.seats))
            assert first == list(sent(twin.entries, projector, setup.seats))
            again = Played(Stream.replay(one.entries[:cut]), one.entries[:cut])
            assert list(answers(again, setup)) == list(answers(twin, setup))
            compared += cut * (setup.seats + 1)
    assert compared > (2_000 if name in SHORT else 5_000)
    assert kinds >= {TakeBack, Vote, SitOut, Return}


@pytest.mark.parametrize("name", NAMES)
def test_what_other_seats_hide_changes_no_byte_until_it_shows(name: str) -> None:
    """In states of whole games what all others hide is replaced; views, deltas and
    happenings of the viewer are equal, then and after each further action, until an
    event shows such things by the rules."""
    projector, compared = Projector(find_game(name)), 0
    cases = [setup for known, setup in HIDDEN if known == name]
    for number, setup in enumerate(cases * (20 if name in SHORT else 1)):
        played = open_table(name, setup, number=number)
        chance, match, game = Chance(seed(number + 50)), played.stream.match, played.game
        assert match is not None
        states = [match.state.copy()]
        states += [match.state.copy() for _ in played.moves(chance)]
        actions = played.entries[setup.seats :]
        for _ in range(20 if name in SHORT else 60):
            at = chance.below(len(actions))
            audience = chance.choice((None, *range(setup.seats)))
            state = states[at].copy()
            twin = HIDING[name].rehide(state, audience, chance)
            views: tuple[Any, Any] = (None, None)
            for entry in (None, *actions[at : at + 12]):
                if entry is not None:
                    assert entry.seat is not None
                    assert entry.command is not None
                    events = game.decide(state, entry.seat, entry.command)
                    if any(isinstance(event, HIDING[name].shows) for event in events):
                        break
                    command = entry.command
                    if entry.seat != audience:
                        command = HIDING[name].instead(twin, entry.seat, command, chance)
                    others = game.decide(twin, entry.seat, command)
                    assert told(projector, events, audience) == told(projector, others, audience)
                fresh = trees(projector, state, audience)
                other = trees(projector, twin, audience)
                assert dumps(fresh) == dumps(other)
                assert dumps(diff(views, fresh)) == dumps(diff(views, other))
                views = fresh
                compared += 1
    assert compared > 2_000


def told(projector: Projector, events: Any, audience: int | None) -> list[bytes]:
    """The happenings of events, public and the audience's own, as bytes."""
    pack = projector.wire.happening.pack
    known = [event.show(None) for event in events]
    if audience is not None:
        known += [event.show(audience) for event in events]
    return [dumps(pack(happening)) for happening in known if happening is not None]


def trees(projector: Projector, state: Any, audience: int | None) -> tuple[Any, Any]:
    """Public and private part of what an audience may know of a state."""
    game, wire = projector.game, projector.wire
    prompts = [
        (seat, wire.prompt.pack(prompt))
        for seat, prompt in sorted(game.prompts(state).items())
        if prompt.public or seat == audience
    ]
    own = None if audience is None else wire.private.pack(game.private(state, audience))
    return (wire.public.pack(game.public(state)), (own, tuple(prompts)))


@pytest.mark.parametrize(("name", "setup"), SETUPS)
def test_no_frame_before_the_end_holds_secret_or_seed(name: str, setup: Setup) -> None:
    played = open_table(name, setup, number=0xFACADE)
    projector = Projector(played.game)
    nonces = tuple(nonce(seat) for seat in range(setup.seats))
    secrets = (seed(0xFACADE), derive_seed(seed(0xFACADE), nonces))
    for _ in played.moves(Chance(seed(7))):
        pass
    before = b"".join(sent(played.entries[:-1], projector, setup.seats))
    assert not any(secret in before for secret in (*secrets, *nonces))
    after = b"".join(sent(played.entries, projector, setup.seats))
    for secret in (secrets[0], *nonces):
        assert secret in after, "revealed at the end, so it would have been found before"


def test_a_field_added_to_a_state_is_hidden_until_it_is_listed() -> None:
    """Views are built up from nothing: what nobody named, nobody sees."""
    for name, setup in SETUPS:
        played = open_table(name, setup)
        assert played.stream.match is not None
        state = played.stream.match.state

        class Richer(type(state)):  # type: ignore[misc]
            """The same state with one more thing in it."""

            __slots__ = ("plan",)

        richer = Richer.__new__(Richer)
        for field in type(state).__slots__:
            setattr(richer, field, getattr(state, field))
        richer.plan = "win by all means"
        game = played.game
        assert game.public(richer) == game.public(state)
        assert game.private(richer, 0) == game.private(state, 0)
        assert "all means" not in repr((game.public(richer), game.private(richer, 1)))
