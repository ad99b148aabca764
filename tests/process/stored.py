"""What a server has stored: read from the file, and verified by the replay command."""

from __future__ import annotations

from pathlib import Path

from engine.entry import Entry
from server.games import game_services
from server.store.reader import Reader
from tests.process.serving import program, run


def stored(database: Path, code: str, game: str = "ra") -> list[Entry]:
    """The entries of a table, beside the server or after it."""
    codec = game_services(game).entries
    with Reader(database) as reader:
        return [codec.decode(row.body) for row in reader.read(code).rows]


async def verify(database: Path, code: str) -> None:
    """`ra-replay --verify` on the database says that all is well."""
    status, output, errors = await run(
        program("ra-replay"), "--verify", "--db", str(database), "--table", code
    )
    assert status == 0, (output, errors)
