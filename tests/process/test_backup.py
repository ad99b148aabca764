"""F, C06: a server is backed up while people play, killed, and restored; it goes on with
what was backed up, and clients with it."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from protocol.messages import Create, Refused
from tests.process.patient import play_patiently
from tests.process.player import connected
from tests.process.serving import program, run, server_process
from tests.process.stored import stored
from tests.server.store.streams import contents, quiet


async def command(*arguments: object) -> tuple[int, str, str]:
    return await run(program("ra-server"), *[str(argument) for argument in arguments])


async def test_a_server_is_backed_up_while_it_plays_and_restored(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        async with connected(server, "Ann") as ann:
            code = await ann.create(bots=("random", "easy"))
            playing = asyncio.create_task(play_patiently(ann))
            backups: list[Path] = []
            while not playing.done():
                file = tmp_path / f"{len(backups)}.db"
                status, output, errors = await command("backup", server.database, file)
                assert (status, errors) == (0, ""), output
                backups.append(file)
            await playing
        found = [len(stored(file, code)) for file in backups]
        assert found == sorted(found) and found[0] > 0
        status, _, errors = await command("restore", backups[0], server.database)
        assert status == 2 and f"process {server.pid}" in errors, "a server runs"
        await server.kill()
        status, output, errors = await command("restore", backups[0], server.database)
        assert (status, errors) == (0, "") and "is kept as" in output
        kept = Path(output.strip().rpartition(" kept as ")[2])
        assert len(stored(kept, code)) >= found[-1], "nothing that was acknowledged is lost"
        await server.start()
        async with connected(server, "Bob") as bob:
            assert (await bob.watch(code)).number >= found[0]
        assert await server.terminate() == 0
    status, output, _ = await command("check", server.database)
    assert status == 0, output


async def test_c06_a_killed_server_that_was_quiet_is_one_file(tmp_path: Path) -> None:
    """Copied as such, also beside it while nobody acts, and put back as such."""
    async with server_process(tmp_path) as server:
        async with connected(server, "Ann") as ann:
            code = await ann.create(bots=("random", "easy"))
            await quiet(server.database)
            told = len(stored(server.database, code))
            await server.kill()
        assert contents(tmp_path)["ra.db-wal"] == b""
        copy = tmp_path / "copy.db"
        shutil.copy(server.database, copy)
        assert len(stored(copy, code)) == told > 0
        shutil.copy(copy, server.database)
        await server.start()
        assert await server.terminate() == 0
    assert len(stored(server.database, code)) >= told


async def test_a_server_whose_database_is_taken_away_says_so_and_makes_no_other(
    tmp_path: Path,
) -> None:
    """Neither then nor when it stops; put back, it has all that was acknowledged."""
    folder, away = tmp_path / "served", tmp_path / "away"
    for one in (folder, away):
        one.mkdir()
    async with server_process(folder, "--log", "json") as server, connected(server, "Ann") as ann:
        code = await ann.create(bots=("random", "easy"))
        await quiet(server.database)
        told = len(stored(server.database, code))
        for name in ("ra.db", "ra.db-wal", "ra.db-shm"):
            (folder / name).rename(away / name)
        opening = Create(b"id", "ra", "standard", (), 3, (), True, True, bytes(16))
        assert (await ann.ask(opening, Refused)).code == "store_unavailable"
        await server.logs("another file is in its place now, or none")
        assert await server.terminate() == 0
    assert not {"ra.db", "ra.db-wal"} & set(contents(folder))
    shutil.copy(away / "ra.db", server.database)
    assert len(stored(server.database, code)) >= told > 0
