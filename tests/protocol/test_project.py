"""What audiences are sent follows a table from its opening to its end, through bytes."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from engine.clock import Absence, Clock, ClockKind
from engine.deal import Chance
from engine.entry import Cause, Entry
from engine.stream import Request, Stream, open_stream
from engine.table.words import (
    Close,
    CloseReason,
    Join,
    Leave,
    Open,
    Phase,
    SitOut,
    TakeBack,
    TimedOut,
)
from protocol.delta import apply, diff
from protocol.frames import pack_part, update_frames
from protocol.messages import SERVER_CODEC, Snapshot, Update
from protocol.project import PRIVATE, PUBLIC, Projector
from tests.games import NAMES, Played, nonce, open_table, person, seed, setups


class Room:
    """A table's audiences, each with the trees it holds: from bytes, as a client."""

    def __init__(self, played: Played, seats: int) -> None:
        self.played = played
        self.projector = Projector(played.game)
        self.held: dict[int | None, tuple[Any, Any]] = {
            seat: self._snapshot(seat) for seat in (None, *range(seats))
        }
        self.known = {seat: self.now(seat) for seat in self.held}

    def now(self, seat: int | None) -> tuple[Any, Any]:
        stream = self.played.stream
        return self.projector.public(stream), self.projector.private(stream, seat)

    def _snapshot(self, seat: int | None) -> tuple[Any, Any]:
        number = self.played.stream.number
        data = SERVER_CODEC.encode(Snapshot(number, seat, *self.now(seat), ()))
        snapshot = SERVER_CODEC.decode(data)
        assert isinstance(snapshot, Snapshot)
        return snapshot.public, snapshot.private

    def tell(self, entry: Entry) -> None:
        """Send an entry to everybody; afterwards all hold what a snapshot would say."""
        happened = self.projector.happened
        before = self.known[None][0]
        public = pack_part(happened(entry, None), diff(before, self.now(None)[0]))
        if not self.projector.tells_seats(entry):
            assert not any(happened(entry, seat) for seat in self.held if seat is not None)
        parts = {}
        for seat in self.held:
            if seat is not None:
                delta = diff(self.known[seat][1], self.now(seat)[1])
                parts[seat] = pack_part(happened(entry, seat), delta)
        frame, frames = update_frames(entry.number, public, parts)
        for seat, (held, own) in self.held.items():
            update = SERVER_CODEC.decode(frame if seat is None else frames[seat])
            assert isinstance(update, Update)
            assert update.number == entry.number
            held = apply(held, update.public[1])
            own = own if update.private is None else apply(own, update.private[1])
            self.held[seat] = (held, own)
            self.known[seat] = self.now(seat)
            assert repr(self.held[seat]) == repr(self.known[seat]) == repr(self._snapshot(seat))


@pytest.mark.parametrize("name", NAMES)
def test_every_audience_follows_a_whole_game(name: str) -> None:
    setup = setups(name)[-1]
    played = open_table(name, setup)
    room = Room(played, setup.seats)
    for entry in played.moves(Chance(seed(3))):
        room.tell(entry)
    view = PUBLIC.unpack(room.held[None][0])
    assert view.table.phase is Phase.OVER
    assert view.table.secret == played.stream.sealed.secret
    assert (view.prompts, view.undo) == ((), None)


def test_what_can_be_taken_back_is_said_to_all() -> None:
    played = open_table("ra", setups("ra")[1])
    room = Room(played, 3)
    match = played.stream.match
    assert match is not None
    seat, asked = next(iter(match.asked.items()))
    invoke = next(
        one for one in played.game.choices(asked.prompt) if "Invoke" in type(one).__name__
    )
    before = played.stream.number
    room.tell(played.act(seat, invoke))
    assert PUBLIC.unpack(room.held[None][0]).undo == (seat, before)
    room.tell(played.request(Request(TakeBack(before), b"undo", person(seat), seat)))
    assert PUBLIC.unpack(room.held[None][0]).undo is None


def test_nobody_is_said_to_take_back_for_whom_another_plays() -> None:
    """They are refused until they have returned."""
    played = open_table("ra", setups("ra")[1])
    room = Room(played, 3)
    match = played.stream.match
    assert match is not None
    for entry in played.moves(Chance(seed(0))):
        room.tell(entry)
        taker = match.undoable()
        if taker is not None and taker[0] in match.asked:
            break
    assert taker is not None and PUBLIC.unpack(room.held[None][0]).undo == taker
    seat, token = taker[0], match.asked[taker[0]].token
    room.tell(played.request(Request(SitOut(seat, ""), token=token, cause=Cause.HOUSE)))
    assert match.undoable() == taker
    assert PUBLIC.unpack(room.held[None][0]).undo is None


