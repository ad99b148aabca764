"""Twin games: two tables that differ only in what is hidden, played side by side, and what each of
them sends. The laws of secrets say when these bytes are equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import evolve, frozen

from engine.clock import Absence, Clock, ClockKind
from engine.deal import Chance
from engine.entry import Cause, Command, Entry
from engine.errors import IllegalAction
from engine.game import Setup
from engine.match import Match
from engine.stream import Request, Stream, open_stream
from engine.table.words import Join, Open, Revealed, SitOut, TableOpened
from protocol.messages import SERVER_CODEC, Accepted, Refused
from protocol.project import Projector
from protocol.transcript import Follower
from tests.conformance.hidden import HIDING
from tests.games import Played, nonce, person, seed

CLOCKS = (Clock(), Clock(ClockKind.BANK, 60_000, 500), Clock(ClockKind.PER_MOVE, 30_000))
COMMITMENT = b"given datum" * 3
OFTEN = 6
"""What is hidden is exchanged again after one of so many entries, and whenever some of it shows."""
SELDOM = 24
"""After one of so many entries everything is tried and compared that a peer may ask for."""


def table(name: str, setup: Setup, deal: Any, secret: bytes, number: int = 0) -> Played:
    """A table that plays `deal` behind `secret`, under a commitment given from outside;
    its clock, and what becomes of the absent, by `number`."""
    opening = Open(
        name, setup.ruleset, setup.options, setup.seats, (), True, True, "Player 1", nonce(0),
        CLOCKS[number % len(CLOCKS)], list(Absence)[number % len(Absence)],
    )  # fmt: skip
    entry = open_stream(
        opening,
        id=b"open",
        person=person(0),
        code="TWIN-1",
        secret=secret,
        bot_nonces=(),
        time=1000,
    )
    opened, *taken = entry.events
    assert isinstance(opened, TableOpened)
    entry = evolve(entry, events=(evolve(opened, commitment=COMMITMENT), *taken))
    played = Played(Stream(entry), [entry])
    for seat in range(1, setup.seats):
        played.request(
            Request(Join(f"Player {seat + 1}", nonce(seat)), b"join", person(seat)), deal
        )
    return played


def same_request(twin: Played, entry: Entry, instead: Command | None = None) -> Request:
    """The request that led to an entry, at a twin of its table; with the command `instead`."""
    command = instead or entry.command
    assert command is not None
    match = match_of(twin)
    seat = command.seat if isinstance(command, SitOut) else entry.seat
    asked = None if seat is None else match.asked.get(seat)
    token = 0 if asked is None else asked.token
    return Request(command, entry.id, entry.person, entry.seat, token, entry.cause)


def match_of(played: Played) -> Match[Any]:
    assert played.stream.match is not None
    return played.stream.match


def refusals(played: Played, seat: int) -> Iterator[bytes]:
    """What a seat is told when it tries everything that anybody did, fitting or not."""
    asked = match_of(played).asked.get(seat)
    token = 0 if asked is None else asked.token
    for command in {e.command: None for e in played.entries if e.command is not None}:
        try:
            played.stream.draft(Request(command, b"w", person(seat), seat, token), 0)
        except IllegalAction as error:
            facts = tuple((name, str(value)) for name, value in error.facts.items())
            yield SERVER_CODEC.encode(Refused(b"w", str(error.code), facts, str(error)))
    yield SERVER_CODEC.encode(Accepted(b"w", played.stream.number))


@frozen
class Twin:
    """A twin of a table for one audience: everything that this audience may not know is another."""

    played: Played
    audience: int | None
    of_one: Follower
    """What the audience is sent of the table itself."""
    of_twin: Follower
    projector: Projector

    def follow(self, one: Played, before: Any, entry: Entry, chance: Chance) -> int:
        """Do at the twin what `entry` did at `one`, a table whose state was `before`. Raises
        AssertionError unless both send the audience the same bytes; how many frames."""
        hiding, match = HIDING[one.game.name], match_of(self.played)
        shows = any(isinstance(event, hiding.shows) for event in entry.events)
        instead = None
        if shows:
            match.state = hiding.settle(match.state, before, entry.events)
        elif entry.cause is not Cause.TIMEOUT and entry.seat not in (None, self.audience):
            assert entry.seat is not None and entry.command is not None
            instead = hiding.instead(match.state, entry.seat, entry.command, chance)
        other = self.played.pass_time(same_request(self.played, entry, instead))
        frame = SERVER_CODEC.encode(self.of_one.update(one.stream, entry))
        assert frame == SERVER_CODEC.encode(self.of_twin.update(self.played.stream, other))
        if shows or not chance.below(OFTEN):
            state = match_of(one).state
            match.state = hiding.rehide(state, self.audience, chance)
        return 1 if chance.below(SELDOM) else 1 + self.asked(one, entry, other)

    def asked(self, one: Played, entry: Entry, other: Entry) -> int:
        """Compare what the audience gets that comes back, and what it is refused; how many
        frames."""
        seat, told = self.audience, []
        for played, last in ((one, entry), (self.played, other)):
            fresh = Follower(self.projector, played.stream, seat)
            frames = [SERVER_CODEC.encode(fresh.snapshot(played.stream, last, seat))]
            if seat is not None:
                frames += refusals(Played(played.stream, one.entries), seat)
            told.append(frames)
        assert told[0] == told[1]
        return len(told[0])


@frozen
class Equal:
    """What was equal in a game and its twins."""

    entries: int
    twins: int
    frames: int
    """Pairs of them."""
    choices: int
    """Choices made otherwise at a twin."""


def twin_game(projector: Projector, setup: Setup, number: int) -> Equal:
    """Play a game to the entry that ends it, with all that may come between, and beside it a
    twin for every seat and one for spectators, each behind another secret. Raises AssertionError at
    the first frame that is another."""
    game, chance = projector.game, Chance(seed(number))
    name, deal = game.name, game.deal(setup, chance)
    one = table(name, setup, deal, seed(2 * number), number)
    twins = []
    for audience in (None, *range(setup.seats)):
        played = table(name, setup, deal, seed(2 * number + 1), number)
        of_one = Follower(projector, one.stream, audience)
        of_twin = Follower(projector, played.stream, audience)
        twins.append(Twin(played, audience, of_one, of_twin, projector))
    frames, before, moves = 0, match_of(one).state.copy(), Chance(seed(number + 1))
    for entry in one.lively(moves):
        if any(isinstance(event, Revealed) for event in entry.events):
            break
        for twin in twins:
            frames += twin.follow(one, before, entry, chance)
        before = match_of(one).state.copy()
    choices = sum(
        own.command != other.command
        for twin in twins
        for own, other in zip(one.entries, twin.played.entries, strict=False)
    )
    return Equal(len(one.entries), len(twins), frames, choices)
