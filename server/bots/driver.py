"""The bots of one table, those that sit in for the absent too: who has to choose, what
was chosen, and what is played for a bot that does not choose well.

What a bot is asked is a task that ends with its prompt: nothing thinks about what is not
asked any more. Knows no game; a bot that fails is answered for with the game's default,
logged once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from attrs import frozen

from engine.entry import Command
from engine.match import Asked, Match
from engine.stream import Stream
from server.bots.client import BotClient
from server.bots.executor import Astray
from server.bots.queue import Unserved

_RETRY_SECONDS = 1.0
_PATIENCE = 3
"""So many times a bot may fail before it is not asked any more."""


@frozen(eq=False)
class _Turn:
    """A prompt that a bot chooses for, or whose choice is under way."""

    token: int
    task: asyncio.Task[None] | None
    """None: it is over."""


class BotDriver:
    """The bots of one table."""

    __slots__ = (
        "_bots",
        "_broken",
        "_client",
        "_defaults",
        "_log",
        "_logged",
        "_match",
        "_retry",
        "_sitting_in",
        "_stopped",
        "_submit",
        "_trouble",
        "_turns",
    )

    def __init__(
        self,
        client: BotClient,
        submit: Callable[[int, int, Any], None],
        log: Callable[[int, str], None],
        broken: Callable[[Exception], None],
    ) -> None:
        """`submit` gets (match seat, token, command), `log` (match seat, trouble); `broken`
        is told of a fault that nothing can be played after."""
        self._client = client
        self._submit = submit
        self._log = log
        self._broken = broken
        self._match: Match[Any] | None = None
        self._sitting_in: tuple[str | None, ...] = ()
        self._bots: dict[int, str] = {}
        """Their levels, by match seat."""
        self._trouble: dict[int, int] = {}
        """By match seat: how often its bot failed."""
        self._defaults: dict[int, int] = {}
        """By match seat: the token that a default was last played for."""
        self._logged: set[int] = set()
        self._retry: asyncio.TimerHandle | None = None
        self._stopped = False
        self._turns: dict[int, _Turn] = {}
        """By match seat."""

    @property
    def pending(self) -> bool:
        """Whether one is choosing, or tries again after a while."""
        return bool(self._turns) or self._retry is not None

    def wake(self, stream: Stream) -> None:
        """Let every bot that is asked something choose, and all others stop it."""
        match = stream.match
        if match is None or self._stopped:
            return
        if match is not self._match or stream.seating.sitting_in is not self._sitting_in:
            self._sit(stream, match)
        if not self._bots and not self._turns:
            return
        for seat, turn in tuple(self._turns.items()):
            asked = match.asked.get(seat)
            if asked is None or asked.token != turn.token or seat not in self._bots:
                self._end(seat)
        for seat in sorted(self._bots.keys() & match.asked.keys() - self._turns.keys()):
            asked = match.asked[seat]
            choosing = self._choose(stream, seat, self._bots[seat], asked)
            task = asyncio.get_running_loop().create_task(choosing)
            self._turns[seat] = _Turn(asked.token, task)

    def _end(self, seat: int) -> None:
        turn = self._turns.pop(seat)
        if turn.task is not None:
            turn.task.cancel()

    def _sit(self, stream: Stream, match: Match[Any]) -> None:
        """Learn who plays which seat from now on."""
        self._bots = {}
        seating = stream.seating
        for seat in range(len(seating.places)):
            level = seating.stand_in(seat)
            if level:
                self._bots[seat] = level
            else:
                self._trouble.pop(seat, None)
        self._match, self._sitting_in = match, seating.sitting_in

    async def _choose(self, stream: Stream, seat: int, level: str, asked: Asked) -> None:
        """Have one prompt answered, whatever its bot does."""
        try:
            if self._trouble.get(seat, 0) < _PATIENCE:
                command = await self._client.choose(seat, level, asked)
                if isinstance(command, Command):
                    self._submit(seat, asked.token, command)
                    return
                self._note(seat, f"chose a {type(command).__name__}")
        except Unserved:
            pass  # no fault of the bot's
        except Astray as trouble:
            self._note(seat, str(trouble))
        except Exception as error:  # code of others, a log that cannot be read
            self._note(seat, f"could not be asked: {type(error).__name__}")
        self._play_default(stream, seat, asked.token)

    def _play_default(self, stream: Stream, seat: int, token: int) -> None:
        match = stream.match
        asked = match.asked.get(seat) if match is not None else None
        if match is None or asked is None or asked.token != token:
            return
        self._defaults[seat] = token
        try:
            self._submit(seat, token, match.game.default(match.state, seat))
        except Exception as error:
            self._broken(error)

    def refused(self, stream: Stream, seat: int, code: str, moved_on: bool, unstored: bool) -> None:
        """What `seat` chose was not carried out: play the default, unless the prompt is
        another one by now (`moved_on`) or the store could not take it (`unstored`)."""
        turn = self._turns.pop(seat, None)
        if self._stopped or turn is None:
            return
        if moved_on:
            self.wake(stream)
        elif unstored or self._defaults.get(seat) == turn.token:
            # nothing better can be played: wait, so that nothing spins
            if self._retry is None:
                loop = asyncio.get_running_loop()
                self._retry = loop.call_later(_RETRY_SECONDS, self._try_again, stream)
        else:
            self._note(seat, f"was refused: {code}")
            self._turns[seat] = _Turn(turn.token, None)
            self._play_default(stream, seat, turn.token)

    def _try_again(self, stream: Stream) -> None:
        self._retry = None
        self.wake(stream)

    def _note(self, seat: int, trouble: str) -> None:
        self._trouble[seat] = self._trouble.get(seat, 0) + 1
        if seat not in self._logged:
            self._logged.add(seat)
            self._log(seat, trouble)

    def stop(self) -> None:
        """Choose no more."""
        self._stopped = True
        for seat in tuple(self._turns):
            self._end(seat)
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
