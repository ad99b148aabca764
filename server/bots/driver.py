"""The bots of one table, including those that sit in for absent players: which of them has to
choose, what they chose, and what is played for a bot that does not choose well.

Each prompt that a bot is asked is one task, which ends with its prompt: no bot thinks about a
prompt that is no longer open. The game's default is played for a bot that fails, and its first
failure is logged. Does not know the table, its connections or the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from attrs import frozen

from engine.entry import Cause, Command
from engine.match import Match, OpenPrompt
from engine.stream import Request, Stream
from server.bots.client import BotClient
from server.bots.questions import BotFailed, Unserved
from server.log import Log
from server.metrics import Counters
from server.refusals import Denied, RefusalCode

_RETRY_SECONDS = 1.0
_MAX_FAILURES = 3
"""A bot that has failed this often is not asked again."""


@frozen(eq=False)
class _Turn:
    """A prompt that a bot has to answer."""

    token: int
    task: asyncio.Task[None] | None
    """The task that answers it; None once the default was submitted because the bot's own
    choice was refused."""


class BotDriver:
    """The bots of one table."""

    __slots__ = (
        "_broken",
        "_counters",
        "_defaults",
        "_failures",
        "_levels",
        "_log",
        "_logged",
        "_match",
        "_retry",
        "_sitting_in",
        "_stopped",
        "_stream",
        "_submit",
        "_turns",
        "client",
    )

    def __init__(
        self,
        client: BotClient,
        stream: Stream,
        submit: Callable[[Request], None],
        broken: Callable[[Exception], None],
        counters: Counters,
        log: Log,
    ) -> None:
        """`submit` takes a request to the table (it may raise Denied); `broken` is called with
        the fault when not even a default can be played."""
        self.client = client
        self._stream = stream
        self._submit = submit
        self._broken = broken
        self._counters = counters
        self._log = log
        self._match: Match[Any] | None = None
        self._sitting_in: tuple[str | None, ...] = ()
        self._levels: dict[int, str] = {}
        """By match seat: the level of the bot that plays it."""
        self._failures: dict[int, int] = {}
        """By match seat: how often its bot failed."""
        self._defaults: dict[int, int] = {}
        """By match seat: the token of the last prompt that was answered with the default."""
        self._logged: set[int] = set()
        """The match seats whose bot's failure was logged."""
        self._retry: asyncio.TimerHandle | None = None
        self._stopped = False
        self._turns: dict[int, _Turn] = {}
        """By match seat."""

    @property
    def pending(self) -> bool:
        """Whether a bot is choosing, or will try again after a while."""
        return bool(self._turns) or self._retry is not None

    def wake(self) -> None:
        """The table moved: ask every bot that has a new prompt, and cancel the turns whose
        prompt is gone."""
        stream = self._stream
        match = stream.match
        if match is None or self._stopped:
            return
        if match is not self._match or stream.seating.sitting_in is not self._sitting_in:
            self._find_bots(match)
        if not self._levels and not self._turns:
            return
        for seat, turn in tuple(self._turns.items()):
            asked = match.asked.get(seat)
            if asked is None or asked.token != turn.token or seat not in self._levels:
                self._end(seat)
        for seat in sorted(self._levels.keys() & match.asked.keys() - self._turns.keys()):
            asked = match.asked[seat]
            choosing = self._choose(seat, self._levels[seat], asked)
            task = asyncio.get_running_loop().create_task(choosing)
            self._turns[seat] = _Turn(asked.token, task)

    def _end(self, seat: int) -> None:
        turn = self._turns.pop(seat)
        if turn.task is not None:
            turn.task.cancel()

    def _find_bots(self, match: Match[Any]) -> None:
        """Find out which seats bots play from now on."""
        self._levels = {}
        seating = self._stream.seating
        for seat in range(len(seating.places)):
            level = seating.stand_in(seat)
            if level:
                self._levels[seat] = level
            else:
                self._failures.pop(seat, None)
        self._match, self._sitting_in = match, seating.sitting_in

    async def _choose(self, seat: int, level: str, asked: OpenPrompt) -> None:
        """Answer one prompt, whatever its bot does."""
        try:
            if self._failures.get(seat, 0) < _MAX_FAILURES:
                command = await self.client.choose(seat, level, asked)
                if isinstance(command, Command):
                    self._play(seat, asked.token, command)
                    return
                self._note_failure(seat, f"chose a {type(command).__name__}")
        except Unserved:
            pass  # not the bot's fault
        except BotFailed as error:
            self._note_failure(seat, str(error))
        except Exception as error:  # a game's code, or a log that cannot be read
            self._note_failure(seat, f"could not be asked: {type(error).__name__}")
        self._play_default(seat, asked.token)

    def _play(self, seat: int, token: int, command: Command) -> None:
        try:
            self._submit(Request(command, None, None, seat, token, Cause.BOT))
        except Denied as why:
            self._counters.refusals += 1
            self.refused(seat, why.code, moved_on=False)

    def _play_default(self, seat: int, token: int) -> None:
        match = self._stream.match
        asked = match.asked.get(seat) if match is not None else None
        if match is None or asked is None or asked.token != token:
            return
        self._defaults[seat] = token
        try:
            self._play(seat, token, match.game.default(match.state, seat))
        except Exception as error:
            self._broken(error)

    def refused(self, seat: int, code: str, *, moved_on: bool) -> None:
        """The table did not carry out what was submitted for match seat `seat`: play the
        default, unless the seat has another prompt by now (`moved_on`) or the table or its
        store could not take any request."""
        turn = self._turns.pop(seat, None)
        if self._stopped or turn is None:
            return
        if moved_on:
            self.wake()
        elif (
            code in (RefusalCode.STORE_UNAVAILABLE, RefusalCode.BUSY)
            or self._defaults.get(seat) == turn.token
        ):
            # no other command would fare better: wait, so that this does not spin
            if self._retry is None:
                loop = asyncio.get_running_loop()
                self._retry = loop.call_later(_RETRY_SECONDS, self._try_again)
        else:
            self._note_failure(seat, f"was refused: {code}")
            self._turns[seat] = _Turn(turn.token, None)
            self._play_default(seat, turn.token)

    def _try_again(self) -> None:
        self._retry = None
        self.wake()

    def _note_failure(self, seat: int, failure: str) -> None:
        self._failures[seat] = self._failures.get(seat, 0) + 1
        if seat not in self._logged:
            self._logged.add(seat)
            code = self._stream.seating.code
            self._log.warning("bot_trouble", table=code, seat=seat, trouble=failure)

    def stop(self) -> None:
        """Cancel all turns and start no others."""
        self._stopped = True
        for seat in tuple(self._turns):
            self._end(seat)
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