@pytest.mark.parametrize("absence", list(Absence))
@pytest.mark.parametrize("name", NAMES)
def test_what_the_clock_did_begins_with_that_and_nothing_else_does(
    name: str, absence: Absence
) -> None:
    """So that nobody takes it for the seat's own doing. It is told in public, adds nothing
    to what people and bots do, and an old log tells it too: it is of the entry's cause."""
    clock = Clock(ClockKind.PER_MOVE, 1_000)
    setup = setups(name)[-1]
    played = open_table(name, setup, clock=clock, absence=absence)
    projector, chance = Projector(played.game), Chance(seed(4))
    happened, wire = projector.happened, projector.wire.happening
    match = played.stream.match
    assert match is not None
    late = 0
    while match.asked and late < 30:
        due = played.stream.due()
        if due is not None and not chance.below(3):
            entry = played.request(overdue(played, due.seat), elapsed=due.after)
        else:
            entry = played.pass_time(played.answer(min(match.asked), chance))
        told = happened(entry, None)
        own = [happened(entry, seat) for seat in range(setup.seats)]
        by_hand = evolve(entry, cause=Cause.COMMAND)
        assert own == [happened(by_hand, seat) for seat in range(setup.seats)]
        if entry.cause is Cause.TIMEOUT:
            late += 1
            command = entry.command
            seat = command.seat if isinstance(command, SitOut) else entry.seat
            assert seat is not None
            assert wire.unpack(told[0]) == TimedOut(seat, entry.seat is not None)
            told = told[1:]
        assert told == happened(by_hand, None)
    assert late > 0


def overdue(played: Played, seat: int) -> Request:
    """The request of the clock for a seat whose time is up."""
    stream, match = played.stream, played.stream.match
    assert match is not None
    seating = stream.seating
    if seating.stand_in(seat) is None and seating.absence is not Absence.DEFAULT:
        bot = next(iter(played.game.bots)) if seating.absence is Absence.BOT else ""
        return Request(SitOut(seat, bot), cause=Cause.TIMEOUT)
    default = played.game.default(match.state, seat)
    return Request(default, None, None, seat, match.asked[seat].token, Cause.TIMEOUT)


def waiting() -> Played:
    opened = Open("ra", "standard", (), 4, ("easy",), True, True, "Ada", nonce(0))
    entry = open_stream(
        opened, id=None, person=person(0), code="KIWI-42", secret=seed(1),
        bot_nonces=(nonce(3),), time=0,
    )  # fmt: skip
    return Played(Stream(entry), [entry])


def test_a_table_is_followed_while_people_come_and_go() -> None:
    played = waiting()
    room = Room(played, 2)
    played_names = []
    for request in (
        Request(Join("Bob", nonce(1)), b"1", person(1)),
        Request(Leave(), b"2", person(0)),
        Request(Leave(), b"3", person(1)),
        Request(Close(CloseReason.REAPED)),
    ):
        room.tell(played.request(request))
        table = PUBLIC.unpack(room.held[1][0]).table
        names = [seat and seat.name for seat in table.seats]
        played_names.append((names, table.host, table.phase))
        assert room.held[1][1] is None, "nothing is private before the match"
    assert played_names == [
        (["Ada", "Bob", None, "easy bot 4"], 0, Phase.WAITING),
        ([None, "Bob", None, "easy bot 4"], 1, Phase.WAITING),
        ([None, None, None, "easy bot 4"], None, Phase.WAITING),
        ([None, None, None, "easy bot 4"], None, Phase.CLOSED),
    ]
    assert table.secret == seed(1)


def test_the_table_costs_a_delta_nothing_while_nobody_comes_or_goes() -> None:
    played = open_table("ra", setups("ra")[0])
    projector = Projector(played.game)
    before = projector.public(played.stream)
    next(played.moves(Chance(seed(1))))
    assert projector.public(played.stream)[0] is before[0]


def test_prompts_of_several_seats_go_by_seat_and_their_own_to_each() -> None:
    played = open_table("miniature", setups("miniature")[-1])
    projector = Projector(played.game)
    public = PUBLIC.unpack(projector.public(played.stream))
    seats = range(len(public.table.places))
    private = [PRIVATE.unpack(projector.private(played.stream, seat)) for seat in seats]
    assert played.stream.match is not None
    asked = sorted(played.stream.match.asked)
    own = [prompt.seat for view in private for prompt in view.prompts]
    assert sorted([prompt.seat for prompt in public.prompts] + own) == asked
    assert all(p.seat == seat for seat in seats for p in private[seat].prompts)
