"""The client without a screen: a line for whatever happens, typed lines for what to do.

For pipes, dumb terminals, screen readers and scripts; docs/plain.md lists the forms of
its lines, which do not change. Knows no rule: what may be done comes from the prompt.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from math import inf

from client.changes import Change, Linked, Listed, Refusal, Status
from client.invocation import Back
from client.link import Link, LinkLost
from client.opening import Opener, Opening
from client.plain.by_rule import Auto, ByRule
from client.plain.obeying import Obeying
from client.plain.stdin import Lines
from client.plain.teller import Teller
from client.talk import Talk
from client.terminal import Unwritten
from client.text import printable

_LOOK_SECONDS = 0.2
"""How often a client that waits looks whether it is told to end."""
_LATE_SECONDS = 2.0
"""How long an answer may take before a `quit` typed later does not wait for it."""


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
        kept: bool = True,
        back: Back = lambda scene: "",
    ) -> None:
        """`write` puts out one line, and raises Unwritten when nobody reads any more; `kept`:
        whether the game goes on without us, and can be come back to; `back`: how."""
        self._talk = talk
        self._link = link
        self._model = talk.model
        self._out = write
        self._auto = auto
        self._teller = Teller(talk.model, notation=notation)
        self._opener = Opener(talk, Opening() if opening is None else opening)
        self._kept = kept
        self._back = back
        self._had_opening = bool(opening)
        self._changed = asyncio.Event()
        self._obeying = Obeying(talk, self._teller, self._opener, self._write, kept=kept)
        self.unwritten: Unwritten | None = None
        """Why a line could not be written; the run then ends."""
        self._broken = inf
        """When the connection was lost; infinite while there is one."""
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
                self._tell_way_back()
            self._link.stop()
            await linking
        finally:
            for task in (linking, typing):
                task.cancel()
            await asyncio.gather(linking, typing, return_exceptions=True)
        return 1 if self._had_opening and self._opener.unopened is not None else 0

    def _tell_way_back(self) -> None:
        """Say how to come back to a seat that is left."""
        scene = self._model.scene
        if self._kept and scene is not None and scene.table_seat is not None and not scene.over:
            command = self._back(scene)
            if command:
                self._write(f"back: {command}")

    async def _obey(self, lines: Lines) -> None:
        while not self._obeying.quit:
            await self._until(self._settled, lines)
            line = None if self._obeying.quit else await self._next(lines)
            if line is None:
                break
            # It may have been typed into a connection that was just lost.
            await self._until(self._settled, lines)
            if line.strip() and not self._obeying.quit:
                self._obeying.read(line)
        await self._until(self._done)

    async def _next(self, lines: Lines) -> str | None:
        """The next line; None at the end of the input or of the run."""
        coming = asyncio.ensure_future(lines.next())
        try:
            while not coming.done() and not self._obeying.quit and not self._played_out():
                self._changed.clear()
                change = asyncio.ensure_future(self._changed.wait())
                await asyncio.wait((coming, change), return_when=asyncio.FIRST_COMPLETED)
                change.cancel()
            return coming.result() if coming.done() else None
        finally:
            coming.cancel()

    async def _until(self, true: Callable[[], bool], lines: Lines | None = None) -> None:
        """Wait for a change that makes `true` true. Without a connection, or when an answer
        does not come, a `quit` typed then is heard all the same."""
        late = asyncio.get_running_loop().time() + _LATE_SECONDS
        while not (self._obeying.quit or true()):
            self._changed.clear()
            moment = min(self._broken, inf if self._obeying.waiting else late)
            if lines is None or moment == inf:
                await self._changed.wait()
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._changed.wait()
            since = lines.since(moment)
            if any(line.strip().casefold() in ("q", "quit") for line in since):
                self._obeying.quit = True

    def _settled(self) -> bool:
        """Whether all that was asked for has come."""
        return self._model.link.status is Status.ONLINE and not self._obeying.busy

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
        if not isinstance(change, Listed) or self._obeying.listing:
            for line in self._teller.tell(change):
                self._write(line)
        self._obeying.hear(change)
        match change:
            case Linked(Status.WAITING):
                self._broken = min(self._broken, asyncio.get_running_loop().time())
            case Linked(Status.ONLINE):
                self._broken = inf
            case Refusal(text=text) if self._talk.greeting:
                raise LinkLost(text)
        self._changed.set()

    def _write(self, line: str) -> None:
        """A line of output; when nobody reads any more, the run ends."""
        try:
            self._out(printable(line))
        except Unwritten as error:
            self.unwritten = error
            self._obeying.quit = True
            self._changed.set()
