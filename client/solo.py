"""A game against bots within this process: a server of its own, in memory, on a port that only this
machine reaches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from client.arguments import MOST_BOTS
from client.dial.address import Address
from client.join.opener import Opening
from client.join.table_options import BadTable, NewTable, new_table
from client.net.link import LinkLost
from server.app import serve
from server.settings import Settings
from server.startup_errors import NotStarted

HOST = "localhost"
"""Only this machine reaches it, and a machine without IPv4 has it too."""


def solo_table(
    bots: int, level: str | None = None, game: Mapping[str, str] | None = None
) -> NewTable:
    """A table for one person and `bots` bots of a level; `game` are the words of `new_table` for
    the game, its ruleset and its options, where they are not the usual ones. Raises BadTable."""
    if not 1 <= bots <= MOST_BOTS:
        raise BadTable(f"a solo game has 1 to {MOST_BOTS} bots, not {bots}")
    words = str(bots) if level is None else ",".join([level] * bots)
    return new_table({**(game or {}), "bots": words, "unlisted": ""})


@asynccontextmanager
async def solo(
    bots: int, level: str | None = None, game: Mapping[str, str] | None = None
) -> AsyncIterator[tuple[Address, Opening]]:
    """A server for one game with `bots` bots (see `solo_table`): its address, and what to open
    there.

    It runs on this event loop; bots that think do so in processes of their own. Nothing is kept,
    and the screen sees no more of the deal than it would from any other server. Nobody else is
    there, so hints are given. Raises LinkLost if the server cannot start.
    """
    table = solo_table(bots, level, game)
    settings = Settings(host=(HOST,), port=0, memory=True, log="off", hints=True)
    try:
        async with serve(settings) as app:
            yield Address(app.addresses[0].host, app.port), Opening(table=table)
    except NotStarted as error:
        raise LinkLost(str(error)) from None
