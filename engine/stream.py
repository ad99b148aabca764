"""A table as the fold of its stream: the seating, then a match, numbered throughout.

Everything a table's entries add up to lives here: decide on a copy (`draft`), adopt
what was stored (`accept`), rebuild (`replay`). Pure: the caller brings time, secrets
and codes, stores the entry, and tells people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Self

from attrs import evolve, frozen

from engine.deal import Chance, derive_seed
from engine.entry import Cause, Command, Entry, Event, Sealed
from engine.errors import BrokenLog, Code, FutureLog, IllegalAction
from engine.game import Game, find_game
from engine.match import Match, Step
from engine.seating import (
    MatchStarted,
    Open,
    Phase,
    Revealed,
    Seating,
    Start,
    TableOpened,
    open_table,
)


@frozen
class Wish:
    """A command on its way into a stream."""

    command: Command
    id: bytes | None = None
    person: bytes | None = None
    """Who sends it; None for bots, timers and the house."""
    seat: int | None = None
    """The match seat that acts; None for a command of the table."""
    token: int = 0
    """The prompt that is answered; not read for a command of the table."""
    cause: Cause = Cause.COMMAND


@frozen
class Draft:
    """What a wish would do: the entry to store, and what to adopt afterwards."""

    entry: Entry
    seating: Seating
    match: Match[Any] | None
    """The match that runs after the entry (a new one if the entry starts it)."""
    step: Step[Any] | None
    """What the match adopts; None if nothing happens in it."""


@frozen
class Repeat:
    """The wish was granted before, by entry `number`: the original answer. (Or what it
    asks for is so already, as of entry `number`: to join where one sits.)"""

    number: int


class Stream:
    """One table's fold. One owner: the only writer of the stream."""

    __slots__ = ("_answers", "clocks", "game", "match", "number", "sealed", "seating")

    def __init__(self, first: Entry, find: Callable[[str], Game[Any]] = find_game) -> None:
        """Fold the entry that opens a table; `find` gives a game by name.

        Raises BrokenLog, FutureLog, and IllegalAction(BAD_OPTIONS) for an unknown game.
        """
        opened = first.events[0] if first.events else None
        if first.number != 1 or not isinstance(opened, TableOpened):
            raise BrokenLog("the first entry does not open a table")
        self.game = find(opened.game)
        if opened.rules > self.game.rules:
            raise FutureLog(opened.game, opened.rules, self.game.rules)
        self.seating = Seating(opened)
        self.match: Match[Any] | None = None
        self.clocks: tuple[int, ...] | None = None
        """Milliseconds left by match seat as of the last entry."""
        self.number = 0
        self.sealed = Sealed(b"")
        self._answers: dict[tuple[int | bytes, bytes], tuple[int, Command]] = {}
        self.fold(evolve(first, events=first.events[1:]))

    @classmethod
    def replay(cls, entries: Iterable[Entry], find: Callable[[str], Game[Any]] = find_game) -> Self:
        """The fold of a whole stream; raises what `Stream` and `fold` raise."""
        rest = iter(entries)
        first = next(rest, None)
        if first is None:
            raise BrokenLog("the stream is empty")
        stream = cls(first, find)
        for entry in rest:
            stream.fold(entry)
        return stream

    # live

    def draft(self, wish: Wish, time: int, deal: Any = None) -> Draft | Repeat:
        """Decide `wish` on copies; raises IllegalAction, and nothing has changed.

        `deal` supplies a deal for a match that starts now, instead of the secret's.
        """
        if wish.id is not None:
            before = self._answers.get((_key(wish.seat, wish.person), wish.id))
            if before is not None:
                number, command = before
                if command != wish.command:
                    raise IllegalAction(Code.ID_REUSED, number=number)
                return Repeat(number)
        if wish.seat is not None:
            return self._draft_action(wish, wish.seat, time)
        return self._draft_at_table(wish, time, deal)

    def _draft_action(self, wish: Wish, seat: int, time: int) -> Draft:
        match = self.match
        if match is None or self.seating.phase is not Phase.PLAYING:
            raise IllegalAction(Code.NOT_RUNNING)
        step = match.draft(seat, wish.token, wish.command)
        events = step.events
        seating = self.seating
        if match.game.result(step.state) is not None:
            seating = seating.copy()
            events = (*events, self._reveal(seating))
        return Draft(self._entry(wish, time, events), seating, match, step)

    def _draft_at_table(self, wish: Wish, time: int, deal: Any) -> Draft | Repeat:
        seating = self.seating.copy()
        events = seating.decide(wish.person, wish.command, self.game)
        match = self.match
        sealed = None
        starts = isinstance(wish.command, Start) or seating.full()
        if starts and seating.phase is Phase.WAITING:
            started, match, sealed = _start(
                self.game, seating, self.sealed.secret, deal, self.number + 1
            )
            events.append(started)
        elif seating.phase is Phase.CLOSED:
            events.append(self._reveal(seating))
        if not events:
            return Repeat(self.number)
        return Draft(self._entry(wish, time, tuple(events), sealed), seating, match, None)

    def _reveal(self, seating: Seating) -> Event:
        revealed = Revealed(self.sealed.secret, seating.nonces() if seating.places else ())
        seating.evolve(revealed)
        return revealed

    def _entry(
        self, wish: Wish, time: int, events: tuple[Event, ...], sealed: Sealed | None = None
    ) -> Entry:
        return Entry(
            number=self.number + 1,
            time=time,
            cause=wish.cause,
            seat=wish.seat,
            person=wish.person,
            id=wish.id,
            command=wish.command,
            events=events,
            sealed=sealed,
        )

    def accept(self, draft: Draft) -> None:
        """Adopt a draft of this stream once its entry is stored; raises ValueError if
        another was adopted since it was made."""
        entry = draft.entry
        if entry.number != self.number + 1:
            raise ValueError(f"entry {entry.number} was drafted before entry {self.number}")
        self.seating = draft.seating
        self.match = draft.match
        if draft.step is not None:
            assert draft.match is not None and entry.seat is not None
            draft.match.accept(entry.number, entry.seat, draft.step)
        self._note(entry)

    # replay

    def fold(self, entry: Entry) -> None:
        """Advance by one stored entry; raises BrokenLog, and is then not to be used any
        more."""
        if entry.number != self.number + 1:
            raise BrokenLog(f"entry {self.number + 1} is missing: {entry.number} follows")
        seating = self.seating.copy()
        in_match: list[Event] = []
        for event in entry.events:
            if entry.seat is not None and not isinstance(event, Revealed):
                in_match.append(event)
                continue
            seating.evolve(event)
            if isinstance(event, MatchStarted):
                self.match = _refold_start(self.game, seating, entry)
        if entry.seat is not None:
            if self.match is None or self.seating.phase is not Phase.PLAYING:
                raise BrokenLog(f"entry {entry.number} acts in a match that is not played")
            self.match.fold(entry.number, entry.seat, in_match)
        self.seating = seating
        over = self.match is not None and self.match.result is not None
        if over != (seating.phase is Phase.OVER) or seating.ended != (seating.revealed is not None):
            raise BrokenLog(f"entry {entry.number} does not end the table as it must")
        self._note(entry)

    def _note(self, entry: Entry) -> None:
        self.number = entry.number
        self.clocks = entry.clocks
        if self.match is not None and self.seating.phase is Phase.CLOSED:
            self.match.stop()
        if entry.sealed is not None:
            self.sealed = entry.sealed
        if entry.id is not None and entry.command is not None:
            key = (_key(entry.seat, entry.person), entry.id)
            self._answers[key] = (entry.number, entry.command)


