"""A second game, of another kind, through real processes: choices made by all at once and
sealed, registered from outside, served, played by plain clients, replayed and verified."""

from __future__ import annotations

import asyncio
import re
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

import pytest

from tests.miniature import environment
from tests.patience import PATIENCE
from tests.process.serving import ServerProcess, program, run, server_process


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes of a test find the miniature."""
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])


async def client(server: ServerProcess, folder: Path, name: str, *arguments: str) -> Process:
    """A plain client that answers by itself."""
    return await asyncio.create_subprocess_exec(
        program("ra-client"),
        f"127.0.0.1:{server.port}",
        *arguments,
        *("--plain", "--auto", "random", "--notation", "--name", name),
        *("--data", str(folder / name)),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )


async def lines_until(process: Process, pattern: str) -> tuple[list[str], str]:
    """Lines up to one that matches, and what it matched (group 1)."""
    assert process.stdout is not None
    lines: list[str] = []
    async with asyncio.timeout(PATIENCE):
        async for data in process.stdout:
            lines.append(data.decode().rstrip("\n"))
            found = re.search(pattern, lines[-1])
            if found:
                return lines, found[1]
    raise AssertionError(f"no {pattern!r} in {lines}")


@pytest.mark.parametrize("ruleset", ["open", "veiled"])
async def test_the_miniature_is_served_played_replayed_and_verified(
    tmp_path: Path, ruleset: str
) -> None:
    players: list[Process] = []
    async with server_process(tmp_path) as server:
        try:
            create = ("--create", "--game", "miniature", "--ruleset", ruleset, "--seats", "4")
            players.append(await client(server, tmp_path, "Ann", *create, "--bots", "1"))
            _, code = await lines_until(players[0], r"table: (\S+) miniature")
            players += [await client(server, tmp_path, name, code) for name in ("Bob", "Cy")]
            told = [await lines_until(player, r"^over: (.*)") for player in players]
        finally:
            for player in players:
                if player.returncode is None:
                    player.kill()
                await player.wait()
        assert len({over for _, over in told}) == 1, "all are told the same result"
        for lines, _ in told:
            assert any("choices" in line for line in lines), "what all had chosen is shown"
            own = [line for line in lines if "own choice" in line]
            assert len(own) == 3, "each learns its own sealed choices, nobody else's"
    where = ("--db", str(server.database), "--table", code)
    status, output, errors = await run(program("ra-replay"), *where, "--verify")
    assert (status, errors) == (0, "")
    assert output.splitlines()[-1].startswith("verified")
    status, output, errors = await run(program("ra-replay"), *where, "--plain")
    assert (status, errors) == (0, "")
