"""How a client notices that a server was put back to an earlier state, for example from a
backup, and what it says then.

The server need not know, and the game goes on from there; but people who saw moves that are gone
must be told. Does not know about connections or displays.
"""

from __future__ import annotations

from client.state.events import Forgotten, Rewound
from client.state.scene import Scene
from protocol.views import TableView


def identity(table: TableView) -> str:
    """What identifies a table for good: its code may be given to another table one day."""
    return f"{table.code} {table.commitment.hex()[:16]}"


def rewound(before: Scene | None, after: Scene, seen: int) -> Rewound | None:
    """What is gone from a table that comes as `after` on a new connection; None if nothing is.
    `before` is the last moment that we saw, of this or another table; `seen` is the last entry
    of this table that we know, from this run or another."""
    code = after.table.code
    if before is not None and before.table.code == code:
        seen = before.number
        if after.number == seen and not _same(before, after):
            return Rewound(code, seen, seen)
    return Rewound(code, seen, after.number) if after.number < seen else None


def _same(before: Scene, after: Scene) -> bool:
    """Whether the same entry led to both. Only what an entry decides is compared: clocks go
    on, and a newer server may send more."""
    tokens = [[(asked.seat, asked.token) for asked in scene.prompts] for scene in (before, after)]
    if before.table_seat == after.table_seat and tokens[0] != tokens[1]:
        return False
    return (before.board, before.names) == (after.board, after.names)


def rewound_text(change: Rewound) -> str:
    """What to say about moves that are gone, as a sentence."""
    begin = "The server was put back to an earlier state"
    if change.seen == change.now:
        return f"{begin}, and went on another way: what you saw last did not happen."
    first, last = change.now + 1, change.seen
    gone = f"step {last} is" if first == last else f"steps {first} to {last} are"
    return f"{begin}: {gone} gone, and the game goes on from step {change.now}."


def forgotten_text(change: Forgotten) -> str:
    """What to say about a session that is gone, as a sentence."""
    return (
        f"The server does not know your session any more and takes you for somebody new, "
        f"{change.name}: it was put back to an earlier state, or started from scratch."
    )


def gone_text(code: str) -> str:
    """What to say about a table that we attended and that is not there."""
    return (
        f"table {code} is not on the server any more: it was put away, or the server was put "
        "back to an earlier state"
    )
