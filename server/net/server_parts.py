"""The parts of a server that its connections use, as one value."""

from __future__ import annotations

from attrs import frozen

from server.accounts.sessions import Sessions
from server.log import Log
from server.metrics import Counters
from server.net.flush_scheduler import FlushScheduler
from server.settings import Settings
from server.tables.archive import Archive
from server.tables.lobby import Lobby
from server.tables.residents import Residents


@frozen(eq=False)
class ServerParts:
    """The parts of one server that its connections use."""

    name: str
    """The server's name, with its version."""
    settings: Settings
    counters: Counters
    log: Log
    flush_scheduler: FlushScheduler
    sessions: Sessions
    residents: Residents
    lobby: Lobby
    archive: Archive
