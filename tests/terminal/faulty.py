"""A client whose network task breaks: `python -m tests.terminal.faulty [when]`.

It breaks after a key. `when` is `talking` (an exception in the network task), `drawing`
(in drawing the screen), `task` (in a task that nobody waits for) or `callback` (in a callback of
the loop, while the link is connecting).
"""

from __future__ import annotations

import asyncio
import sys

from client.dial.address import Address
from client.dial.guard import guard
from client.join.opener import Opening
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link
from client.screen import pages, run
from client.screen.lines import Line
from client.screen.state import ScreenState

PRESSED = asyncio.Event()


class FaultyLink(Link):
    """A link that breaks after a key."""

    async def run(self) -> None:
        await PRESSED.wait()
        if sys.argv[1] == "talking":
            raise ZeroDivisionError("the network task broke")
        if sys.argv[1] == "task":
            self.task = asyncio.ensure_future(_break())
            del self.task
        if sys.argv[1] == "callback":
            guard(asyncio.get_running_loop())
            asyncio.get_running_loop().call_soon(_fail)
        await asyncio.Event().wait()


def _fail() -> None:
    raise ZeroDivisionError("a callback broke")


async def _break() -> None:
    raise ZeroDivisionError("a task of nobody broke")


def press(state: ScreenState, key: str) -> None:
    PRESSED.set()


def draw(state: ScreenState, columns: int, rows: int) -> list[Line]:
    """The screen, which cannot be drawn after a key."""
    if PRESSED.is_set() and sys.argv[1] == "drawing":
        raise ZeroDivisionError("drawing broke")
    return pages.draw(state, columns, rows)


async def main() -> int:
    conversation = Conversation(Identity("test", "Anna"))
    run.press, run.draw = press, draw  # type: ignore[attr-defined]
    return await run.run_screen(
        conversation, FaultyLink(Address("127.0.0.1", 9), conversation), Opening()
    )


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
