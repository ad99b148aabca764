"""`ra-server check`: a sound database is called sound, each kind of damage is found where it is,
the directory is rebuilt from the log, and nothing secret is ever printed."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve

from engine.clock import Absence, Clock, ClockKind
from engine.entry import Entry, Sealed
from engine.game import Setup
from engine.table.words import Revealed
from server.__main__ import main as ra_server
from server.app import serve
from server.games import game_services
from server.store.port import START, Row, SessionRow
from server.store.schema import first_chain, next_chain
from server.store.sqlite import SqliteStore
from server.tables.directory import row_of
from tests.games import Played, open_table, whole_game
from tests.process.serving import program, run, server_process
from tests.server.absent import settle
from tests.server.pace import Pace
from tests.server.peer import QUIET, peer

CODES = ("ASPEN-10", "BISON-20", "CEDAR-30")
Check = Callable[..., tuple[int, list[str]]]


def games() -> list[Played]:
    """A finished match, another one, and one that is being played."""
    return [
        whole_game("ra", Setup("standard", 2), 1, CODES[0]),
        whole_game("miniature", Setup("open", 2), 2, CODES[1]),
        open_table("ra", Setup("standard", 3), number=3, code=CODES[2]),
    ]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with three tables and a session."""
    path = tmp_path_factory.mktemp("check") / "ra.db"
    asyncio.run(fill(path))
    return path


async def fill(path: Path) -> None:
    store = SqliteStore(path)
    for played in games():
        await keep(store, played)
    await store.put_session(SessionRow(bytes(32), b"public", "Ann", 1000, 2000))
    await store.close()


async def keep(store: SqliteStore, played: Played) -> None:
    codec, position = game_services(played.game.name).entries, START
    code, first = played.stream.seating.code, evolve(played.entries[0], id=seating_id(played))
    entries = (first, *played.entries[1:])
    rows = tuple([Row(entry.number, codec.encode(entry)) for entry in entries])
    listed = row_of(rows)
    for row in rows:
        position = await store.append(code, position, row, evolve(listed, number=row.number))


def seating_id(played: Played) -> bytes:
    """An id of the opening command, another one for each table."""
    return played.stream.seating.code.encode()


@pytest.fixture
def path(made: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "ra.db"
    shutil.copy(made, copy)
    return copy


@pytest.fixture
def check(path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    def call(*flags: str) -> tuple[int, list[str]]:
        code = ra_server(["check", str(path), *flags])
        output = capsys.readouterr()
        assert not output.err, output.err
        return code, output.out.splitlines()

    return call


def change(path: Path, *statements: str) -> None:
    """Write into the database as another program could."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        for sql in statements:
            other.execute(sql)


def rewrite(path: Path, code: str, number: int, forge: Callable[[Entry], Entry]) -> None:
    """Put another entry in place of one, with chains that fit it: what only somebody can do
    who knows the program."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        (game,) = other.execute(
            "SELECT game FROM directory JOIN streams ON id = stream WHERE code = ?", (code,)
        ).fetchone()
        codec, chain = game_services(game).entries, first_chain(code)
        rows = other.execute(
            "SELECT entries.rowid, number, body FROM entries JOIN streams ON id = stream"
            " WHERE code = ? ORDER BY number",
            (code,),
        ).fetchall()
        for rowid, at, body in rows:
            if at == number:
                body = codec.encode(forge(codec.decode(body)))
            chain = next_chain(chain, body)
            other.execute(
                "UPDATE entries SET body = ?, chain = ? WHERE rowid = ?", (body, chain, rowid)
            )


STREAM = "(SELECT id FROM streams WHERE code = 'ASPEN-10')"


# what is sound


def test_a_sound_database_is_called_sound_and_not_changed(path: Path, check: Check) -> None:
    before = path.read_bytes()
    code, lines = check()
    assert code == 0
    assert len(lines) == 1 and lines[0].startswith("3 tables, "), lines
    assert lines[0].endswith("1 session examined; nothing is wrong")
    assert path.read_bytes() == before


async def test_it_reads_beside_a_running_server_which_goes_on(tmp_path: Path) -> None:
    async with server_process(tmp_path) as running:
        from tests.process.player import three_players

        players = await three_players(running, 3)
        code, output, errors = await run(program("ra-server"), "check", str(running.database))
        assert (code, errors) == (0, ""), output
        repair = ("check", str(running.database), "--repair-directory")
        code, output, errors = await run(program("ra-server"), *repair)
        assert code == 2 and output == "" and errors.count("\n") == 1, errors
        assert str(running.pid) in errors
        assert players[0].code


# what is not


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (f"UPDATE entries SET body = x'00' WHERE stream = {STREAM} AND number = 5", "5 changed"),
        (f"DELETE FROM entries WHERE stream = {STREAM} AND number = 7", "7 missing"),
        (f"DELETE FROM entries WHERE stream = {STREAM} AND number > 9", "10 missing"),
        (f"UPDATE entries SET chain = x'00' WHERE stream = {STREAM} AND number = 2", "2 changed"),
    ],
)
def test_damage_to_a_log_is_found_at_its_entry(
    path: Path, check: Check, sql: str, found: str
) -> None:
    change(path, sql)
    code, lines = check()
    assert code == 1
    assert lines[0].startswith(f"ASPEN-10 {found}: "), lines
    assert "1 finding, 1 table with any" in lines[-1]
    # and a repair of the directory is none of the log: it stays as it is
    before = path.read_bytes()
    assert check("--repair-directory") == (code, lines)
    assert path.read_bytes() == before


