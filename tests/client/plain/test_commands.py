"""What typed lines do, and what is said of those that do nothing."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import evolve

from client.join.opener import Opener, Opening
from client.plain.commands import CommandHandlers
from client.plain.printer import Printer
from engine.game import Setup
from protocol.messages import GetTranscript
from tests.client.joined import WELCOME, Joined
from tests.client.typed_runs import run
from tests.games import open_table
from tests.server.peer import server


async def test_a_script_is_obeyed_line_by_line(tmp_path: Path) -> None:
    script = "state\ncreate seats=2 bots=1\nwait\nstate\nchoices\nra\npass\nscore\nwait\nquit\n"
    async with server() as app:
        done = await run(tmp_path, f"localhost:{app.port}", "--plain", typed=script)
    assert (done.code, done.err) == (0, "")
    text = "\n".join(done.out)
    assert "error: you are at no table" in text
    assert "  sun on the board: 1" in done.out
    assert re.search(r"^  your (turn: draw \| ra|bid: bid \d+)", text, re.MULTILINE)
    assert "choice: draw" in done.out or "choice: pass" in done.out, "a bot may draw Ra first"
    assert sum(line.startswith("ok ") for line in done.out) >= 2
    assert re.search(r": 10 points$", text, re.MULTILINE)


async def test_a_transcript_is_asked_for_at_a_table_only_and_its_file_is_a_whole_line(
    tmp_path: Path,
) -> None:
    file = tmp_path / "of this game"
    script = f"transcript A-1 {file}\ncreate seats=2\ntranscript {file}\nquit\n"
    async with server() as app:
        done = await run(tmp_path, f"127.0.0.1:{app.port}", "--plain", typed=script)
    assert done.code == 0
    (error,) = [line for line in done.out if line.startswith("error: ")]
    assert error.startswith("error: you are at no table")
    assert f"saved: {file} ({len(file.read_bytes())} bytes)" in done.out


async def test_what_cannot_be_said_now_is_told(tmp_path: Path) -> None:
    """Between the welcome and the table that is come back to."""
    joined = Joined(open_table("ra", Setup("standard", 2)))
    written: list[str] = []
    opener = Opener(joined.conversation, Opening())
    handlers = CommandHandlers(
        joined.conversation, Printer(joined.conversation.model), opener, written.append
    )
    joined.conversation.listeners.append(handlers.hear)
    joined.attend()
    joined.conversation.broken("cut", 1)
    joined.connect(evolve(WELCOME, token=None))
    assert handlers.busy, "no line is read before the table is there"
    handlers.read("say hello")
    handlers.read("hint")
    handlers.read(f"transcript {tmp_path / 'file'}")
    assert written == [
        "error: there is no connection: nothing was said",
        "error: there is no connection: nothing was asked",
    ]
    joined.snapshot()
    assert joined.up() == [GetTranscript()]


async def test_what_nobody_understands_leads_to_the_help(tmp_path: Path) -> None:
    """At a table with a match, where we are asked, and without one."""
    script = "frob\ncreate seats=2 bots=1\nwait\nfrob\nbid\ndraw 2\nquit\n"
    async with server() as app:
        done = await run(tmp_path, f"127.0.0.1:{app.port}", "--plain", typed=script)
    errors = [line for line in done.out if line.startswith("error: ")]
    assert len(errors) == 4
    assert all("try help" in line for line in errors), errors
    assert sum("there is no 'frob' here" in line for line in errors) == 2


async def test_a_file_that_cannot_be_had_is_an_error_line_and_the_game_goes_on(
    tmp_path: Path,
) -> None:
    names = ("x" * 300, "~nobody-of-this-name/x", str(tmp_path / "nowhere" / "x"), str(tmp_path))
    script = "create seats=2\n" + "".join(f"transcript {name}\n" for name in names) + "state\n"
    async with server() as app:
        done = await run(tmp_path, f"127.0.0.1:{app.port}", "--plain", typed=script)
    assert (done.code, done.err) == (0, "")
    errors = [line for line in done.out if line.startswith("error: ")]
    assert len(errors) == len(names)
    for line, name in zip(errors, names, strict=True):
        assert line.startswith(f"error: {name}"[:60])
    assert any(line.startswith("  ") for line in done.out)
