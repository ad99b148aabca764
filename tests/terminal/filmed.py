"""The real client on the screen, told a recorded game up to a step, as a server would.

`python -m tests.terminal.filmed RECORD SEAT STEP NAME...`: the frames are those that the
match seat was sent; the record's players get the names given. Nothing of it depends on
the day or the machine.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from attrs import evolve

from client.dial.address import Address
from client.join.opener import Opening
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link
from client.screen.run import run_screen
from engine.entry import Entry, Event
from engine.game import find_game
from engine.table.words import MatchStarted, SeatTaken, TableOpened
from protocol.messages import SERVER_CODEC, VERSION, Peer, Presence, Welcome
from protocol.project import Projector
from protocol.record import read_record
from protocol.transcript import follow

RECORD = Path(__file__).parents[1] / "golden" / "tie-to-the-highest-sun.ra"
CODE = "KIWI-42"


class FilmedLink(Link):
    """Says what a server once said, without a socket."""

    def __init__(self, conversation: Conversation, frames: list[bytes]) -> None:
        super().__init__(Address("example.org", 8765), conversation)
        self._frames = frames

    async def run(self) -> None:
        self.conversation.connecting()
        self.conversation.opened(lambda frame: None)
        for frame in self._frames:
            self.conversation.take(frame)
        await asyncio.Event().wait()


def frames(record: Path, seat: int, step: int, names: list[str]) -> list[bytes]:
    """What a server sends to the seat: the welcome, who is there, the game up to a step."""
    with record.open("rb") as file:
        entries = [_named(entry, names) for entry in read_record(file).entries]
    started = next(e for entry in entries for e in entry.events if isinstance(e, MatchStarted))
    game = find_game(next(e.game for e in entries[0].events if isinstance(e, TableOpened)))
    shown = follow(entries[:step], Projector(game), seat, started.places)
    welcome = Welcome(VERSION, "filmed", b"person", b"token", names[seat], 60_000)
    presence = Presence((Peer.HERE,) * len(names), 2)
    return [SERVER_CODEC.encode(message) for message in (welcome, *shown, presence)]


def _named(entry: Entry, names: list[str]) -> Entry:
    events = tuple(_renamed(event, names) for event in entry.events)
    return evolve(entry, events=events)


def _renamed(event: Event, names: list[str]) -> Event:
    match event:
        case SeatTaken(seat=seat):
            return evolve(event, name=names[seat])
        case TableOpened():
            return evolve(event, code=CODE)
        case _:
            return event


async def main(record: Path, seat: int, step: int, names: list[str]) -> int:
    conversation = Conversation(Identity("filmed", names[seat]))
    link = FilmedLink(conversation, frames(record, seat, step, names))
    return await run_screen(conversation, link, Opening(CODE))


if __name__ == "__main__":
    path, at, until, *called = sys.argv[1:]
    sys.exit(asyncio.run(main(Path(path), int(at), int(until), called)))
