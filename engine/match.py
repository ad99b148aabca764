"""A match in progress: the state, who is asked what, and what may be taken back.

Knows no game by name and no encoding; entries are numbered from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from attrs import frozen

from engine.entry import Command, Event, Prompt
from engine.errors import BrokenLog, Code, IllegalAction
from engine.game import Game, Result, Setup, State
from engine.seating import TakeBack, TakenBack

S = TypeVar("S", bound=State)


@frozen
class Asked:
    """An open prompt and the token that an answer to it must name."""

    token: int
    """Number of the last entry in which the seat acted or its prompt changed."""
    prompt: Prompt


@frozen
class Step(Generic[S]):
    """What one action would do: a new state and the events that lead to it."""

    state: S
    events: tuple[Event, ...]


class Match(Generic[S]):
    """One game being played. One owner.

    `draft` decides on a copy and changes nothing; `accept` adopts the draft once its
    entry is stored.
    """

    __slots__ = ("_past", "asked", "game", "number", "result", "setup", "state")

    def __init__(self, game: Game[S], setup: Setup, deal: Any, number: int = 0) -> None:
        self.game = game
        self.setup = setup
        self.state = game.setup(setup, deal)
        self.number = number
        """Number of the last entry accepted."""
        self.asked: dict[int, Asked] = {
            seat: Asked(number, prompt) for seat, prompt in game.prompts(self.state).items()
        }
        self.result: Result | None = None
        self._past: list[tuple[int, int, S]] = []
        """(number before, seat, state before) of the entries that may be taken back."""

    def draft(self, seat: int, token: int, command: Command) -> Step[S]:
        """Decide `command` of `seat` on a copy; raises IllegalAction."""
        if isinstance(command, TakeBack):
            return self._draft_take_back(seat, command)
        asked = self.asked.get(seat)
        if asked is None:
            raise IllegalAction(Code.NO_PROMPT, seat=seat)
        if asked.token != token:
            raise IllegalAction(Code.STALE_PROMPT, token=token, open=asked.token)
        state = self.state.copy()
        return Step(state, self.game.decide(state, seat, command))

    def stop(self) -> None:
        """End it before its rules do: nobody is asked anything any more."""
        self.asked = {}
        self._past.clear()

    def _draft_take_back(self, seat: int, command: TakeBack) -> Step[S]:
        for number, actor, state in self._past:
            if number == command.to and actor == seat:
                return Step(state.copy(), (TakenBack(seat, number),))
        raise IllegalAction(Code.CANNOT_TAKE_BACK, to=command.to)

    def may_take_back(self, seat: int) -> int | None:
        """The entry that `seat` may go back to by one step, if any."""
        if self._past and self._past[-1][1] == seat:
            return self._past[-1][0]
        return None

    def actions_since(self, to: int) -> int:
        """How many of the actions that may be taken back came after entry `to`."""
        return sum(past[0] >= to for past in self._past)

    def asked_after(self, number: int, seat: int, state: S) -> dict[int, Asked]:
        """What is asked once `state` is what entry `number`, an action of `seat`, led to."""
        before = self.asked
        after: dict[int, Asked] = {}
        for other, prompt in self.game.prompts(state).items():
            asked = before.get(other)
            if asked is None or other == seat or asked.prompt != prompt:
                asked = Asked(number, prompt)
            after[other] = asked
        return after

    def accept(
        self, number: int, seat: int, step: Step[S], asked: dict[int, Asked] | None = None
    ) -> None:
        """Adopt `step`, stored as entry `number`, an action of `seat`; `asked` is what
        `asked_after` said, if it was called before."""
        if step.events and isinstance(step.events[0], TakenBack):
            to = step.events[0].to
            self._past = [past for past in self._past if past[0] < to]
        elif any(event.reveals for event in step.events):
            self._past.clear()
        else:
            if self._past and self._past[-1][1] != seat:
                self._past.clear()
            self._past.append((self.number, seat, self.state))
        self.state = step.state
        self.number = number
        self.asked = self.asked_after(number, seat, self.state) if asked is None else asked
        if not self.asked:
            self.result = self.game.result(self.state)

    def fold(self, number: int, seat: int, events: Sequence[Event]) -> None:
        """Advance by the stored events of one entry; raises BrokenLog."""
        if not 0 <= seat < self.setup.seats:
            raise BrokenLog(f"entry {number} is of seat {seat}, which does not play")
        try:
            self.accept(number, seat, self._refold(number, seat, tuple(events)))
        except BrokenLog:
            raise
        except Exception as error:
            # A game's evolve trusts its events; what it trips over cannot follow.
            raise BrokenLog(
                f"entry {number} cannot follow: {type(error).__name__}: {error}"
            ) from error

    def _refold(self, number: int, seat: int, events: tuple[Event, ...]) -> Step[S]:
        if events and isinstance(events[0], TakenBack):
            try:
                return Step(self._draft_take_back(seat, TakeBack(events[0].to)).state, events)
            except IllegalAction:
                raise BrokenLog(
                    f"entry {number} takes back to {events[0].to}, which cannot be"
                ) from None
        # What reveals cannot be taken back: the state before need not be kept.
        state = self.state if any(event.reveals for event in events) else self.state.copy()
        for event in events:
            self.game.evolve(state, event)
        return Step(state, events)