def forged_secret(entry: Entry) -> Entry:
    *events, revealed = entry.events
    assert isinstance(revealed, Revealed)
    return evolve(entry, events=(*events, evolve(revealed, secret=bytes(32))))


def forged_deal(entry: Entry) -> Entry:
    assert entry.sealed is not None
    other = whole_game("ra", Setup("standard", 2), 9).entries[1].sealed
    assert other is not None
    return evolve(entry, sealed=Sealed(entry.sealed.secret, other.deal))


@pytest.mark.parametrize(
    ("number", "forge", "found"),
    [
        (-1, forged_secret, "commitment"),
        (2, forged_deal, ""),
        (5, lambda entry: evolve(entry, number=6), "5 fold"),
        (5, lambda entry: evolve(entry, events=()), ""),
    ],
)
def test_a_forged_entry_with_a_chain_that_fits_is_found(
    path: Path, check: Check, number: int, forge: Callable[[Entry], Entry], found: str
) -> None:
    last = len(games()[0].entries)
    rewrite(path, CODES[0], last if number < 0 else number, forge)
    code, lines = check()
    assert code == 1
    assert any(line.startswith(f"ASPEN-10 {found}") for line in lines[:-1]), lines
    assert "1 table with any" in lines[-1]


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("INSERT INTO streams (code) VALUES ('EMPTY-10')", "EMPTY-10 empty"),
        ("INSERT INTO entries VALUES (999, 1, x'00', x'00')", "database stray: 1 entry belongs to"),
        ("UPDATE sessions SET token_hash = x'00'", "database session: 1 session with no token"),
        ("UPDATE sessions SET name = ' '", "database session: 1 session with no name"),
        ("UPDATE sessions SET seen = -5", "database session: 1 session with impossible times"),
    ],
)
def test_rows_that_no_server_writes_are_found(
    path: Path, check: Check, sql: str, found: str
) -> None:
    change(path, sql)
    code, lines = check()
    assert code == 1
    assert any(line.startswith(found) for line in lines), lines


# the directory


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM directory",
        f"DELETE FROM directory WHERE stream = {STREAM}",
        f"UPDATE directory SET phase = 1, listed = 0 WHERE stream = {STREAM}",
        f"UPDATE directory SET number = number - 1 WHERE stream = {STREAM}",
        "UPDATE directory SET creator = x'00'",
        "UPDATE directory SET stream = stream + 1000",
    ],
)
def test_a_wrong_directory_is_found_and_made_anew(path: Path, check: Check, sql: str) -> None:
    kept = dump(path)
    change(path, sql)
    assert dump(path) != kept
    code, lines = check()
    assert code == 1 and all(" directory: " in line for line in lines[:-1]), lines
    code, lines = check("--repair-directory")
    assert code == 0 and "rewritten; nothing is wrong" in lines[-1], lines
    assert dump(path) == kept
    assert check()[0] == 0


