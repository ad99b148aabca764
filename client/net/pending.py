"""What was asked of the server and is not answered yet, over as many connections as it takes.

Commands keep their id until they are answered, and are said again on each new connection:
the server acts once. Questions have no id and are said once. How anything is said, and
what an answer means, is not known here.
"""

from __future__ import annotations

from collections.abc import Callable

from client.net.requests import Command
from protocol.messages import Create, FromClient, Invite, JoinTable
from protocol.session import SAID_BY_CLIENT, State


class Pending:
    """The commands and questions that wait, oldest first."""

    def __init__(self, say: Callable[[FromClient], bool]) -> None:
        """`say` says a message now, if the conversation allows it; whether it did."""
        self._say = say
        self._commands: dict[bytes, Command] = {}
        """Without an answer so far."""
        self._unsaid: list[Command] = []
        """Those of them that are not said on this connection yet."""
        self._questions: list[FromClient] = []
        """Not said at all yet."""

    def __len__(self) -> int:
        """Commands sent, or to be sent, without an answer."""
        return len(self._commands)

    @property
    def ids(self) -> tuple[bytes, ...]:
        """Those of the commands."""
        return tuple(self._commands)

    # commands

    def wish(self, command: Command) -> None:
        """Say a command, now or as soon as that can be, until it is answered."""
        self._commands[command.id] = command
        self._unsaid.append(command)
        self.say_commands()

    def answered(self, id: bytes | None) -> Command | None:
        """The command of that id, which waits no longer; None if there is none."""
        return None if id is None else self._commands.pop(id, None)

    def invited(self, seat: int) -> None:
        """An invitation has come: what asked for it is answered."""
        for id, command in list(self._commands.items()):
            if isinstance(command, Invite) and command.seat == seat:
                del self._commands[id]

    def say_again(self, entering: Command | None) -> None:
        """A new connection: nothing is said on it yet. `entering` was granted, but its
        table never came; said again it leads to the same one."""
        if entering is not None:
            self._commands[entering.id] = entering
        self._unsaid = list(self._commands.values())

    def say_commands(self) -> None:
        """Say what is unanswered and not said on this connection, in order, up to what
        has to wait for the table to be attended again."""
        while self._unsaid and self._say(self._unsaid[0]):
            del self._unsaid[0]

    # questions

    def ask(self, message: FromClient, *, at_table: bool) -> None:
        """Say what has no id, as soon as that can be (`say_questions`)."""
        self._questions.append(message)
        self.say_questions(at_table=at_table)

    def say_questions(self, *, at_table: bool) -> None:
        """Say what can be asked now. What is asked of a table alone is kept for later only
        `at_table`: at one, or on the way to one."""
        unsaid = [question for question in self._questions if not self._say(question)]
        self._questions = [question for question in unsaid if at_table or _anywhere(question)]

    def forget_table(self) -> None:
        """Nothing that was meant for the table attended is said any more."""
        for id, command in list(self._commands.items()):
            if not isinstance(command, (Create, JoinTable)):
                del self._commands[id]
        self._unsaid = [command for command in self._unsaid if command.id in self._commands]
        self._questions = [question for question in self._questions if _anywhere(question)]


def _anywhere(message: FromClient) -> bool:
    """Whether a message may be said where no table is attended."""
    return (State.LOBBY, type(message)) in SAID_BY_CLIENT
