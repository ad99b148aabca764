"""Whole games of any registered game, played by chance: what many tests start from."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any

from attrs import field, frozen

from engine.clock import Absence, Clock
from engine.deal import Chance
from engine.entry import Cause, Command, Entry
from engine.game import Game, Setup, find_game
from engine.match import Match
from engine.stream import Draft, Request, Stream, open_stream
from engine.table.words import Join, Open, Return, SitOut, TakeBack, Vote
from tests.miniature import register

register()
NAMES = tuple(sorted({point.name for point in entry_points(group="ra_online.games")}))
"""Every game that is registered, the miniature among them."""


def seed(number: int) -> bytes:
    """A seed for `Chance`, by number."""
    return number.to_bytes(32, "big")


def setups(name: str) -> list[Setup]:
    """Every ruleset with every number of seats it allows, without options."""
    game = find_game(name)
    return [Setup(rules, seats) for rules, allowed in game.rulesets.items() for seats in allowed]


def person(seat: int) -> bytes:
    """The public id of who sits on `seat`."""
    return b"person" + bytes([seat])


def may_take_back(match: Match[Any], seat: int) -> int | None:
    """The entry that `seat` may go back to by one step, if any."""
    taker = match.undoable()
    return None if taker is None or taker[0] != seat else taker[1]


def nonce(seat: int) -> bytes:
    return bytes([seat + 1]) * 16


@frozen
class Played:
    """A stream with the entries that it is the fold of."""

    stream: Stream
    entries: list[Entry] = field(factory=list)

    @property
    def game(self) -> Game[Any]:
        return self.stream.game

    def request(self, request: Request, deal: Any = None, elapsed: int = 0) -> Entry:
        """Grant a request, which must be new, `elapsed` milliseconds after the last entry."""
        draft = self.stream.draft(request, 1000 + self.stream.number, deal, elapsed)
        assert isinstance(draft, Draft)
        self.stream.accept(draft)
        self.entries.append(draft.entry)
        return draft.entry

    def act(self, seat: int, command: Command, id: bytes | None = None) -> Entry:
        """Answer the open prompt of `seat`, as whoever plays it."""
        assert self.stream.match is not None
        asked = self.stream.match.asked[seat]
        if self.stream.seating.stand_in(seat):
            return self.request(Request(command, id, None, seat, asked.token, Cause.BOT))
        return self.request(Request(command, id, person(seat), seat, asked.token))

    def moves(self, chance: Chance) -> Iterator[Entry]:
        """Random legal actions until the match is over, one at each step."""
        assert self.stream.match is not None
        while asked := self.stream.match.asked:
            seat = chance.choice(sorted(asked))
            command = chance.choice(self.game.choices(asked[seat].prompt))
            yield self.act(seat, command, b"id" + self.stream.number.to_bytes(4, "big"))

    def lively(self, chance: Chance) -> Iterator[Entry]:
        """As `moves`, with all that may come between: actions are taken back, seats are
        voted absent, played for and come back to, and time passes."""
        match, seating = self.stream.match, self.stream.seating
        assert match is not None
        level = next(iter(self.game.bots)) if seating.absence is Absence.BOT else ""
        while match.asked:
            seat = chance.choice(sorted(match.asked))
            played_for = self.stream.seating.stand_in(seat) is not None
            if not played_for and not chance.below(10):
                other = (seat + 1) % len(seating.places)
                if self.stream.seating.stand_in(other) is None:
                    yield self.pass_time(Request(Vote(seat), None, person(other)))
                token = match.asked[seat].token
                yield self.pass_time(Request(SitOut(seat, level), token=token, cause=Cause.HOUSE))
                continue
            yield self.pass_time(self.answer(seat, chance))
            if played_for and match.asked:
                yield self.pass_time(Request(Return(), None, person(seat)))
            to = may_take_back(match, seat)
            if to is not None and not chance.below(3):
                id = b"back" + self.stream.number.to_bytes(4, "big")
                yield self.pass_time(Request(TakeBack(to), id, person(seat), seat))

    def answer(self, seat: int, chance: Chance) -> Request:
        """Any answer of a person or bot; the default one where that is played."""
        match = self.stream.match
        assert match is not None
        asked = match.asked[seat]
        command = chance.choice(self.game.choices(asked.prompt))
        stand_in = self.stream.seating.stand_in(seat)
        if stand_in == "":
            default = self.game.default(match.state, seat)
            return Request(default, None, None, seat, asked.token, Cause.TIMEOUT)
        if stand_in is not None:
            return Request(command, None, None, seat, asked.token, Cause.BOT)
        id = b"id" + self.stream.number.to_bytes(4, "big")
        return Request(command, id, person(seat), seat, asked.token)

    def pass_time(self, request: Request) -> Entry:
        """Grant a request after a time that its number gives."""
        return self.request(request, elapsed=self.stream.number * 97 % 5000)


def open_table(
    name: str,
    setup: Setup,
    *,
    number: int = 0,
    deal: Any = None,
    code: str = "TEST-1",
    clock: Clock = Clock(),  # noqa: B008 - a frozen value
    absence: Absence = Absence.DEFAULT,
) -> Played:
    """A table at which everybody has sat down, so that the match has begun.

    `number` gives its secret; `deal` supplies the deal instead.
    """
    request = Open(
        game=name,
        ruleset=setup.ruleset,
        options=setup.options,
        seats=setup.seats,
        bots=(),
        listed=True,
        sit=True,
        name="Player 1",
        nonce=nonce(0),
        clock=clock,
        absence=absence,
    )
    entry = open_stream(
        request,
        id=b"open",
        person=person(0),
        code=code,
        secret=b"" if deal is not None else seed(number),
        bot_nonces=(),
        time=1000,
    )
    played = Played(Stream(entry), [entry])
    for seat in range(1, setup.seats):
        joins = Join(f"Player {seat + 1}", nonce(seat))
        played.request(Request(joins, b"join", person(seat)), deal)
    return played


def whole_game(name: str, setup: Setup, number: int = 0, code: str = "TEST-1") -> Played:
    """A game played to its end; `number` gives the secret and the moves."""
    played = open_table(name, setup, number=number, code=code)
    for _ in played.moves(Chance(seed(number + 1))):
        pass
    return played
