"""Finds the table of a code that a client names, within the limits on wrong codes and on reading
sleeping tables from their logs.

Does not know what the client wants at the table.
"""

from __future__ import annotations

from server.net.connected_client import ConnectedClient
from server.refusals import Denied, RefusalCode
from server.tables.table import Table


async def find_table(client: ConnectedClient, code: str) -> Table:
    """The table of a code, in memory; raises Denied, StoreError."""
    guesses = client.address.code_guesses
    granted = guesses.take()
    if not granted and not await _may_know(client, code):
        client.excess_guesses += 1
        client.read_pause = guesses.wait(client.excess_guesses)
        seconds = guesses.seconds
        detail = f"too many wrong codes came from your address: try again in {seconds} s"
        raise Denied(RefusalCode.TOO_MANY_CODES, detail, seconds=seconds)
    wrong = False
    try:
        return await _awake(client, code)
    except Denied as why:
        wrong = why.code is RefusalCode.NO_TABLE
        raise
    finally:
        if granted and not wrong:
            guesses.give_back()


async def _may_know(client: ConnectedClient, code: str) -> bool:
    """Whether somebody may have told this client the code."""
    lobby = client.server.lobby
    known = lobby.is_known_here(code, client.person)
    if known is None:
        look = client.address.code_guesses.look
        known = look() and await lobby.is_known(code, client.person)
    return known


async def _awake(client: ConnectedClient, code: str) -> Table:
    residents = client.server.residents
    if not await residents.is_asleep(code):
        return await residents.get(code)
    if not (client.session.wakes.take() and client.address.wakes.take()):
        raise Denied(RefusalCode.TOO_FAST, "you ask for too many tables that rest")
    async with client.address.reading:
        return await residents.get(code)
