"""Three real plain clients and a real server play Raja to the end, through a kill in each phase."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from engine.entry import Entry
from engine.raja.words.commands import ChooseActions
from engine.stream import Stream
from tests.patience import PATIENCE
from tests.process.scripted import PlainClient
from tests.process.serving import ServerProcess, server_process
from tests.process.stored import stored, verify

WHO = ("Ann", "Bob", "Cy")


class Holding(PlainClient):
    """A client that can be made to wait before it answers a kind of prompt."""

    held = ""
    """The word of the prompt: "actions"."""
    kept: str | None = None
    """The prompt that waits for its answer."""

    def _answer(self, line: str) -> None:
        if self.held and line.startswith(f"your {self.held}: "):
            self.kept = line
            self.on_kept()
        else:
            super()._answer(line)

    def hold(self, what: str) -> asyncio.Event:
        """Answer what is kept, and keep the next prompt of a kind; set once that has come."""
        kept, self.kept = self.kept, None
        self.held, came = what, asyncio.Event()
        self.on_kept = came.set
        if kept is not None:
            super()._answer(kept)
        return came

    def release(self) -> None:
        """Answer what is kept, and everything from now on."""
        self.hold("")

    def count(self, text: str) -> int:
        """How many lines hold a text."""
        return sum(text in line for line in self.lines)

    async def hears(self, pattern: str, before: int = 0) -> None:
        """Wait for a line that matches, beyond the first `before` lines."""
        async with asyncio.timeout(PATIENCE):
            while not any(re.search(pattern, line) for line in self.lines[before:]):
                self._heard.clear()
                await self._heard.wait()


async def killed_now(server: ServerProcess, clients: list[Holding]) -> None:
    """Kill the server, start it again, and wait until all are back."""
    before = [len(client.lines) for client in clients]
    await server.kill()
    await server.start()
    for client, lines in zip(clients, before, strict=True):
        await client.hears("^link: connected", lines)


def of_ann(entries: list[Entry]) -> list[Entry]:
    """The entries in which Ann chose her actions."""
    return [one for one in entries if one.seat == 0 and isinstance(one.command, ChooseActions)]


@pytest.mark.timeout(300)
async def test_a_game_through_a_kill_in_each_phase(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        clients = [Holding(server, tmp_path, name, seed) for seed, name in enumerate(WHO)]
        ann, bob, cy = clients
        playing: list[asyncio.Task[None]] = []
        try:
            character = bob.hold("character")
            await ann.start("--create", "--game", "raja", "--ruleset", "short", "--seats", "3")
            playing.append(asyncio.create_task(ann.follow()))
            code = (await ann.until(r"table: (\S+) raja short waiting"))[1]
            for client in (bob, cy):
                await client.start(code)
                playing.append(asyncio.create_task(client.follow()))
                await client.until(f"{client.name} takes seat")
            # while characters are taken, and while houses are founded
            await _kill_at([character], server, clients)
            village = cy.hold("village")
            choosing = [bob.hold("actions")]
            await _kill_at([village], server, clients)
            # between the first and the last secret choice: only Ann's is made
            choosing.append(cy.hold("actions"))
            await bob.hears("Ann has chosen")
            await _kill_at(choosing, server, clients)
            chosen = await asyncio.to_thread(stored, server.database, code, "raja")
            assert len(of_ann(chosen)) == 1
            for client in (bob, cy):
                told = [line for line in client.lines if "Ann" in line and "ctions" in line]
                assert told == [], "what Ann has chosen is told before her turn"
            assert ann.count("You have chosen") >= 1
            # in a turn
            turn = ann.hold("turn")
            bob.release()
            cy.release()
            await _kill_at([turn], server, clients)
            ann.release()
            async with asyncio.timeout(120):
                await asyncio.gather(*playing)
            assert server.starts == 5
            _check_end(clients, stored(server.database, code, "raja"))
        finally:
            for client in clients:
                await client.close()
            await asyncio.gather(*playing, return_exceptions=True)
    await verify(server.database, code)


async def _kill_at(
    held: list[asyncio.Event], server: ServerProcess, clients: list[Holding]
) -> None:
    async with asyncio.timeout(PATIENCE):
        for one in held:
            await one.wait()
    await killed_now(server, clients)


def _check_end(clients: list[Holding], entries: list[Entry]) -> None:
    """The log holds each action once, and everybody is told its result."""
    match = Stream.replay(entries).match
    assert match is not None and match.result is not None
    ids = [(entry.seat, entry.id) for entry in entries]
    assert len(set(ids)) == len(ids), "an action is stored twice"
    winner = WHO[match.result.winners[0]]
    for seat, client in enumerate(clients):
        own = {entry.number for entry in entries if entry.seat in (seat, None)}
        assert set(client.accepted) <= own, "answered with another's action"
        assert len(client.accepted) == len(set(client.accepted)), "answered twice"
        (over,) = [line for line in client.lines if line.startswith("over:")]
        assert winner in over
