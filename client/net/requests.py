"""What we ask of a server, over as many connections as it takes: each request is built, sent when
the connection allows it, and kept until it is answered. Nothing else keeps requests: displays read
them here.

A command is sent again on each new connection until it is answered; its id makes the server act
once. A question changes nothing and is sent once: if the connection breaks, its answer never
comes. A table that was asked for is on the way until it comes, and is asked for again on each new
connection. Chat goes now or never. The session of the open connection is here, because it says what
may be sent now. Does not know what an answer means, and of a game only what its client side packs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from client.state.fairness import Fairness
from client.state.model import Model
from protocol.messages import (
    Act,
    AskHint,
    CloseTable,
    Create,
    FromClient,
    FromServer,
    GetMoveCode,
    GetRecord,
    GetTranscript,
    Hello,
    Hint,
    Invitation,
    Invite,
    JoinTable,
    LeaveTable,
    ListTables,
    MoveCode,
    Record,
    Return,
    Say,
    StartMatch,
    Tables,
    Transcript,
    Vote,
    Watch,
)
from protocol.session import SAID_BY_CLIENT, ClientSession, OutOfPlace, State
from protocol.table import Absence, Clock

MOST_SAID = 2_000
"""Characters of a line of chat; the server shows far fewer."""
_ID_BYTES = 16
_NO_CLOCK = Clock()
_TAKE_BACK = 6
"""Tag of the kernel's command to take back, in every game."""

Put: TypeAlias = Callable[[bytes], None]
"""Takes a frame that goes into the socket after those before it."""

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


class Requests:
    """The requests of one conversation: those without an answer, oldest first, and the table on the
    way."""

    def __init__(self, model: Model, fairness: Fairness, random: Callable[[int], bytes]) -> None:
        self.session = ClientSession()
        """The session of the open connection, or of the last one."""
        self._put: Put | None = None
        """Takes the frames for the open connection; None: there is none."""
        self._model = model
        self._fairness = fairness
        self._random = random
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

    @property
    def online(self) -> bool:
        """Whether the server knows us and hears what we send."""
        return self._put is not None and self.session.state in (State.LOBBY, State.TABLE)

    @property
    def greeting(self) -> bool:
        """Whether the server waits for a Hello."""
        return self._put is not None and self.session.state is State.HELLO

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

    # what can be asked

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
        return self._insist(
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
        return self._insist(JoinTable(self._id(), code, nonce))

    def watch(self, code: str) -> None:
        """Attend a table, at our seat if we have one, otherwise as a spectator: now, or on the
        next connection in place of the table left for it."""
        self._watching = code
        if not self.say_now(Watch(code, 0)):
            self._back = (code, 0)

    def leave(self) -> bytes:
        """Leave the table attended; the id of the command. A seat is freed only while the
        table waits."""
        return self._insist(LeaveTable(self._id()))

    def start(self) -> bytes:
        """Start the match with the seats taken so far (as the host); the id of the command."""
        return self._insist(StartMatch(self._id()))

    def close(self) -> bytes:
        """Close the waiting table (as the host); the id of the command."""
        return self._insist(CloseTable(self._id()))

    def act(self, command: Any) -> bytes | None:
        """Answer the open prompt with a command of the game; the id, or None if no prompt is
        open."""
        scene, game = self._model.scene, self._model.game
        if scene is None or game is None or scene.mine is None:
            return None
        tree = game.wire.command.pack(command)
        return self._insist(Act(self._id(), scene.mine.token, tree))

    def take_back(self) -> bytes | None:
        """Take back our own last action; the id, or None if it cannot be taken back."""
        to = self._model.scene.may_undo if self._model.scene else None
        if to is None:
            return None
        return self._insist(Act(self._id(), 0, (_TAKE_BACK, to)))

    def vote(self, seat: int) -> bytes:
        """Call a match seat absent; the id of the command."""
        return self._insist(Vote(self._id(), seat))

    def come_back(self) -> bytes:
        """Play our own seat again after it was played for; the id of the command."""
        return self._insist(Return(self._id()))

    def invite(self, seat: int) -> bytes:
        """Ask for a code by which somebody else may take the match seat of an absent player;
        the id of the command."""
        return self._insist(Invite(self._id(), seat))

    def get_move_code(self) -> None:
        """Ask for the code that carries this session to another device."""
        self._ask(GetMoveCode())

    def ask_hint(self) -> bool:
        """Ask what the best bot would do in our place, if that is possible now; whether it
        was asked."""
        return self._ask_now(AskHint(self._id()))

    def say(self, text: str) -> bool:
        """Chat at the table attended, if that is possible now; whether it was sent."""
        return self.say_now(Say(text[:MOST_SAID]))

    def list_tables(self) -> None:
        """Ask for the listed tables."""
        self._ask(ListTables())

    def get_record(self, code: str) -> None:
        """Ask for the record of an ended table."""
        self._ask(GetRecord(code))

    def get_transcript(self) -> None:
        """Ask for the transcript of the table attended."""
        self._ask(GetTranscript())

    # sending

    def say_now(self, message: FromClient) -> bool:
        """Send a message if the session allows it now. Returns whether it did."""
        if self._put is None or not self.online:
            return False
        try:
            self._put(self.session.send(message))
        except OutOfPlace:
            return False
        return True

    def _insist(self, command: CommandMessage) -> bytes:
        """Send a command, now or as soon as possible, and again until it is answered. Returns its
        id."""
        self._commands[command.id] = command
        self._unsent.append(command)
        self._send_commands()
        return command.id

    def _ask(self, question: Question) -> None:
        """Ask a question, now or as soon as possible."""
        self._questions.append(question)
        self._send_questions()

    def _ask_now(self, question: Question) -> bool:
        """Ask a question if that is possible now. Returns whether it was asked."""
        asked = self.say_now(question)
        if asked:
            self._asked.add(type(question))
        return asked

    def _send_commands(self) -> None:
        """Send commands in order, up to the first one that has to wait for the table."""
        while self._unsent and self.say_now(self._unsent[0]):
            del self._unsent[0]

    def _send_questions(self) -> None:
        """Send the questions that can be asked now. A question about the table is kept for later
        only if a table is attended or on the way."""
        at_table = self.arriving or self._model.scene is not None
        unsent = [question for question in self._questions if not self._ask_now(question)]
        self._questions = [question for question in unsent if at_table or _anywhere(question)]

    # connections

    def opened(self, hello: Hello, put: Put) -> None:
        """A connection is open, and `put` takes its frames: start a session on it with `hello`."""
        self.session, self._put = ClientSession(), put
        self.greet(hello)

    def greet(self, hello: Hello) -> None:
        """Say hello, for the first time or again after a name was refused."""
        if self._put is not None:
            self._put(self.session.send(hello))

    def resync(self) -> None:
        """Send what the session itself asks for after a gap."""
        for frame in self.session.outgoing():
            if self._put is not None:
                self._put(frame)

    def ended(self) -> None:
        """The connection is gone, and nothing can be sent."""
        self._put = None

    def disconnected(self) -> None:
        """The connection is gone. The next one attends the table that we were going to, or else
        the one attended, from the last entry that came."""
        self._put = None
        self._asked.clear()
        code = self._watching or self.session.code
        if code is None:
            return
        if code == self.session.code:
            self._back = (code, self.session.number)
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
            self.say_now(Watch(*self._back))
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
