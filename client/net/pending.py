"""Requests without an answer, and the table on the way, over as many connections as it takes.
Nothing else keeps them: displays read them here.

A command is sent again on each new connection until it is answered; its id makes the server act
once. A question changes nothing and is sent once: if the connection breaks, its answer never
comes. A table that was asked for is on the way until it comes, and is asked for again on each new
connection. Does not know what an answer means.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

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
"""A message that acts once, however often it is sent with the same id."""

Question: TypeAlias = ListTables | GetMoveCode | GetRecord | GetTranscript | AskHint
"""A message that changes nothing and is sent once, with or without an id."""

_QUESTION_OF: dict[type[FromServer], type[Question]] = {
    Tables: ListTables,
    MoveCode: GetMoveCode,
    Record: GetRecord,
    Transcript: GetTranscript,
    Hint: AskHint,
}
"""Answer -> the question it answers."""


class Pending:
    """Commands and questions without an answer, oldest first, and the table on the way."""

    def __init__(self, sender: Sender, model: Model) -> None:
        self._sender = sender
        self._model = model
        self._commands: dict[bytes, CommandMessage] = {}
        """Commands without an answer, by id."""
        self._unsent: list[CommandMessage] = []
        """Commands that have not been sent on this connection yet."""
        self._questions: list[Question] = []
        """Questions that have not been sent yet."""
        self._asked: set[type[Question]] = set()
        """Kinds of questions sent on this connection, without an answer so far."""
        self._watching: str | None = None
        """The code of the table in the last `Watch`, while that has no answer."""
        self._back: tuple[str, int] | None = None
        """(code, last number) of the table to attend on the next connection."""
        self._entering: Create | JoinTable | None = None
        """The command that was accepted and leads to a table that has not come yet."""

    # what is under way

    @property
    def commands(self) -> Sequence[bytes]:
        """Ids of the commands sent, or to be sent, without an answer."""
        return tuple(self._commands)

    @property
    def arriving(self) -> bool:
        """Whether a table that we go to, or come back to, has not come yet."""
        on_the_way = (self._watching, self._back, self._entering)
        return any(table is not None for table in on_the_way)

    @property
    def returning(self) -> str | None:
        """The code of the table that we come back to after a broken connection."""
        return None if self._back is None else self._back[0]

    def asking(self, *kinds: type[Question]) -> bool:
        """Whether a question of one of these kinds (of any, without one) has no answer yet."""
        open = self._asked.union(map(type, self._questions))
        return bool(open.intersection(kinds) if kinds else open)

    # sending

    def send(self, command: CommandMessage) -> bytes:
        """Send a command, now or as soon as possible, and again until it is answered. Returns its
        id."""
        self._commands[command.id] = command
        self._unsent.append(command)
        self._send_commands()
        return command.id

    def ask(self, question: Question) -> None:
        """Ask a question, now or as soon as possible."""
        self._questions.append(question)
        self._send_questions()

    def ask_now(self, question: Question) -> bool:
        """Ask a question if that is possible now. Returns whether it was asked."""
        asked = self._sender.send(question)
        if asked:
            self._asked.add(type(question))
        return asked

    def watch(self, code: str) -> None:
        """Attend a table: now, or on the next connection in place of the table left for it."""
        self._watching = code
        if not self._sender.send(Watch(code, 0)):
            self._back = (code, 0)

    def _send_commands(self) -> None:
        """Send commands in order, up to the first one that has to wait for the table."""
        while self._unsent and self._sender.send(self._unsent[0]):
            del self._unsent[0]

    def _send_questions(self) -> None:
        """Send the questions that can be asked now. A question about the table is kept for later
        only if a table is attended or on the way."""
        at_table = self.arriving or self._model.scene is not None
        unsent = [question for question in self._questions if not self.ask_now(question)]
        self._questions = [question for question in unsent if at_table or _anywhere(question)]

    # connections

    def disconnected(self) -> None:
        """The connection is gone. The next one attends the table that we were going to, or else
        the one attended, from the last entry that came."""
        self._asked.clear()
        session = self._sender.session
        code = self._watching or session.code
        if code is None:
            return
        if code == session.code:
            self._back = (code, session.number)
        elif self.returning != code:
            self._back = (code, 0)

    def reconnected(self) -> None:
        """The server knows us on a new connection: go back to the table, and resend the commands
        without an answer. A command that was accepted, but whose table never came, leads to the
        same table when it is sent again."""
        if self._entering is not None:
            self._commands[self._entering.id] = self._entering
        self._unsent = list(self._commands.values())
        if self._back is not None:
            self._watching = self._back[0]
            self._sender.send(Watch(*self._back))
        self._send_commands()
        self._send_questions()

    def arrived(self) -> None:
        """A table has come: send the commands and questions that waited for it."""
        self._watching = self._back = self._entering = None
        self._send_commands()
        self._send_questions()

    # answers

    def accepted(self, id: bytes) -> bool:
        """A command was accepted. Returns whether that is news: `Create` and `JoinTable` lead to a
        table that has yet to come, and are accepted again if it did not."""
        command = self._commands.pop(id, None)
        news = command is not None and command is not self._entering
        if isinstance(command, (Create, JoinTable)):
            self._entering = command
        return news

    def refused(self, id: bytes | None, *, greeting: bool) -> CommandMessage | None:
        """The command of that id, which is no longer pending. None if there is none: then our
        Hello was refused (`greeting`), or a question, or the table of an accepted command; a
        refusal without an id does not say which."""
        command = None if id is None else self._commands.pop(id, None)
        if command is None:
            self._asked.clear()
        if command is self._entering or (id is None and not greeting):
            self._entering = None
        return command

    def not_watching(self) -> str | None:
        """The last `Watch` was answered with no table. Returns the code that was in it."""
        code, self._watching = self._watching, None
        return code

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
        """Drop the requests to the table attended or entered, and do not come back to it."""
        self._back = None
        self.forget_requests()

    def forget_requests(self) -> None:
        """Drop the requests to the table attended or entered."""
        self._entering = None
        for id, command in list(self._commands.items()):
            if not isinstance(command, (Create, JoinTable)):
                del self._commands[id]
        self._unsent = [command for command in self._unsent if command.id in self._commands]
        self._questions = [question for question in self._questions if _anywhere(question)]
        self._asked.discard(AskHint)


def _anywhere(question: Question) -> bool:
    """Whether a question may be asked where no table is attended."""
    return (State.LOBBY, type(question)) in SAID_BY_CLIENT
