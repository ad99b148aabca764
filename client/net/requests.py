"""What a client can ask of a server: each method builds one message and hands it on.

Commands and questions go to `client.net.pending`, which keeps them until they are answered; chat
goes to `client.net.sender`, now or never. Does not know about connections, and of a game only
what its client side packs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from client.net.pending import Pending
from client.net.sender import Sender
from client.state.fairness import Fairness
from client.state.model import Model
from protocol.messages import (
    Act,
    AskHint,
    CloseTable,
    Create,
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
)
from protocol.table import Absence, Clock

MOST_SAID = 2_000
"""Characters of a line of chat; the server shows far fewer."""
_ID_BYTES = 16
_NO_CLOCK = Clock()
_TAKE_BACK = 6
"""Tag of the kernel's command to take back, in every game."""


class Requests:
    """The requests of one conversation."""

    def __init__(
        self,
        model: Model,
        sender: Sender,
        pending: Pending,
        fairness: Fairness,
        random: Callable[[int], bytes],
    ) -> None:
        self._model = model
        self._sender = sender
        self._pending = pending
        self._fairness = fairness
        self._random = random

    def _id(self) -> bytes:
        return self._random(_ID_BYTES)

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
        """Open a table and attend it; the id of the command. With `sit` our nonce is given
        before the server has committed to anything (`client.state.fairness`)."""
        return self._pending.send(
            Create(
                self._id(),
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
        """Take a seat at a table, or the seat that an invitation is for, and attend the
        table; the id of the command."""
        nonce = self._fairness.share(code, self._model.scene)
        return self._pending.send(JoinTable(self._id(), code, nonce))

    def watch(self, code: str) -> None:
        """Attend a table: at our seat if we have one, otherwise as a spectator."""
        self._pending.watch(code)

    def leave(self) -> bytes:
        """Leave the table attended; the id of the command. A seat is freed only while the
        table waits."""
        return self._pending.send(LeaveTable(self._id()))

    def start(self) -> bytes:
        """Start the match with the seats taken so far (as the host); the id of the command."""
        return self._pending.send(StartMatch(self._id()))

    def close(self) -> bytes:
        """Close the waiting table (as the host); the id of the command."""
        return self._pending.send(CloseTable(self._id()))

    def act(self, command: Any) -> bytes | None:
        """Answer the open prompt with a command of the game; the id, or None if no prompt is
        open."""
        scene, game = self._model.scene, self._model.game
        if scene is None or game is None or scene.mine is None:
            return None
        tree = game.wire.command.pack(command)
        return self._pending.send(Act(self._id(), scene.mine.token, tree))

    def take_back(self) -> bytes | None:
        """Take back our own last action; the id, or None if it cannot be taken back."""
        to = self._model.scene.may_undo if self._model.scene else None
        if to is None:
            return None
        return self._pending.send(Act(self._id(), 0, (_TAKE_BACK, to)))

    def vote(self, seat: int) -> bytes:
        """Call a match seat absent; the id of the command."""
        return self._pending.send(Vote(self._id(), seat))

    def come_back(self) -> bytes:
        """Play our own seat again after it was played for; the id of the command."""
        return self._pending.send(Return(self._id()))

    def invite(self, seat: int) -> bytes:
        """Ask for a code by which somebody else may take the match seat of an absent player;
        the id of the command."""
        return self._pending.send(Invite(self._id(), seat))

    def get_move_code(self) -> None:
        """Ask for the code that carries this session to another device."""
        self._pending.ask(GetMoveCode())

    def ask_hint(self) -> bool:
        """Ask what the best bot would do in our place, if that is possible now; whether it
        was asked."""
        return self._pending.ask_now(AskHint(self._id()))

    def say(self, text: str) -> bool:
        """Chat at the table attended, if that is possible now; whether it was sent."""
        return self._sender.send(Say(text[:MOST_SAID]))

    def list_tables(self) -> None:
        """Ask for the listed tables."""
        self._pending.ask(ListTables())

    def get_record(self, code: str) -> None:
        """Ask for the record of an ended table."""
        self._pending.ask(GetRecord(code))

    def get_transcript(self) -> None:
        """Ask for the transcript of the table attended."""
        self._pending.ask(GetTranscript())
