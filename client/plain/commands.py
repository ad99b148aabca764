"""What the plain client does for a typed line: our own verbs, and commands of the game.

Does not know about rules or the connection; `client.plain.run` waits for what was asked for.
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
from client.plain.grammar import TypedLine, Verb, help_lines, parse_line
from client.plain.printer import LONGEST, Printer
from client.state.events import (
    Change,
    ConnectionChanged,
    ConnectionStatus,
    FileCame,
    Listed,
    RequestRefused,
)
from client.state.scene import Scene
from client.text import cut
from protocol.messages import GetRecord, GetTranscript


class CommandHandlers:
    """Carries out typed lines."""

    def __init__(
        self,
        conversation: Conversation,
        printer: Printer,
        opener: Opener,
        write: Callable[[str], None],
        *,
        solo: bool = False,
    ) -> None:
        """`solo`: whether the game is against bots on this device, and ends with us."""
        self._solo = solo
        self._model = conversation.model
        self._printer = printer
        self._opener = opener
        self._write = write
        self._requests = conversation.requests
        self.listing = False
        """Whether a typed line asked for the list of tables; no other list is printed."""
        self._file: Path | None = None
        """Where to save the file that was asked for."""
        self.waiting = False
        """Whether the next line is read only once we are asked something (`wait`)."""
        self.quit = False
        """Whether the run should end."""

    @property
    def busy(self) -> bool:
        """Whether something that was asked for has not come yet."""
        if self.waiting:
            scene = self._model.scene
            self.waiting = scene is not None and scene.mine is None and not scene.over
        return self.waiting or self.asked or self._requests.arriving

    @property
    def asked(self) -> bool:
        """Whether a request has no answer yet, or the opener has more to ask."""
        requests = self._requests
        return bool(requests.commands) or requests.asking() or self._opener.under_way

    def hear(self, change: Change) -> None:
        """Note what came, or cannot come any more."""
        match change:
            case ConnectionChanged(ConnectionStatus.WAITING) | RequestRefused():
                self.listing = False
                if not self._requests.asking(GetRecord, GetTranscript):
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
        """Do what a typed line says: our verbs typed whole come first, then commands of the
        game, then beginnings of our verbs."""
        try:
            try:
                typed = parse_line(line, whole=True)
            except Unreadable:
                if self._game_command(line):
                    return
                typed = parse_line(line)
            _HANDLERS[typed.verb](self, typed)
        except (Unreadable, BadTable) as error:
            self._write(f"error: {error}")

    def _game_command(self, line: str) -> bool:
        """Send the line if it is a command of the game; whether it is."""
        scene, game = self._model.scene, self._model.game
        if scene is None or game is None or scene.board is None:
            return False
        prompt = scene.mine.prompt if scene.mine is not None else None
        try:
            command = game.read(line, prompt)
        except Unreadable as error:
            with suppress(Unreadable):
                parse_line(line)
                return False
            if isinstance(error, Ambiguous):
                raise
            if prompt is not None:
                raise Unreadable(f"{error} (try help)") from None
            return False
        if self._requests.act(command) is None:
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

    # the handlers

    def _help(self, _: TypedLine) -> None:
        self._details(help_lines(solo=self._solo))

    def _state(self, _: TypedLine) -> None:
        self._details(self._printer.state_lines(self._at_table()))

    def _score(self, _: TypedLine) -> None:
        scene, game = self._in_match()
        self._details(game.scores(scene))

    def _choices(self, _: TypedLine) -> None:
        scene, game = self._in_match()
        if scene.mine is None:
            raise Unreadable("it is not for you to act now")
        for command in game.choices(scene.mine.prompt):
            self._write(f"choice: {game.show(command)}")

    def _who(self, _: TypedLine) -> None:
        self._at_table()
        self._write(self._printer.present_line() or "present: not known yet")

    def _tables(self, _: TypedLine) -> None:
        self.listing = True
        self._requests.list_tables()

    def _create(self, typed: TypedLine) -> None:
        self._opener.open(new_table(pairs(typed.rest.split())))

    def _go(self, typed: TypedLine) -> None:
        if not typed.rest:
            raise Unreadable("which table? name its code")
        self._opener.attend(typed.rest, join=typed.verb is Verb.JOIN)

    def _start(self, _: TypedLine) -> None:
        self._at_table()
        self._requests.start()

    def _leave(self, _: TypedLine) -> None:
        self._at_table()
        self._requests.leave()

    def _close(self, _: TypedLine) -> None:
        self._at_table()
        self._requests.close()

    def _undo(self, _: TypedLine) -> None:
        self._at_table()
        if self._requests.take_back() is None:
            raise Unreadable("there is nothing to take back")

    def _hint(self, _: TypedLine) -> None:
        self._in_match()
        if not self._requests.ask_hint():
            raise Unreadable("there is no connection: nothing was asked")

    def _vote(self, typed: TypedLine) -> None:
        scene, _ = self._in_match()
        seat = _seat(typed.rest, scene.may_vote, scene, "nobody else keeps the table waiting")
        self._requests.vote(seat)

    def _return(self, typed: TypedLine) -> None:
        scene, _ = self._in_match()
        if not scene.played_for:
            raise Unreadable("nobody plays for you")
        self._requests.come_back()

    def _invite(self, typed: TypedLine) -> None:
        scene, _ = self._in_match()
        nobody = "no seat is free for somebody else"
        self._requests.invite(_seat(typed.rest, scene.may_invite, scene, nobody))

    def _move(self, _: TypedLine) -> None:
        if self._solo:
            raise Unreadable("this game is on this device alone")
        self._requests.get_move_code()

    def _say(self, typed: TypedLine) -> None:
        self._at_table()
        if not typed.rest:
            raise Unreadable("say what?")
        if not self._requests.say(typed.rest):
            raise Unreadable("there is no connection: nothing was said")

    def _get_file(self, typed: TypedLine) -> None:
        whole = typed.verb is Verb.TRANSCRIPT
        if whole:
            self._at_table()
        code, _, file = ("", "", typed.rest) if whole else typed.rest.rpartition(" ")
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
        if typed.verb is Verb.TRANSCRIPT:
            self._requests.get_transcript()
        else:
            self._requests.get_record(code)

    def _wait(self, _: TypedLine) -> None:
        self.waiting = True

    def _quit(self, _: TypedLine) -> None:
        self.quit = True


def _seat(name: str, seats: Sequence[int], scene: Scene, nobody: str) -> int:
    """The one of these match seats whose name begins with `name`; raises Unreadable."""
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


_HANDLERS: dict[Verb, Callable[[CommandHandlers, TypedLine], None]] = {
    Verb.HELP: CommandHandlers._help,
    Verb.STATE: CommandHandlers._state,
    Verb.SCORE: CommandHandlers._score,
    Verb.CHOICES: CommandHandlers._choices,
    Verb.TABLES: CommandHandlers._tables,
    Verb.CREATE: CommandHandlers._create,
    Verb.JOIN: CommandHandlers._go,
    Verb.WATCH: CommandHandlers._go,
    Verb.START: CommandHandlers._start,
    Verb.LEAVE: CommandHandlers._leave,
    Verb.CLOSE: CommandHandlers._close,
    Verb.UNDO: CommandHandlers._undo,
    Verb.HINT: CommandHandlers._hint,
    Verb.VOTE: CommandHandlers._vote,
    Verb.RETURN: CommandHandlers._return,
    Verb.INVITE: CommandHandlers._invite,
    Verb.MOVE: CommandHandlers._move,
    Verb.SAY: CommandHandlers._say,
    Verb.WHO: CommandHandlers._who,
    Verb.RECORD: CommandHandlers._get_file,
    Verb.TRANSCRIPT: CommandHandlers._get_file,
    Verb.WAIT: CommandHandlers._wait,
    Verb.QUIT: CommandHandlers._quit,
}
