"""What the directory says about a table, all of which follows from the table's stream.

Does not know about the store or tables in memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.entry import Entry
from engine.errors import BrokenLog
from engine.stream import Stream
from engine.table.state import Seating
from engine.table.words import Phase
from protocol.codec import loads
from protocol.messages import TableRow
from server.games import game_services
from server.store.port import DirectoryRow, Row, Seated


def row_of(rows: tuple[Row, ...]) -> DirectoryRow:
    """The directory row of a whole stream; raises BrokenLog, ProtocolError,
    IllegalAction, ValueError."""
    services = game_services(game_of(rows))
    entries = [services.entries.decode(row.body) for row in rows]
    stream = Stream.replay(entries)
    first = entries[0]
    return directory_row(
        stream.seating, entries[-1], first.person or b"", first.id, stream.wake_after()
    )


def directory_row(
    seating: Seating,
    last: Entry,
    creator: bytes,
    create_id: bytes | None,
    due: int | None = None,
    *,
    seated: tuple[Seated, ...] | None = None,
    ran: int = 0,
) -> DirectoryRow:
    """The directory row of a table as of its last entry; `creator` and `create_id` are
    the person and the id of its first one; `due` is what `Stream.wake_after` returns; `seated` is
    what `seated_at` returns, if the caller has it; `ran` is how long servers have run, in
    milliseconds."""
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
        ruleset=seating.ruleset,
        seats=len(seating.seats),
        seated=seated_at(seating) if seated is None else seated,
        ran=ran,
    )


def seated_at(seating: Seating) -> tuple[Seated, ...]:
    """Who sits at a table that waits or is played."""
    if seating.ended:
        return ()
    taken = [(seat, o) for seat, o in enumerate(seating.seats) if o is not None]
    return tuple([Seated(seat, o.person, o.name) for seat, o in taken])


def table_row(row: DirectoryRow) -> TableRow:
    """A table as a list of tables shows it; its `ruleset` and `seats` are known."""
    assert row.ruleset is not None and row.seats is not None
    names = tuple([one.name for one in row.seated])
    return TableRow(row.code, row.game, row.ruleset, Phase(row.phase), row.seats, len(names), names)


def game_of(rows: Sequence[Row]) -> str:
    """The name of a stream's game, which is needed to decode the rest. It stands in the first
    event of the first entry: `TableOpened` with tag, code and game. Raises BrokenLog."""
    try:
        game = loads(rows[0].body)[7][0][2]
    except (IndexError, TypeError):
        raise BrokenLog("the first entry does not open a table") from None
    if not isinstance(game, str):
        raise BrokenLog("the first entry does not open a table")
    return game
