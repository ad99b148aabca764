"""The services that every table of a server uses."""

from __future__ import annotations

from attrs import frozen

from server.age import Age
from server.bots.executor import BotExecutor
from server.log import Log
from server.metrics import Counters
from server.settings import Settings
from server.store.port import Store
from server.tables.timers import Ticker


@frozen(eq=False)
class Context:
    """The services of one server. Does not know the tables that use them."""

    settings: Settings
    store: Store
    bots: BotExecutor
    counters: Counters
    log: Log
    ticker: Ticker
    age: Age
