"""`ra-replay`: what it prints, what it refuses, and how it says so."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from client.replay import main
from engine.deal import Chance, derive_seed
from engine.game import Setup
from protocol.entries import entry_codec
from protocol.project import Projector
from protocol.record import write_record
from protocol.transcript import write_transcript
from server.store.port import START, DirectoryRow, Row
from server.store.sqlite import SqliteStore
from tests.games import Played, nonce, open_table, seed, whole_game
from tests.miniature import environment

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "two-players.ra"
RA = Setup("standard", 3)
VEILED = Setup("veiled", 3)
ALTOGETHER = ("chain", "fold", "commitment", "deal", "commands", "result")


def bodies(played: Played) -> list[bytes]:
    codec = entry_codec(played.game.vocabulary)
    return [codec.encode(entry) for entry in played.entries]


def saved(played: Played, folder: Path) -> str:
    """The path of a record of an ended match."""
    file = folder / "game.ra"
    file.write_bytes(b"".join(write_record(played.stream, bodies(played), "tests 1.0")))
    return str(file)


def running(name: str = "ra", actions: int = 40) -> Played:
    """A match that goes on."""
    played = open_table(name, RA if name == "ra" else VEILED, number=5)
    moves = played.moves(Chance(seed(5)))
    for _ in range(actions):
        next(moves)
    return played


async def database(played: Played, folder: Path) -> str:
    """The path of a database with the table."""
    path = folder / "ra.db"
    store = SqliteStore(path)
    position = START
    for entry, body in zip(played.entries, bodies(played), strict=True):
        row = DirectoryRow(
            code="TEST-1",
            game=played.game.name,
            phase=int(played.stream.seating.phase),
            listed=True,
            number=entry.number,
            deadline=None,
            creator=b"person",
            create_id=None,
            updated=entry.time,
        )
        position = await store.append("TEST-1", position, Row(entry.number, body), row)
    await store.close()
    return str(path)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code and the one line on stderr; nothing is on stdout."""
    try:
        code = main(arguments)
    except SystemExit as ended:
        code = int(ended.code or 0)
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 1, told.err
    assert told.err.startswith("ra-replay: ")
    return code, told.err


# records


