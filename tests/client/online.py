"""A client on a real socket, driven by tests: send a request, and wait for a change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from client.dial.address import Address
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link, LinkLost, Patience
from client.state.events import Change, Stepped
from client.state.scene import Scene
from tests.patience import PATIENCE

C = TypeVar("C")
QUICK = Patience(connect=5, first=0.01, cap=0.05)


class Online:
    """One client."""

    def __init__(
        self, port: int, name: str = "Anna", conversation: Conversation | None = None
    ) -> None:
        self.conversation = conversation or Conversation(Identity("test", name))
        self.link = Link(Address("127.0.0.1", port), self.conversation, QUICK)
        self.changes: list[Change] = []
        self._changed = asyncio.Event()
        self.conversation.listeners.append(self._hear)
        self.running: asyncio.Task[None] | None = None

    def _hear(self, change: Change) -> None:
        self.changes.append(change)
        self._changed.set()

    @property
    def scene(self) -> Scene:
        assert self.conversation.model.scene is not None
        return self.conversation.model.scene

    async def until(self, true: Callable[[], Any]) -> Any:
        """Wait until `true` says something true, looking after every change."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = true()
                if found:
                    return found
                if self.running is not None and self.running.done():
                    self.running.result()
                self._changed.clear()
                await self._changed.wait()

    async def heard(self, kind: type[C], after: int = 0) -> C:
        """The first change of a kind since change number `after`."""

        def find() -> C | None:
            return next((c for c in self.changes[after:] if isinstance(c, kind)), None)

        found: C = await self.until(find)
        return found

    def steps(self) -> list[int]:
        """The entries told one by one."""
        return [change.number for change in self.changes if isinstance(change, Stepped)]

    def answer(self, at: int = 0) -> bytes | None:
        """Answer our open prompt by one of its choices; the command's id."""
        game = self.conversation.model.game
        assert game is not None and self.scene.mine is not None
        choices = game.choices(self.scene.mine.prompt)
        return self.conversation.requests.act(choices[at % len(choices)])

    async def play(self, sent: Callable[[int], None] = lambda at: None) -> None:
        """Answer every prompt until the match is over; `sent` is called after each answer
        with their number."""
        at = 0
        while not self.scene.over:
            await self.until(
                lambda: (
                    self.scene.over or (self.scene.mine and not self.conversation.requests.commands)
                )
            )
            if self.scene.mine and not self.conversation.requests.commands:
                self.answer(at)
                at += 1
                sent(at)


@asynccontextmanager
async def online(
    port: int, name: str = "Anna", conversation: Conversation | None = None
) -> AsyncIterator[Online]:
    """A client that has been greeted."""
    client = Online(port, name, conversation)
    client.running = asyncio.create_task(client.link.run())
    try:
        await client.until(lambda: client.conversation.online)
        yield client
    finally:
        client.link.stop()
        try:
            async with asyncio.timeout(PATIENCE):
                await client.running
        except LinkLost:
            pass
