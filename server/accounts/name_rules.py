"""Under which name somebody may take a seat or speak at a table: nobody should be mistaken for
somebody who sits there.

Actions name a seat and a session, never a name; these rules are for the eyes of people.
"""

from __future__ import annotations

from engine.stream import Request
from engine.table.state import Seating
from engine.table.words import Join, Substitute
from server.accounts.lookalikes import alike
from server.refusals import Denied, RefusalCode


def check_newcomer(seating: Seating, request: Request) -> None:
    """Raise Denied(NAME_TAKEN) if a request would seat somebody whose name looks like that of
    somebody else there."""
    if isinstance(request.command, (Join, Substitute)):
        check_name(seating, request.command.name, request.person)


def check_name(seating: Seating, name: str, person: bytes | None) -> None:
    """Raise Denied(NAME_TAKEN) if somebody else sits there under a name that looks like
    `name`."""
    for seat, occupant in enumerate(seating.seats):
        if occupant is None or (person is not None and occupant.person == person):
            continue
        if alike(name, occupant.name):
            detail = "somebody at this table has a name that looks like yours"
            raise Denied(RefusalCode.NAME_TAKEN, detail, seat=seat)