def test_a_record_is_told_in_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    """As the live client tells them: for people, and for whoever listens."""
    assert main([str(GOLDEN), "--plain"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert re.search(r"^#\d+ Player 1 draws an? \w+\.$", told.out, flags=re.MULTILINE)
    numbers = [int(n) for n in re.findall(r"^#(\d+) ", told.out, flags=re.MULTILINE)]
    assert numbers == sorted(numbers) and set(numbers) == set(range(1, numbers[-1] + 1))
    assert told.out.splitlines()[-1].startswith("over: Player ")


def test_a_file_reveals_nothing_more(capsys: pytest.CaptureFixture[str]) -> None:
    code, line = refused(capsys, str(GOLDEN), "--plain", "--reveal")
    assert code == 2 and "--db" in line


def test_a_record_is_told_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(GOLDEN), "--plain", "--notation"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    steps = [int(n) for n in re.findall(r"^ +(\d+)  .", told.out, flags=re.MULTILINE)]
    assert steps[:2] == [1, 2], "the two players"
    assert "(in the notation from 0)" in told.out
    assert steps[2:] == list(range(1, len(steps) - 1)), "a line per step"
    assert re.search(r"^ +\d+  \d draws \w+", told.out, flags=re.MULTILINE)
    assert "wins." in told.out.splitlines()[-1]


def test_json_has_one_object_for_each_entry(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played = whole_game("ra", RA, 3)
    assert main([saved(played, tmp_path), "--json"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [step["number"] for step in steps] == [e.number for e in played.entries]
    assert steps[-1]["phase"] == "over"
    assert steps[0]["sealed"]["secret"] == seed(3).hex()
    assert all(step["command"]["is"] for step in steps)
    result = played.stream.match.result if played.stream.match else None
    assert result is not None
    assert steps[-1]["board"]["winners"] == list(result.winners)
    assert [hand["points"] for hand in steps[-1]["hands"]] == list(result.points)


def test_verification_says_what_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(GOLDEN), "--verify"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [[name, "holds"] for name in ALTOGETHER]
    assert lines[-1].startswith("verified")


async def test_verification_says_what_could_not_be_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([str(GOLDEN), "--verify"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "verified: chain, fold, commitment, deal, commands and result hold"
    played = running()
    path = await database(played, tmp_path)
    assert main(["--db", path, "--table", played.stream.seating.code, "--verify"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("verified in part: chain, fold and commands hold; "), last
    assert "deal" in last.partition(";")[2] and "could not be checked" in last


def test_a_game_of_another_kind_is_replayed_by_the_same_command(tmp_path: Path) -> None:
    file = saved(whole_game("miniature", VEILED, 3), tmp_path)
    command = [sys.executable, "-m", "client.replay", file]
    for mode in ("--plain", "--json", "--verify"):
        done = subprocess.run(
            [*command, mode], env=environment(), capture_output=True, text=True, cwd=tmp_path,
            check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) >= 7


def test_a_seat_sees_what_it_saw(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Through the eyes of one seat no other's hidden cards, points or commands show."""
    played = whole_game("miniature", VEILED, 6)
    file = saved(played, tmp_path)
    for view, seat in (("1", 0), ("2", 1), ("spectator", None)):
        assert main([file, "--json", "--seat", view]) == 0
        for line, entry in zip(capsys.readouterr().out.splitlines(), played.entries, strict=True):
            step = json.loads(line)
            assert "sealed" not in step
            assert step["hands"] == []
            mine = entry.seat is not None and entry.seat == seat
            assert (step["command"] is not None) == mine
            if view == "spectator":
                assert step["own"] is None
            chosen = [one for one in step["happened"] if one["is"] == "OwnChoice"]
            assert bool(chosen) == mine


def test_one_step_or_epoch_shows_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(GOLDEN), "--plain", "--epoch", "2"]) == 0
    second = capsys.readouterr().out
    assert "epoch 2 of 3" in second
    number = re.search(r"after step (\d+):", second)
    assert number is not None
    assert main([str(GOLDEN), "--plain", "--at", number[1]]) == 0
    assert capsys.readouterr().out == second
    assert main([str(GOLDEN), "--plain", "--at", str(int(number[1]) - 1)]) == 0
    assert "epoch 1 of 3" in capsys.readouterr().out
    assert main([str(GOLDEN), "--json", "--at", "5"]) == 0
    assert json.loads(capsys.readouterr().out)["number"] == 5


# what is wrong


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("x.ra", "--db", "y.db", "--table", "A-1"),
        ("--db", "y.db"),
        ("--table", "A-1"),
        ("x.ra", "--at", "0"),
        ("x.ra", "--at", "x"),
        ("x.ra", "--at", "9" * 30),
        ("x.ra", "--epoch", "-1"),
        ("x.ra", "--seat", "-1"),
        ("x.ra", "--seat", "me"),
        ("x.ra", "--seat", "0"),
        ("x.ra", "--plain", "--json"),
        ("x.ra", "--at", "1", "--epoch", "1"),
        ("x.ra", "--nonsense"),
        (str(GOLDEN), "--plain", "--seat", "3"),
        (str(GOLDEN), "--plain", "--at", "5000"),
        (str(GOLDEN), "--plain", "--epoch", "4"),
        (str(GOLDEN),),
    ],
)
def test_a_command_line_without_sense_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert refused(capsys, *arguments)[0] == 2


def test_seats_are_counted_from_one_as_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    for mode in ("--plain", "--json", "--analyse"):
        for seat, why in (("0", "there is no seat 0: the first is 1"), ("3", "no seat 3: 2 play")):
            assert why in refused(capsys, str(GOLDEN), mode, "--seat", seat)[1]
    assert main([str(GOLDEN), "--plain", "--seat", "2"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[2:5] == ["  1  Player 1", "  2  Player 2", "seen by: seat 2"]
    assert main([str(GOLDEN), "--plain", "--at", "40", "--seat", "2"]) == 0
    (mine,) = [line for line in capsys.readouterr().out.splitlines() if line.endswith("(you)")]
    assert mine.startswith("Player 2: ")


def test_without_a_terminal_the_line_names_plain(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--plain" in refused(capsys, str(GOLDEN))[1]


# transcripts


def test_a_transcript_shows_what_its_audience_was_sent(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played = running("miniature", 5)
    file = tmp_path / "seat.transcript"
    projector = Projector(played.game)
    file.write_bytes(b"".join(write_transcript(played.entries, projector, 1, "tests 1.0")))
    assert main([str(file), "--json"]) == 0
    told = capsys.readouterr()
    assert "still running" in told.err
    steps = [json.loads(line) for line in told.out.splitlines()]
    assert [step["number"] for step in steps] == [e.number for e in played.entries]
    assert all("command" not in step and "sealed" not in step for step in steps)
    assert refused(capsys, str(file), "--plain", "--seat", "1")[0] == 2
    assert refused(capsys, str(file), "--plain", "--seat", "all")[0] == 2
    assert main([str(file), "--verify"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("chain       holds")
    *subjects, verdict, proves = lines[1:]
    assert all("not derived" in line for line in subjects)
    assert [line.split()[0] for line in lines[:-2]] == list(ALTOGETHER)
    assert verdict.startswith("nothing of the game was verified")
    assert proves == "a transcript proves only what was sent to seat 2"


# databases


async def test_a_running_table_hides_what_is_hidden(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Without --reveal the operator, too, sees what a spectator sees, and is told so."""
    played = running("ra")
    where = ("--db", await database(played, tmp_path), "--table", "TEST-1")
    nonces = tuple(nonce(seat) for seat in range(3))
    secrets = (seed(5).hex(), derive_seed(seed(5), nonces).hex(), "sealed", 'bag": [')
    for mode in ("--plain", "--json", "--verify"):
        assert main([*where, mode]) == 0
        told = capsys.readouterr()
        assert not any(secret in told.out + told.err for secret in secrets)
        if mode != "--verify":
            assert "still running" in told.err
        if mode == "--json":
            for line in told.out.splitlines():
                step = json.loads(line)
                assert step["own"] is None
                assert step["command"] is None
    for view in ("1", "all"):
        code, line = refused(capsys, *where, "--plain", "--seat", view)
        assert code == 2
        assert "--reveal" in line


async def test_reveal_opens_a_running_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played = running("ra")
    where = ["--db", await database(played, tmp_path), "--table", "TEST-1", "--reveal"]
    assert main([*where, "--json"]) == 0
    told = capsys.readouterr()
    assert "revealed" in told.err
    steps = [json.loads(line) for line in told.out.splitlines()]
    assert len(steps[2]["sealed"]["deal"]["bag"]) == 180
    assert len(steps[-1]["hands"]) == 3
    assert main([*where, "--plain", "--seat", "1"]) == 0
    assert main([*where[:3], "test-1", "--plain"]) == 0, "codes may be typed in any case"


async def test_an_ended_table_is_verified_from_its_database(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    played = whole_game("ra", RA, 3)
    where = ["--db", await database(played, tmp_path), "--table", "TEST-1"]
    assert main([*where, "--verify"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:-1]] == [[name, "holds"] for name in ALTOGETHER]
    assert main([*where, "--plain"]) == 0
    from_database = capsys.readouterr().out.splitlines()
    assert main([saved(played, tmp_path), "--plain"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == from_database[1:]


# as a process


def test_a_closed_pipe_is_no_trouble() -> None:
    replay = shlex.join([sys.executable, "-m", "client.replay", str(GOLDEN), "--json"])
    shell = f"{replay} | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {shell}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["number"] == 1


def test_the_commands_help_names_every_exit_code() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "client.replay", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for code in ("0 nothing is wrong", "1 the file", "2 the command line", "3 the file", "130"):
        assert code in done.stdout


def test_dumb_output_takes_any_name(tmp_path: Path) -> None:
    """A stdout that knows ASCII alone still gets every line."""
    file = saved(whole_game("ra", RA, 1), tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "client.replay", file, "--plain"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""
