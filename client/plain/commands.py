"""What a typed line makes the plain client do: our own words, and commands of the game.

Knows no rule and no socket; waiting for what was asked is `client.plain.run`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from client.cli.folders import NoHome, expand
from client.games import Ambiguous, GameClient, Unreadable
from client.join.codes import table_code
from client.join.opener import Opener
from client.join.table_options import BadTable, new_table, pairs
from client.net.conversation import Conversation
from client.plain.grammar import Order, Word, help_lines, read_order
from client.plain.printer import LONGEST, Printer
from client.state.events import (
    Change,
    FileCame,
    Linked,
    Listed,
    RequestRefused,
    Status,
)
from client.state.scene import Scene
from client.text import cut
from protocol.messages import GetRecord, GetTranscript


class CommandHandlers:
    """Obeys typed lines, and remembers what has not come yet."""

    def __init__(
        self,
        conversation: Conversation,
        printer: Printer,
        opener: Opener,
        write: Callable[[str], None],
        *,
        kept: bool = True,
    ) -> None:
        """`kept`: whether the game goes on without us, and can be come back to."""
        self._kept = kept
        self._conversation = conversation
        self._model = conversation.model
        self._printer = printer
        self._opener = opener
        self._write = write
        self._pending = conversation.pending
        self.listing = False
        """Whether the list of tables was asked for by a typed line: no other is shown."""
        self._file: Path | None = None
        """Where the file that was asked for goes."""
        self.waiting = False
        """Whether the next line is only read when we are asked."""
        self.quit = False
        """Whether the run is to end."""

    @property
    def busy(self) -> bool:
        """Whether something that was asked for has not come yet."""
        if self.waiting:
            scene = self._model.scene
            self.waiting = scene is not None and scene.mine is None and not scene.over
        return self.waiting or self.asked or self._pending.arriving

    @property
    def asked(self) -> bool:
        """Whether a request has no answer yet, or the opener has more to ask."""
        pending = self._pending
        return bool(pending.commands) or pending.asking() or self._opener.under_way

    def hear(self, change: Change) -> None:
        """Note what came, or cannot come any more."""
        match change:
            case Linked(Status.WAITING) | RequestRefused():
                self.listing = False
                if not self._pending.asking(GetRecord, GetTranscript):
                    self._file = None
            case Listed():
                self.listing = False
            case FileCame(data=data):
                self._save(data)

    def _save(self, data: bytes) -> None:
        path, self._file = self._file, None
        if path is None:
            return
        try:
            with path.open("xb") as file:
                file.write(data)
        except OSError as error:
            self._write(f"error: {path}: {error.strerror}")
        else:
            self._write(f"saved: {path} ({len(data)} bytes)")

    def _details(self, lines: list[str]) -> None:
        for line in lines:
            self._write(f"  {cut(line, LONGEST)}")

    # reading

    def read(self, line: str) -> None:
        """Do what a typed line says: words of ours typed whole come first, then commands
        of the game, then beginnings of our words."""
        try:
            try:
                order = read_order(line, whole=True)
            except Unreadable:
                if self._command(line):
                    return
                order = read_order(line)
            _ORDERS[order.word](self, order)
        except (Unreadable, BadTable) as error:
            self._write(f"error: {error}")

    def _command(self, line: str) -> bool:
        """Whether the line is a command of the game; sent if it is."""
        scene, game = self._model.scene, self._model.game
        if scene is None or game is None or scene.board is None:
            return False
        prompt = scene.mine.prompt if scene.mine is not None else None
        try:
            command = game.read(line, prompt)
        except Unreadable as error:
            with suppress(Unreadable):
                read_order(line)
                return False
            if isinstance(error, Ambiguous):
                raise
            if prompt is not None:
                raise Unreadable(f"{error} (try help)") from None
            return False
        if self._conversation.requests.act(command) is None:
            raise Unreadable("it is not for you to act now")
        return True

    def _at_table(self) -> Scene:
        if self._model.scene is None:
            raise Unreadable("you are at no table; try tables, create or join CODE")
        return self._model.scene

    def _in_match(self) -> tuple[Scene, GameClient]:
        scene, game = self._at_table(), self._model.game
        if game is None or scene.board is None:
            raise Unreadable("the match has not started")
        return scene, game

    # obeying

    def _help(self, _: Order) -> None:
        self._details(help_lines(kept=self._kept))

    def _state(self, _: Order) -> None:
        self._details(self._printer.state_lines(self._at_table()))

    def _score(self, _: Order) -> None:
        scene, game = self._in_match()
        self._details(game.scores(scene))

    def _choices(self, _: Order) -> None:
        scene, game = self._in_match()
        if scene.mine is None:
            raise Unreadable("it is not for you to act now")
        for command in game.choices(scene.mine.prompt):
            self._write(f"choice: {game.show(command)}")

    def _who(self, _: Order) -> None:
        self._at_table()
        self._write(self._printer.present_line() or "present: not known yet")

    def _tables(self, _: Order) -> None:
        self.listing = True
        self._conversation.requests.list_tables()

    def _create(self, order: Order) -> None:
        self._opener.open(new_table(pairs(order.rest.split())))

    def _go(self, order: Order) -> None:
        if not order.rest:
            raise Unreadable("which table? name its code")
        self._opener.attend(order.rest, join=order.word is Word.JOIN)

    def _start(self, _: Order) -> None:
        self._at_table()
        self._conversation.requests.start()

    def _leave(self, _: Order) -> None:
        self._at_table()
        self._conversation.requests.leave()

    def _close(self, _: Order) -> None:
        self._at_table()
        self._conversation.requests.close()

    def _undo(self, _: Order) -> None:
        self._at_table()
        if self._conversation.requests.take_back() is None:
            raise Unreadable("there is nothing that you could take back")

    def _hint(self, _: Order) -> None:
        self._in_match()
        if not self._conversation.requests.ask_hint():
            raise Unreadable("there is no connection: nothing was asked")

    def _vote(self, order: Order) -> None:
        scene, _ = self._in_match()
        seat = _seat(order.rest, scene.may_vote, scene, "nobody else keeps the table waiting")
        self._conversation.requests.vote(seat)

    def _return(self, order: Order) -> None:
        scene, _ = self._in_match()
        if not scene.played_for:
            raise Unreadable("nobody plays for you")
        self._conversation.requests.come_back()

    def _invite(self, order: Order) -> None:
        scene, _ = self._in_match()
        nobody = "no seat is free for somebody else"
        self._conversation.requests.invite(_seat(order.rest, scene.may_invite, scene, nobody))

    def _move(self, _: Order) -> None:
        if not self._kept:
            raise Unreadable("this game is on this device alone")
        self._conversation.requests.get_move_code()

    def _say(self, order: Order) -> None:
        self._at_table()
        if not order.rest:
            raise Unreadable("say what?")
        if not self._conversation.requests.say(order.rest):
            raise Unreadable("there is no connection: nothing was said")

    def _get_file(self, order: Order) -> None:
        whole = order.word is Word.TRANSCRIPT
        if whole:
            self._at_table()
        code, _, file = ("", "", order.rest) if whole else order.rest.rpartition(" ")
        if not file:
            raise Unreadable("into which file?")
        code = table_code(code) or self._at_table().table.code
        try:
            path = expand(file)
            there = path.exists()
        except NoHome as error:
            raise Unreadable(f"{file}: {error}") from None
        except OSError as error:  # too long a name
            raise Unreadable(f"{file}: {error.strerror or error}") from None
        if there:
            raise Unreadable(f"{path} is there already")
        self._file = path
        if order.word is Word.TRANSCRIPT:
            self._conversation.requests.get_transcript()
        else:
            self._conversation.requests.get_record(code)

    def _wait(self, _: Order) -> None:
        self.waiting = True

    def _leave_off(self, _: Order) -> None:
        self.quit = True


def _seat(name: str, seats: Sequence[int], scene: Scene, nobody: str) -> int:
    """The match seat that is meant by the beginning of a name, of those in question."""
    if not seats:
        raise Unreadable(nobody)
    if not name and len(seats) == 1:
        return seats[0]
    wanted = name.casefold()
    found = [seat for seat in seats if scene.name(seat).casefold().startswith(wanted)]
    exact = [seat for seat in found if scene.name(seat).casefold() == wanted]
    if len(exact or found) != 1:
        raise Ambiguous(f"which one? {' or '.join(scene.name(seat) for seat in seats)}")
    return (exact or found)[0]


_ORDERS: dict[Word, Callable[[CommandHandlers, Order], None]] = {
    Word.HELP: CommandHandlers._help,
    Word.STATE: CommandHandlers._state,
    Word.SCORE: CommandHandlers._score,
    Word.CHOICES: CommandHandlers._choices,
    Word.TABLES: CommandHandlers._tables,
    Word.CREATE: CommandHandlers._create,
    Word.JOIN: CommandHandlers._go,
    Word.WATCH: CommandHandlers._go,
    Word.START: CommandHandlers._start,
    Word.LEAVE: CommandHandlers._leave,
    Word.CLOSE: CommandHandlers._close,
    Word.UNDO: CommandHandlers._undo,
    Word.HINT: CommandHandlers._hint,
    Word.VOTE: CommandHandlers._vote,
    Word.RETURN: CommandHandlers._return,
    Word.INVITE: CommandHandlers._invite,
    Word.MOVE: CommandHandlers._move,
    Word.SAY: CommandHandlers._say,
    Word.WHO: CommandHandlers._who,
    Word.RECORD: CommandHandlers._get_file,
    Word.TRANSCRIPT: CommandHandlers._get_file,
    Word.WAIT: CommandHandlers._wait,
    Word.QUIT: CommandHandlers._leave_off,
}