def _start(
    game: Game[Any], seating: Seating, secret: bytes, deal: Any, number: int
) -> tuple[MatchStarted, Match[Any], Sealed]:
    """Start a match with the seats taken, as part of entry `number`."""
    setup = seating.setup()
    started = seating.started(supplied=deal is not None)
    seating.evolve(started)
    if deal is None:
        deal = game.deal(setup, Chance(derive_seed(secret, seating.nonces())))
    return started, Match(game, setup, deal, number), Sealed(secret, deal)


def _refold_start(game: Game[Any], seating: Seating, entry: Entry) -> Match[Any]:
    if entry.sealed is None or entry.sealed.deal is None:
        raise BrokenLog(f"entry {entry.number} starts a match without a deal")
    try:
        return Match(game, seating.setup(), entry.sealed.deal, entry.number)
    except Exception as error:
        # A game's setup trusts the ruleset and the seats that its `check` let through.
        raise BrokenLog(
            f"entry {entry.number} cannot start a match: {type(error).__name__}: {error}"
        ) from error


def open_stream(
    command: Open,
    *,
    id: bytes | None,
    person: bytes,
    code: str,
    secret: bytes,
    bot_nonces: tuple[bytes, ...],
    time: int,
    game: Game[Any] | None = None,
    deal: Any = None,
) -> Entry:
    """The entry that opens a table (fold it with `Stream(entry)`); raises IllegalAction.

    A table that is full at once (bots on all seats) starts at once; `deal` supplies
    that match's deal, and an empty `secret` says that this table's deals are supplied.
    """
    game = game or find_game(command.game)
    events = open_table(command, person, game, code=code, secret=secret, nonces=bot_nonces)
    opened, *taken = events
    assert isinstance(opened, TableOpened)
    seating = Seating(opened)
    for event in taken:
        seating.evolve(event)
    sealed = Sealed(secret)
    if seating.full():
        started, _, sealed = _start(game, seating, secret, deal, 1)
        events.append(started)
    return Entry(
        number=1,
        time=time,
        cause=Cause.COMMAND,
        seat=None,
        person=person,
        id=id,
        command=command,
        events=tuple(events),
        sealed=sealed,
    )


def _key(seat: int | None, person: bytes | None) -> int | bytes:
    if seat is not None:
        return seat
    return person or b""


__all__ = ["Draft", "Repeat", "Stream", "Wish", "open_stream"]
