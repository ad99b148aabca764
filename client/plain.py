"""The client without a screen: a line for whatever happens, typed lines for what to do.

For pipes, dumb terminals, screen readers and scripts; docs/plain.md lists the forms of
its lines, which do not change. Knows no rule: what may be done comes from the prompt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path

from client.by_rule import Auto, ByRule
from client.changes import Change, FileCame, Linked, Listed, Refusal, Status
from client.games import Ambiguous, GameClient, Unreadable
from client.link import Link, LinkLost
from client.opening import BadTable, Opener, Opening, new_table, pairs
from client.orders import Order, Word, help_lines, read_order
from client.scene import Scene
from client.stdin import Lines
from client.talk import Talk
from client.teller import LONGEST, Teller
from client.text import cut

_LOOK_SECONDS = 0.2
"""How often a client without a connection looks whether it is told to end."""


class Plain:
    """One run of the plain client."""

    def __init__(
        self,
        talk: Talk,
        link: Link,
        write: Callable[[str], None],
        opening: Opening | None = None,
        *,
        auto: Auto | None = None,
        notation: bool = False,
    ) -> None:
        """`write` puts out one line, and raises OSError when nobody reads any more."""
        self._talk = talk
        self._link = link
        self._model = talk.model
        self._out = write
        self._auto = auto
        self._teller = Teller(talk.model, notation=notation)
        self._opener = Opener(talk, opening or Opening())
        self._had_opening = bool(opening)
        self._changed = asyncio.Event()
        self._listing = False
        self._file: Path | None = None
        """Where the file that was asked for goes."""
        self._waiting = False
        """Whether the next line is only read when we are asked."""
        self._broken = inf
        """When the connection was lost; infinite while there is one."""
        self._quit = False
        talk.listeners += [self._opener, self._hear]
        if auto is not None:
            talk.listeners.append(ByRule(talk, auto))

    # the run

    async def run(self, lines: Lines) -> int:
        """Follow the server and the typed lines to the end; the exit code.

        At the end of the input: what was sent is still answered; then a client that only
        looks on, or plays by itself, follows its table to the end of the match, and any
        other ends. Raises LinkLost.
        """
        linking = asyncio.ensure_future(self._link.run())
        typing = asyncio.ensure_future(self._obey(lines))
        try:
            await asyncio.wait((linking, typing), return_when=asyncio.FIRST_COMPLETED)
            if typing.done():
                typing.result()
            self._link.stop()
            await linking
        finally:
            for task in (linking, typing):
                task.cancel()
            await asyncio.gather(linking, typing, return_exceptions=True)
        return 1 if self._had_opening and self._opener.failed is not None else 0

    async def _obey(self, lines: Lines) -> None:
        while not self._quit:
            await self._until(self._settled, lines)
            line = None if self._quit else await self._next(lines)
            if line is None:
                break
            if line.strip():
                self._read(line)
        await self._until(self._done)

    async def _next(self, lines: Lines) -> str | None:
        """The next line; None at the end of the input or of the run."""
        coming = asyncio.ensure_future(lines.next())
        try:
            while not coming.done() and not self._quit and not self._played_out():
                self._changed.clear()
                change = asyncio.ensure_future(self._changed.wait())
                await asyncio.wait((coming, change), return_when=asyncio.FIRST_COMPLETED)
                change.cancel()
            return coming.result() if coming.done() else None
        finally:
            coming.cancel()

    async def _until(self, true: Callable[[], bool], lines: Lines | None = None) -> None:
        """Wait for a change that makes `true` true; without a connection `quit` is heard
        all the same."""
        while not (self._quit or true()):
            self._changed.clear()
            if lines is None or self._broken == inf:
                await self._changed.wait()
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._changed.wait()
            since = lines.since(self._broken)
            if any(line.strip().casefold() in ("q", "quit") for line in since):
                self._quit = True

    def _settled(self) -> bool:
        """Whether all that was asked for has come."""
        if self._waiting:
            scene = self._model.scene
            self._waiting = scene is not None and scene.mine is None and not scene.over
        busy = self._talk.unanswered or self._opener.under_way or self._listing or self._file
        return self._model.link.status is Status.ONLINE and not (busy or self._waiting)

    def _played_out(self) -> bool:
        """Whether a client that plays by itself has nothing more to play."""
        scene = self._model.scene
        if self._auto is None or not self._settled():
            return False
        return scene.over if scene is not None else self._opener.failed is not None

    def _done(self) -> bool:
        """Whether nothing is left to follow once the input has ended."""
        if not self._settled():
            return False
        scene = self._model.scene
        if scene is None or scene.over:
            return True
        return self._auto is None and scene.table_seat is not None

    # hearing

    def _hear(self, change: Change) -> None:
        for line in self._teller.tell(change):
            self._write(line)
        match change:
            case Linked(Status.WAITING):
                self._listing, self._file = False, None
                self._broken = min(self._broken, asyncio.get_running_loop().time())
            case Linked(Status.ONLINE):
                self._broken = inf
            case Listed():
                self._listing = False
            case Refusal(text=text):
                self._listing, self._file = False, None
                if self._talk.greeting:
                    raise LinkLost(text)
            case FileCame(data=data):
                self._save(data)
        self._changed.set()

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

    def _write(self, line: str) -> None:
        """A line of output; when nobody reads any more, the run ends."""
        try:
            self._out(line)
        except OSError:
            self._quit = True
            self._changed.set()

    def _details(self, lines: list[str]) -> None:
        for line in lines:
            self._write(f"  {cut(line, LONGEST)}")

    # reading

    def _read(self, line: str) -> None:
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
            if isinstance(error, Ambiguous) or prompt is not None:
                raise
            return False
        if self._talk.act(command) is None:
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
        self._details(help_lines())

    def _state(self, _: Order) -> None:
        self._details(self._teller.state_lines(self._at_table()))

    def _score(self, _: Order) -> None:
        scene, game = self._in_match()
        self._details(game.scores(scene))

    def _choices(self, _: Order) -> None:
        scene, game = self._in_match()
        if scene.mine is None:
            raise Unreadable("you are asked nothing now")
        for command in game.choices(scene.mine.prompt):
            self._write(f"choice: {game.show(command)}")

    def _who(self, _: Order) -> None:
        self._at_table()
        self._write(self._teller.present_line() or "present: not known yet")

    def _tables(self, _: Order) -> None:
        self._listing = True
        self._talk.list_tables()

    def _create(self, order: Order) -> None:
        new_table(pairs(order.rest.split())).open(self._talk)
        self._opener.under_way = True

    def _go(self, order: Order) -> None:
        if not order.rest:
            raise Unreadable("which table? name its code")
        self._opener.attend(order.rest, join=order.word is Word.JOIN)

    def _start(self, _: Order) -> None:
        self._at_table()
        self._talk.start()

    def _leave(self, _: Order) -> None:
        self._at_table()
        self._talk.leave()

    def _close(self, _: Order) -> None:
        self._at_table()
        self._talk.close()

    def _undo(self, _: Order) -> None:
        self._at_table()
        if self._talk.take_back() is None:
            raise Unreadable("there is nothing that you could take back")

    def _say(self, order: Order) -> None:
        self._at_table()
        if not order.rest:
            raise Unreadable("say what?")
        self._talk.say(order.rest)

    def _get_file(self, order: Order) -> None:
        code, _, file = order.rest.rpartition(" ")
        if not file:
            raise Unreadable("into which file?")
        code = code.strip() or self._at_table().table.code
        path = Path(file).expanduser()
        if path.exists():
            raise Unreadable(f"{path} is there already")
        self._file = path
        if order.word is Word.TRANSCRIPT:
            self._talk.get_transcript()
        else:
            self._talk.get_record(code)

    def _wait(self, _: Order) -> None:
        self._waiting = True

    def _leave_off(self, _: Order) -> None:
        self._quit = True


_ORDERS: dict[Word, Callable[[Plain, Order], None]] = {
    Word.HELP: Plain._help,
    Word.STATE: Plain._state,
    Word.SCORE: Plain._score,
    Word.CHOICES: Plain._choices,
    Word.TABLES: Plain._tables,
    Word.CREATE: Plain._create,
    Word.JOIN: Plain._go,
    Word.WATCH: Plain._go,
    Word.START: Plain._start,
    Word.LEAVE: Plain._leave,
    Word.CLOSE: Plain._close,
    Word.UNDO: Plain._undo,
    Word.SAY: Plain._say,
    Word.WHO: Plain._who,
    Word.RECORD: Plain._get_file,
    Word.TRANSCRIPT: Plain._get_file,
    Word.WAIT: Plain._wait,
    Word.QUIT: Plain._leave_off,
}
