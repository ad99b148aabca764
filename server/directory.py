"""The directory of tables, made anew from the log where it has gaps: all that it says
follows from the streams.

Knows the store and the streams' fold; no table in memory.
"""

from __future__ import annotations

from engine.entry import Entry
from engine.errors import BrokenLog, IllegalAction
from engine.seating import Phase
from engine.stream import Stream
from protocol.codec import ProtocolError, loads
from server.log import Log
from server.play import find_play
from server.store.port import Damaged, DirectoryRow, Row, Store


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
    play = find_play(_game_of(rows))
    entries = [play.entries.decode(row.body) for row in rows]
    stream = Stream.replay(entries)
    return directory_row(stream, entries[0], entries[-1])


def directory_row(stream: Stream, first: Entry, last: Entry) -> DirectoryRow:
    """The directory row of a stream between its first and last entry.

    Bots are due as soon as the server runs, so that a table with bots in play wakes.
    """
    seating = stream.seating
    bots = any(seat is not None and seat.bot is not None for seat in seating.seats)
    due = bots and seating.phase is Phase.PLAYING
    return DirectoryRow(
        code=seating.code,
        game=seating.game,
        phase=seating.phase,
        listed=seating.listed,
        number=last.number,
        deadline=last.time if due else None,
        creator=first.person or b"",
        create_id=first.id,
        updated=last.time,
    )


def _game_of(rows: tuple[Row, ...]) -> str:
    """The game's name, by which alone the rest can be decoded: the first entry's first
    event is `TableOpened` with tag, code and game."""
    try:
        game = loads(rows[0].body)[7][0][2]
    except (IndexError, TypeError):
        raise BrokenLog("the first entry does not open a table") from None
    if not isinstance(game, str):
        raise BrokenLog("the first entry does not open a table")
    return game