def dump(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as other:
        return other.execute("SELECT * FROM directory ORDER BY stream").fetchall()


# what cannot be examined, and what never happens


def test_what_cannot_be_examined_is_one_line_and_exit_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text("hello")
    with closing(sqlite3.connect(tmp_path / "future")) as made:
        made.execute("PRAGMA application_id = 1382117230")
        made.execute("PRAGMA user_version = 99")
        made.execute("CREATE TABLE x (y)")
    for name in ("none", "text", "future"):
        assert ra_server(["check", str(tmp_path / name)]) == 2
        output = capsys.readouterr()
        assert output.out == "" and output.err.count("\n") == 1, output
    assert {file.name for file in tmp_path.iterdir()} == {"text", "future"}
    for arguments in ([], ["--nonsense", "x"]):
        with pytest.raises(SystemExit) as ended:
            ra_server(["check", *arguments])
        assert ended.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_it_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        ra_server(["check", "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert "--repair-directory" in text and "Exit codes" in text


def test_no_secret_is_printed_whatever_is_wrong(
    path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    secrets = [entry.sealed.secret for played in games() for entry in played.entries[:3]
               if entry.sealed is not None]  # fmt: skip
    rng = random.Random(5)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        rows = other.execute("SELECT rowid, body, stream, number FROM entries").fetchall()
        for rowid, body, _, _ in rng.sample(rows, 20):
            at = rng.randrange(len(body))
            other.execute(
                "UPDATE entries SET body = ? WHERE rowid = ?",
                (body[:at] + rng.randbytes(1) + body[at + 1 :], rowid),
            )
    assert ra_server(["check", str(path)]) == 1
    output = capfd.readouterr().out
    for secret in secrets:
        assert secret.hex() not in output and repr(secret) not in output


def test_a_torn_file_is_findings_or_one_line_and_never_a_traceback(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every page by turns is overwritten, and the file ends early; the tables that can be
    read are served all the same (or the server says in one line why it does not start)."""
    whole = path.read_bytes()
    pages = range(0, len(whole), 2048)
    rng = random.Random(8)
    codes = []
    for at in [0, *rng.sample(list(pages), 10)]:
        path.write_bytes(whole[:at] + rng.randbytes(2048) + whole[at + 2048 :])
        codes.append(ra_server(["check", str(path)]))
        path.write_bytes(whole[:at])
        codes.append(ra_server(["check", str(path)]))
    output = capsys.readouterr()
    assert "Traceback" not in output.out + output.err
    form = r"(database|[A-Z]+-\d+)( \d+)? [a-z_]+: .+|\d+ tables?, \d+ entr.*"
    lines = output.out.splitlines()
    assert all(re.fullmatch(form, line) for line in lines), lines
    assert 0 not in codes[:2] and codes.count(1) > 5 and set(codes) <= {0, 1, 2}, codes


def test_what_sqlite_says_is_a_finding_for_each_line(path: Path, check: Check) -> None:
    """Two pages more than are used: it says so in one text of three lines."""
    whole = bytearray(path.read_bytes())
    pages = int.from_bytes(whole[28:32], "big") + 2
    whole[28:32] = pages.to_bytes(4, "big")
    path.write_bytes(bytes(whole) + bytes(2 * 2048))
    code, lines = check()
    assert code == 1
    *findings, last = lines
    assert len(findings) == 2, lines
    for page, finding in enumerate(findings, pages - 1):
        assert finding.startswith(f"database integrity: SQLite finds: Page {page}")
    assert "3 tables" in last and "2 findings, 0 tables with any" in last


async def test_what_a_server_writes_is_sound_clocks_bots_and_absence_included(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, pace = tmp_path / "ra.db", Pace()
    settings = evolve(QUIET, memory=False, db=path, records=tmp_path / "records")
    async with (
        serve(settings, None, pace) as app,
        peer(app, "Ann") as ann,
        peer(app, "Bob") as bob,
    ):
        clock = Clock(ClockKind.BANK, 60_000, 1_000)
        for absence in (Absence.BOT, Absence.DEFAULT):
            code = await ann.create(bots=("random",), clock=clock, absence=absence)
            await bob.join(code)
            table = await app.residents.get(code)
            for _ in range(30 if absence is Absence.DEFAULT else 500):
                await settle(table)
                due = table.due_in()
                if due is None:
                    break
                await pace.pass_by(due)
            assert ra_server(["check", str(path)]) == 0, capsys.readouterr().out
        await ann.create()
    assert ra_server(["check", str(path)]) == 0, capsys.readouterr().out
