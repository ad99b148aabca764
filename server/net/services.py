"""The parts of a server that every connection needs, as one value."""

from __future__ import annotations

from attrs import frozen

from server.accounts.sessions import Sessions
from server.config import Settings
from server.log import Log
from server.metrics import Counters
from server.net.outbox import FlushScheduler
from server.tables.archive import Archive
from server.tables.lobby import Lobby
from server.tables.residents import Residents


@frozen(eq=False)
class Services:
    """What one server has for its connections."""

    name: str
    """The server's, with its version."""
    settings: Settings
    counters: Counters
    log: Log
    flush_scheduler: FlushScheduler
    sessions: Sessions
    residents: Residents
    lobby: Lobby
    archive: Archive
