"""Hints: what the best bot would do in a player's place, and why.

They are for people who play alone against bots, on servers that give hints (`ra-client --solo`
runs such a server). Nobody gets hints at a table with other people, so that nobody has to suspect
the others of using them. A hint costs the server as much as a bot's turn, and is made in the same
way, from what its seat may know. Does not know about sockets or games.
"""

from __future__ import annotations

from engine.table.words import Phase
from protocol.messages import Hint
from server.refusals import Denied, RefusalCode
from server.store.port import StoreError
from server.tables.table import Table


def check_alone(table: Table, seat: int | None, given: bool) -> int:
    """The match seat that the hint is for. Raises Denied(NO_HINTS) if nobody may have one there.
    `given`: whether this server gives hints."""
    if not given:
        raise Denied(RefusalCode.NO_HINTS, "this server gives no hints")
    seating = table.stream.seating
    if seating.phase is not Phase.PLAYING or seat is None:
        raise Denied(RefusalCode.NO_HINTS, "hints are for those who play")
    for other in range(len(seating.places)):
        occupant = seating.occupant(other)
        if other != seat and (occupant is None or occupant.bot is None):
            raise Denied(RefusalCode.NO_HINTS, "no hints at a table with other people")
    match = table.stream.match
    if match is None or seat not in match.asked:
        raise Denied(RefusalCode.NO_HINTS, "you are asked nothing now")
    return seat


async def make_hint(table: Table, seat: int, id: bytes) -> Hint:
    """Ask the best bot for a hint about the open prompt of `seat`. Raises Denied(NO_HINTS) if the
    log cannot be read or the bot fails."""
    match = table.stream.match
    assert match is not None
    token = match.asked[seat].token
    try:
        answer = await table.bots.client.advise(seat)
    except StoreError:
        raise Denied(RefusalCode.NO_HINTS, "what happened cannot be read now") from None
    if answer.failure or not answer.options:
        raise Denied(RefusalCode.NO_HINTS, f"no hint: the bot {answer.failure}"[:200])
    return Hint(id, token, answer.options[0][0], answer.reason[:2000])
