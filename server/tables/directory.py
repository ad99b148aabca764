"""The directory of tables, made anew from the log where it has gaps: all that it says
follows from the streams.

Knows the store and the streams' fold; no table in memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.entry import Entry
from engine.errors import BrokenLog, IllegalAction
from engine.seating import Seating
from engine.stream import Stream
from protocol.codec import ProtocolError, loads
from server.log import Log
from server.play import find_play
from server.store.port import Damaged, DirectoryRow, Row, Store
from server.tables.due import due_of


async def whole_directory(store: Store, log: Log) -> list[DirectoryRow]:
    """All rows of the directory; made anew first if a stream is missing from it.

    A stream that cannot be read is logged, and keeps the row that it has, if any.
    """
    rows = await store.directory()
    codes = await store.tables()
    if [row.code for row in rows] == codes:
        return rows
    log.warning("directory_rebuilt", tables=len(codes), listed=len(rows))
    known = {row.code: row for row in rows}
    made: list[DirectoryRow] = []
    for code in codes:
        try:
            made.append(row_of((await store.read(code)).rows))
        except (Damaged, BrokenLog, ProtocolError, IllegalAction, ValueError) as error:
            log.error("table_unreadable", table=code, error=error)
            if code in known:
                made.append(known[code])
    await store.rebuild(made)
    return made


def row_of(rows: tuple[Row, ...]) -> DirectoryRow:
    """The directory row of a whole stream; raises BrokenLog, ProtocolError,
    IllegalAction, ValueError."""
    play = find_play(game_of(rows))
    entries = [play.entries.decode(row.body) for row in rows]
    stream = Stream.replay(entries)
    first = entries[0]
    return directory_row(stream.seating, entries[-1], first.person or b"", first.id, due_of(stream))


def directory_row(
    seating: Seating,
    last: Entry,
    creator: bytes,
    create_id: bytes | None,
    due: int | None = None,
) -> DirectoryRow:
    """The directory row of a table as of its last entry; `creator` and `create_id` are
    the person and the id of its first one; `due` is what `server.tables.due.due_after` gives."""
    return DirectoryRow(
        code=seating.code,
        game=seating.game,
        phase=seating.phase,
        listed=seating.listed,
        number=last.number,
        deadline=None if due is None else last.time + due,
        creator=creator,
        create_id=create_id,
        updated=last.time,
    )


def game_of(rows: Sequence[Row]) -> str:
    """The game's name, by which alone the rest can be decoded: the first entry's first
    event is `TableOpened` with tag, code and game."""
    try:
        game = loads(rows[0].body)[7][0][2]
    except (IndexError, TypeError):
        raise BrokenLog("the first entry does not open a table") from None
    if not isinstance(game, str):
        raise BrokenLog("the first entry does not open a table")
    return game
