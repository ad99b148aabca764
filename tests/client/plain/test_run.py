"""The plain client as a real process: typed lines, pipes, ends of input, exit codes."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, PIPE
from io import BytesIO
from pathlib import Path

from client.plain.run import _LATE_SECONDS
from protocol.record import read_record
from tests.client.typed_runs import command, files, run, surroundings, typist
from tests.client.wire_cutter import proxy
from tests.miniature import ROOT
from tests.patience import PATIENCE
from tests.server.peer import server


async def test_two_people_meet_talk_play_and_leave(tmp_path: Path) -> None:
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        async with (
            typist(
                tmp_path, where, "--plain", "--name", "Anna", "--create", "--seats", "3"
            ) as anna,
            typist(tmp_path, where, "--plain", "--name", "Boris") as boris,
        ):
            code = (await anna.line(r"^table: (\S+) ra standard waiting.*you have seat 1$"))[1]
            await boris.type("tables", rf"^listed: {code} ra standard waiting 1/3; Anna")
            await boris.type("join NONE-99", r"^refused: there is no such table \(no_table\)")
            await boris.type(f"watch {code}", r"you look on$")
            await boris.type("start", r"^refused: only the host may do that")
            await boris.type(f"join {code}", r"you have seat 2$")
            await anna.line(r"^#\d+ Boris takes seat 2\.")
            await boris.type("say hello  there", r"^chat Boris: hello there")
            await anna.line(r"^chat Boris: hello there")
            await anna.type("who", r"^present: Anna, Boris; 0 watching")
            await boris.type("leave", rf"^left: {code}")
            await anna.line(r"^#\d+ Seat 2 is free again\.")
            await anna.type("start", r"^refused: 1 players are not enough: at least 2 are needed")
            await boris.type(f"join {code}", r"you have seat 2$")
            await anna.type("start", r"^#\d+ The match starts: Anna, Boris\.")
            await anna.type("start", r"^(refused|error): ")
            await anna.type("undo", r"^error: there is nothing to take back")
            await anna.type("nonsense", r"^error: ")
            await anna.type("help", r"^  quit: ")
            assert await boris.end() == 0
            await anna.line(r"^present: Anna, Boris \(away\)")
            assert await anna.end() == 0


async def test_a_seat_is_had_again_by_name(tmp_path: Path) -> None:
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        first = await run(
            tmp_path, where, "--plain", "--name", "Anna", "--create", "--seats", "2",
            typed="state\n",
        )  # fmt: skip
        code = next(line.split()[1] for line in first.out if line.startswith("table: "))
        again = await run(tmp_path, where, code, "--plain", "--name", "anna")
        assert any(line.endswith("you have seat 1") for line in again.out)
        other = await run(tmp_path, where, code, "--plain", "--name", "Boris")
        assert any(line.endswith("you have seat 2") for line in other.out)
    assert [path.stat().st_mode & 0o777 for path in files(tmp_path)] == [0o600] * 4, (
        "two sessions, what shares are made from, and how far tables were seen"
    )


async def test_a_spectator_follows_to_the_end_and_saves_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.ra"
    by_rule = ("--plain", "--auto", "random", "--name")
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        async with (
            typist(
                tmp_path, where, *by_rule, "Anna", "--create", "--seats", "3", "--bots", "1"
            ) as anna,
            typist(tmp_path, where, "--plain", "--name", "Zoe") as zoe,
        ):
            code = (await anna.line(r"^table: (\S+) ra standard waiting.*you have seat 1$"))[1]
            await zoe.type(f"watch {code}", r"you look on$")
            boris = await run(tmp_path, where, code, *by_rule, "Boris")
            assert (boris.code, boris.err) == (0, "")
            over = await anna.line("^over: ")
            assert (await zoe.line("^over: ")).string == over.string
            assert await anna.end() == 0, "it ends by itself"
            assert await zoe.end() == 0
        asked = f"record {code} {file}\n"
        done = await run(tmp_path, where, "--plain", typed=asked + asked)
    data = file.read_bytes()
    assert f"saved: {file} ({len(data)} bytes)" in done.out
    assert f"error: {file} is there already" in done.out
    assert read_record(BytesIO(data))


async def test_a_table_that_cannot_be_had_is_exit_code_1(tmp_path: Path) -> None:
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        done = await run(tmp_path, where, "NONE-99", "--plain")
        assert done.code == 1
        assert "refused: there is no such table (no_table)" in done.out
        done = await run(tmp_path, where, "NONE-99", "--plain", typed="create seats=2\nquit\n")
        assert done.code == 1, "whatever was typed after it"
        done = await run(tmp_path, where, "--create", "--plain", typed="join NONE-99\nquit\n")
        assert done.code == 0, "the table was opened"
        done = await run(tmp_path, where, "--create", "--seats", "9", "--plain")
        assert (done.code, done.out) == (2, [])
        assert done.err == "ra-client: a table has 2 to 5 seats, not 9\n"


async def test_a_game_of_another_kind_is_played_by_the_same_client(tmp_path: Path) -> None:
    async with server() as app:
        where = f"127.0.0.1:{app.port}"
        for ruleset in ("open", "veiled"):
            done = await run(
                tmp_path, where, "--plain", "--auto", "random", "--create", "--game", "miniature",
                "--ruleset", ruleset, "--bots", "3",
            )  # fmt: skip
            assert (done.code, done.err) == (0, "")
            assert any(line.startswith("over: Won by ") for line in done.out)
            assert any(line.startswith("your choice: hold | ") for line in done.out)


async def test_b43_quit_is_heard_without_a_connection(tmp_path: Path) -> None:
    async with server() as app, proxy(app.port) as between:
        where = f"127.0.0.1:{between.port}"
        async with typist(tmp_path, where, "--plain") as anna:
            await anna.line("^link: connected")
            between.target = 1
            between.cut()
            await anna.line(r"^link: .*next try in")
            await anna.type("tables")
            await anna.type("quit")
            assert await anna.end() == 0


async def test_b43_quit_is_heard_when_an_answer_does_not_come(tmp_path: Path) -> None:
    async with server() as app, proxy(app.port) as between:
        async with typist(tmp_path, f"127.0.0.1:{between.port}", "--plain") as anna:
            await anna.line("^link: connected")
            between.freeze()
            # When the first is answered, the client is at the second.
            await anna.type("nonsense\ntables", r"^error: ")
            await asyncio.sleep(_LATE_SECONDS + 1)  # an answer must be late for it
            await anna.type("quit")
            async with asyncio.timeout(PATIENCE):
                assert await anna.ended() == (0, "")


async def test_ctrl_c_ends_at_once_also_while_reconnecting(tmp_path: Path) -> None:
    for connected in (True, False):
        async with server() as app, proxy(app.port) as between:
            where = f"127.0.0.1:{between.port}"
            async with typist(tmp_path, where, "--plain") as anna:
                await anna.line("^link: connected")
                if not connected:
                    between.target = 1
                    between.cut()
                    await anna.line("next try")
                anna.interrupt()
                async with asyncio.timeout(10):
                    assert await anna.ended() == (130, "")


async def test_nobody_reads_any_more_is_no_traceback(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *command("--solo", "2", "--plain", "--auto", "random"),
        cwd=ROOT,
        env=surroundings(tmp_path),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    await process.stdout.readline()
    process._transport.get_pipe_transport(1).close()  # type: ignore[attr-defined]
    async with asyncio.timeout(PATIENCE):
        assert await process.stderr.read() == b""
        assert await process.wait() == 0


async def test_a_name_of_which_nothing_is_left_is_refused_in_one_line(tmp_path: Path) -> None:
    async with server() as app:
        done = await run(tmp_path, f"127.0.0.1:{app.port}", "--plain", "--name", "!!")
    assert (done.code, done.err) == (1, "ra-client: this name cannot be used\n")


async def test_b13_a_name_with_escapes_reaches_nobody_as_such(tmp_path: Path) -> None:
    name = "\x1b[31mX\x07\nSYSTEM: you win"
    async with server() as app:
        done = await run(tmp_path, f"127.0.0.1:{app.port}", "--plain", "--name", name, "--create")
    assert done.code == 0
    assert "link: connected as [31mX SYSTEM: you wi" in done.out
    assert all(line.isprintable() for line in done.out)
