"""The bots of one table, those that sit in for the absent too: who has to choose, what
was chosen, and what is played for a bot that does not choose well.

Knows no game; a bot that fails is answered for with the game's default, logged once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

from engine.entry import Command
from engine.match import Match
from engine.stream import Stream
from server.minds import Minds

_RETRY_SECONDS = 1.0
_PATIENCE = 3
"""So many times a bot may fail before it is not asked any more."""


class Players:
    """The bots of one table."""

    __slots__ = (
        "_bots",
        "_defaults",
        "_log",
        "_logged",
        "_match",
        "_minds",
        "_retry",
        "_sitting_in",
        "_stopped",
        "_submit",
        "_trouble",
        "thinking",
    )

    def __init__(
        self,
        minds: Minds,
        submit: Callable[[int, int, Any], None],
        log: Callable[[int, str], None],
    ) -> None:
        """`submit` gets (match seat, token, command), `log` (match seat, trouble)."""
        self._minds = minds
        self._submit = submit
        self._log = log
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
        self.thinking: dict[int, int] = {}
        """Match seats that are choosing or whose choice is under way: their tokens."""

    @property
    def pending(self) -> bool:
        """Whether one is choosing, or tries again after a while."""
        return bool(self.thinking) or self._retry is not None

    def wake(self, stream: Stream) -> None:
        """Let every bot that is asked something choose."""
        match = stream.match
        if match is None or self._stopped:
            return
        if match is not self._match or stream.seating.sitting_in is not self._sitting_in:
            self._sit(stream, match)
        if not self._bots:
            return
        for seat, asked in match.asked.items():
            level = self._bots.get(seat)
            if level is None or self.thinking.get(seat) == asked.token:
                continue
            self.thinking[seat] = asked.token
            if self._trouble.get(seat, 0) >= _PATIENCE:
                self._play_default(stream, seat, asked.token)
                continue
            self._minds.choose(seat, level, asked, partial(self._chosen, stream, seat, asked.token))
        for seat in tuple(self.thinking):
            if seat not in match.asked:
                del self.thinking[seat]

    def _sit(self, stream: Stream, match: Match[Any]) -> None:
        """Learn who plays which seat from now on."""
        self._bots = {}
        seating = stream.seating
        for seat in range(len(seating.places)):
            level = seating.stand_in(seat)
            if level:
                self._bots[seat] = level
            else:
                self.thinking.pop(seat, None)
                self._trouble.pop(seat, None)
        self._match, self._sitting_in = match, seating.sitting_in

    def _chosen(
        self, stream: Stream, seat: int, token: int, command: Any, trouble: str | None
    ) -> None:
        if self._stopped or self.thinking.get(seat) != token:
            return
        if trouble is None and not isinstance(command, Command):
            trouble = f"chose a {type(command).__name__}"
        if trouble is None:
            self._submit(seat, token, command)
            return
        self._note(seat, trouble)
        self._play_default(stream, seat, token)

    def _play_default(self, stream: Stream, seat: int, token: int) -> None:
        match = stream.match
        asked = match.asked.get(seat) if match is not None else None
        if match is not None and asked is not None and asked.token == token:
            self._defaults[seat] = token
            self._submit(seat, token, match.game.default(match.state, seat))

    def refused(self, stream: Stream, seat: int, code: str, moved_on: bool, unstored: bool) -> None:
        """What `seat` chose was not carried out: play the default, unless the prompt is
        another one by now (`moved_on`) or the store could not take it (`unstored`)."""
        token = self.thinking.pop(seat, None)
        if self._stopped or token is None:
            return
        if moved_on:
            self.wake(stream)
        elif unstored or self._defaults.get(seat) == token:
            # nothing better can be played: wait, so that nothing spins
            if self._retry is None:
                loop = asyncio.get_running_loop()
                self._retry = loop.call_later(_RETRY_SECONDS, self._try_again, stream)
        else:
            self._note(seat, f"was refused: {code}")
            self.thinking[seat] = token
            self._play_default(stream, seat, token)

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
        self._minds.stop()
        self.thinking.clear()
        if self._retry is not None:
            self._retry.cancel()
