"""What a client may wish: each a method that makes one message. Knows no connection, and
of a game only what its client side packs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeAlias

from client.net.resume_target import ResumeTarget
from client.state.fairness import Fairness
from client.state.model import Model
from protocol.messages import (
    Act,
    AskHint,
    CloseTable,
    Create,
    FromClient,
    GetMoveCode,
    GetRecord,
    GetTranscript,
    Invite,
    JoinTable,
    LeaveTable,
    ListTables,
    Return,
    Say,
    StartMatch,
    Vote,
    Watch,
)
from protocol.table import Absence, Clock

Command: TypeAlias = (
    Create | JoinTable | LeaveTable | StartMatch | CloseTable | Act | Vote | Return | Invite
)
"""What has an id and acts once."""

MOST_SAID = 2_000
"""Characters of a line of chat; the server shows far fewer."""
_NO_CLOCK = Clock()
_TAKE_BACK = 6
"""Tag of the kernel's command to take back, in every game."""


class Requests(ABC):
    """The wishes; who sends them, and again, is the deriving class's affair."""

    model: Model
    _random: Callable[[int], bytes]
    _target: ResumeTarget
    _fairness: Fairness

    @abstractmethod
    def _request(self, make: Callable[[bytes], Command]) -> bytes:
        """Say a command until it is answered; its id."""

    @abstractmethod
    def _ask(self, message: FromClient) -> None:
        """Say what has no id, as soon as there is a connection."""

    @abstractmethod
    def _say(self, message: FromClient) -> bool:
        """Say now, if there is a connection; whether it was said."""

    def create(
        self,
        game: str,
        ruleset: str,
        seats: int,
        *,
        options: tuple[str, ...] = (),
        bots: tuple[str, ...] = (),
        listed: bool = True,
        sit: bool = True,
        clock: Clock = _NO_CLOCK,
        absence: Absence = Absence.DEFAULT,
    ) -> bytes:
        """Open a table and attend it; the id of the command. Who sits down with it gives
        a nonce before the server has committed to anything (`client.state.fairness`)."""
        return self._request(
            lambda id: Create(
                id,
                game,
                ruleset,
                tuple(sorted(set(options))),
                seats,
                bots,
                listed,
                sit,
                self._random(16),
                clock,
                absence,
            )
        )

    def join(self, code: str) -> bytes:
        """Take a seat at a table and attend it; or that which an invitation is for."""
        nonce = self._fairness.share(code, self.model.scene)
        return self._request(lambda id: JoinTable(id, code, nonce))

    def watch(self, code: str) -> None:
        """Attend a table: as our seat if we have one, else as a spectator."""
        self._target.watching = code
        if not self._say(Watch(code, 0)):
            # Told on the next connection, instead of the table left for it.
            self._target.again = (code, 0)

    def leave(self) -> bytes:
        """Leave the table attended; a seat is freed only while the table waits."""
        return self._request(LeaveTable)

    def start(self) -> bytes:
        """Start the match with the seats taken so far (the host)."""
        return self._request(StartMatch)

    def close(self) -> bytes:
        """Close the waiting table (the host)."""
        return self._request(CloseTable)

    def act(self, command: Any) -> bytes | None:
        """Answer the open prompt with a command of the game; None if none is open."""
        scene, game = self.model.scene, self.model.game
        if scene is None or game is None or scene.mine is None:
            return None
        token, tree = scene.mine.token, game.wire.command.pack(command)
        return self._request(lambda id: Act(id, token, tree))

    def take_back(self) -> bytes | None:
        """Take back our own last action; None if that cannot be."""
        to = self.model.scene.may_undo if self.model.scene else None
        if to is None:
            return None
        return self._request(lambda id: Act(id, 0, (_TAKE_BACK, to)))

    def vote(self, seat: int) -> bytes:
        """Say that a match seat is absent."""
        return self._request(lambda id: Vote(id, seat))

    def come_back(self) -> bytes:
        """Play our own seat again, that was played for."""
        return self._request(Return)

    def invite(self, seat: int) -> bytes:
        """Ask for a code by which somebody may take the match seat of one absent."""
        return self._request(lambda id: Invite(id, seat))

    def get_move_code(self) -> None:
        """Ask for the code that carries this session to another device."""
        self._ask(GetMoveCode())

    def ask_hint(self) -> bool:
        """Ask what the best bot would do in our place; whether that was said."""
        return self._say(AskHint(self._random(16)))

    def say(self, text: str) -> bool:
        """Chat at the table attended; whether that was said: it is not kept for later."""
        return self._say(Say(text[:MOST_SAID]))

    def list_tables(self) -> None:
        """Ask for the listed tables."""
        self._ask(ListTables())

    def get_record(self, code: str) -> None:
        """Ask for the record of an ended table."""
        self._ask(GetRecord(code))

    def get_transcript(self) -> None:
        """Ask for the transcript of the table attended."""
        self._ask(GetTranscript())
