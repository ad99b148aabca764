"""What all tables of a server share.

Knows the parts by their names alone; wires nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from server.age import Age
from server.bots.executor import BotExecutor
from server.config import Settings
from server.log import Log
from server.metrics import Counters
from server.store.port import Store
from server.tables.timers import Ticker

if TYPE_CHECKING:
    from server.tables.table import Table


@frozen
class Context:
    """The surroundings of a table."""

    settings: Settings
    store: Store
    bots: BotExecutor
    counters: Counters
    log: Log
    changed: Callable[[Table], None]
    """A table's seats or phase are others now."""
    asleep: Callable[[Table], None]
    """A table has left memory."""
    ticker: Ticker
    age: Age
