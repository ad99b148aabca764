"""`ra-client` on the full screen: wires the state, the network and the terminal.

Exit codes: 0 after leaving by a key (q, Ctrl-D); 1 if the server or the terminal is gone for good,
or after a fault of this program; 128 + number for signals (130 Ctrl-C, 143 SIGTERM, 129 SIGHUP).
Messages are printed after the terminal is restored.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from client.cli.terminal import Writer, complain, silence
from client.games import GameClient, find_client, installed
from client.join.invocation import Back
from client.join.opener import Opening
from client.net.conversation import Conversation
from client.net.link import Link, LinkLost
from client.screen.app import EXIT_FAULT, FullScreen
from client.screen.interface import Leaving
from client.screen.pages import draw
from client.screen.press import press
from client.screen.state import ScreenState
from client.state.events import FileCame
from client.text import clean


async def _at_once(name: str) -> None:
    """Nothing has to happen before the connection."""


async def run_screen(
    conversation: Conversation,
    link: Link,
    opening: Opening,
    *,
    ask_name: bool = False,
    solo: bool = False,
    back: Back = lambda scene: "",
    ready: Callable[[str], Awaitable[None]] = _at_once,
    notice: str = "",
) -> int:
    """Show the client on the terminal until it is left; the exit code. `solo`: the server
    ends with this program, and with it the game; `back`: the command line that
    leads back to it. `ready` is awaited before the connection is made, with the name that was
    typed, if one was. `notice` is on the screen from the start."""
    named = asyncio.Event()

    def begin(name: str) -> None:
        if name:
            conversation.rename(name)
        named.set()

    state = ScreenState(
        conversation,
        where=str(link.address),
        games=installed_games,
        begin=begin,
        save=save,
        opening=opening,
        name=None if ask_name else conversation.model.name,
        solo=solo,
        back=back,
    )
    state.notice = notice
    screen = FullScreen(state, draw, press)

    conversation.listeners.append(screen.wake)

    async def begin_as_named() -> None:
        await named.wait()
        await ready(conversation.model.name if ask_name else "")

    left = await screen.run(_network(state, link, begin_as_named, ask=ask_name))
    return farewell(left)


async def _network(
    state: ScreenState, link: Link, named: Callable[[], Awaitable[None]], *, ask: bool
) -> None:
    """Keep the connection, once there is a name (`named`); the program ends with it.
    If a name is typed (`ask`), the server is tried first, so that nobody types one in vain."""
    try:
        if ask:
            await link.knock()
        await named()
        await link.run()
    except LinkLost as error:
        if error.wanted:
            state.leave(0, f"ra-client: {error}")
        else:
            told = error.with_way_back(state.back(state.conversation.model.scene))
            state.leave(EXIT_FAULT, str(told), error=True)


def farewell(left: Leaving, program: str = "ra-client") -> int:
    """Print the last message on the restored terminal; the exit code. A Ctrl-C that comes
    while the program ends changes nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        if left.error:
            complain(program, left.text)
        elif left.text:
            Writer(sys.stdout)(left.text)
        sys.stdout.flush()
    except OSError:
        # The terminal is gone: the interpreter must not try again when it ends.
        silence(sys.stdout)
    return left.code


def installed_games() -> list[GameClient]:
    """The games that this client knows, Ra first."""
    return [find_client(name) for name in sorted(installed(), key=lambda name: name != "ra")]


def save(came: FileCame) -> str:
    """Write a record or transcript into the current folder, never over another file;
    what to say about it."""
    ending = ".ra" if came.kind == "record" else ".transcript"
    stem = "".join(char for char in clean(came.code) if char.isalnum() or char == "-")
    for number in range(1, 100):
        name = f"{stem}{'' if number == 1 else f'-{number}'}{ending}"
        try:
            with Path(name).open("xb") as file:
                file.write(came.data)
        except FileExistsError:
            continue
        except OSError as error:
            return f"{name} cannot be written: {error.strerror}."
        return f"Saved: {name}   Replay it: ra-replay {name}"
    return "There are too many files of this name here."
