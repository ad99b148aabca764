"""One run of the plain client: prints a line for everything that happens, and does what typed
lines say.

For pipes, dumb terminals, screen readers and scripts; docs/plain.md lists the forms of the lines,
which do not change. Does not know any rule: the prompt says what can be done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from math import inf

from client.cli.terminal import Unwritten
from client.join.invocation import Back
from client.join.opener import Opener, Opening
from client.net.conversation import Conversation
from client.net.link import Link, LinkLost
from client.plain.autoplay import Auto, Autoplay
from client.plain.commands import CommandHandlers
from client.plain.input import Lines
from client.plain.printer import Printer
from client.state.events import Change, ConnectionChanged, ConnectionStatus, Listed, RequestRefused
from client.text import printable

_LOOK_SECONDS = 0.1
"""How often a waiting client checks whether it was told to quit."""
_LATE_SECONDS = 0.8
"""How long the server may leave us without an answer before `quit` stops waiting for one; each
answer that comes starts the time again."""
_GREETING_SECONDS = 3.0
"""The same, before the server has greeted us."""
_PART_SECONDS = 0.5
"""How long the connection has to end when we leave."""


async def _at_once() -> None:
    """Nothing has to come before the connection."""


class PlainClient:
    """One run of the plain client."""

    def __init__(
        self,
        conversation: Conversation,
        link: Link,
        write: Callable[[str], None],
        opening: Opening | None = None,
        *,
        auto: Auto | None = None,
        notation: bool = False,
        solo: bool = False,
        back: Back = lambda scene: "",
        ready: Callable[[], Awaitable[None]] = _at_once,
    ) -> None:
        """`write` prints one line, and raises Unwritten when nobody reads any more; `solo`:
        whether the game is against bots on this device, and ends with us; `back`: the command
        that leads back to a game that goes on. `ready` is awaited before the connection is
        made."""
        self._conversation = conversation
        self._link = link
        self._model = conversation.model
        self._out = write
        self._auto = auto
        self._printer = Printer(conversation.model, notation=notation)
        self._opener = Opener(conversation, Opening() if opening is None else opening)
        self._solo = solo
        self._back = back
        self._ready = ready
        self._had_opening = bool(opening)
        self._changed = asyncio.Event()
        self._handlers = CommandHandlers(
            conversation, self._printer, self._opener, self._write, solo=solo
        )
        self.unwritten: Unwritten | None = None
        """Why a line could not be written; the run ends then."""
        self._broken = inf
        """When the connection was lost, by the loop's time; infinite while there is one."""
        conversation.listeners += [self._opener, self._hear]
        if auto is not None:
            conversation.listeners.append(Autoplay(conversation, auto))

    # the run

    async def run(self, lines: Lines) -> int:
        """Follow the server and the typed lines to the end; the exit code.

        At the end of the input we still wait for the answers to what was sent. Then a client
        that only watches, or plays by itself, follows its table to the end of the match, and
        any other client ends. Raises LinkLost.
        """
        linking = asyncio.ensure_future(self._connect())
        typing = asyncio.ensure_future(self._carry_out(lines))
        try:
            await asyncio.wait((linking, typing), return_when=asyncio.FIRST_COMPLETED)
            if typing.done():
                typing.result()
                # The way back is the last line, whatever comes before the connection ends.
                self._conversation.listeners.remove(self._hear)
                self._tell_way_back()
            self._link.stop()
            await asyncio.wait((linking,), timeout=_PART_SECONDS)
            if linking.done():
                linking.result()
        finally:
            for task in (linking, typing):
                task.cancel()
            await asyncio.gather(linking, typing, return_exceptions=True)
        return 1 if self._had_opening and self._opener.unopened is not None else 0

    async def _connect(self) -> None:
        await self._ready()
        await self._link.run()

    def _tell_way_back(self) -> None:
        """Say how to come back to the seat that we leave."""
        scene = self._model.scene
        if not self._solo and scene is not None and scene.table_seat is not None and not scene.over:
            command = self._back(scene)
            if command:
                self._write(f"back: {command}")

    async def _carry_out(self, lines: Lines) -> None:
        while not self._handlers.quit:
            await self._until(lambda: self._settled() or (lines.over and self._cut_off), lines)
            if not await self._coming(lines):
                break
            # It may have been typed into a connection that was just lost. Until it is taken it
            # stays among the lines, where we look for a `quit`.
            await self._until(self._settled, lines)
            line = lines.take()
            if line.strip() and not self._handlers.quit:
                self._handlers.read(line)
        await self._until(self._done)

    async def _coming(self, lines: Lines) -> bool:
        """Whether a line has come; False at the end of the input or of the run."""
        coming = asyncio.ensure_future(lines.wait())
        try:
            while not coming.done() and not self._handlers.quit and not self._played_out():
                self._changed.clear()
                change = asyncio.ensure_future(self._changed.wait())
                await asyncio.wait((coming, change), return_when=asyncio.FIRST_COMPLETED)
                change.cancel()
            return coming.done() and coming.result() and not self._handlers.quit
        finally:
            coming.cancel()

    async def _until(self, true: Callable[[], bool], lines: Lines | None = None) -> None:
        """Wait for a change that makes `true` true, or for a `quit` among `lines` that no longer
        waits."""
        now = asyncio.get_running_loop().time
        begun = stalled = now()
        outstanding = self._outstanding()
        while not (self._handlers.quit or true()):
            self._changed.clear()
            if lines is None:
                await self._changed.wait()
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._changed.wait()
            if self._outstanding() != outstanding:
                outstanding, stalled = self._outstanding(), now()
            self._handlers.quit = self._handlers.quit or self._told_to_quit(lines, begun, stalled)

    def _outstanding(self) -> tuple[object, ...]:
        """What was asked for and has not come; it changes when an answer comes."""
        requests = self._conversation.requests
        return (
            self._model.connection.status is ConnectionStatus.ONLINE,
            tuple(requests.commands),
            requests.arriving,
            requests.asking(),
            self._opener.under_way,
        )

    def _told_to_quit(self, lines: Lines, begun: float, stalled: float) -> bool:
        """Whether a `quit` was typed that takes effect now: the connection is lost, it was typed
        while we waited, or no answer has come for too long. `begun`: when waiting began;
        `stalled`: when the last answer came."""
        typed = min(self._broken, begun + _LATE_SECONDS)
        if not self._handlers.waiting:
            patience = _LATE_SECONDS if self._model.session is not None else _GREETING_SECONDS
            if asyncio.get_running_loop().time() - stalled > patience:
                typed = -inf
        since = lines.since(typed)
        return any(line.strip().casefold() in ("q", "quit") for line in since)

    def _settled(self) -> bool:
        """Whether all that was asked for has come."""
        return self._model.connection.status is ConnectionStatus.ONLINE and not self._handlers.busy

    @property
    def _cut_off(self) -> bool:
        """Whether the server knew us, the connection is lost, and nothing we asked for waits for
        the next one. Coming back to our seat does not count as asked for."""
        if self._model.connection.status is ConnectionStatus.ONLINE or self._model.session is None:
            return False
        scene = self._model.scene
        going = self._conversation.requests.arriving and (scene is None or scene.table_seat is None)
        return not (going or self._handlers.asked)

    def _played_out(self) -> bool:
        """Whether a client that plays by itself has nothing left to play."""
        scene = self._model.scene
        if self._auto is None or not self._settled():
            return False
        return scene.over if scene is not None else self._opener.failed is not None

    def _done(self) -> bool:
        """Whether nothing is left to follow after the end of the input."""
        if not (self._settled() or self._cut_off):
            return False
        scene = self._model.scene
        if scene is None or scene.over:
            return True
        return self._auto is None and scene.table_seat is not None

    # hearing

    def _hear(self, change: Change) -> None:
        if not isinstance(change, Listed) or self._handlers.listing:
            for line in self._printer.tell(change):
                self._write(line)
        self._handlers.hear(change)
        match change:
            case ConnectionChanged(ConnectionStatus.WAITING):
                self._broken = min(self._broken, asyncio.get_running_loop().time())
            case ConnectionChanged(ConnectionStatus.ONLINE):
                self._broken = inf
            case RequestRefused(text=text) if self._conversation.greeting:
                raise LinkLost(text)
        self._changed.set()

    def _write(self, line: str) -> None:
        """Print a line; when nobody reads any more, the run ends."""
        try:
            self._out(printable(line))
        except Unwritten as error:
            self.unwritten = error
            self._handlers.quit = True
            self._changed.set()
