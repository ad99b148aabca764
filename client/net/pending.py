"""Everything that was asked of the server and has not come yet, over as many connections as it
takes. The one owner of that: displays read it here.

Commands keep their id until they are answered, and are sent again on each new connection: the
server acts once. Questions have no id and are sent once. A table that was asked for is the
`target` until it comes. What an answer means is not known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from client.net.resume_target import ResumeTarget
from client.net.sender import Sender
from client.state.model import Model
from protocol.messages import (
    Act,
    AskHint,
    CloseTable,
    Create,
    FromServer,
    GetMoveCode,
    GetRecord,
    GetTranscript,
    Hint,
    Invitation,
    Invite,
    JoinTable,
    LeaveTable,
    ListTables,
    MoveCode,
    Record,
    Return,
    StartMatch,
    Tables,
    Transcript,
    Vote,
    Watch,
)
from protocol.session import SAID_BY_CLIENT, State

CommandMessage: TypeAlias = (
    Create | JoinTable | LeaveTable | StartMatch | CloseTable | Act | Vote | Return | Invite
)
"""A message that has an id and acts once."""

Question: TypeAlias = ListTables | GetMoveCode | GetRecord | GetTranscript | AskHint
"""A message that changes nothing and is sent once."""

_QUESTION_OF: dict[type[FromServer], type[Question]] = {
    Tables: ListTables,
    MoveCode: GetMoveCode,
    Record: GetRecord,
    Transcript: GetTranscript,
    Hint: AskHint,
}
"""What each answer answers."""


class Pending:
    """Commands and questions without an answer, oldest first, and the table on the way."""

    def __init__(self, sender: Sender, model: Model) -> None:
        self.target = ResumeTarget()
        self._sender = sender
        self._model = model
        self._commands: dict[bytes, CommandMessage] = {}
        """Without an answer so far."""
        self._unsent: list[CommandMessage] = []
        """Those that have not been sent on this connection yet."""
        self._questions: list[Question] = []
        """Not sent at all yet."""
        self._asked: set[type[Question]] = set()
        """Kinds of questions sent on this connection, without an answer so far."""

    # what is under way

    @property
    def commands(self) -> Sequence[bytes]:
        """Ids of the commands sent, or to be sent, without an answer."""
        return tuple(self._commands)

    @property
    def arriving(self) -> bool:
        """Whether a table that we go to, or come back to, has not come yet."""
        return self.target.open

    def asking(self, *kinds: type[Question]) -> bool:
        """Whether a question of one of these kinds (of any, without one) has no answer yet."""
        open = self._asked.union(map(type, self._questions))
        return bool(open.intersection(kinds) if kinds else open)

    # sending

    def send(self, command: CommandMessage) -> bytes:
        """Send a command, now or as soon as possible, until it is answered; its id."""
        self._commands[command.id] = command
        self._unsent.append(command)
        self._send_commands()
        return command.id

    def ask(self, question: Question) -> None:
        """Ask a question, now or as soon as possible."""
        self._questions.append(question)
        self._send_questions()

    def ask_now(self, question: Question) -> bool:
        """Ask a question if that is possible now; whether it was asked."""
        asked = self._sender.send(question)
        if asked:
            self._asked.add(type(question))
        return asked

    def watch(self, code: str) -> None:
        """Attend a table: now, or on the next connection in place of the table left for it."""
        self.target.watching = code
        if not self._sender.send(Watch(code, 0)):
            self.target.again = (code, 0)

    def _send_commands(self) -> None:
        """Send in order, up to the first command that has to wait for the table."""
        while self._unsent and self._sender.send(self._unsent[0]):
            del self._unsent[0]

    def _send_questions(self) -> None:
        """Send what can be asked now. A question about the table is kept for later only where
        a table is attended or on the way."""
        at_table = self.arriving or self._model.scene is not None
        unsent = [question for question in self._questions if not self.ask_now(question)]
        self._questions = [question for question in unsent if at_table or _anywhere(question)]

    # connections

    def disconnected(self) -> None:
        """The connection is gone: come back to the table on the next one."""
        self.target.lost(self._sender.session.code, self._sender.session.number)
        self._asked.clear()

    def reconnected(self) -> None:
        """The server knows us on a new connection: go back to the table, and send again what
        has no answer. A command that was granted, and whose table never came, leads to the
        same table when it is sent again."""
        entering = self.target.entering
        if entering is not None:
            self._commands[entering.id] = entering
        self._unsent = list(self._commands.values())
        back = self.target.resume()
        if back is not None:
            self._sender.send(Watch(*back))
        self._send_commands()
        self._send_questions()

    def arrived(self) -> None:
        """The table has come: send what had to wait for it."""
        self.target.arrived()
        self._send_commands()
        self._send_questions()

    # answers

    def accepted(self, id: bytes) -> bool:
        """A command was accepted; whether that is news. `Create` and `JoinTable` then lead to a
        table that has to come, and are accepted again where it did not."""
        command = self._commands.pop(id, None)
        news = command is not None and command is not self.target.entering
        if isinstance(command, (Create, JoinTable)):
            self.target.entering = command
        return news

    def refused(self, id: bytes | None) -> CommandMessage | None:
        """The command of that id, which is no longer pending. None if there is none: then a
        question was refused, and nobody says which."""
        command = None if id is None else self._commands.pop(id, None)
        if command is None:
            self._asked.clear()
        return command

    def came(self, message: FromServer) -> None:
        """A message came that may be what a question, or an `Invite`, asked for."""
        question = _QUESTION_OF.get(type(message))
        if question is not None:
            self._asked.discard(question)
        elif type(message) is Invitation:
            for id, command in list(self._commands.items()):
                if isinstance(command, Invite) and command.seat == message.seat:
                    del self._commands[id]

    def forget_table(self) -> None:
        """Drop what was meant for the table attended."""
        self.target.forget()
        for id, command in list(self._commands.items()):
            if not isinstance(command, (Create, JoinTable)):
                del self._commands[id]
        self._unsent = [command for command in self._unsent if command.id in self._commands]
        self._questions = [question for question in self._questions if _anywhere(question)]
        self._asked.discard(AskHint)


def _anywhere(question: Question) -> bool:
    """Whether a question may be asked where no table is attended."""
    return (State.LOBBY, type(question)) in SAID_BY_CLIENT
