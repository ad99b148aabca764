"""The room where bots think: quick ones in threads, all others in processes that stand
back behind everything else. Never the event loop. Knows no table and no game.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from server.bots.pool import ProcessPool
from server.bots.queue import Unserved
from server.bots.threads import Threads
from server.config import Settings


class Astray(Exception):
    """A bot did not choose, or chose nonsense: what went wrong."""


def bot_key(seed: str | None) -> bytes:
    """32 bytes for a seed; by chance without one."""
    return secrets.token_bytes(32) if seed is None else sha256(seed.encode()).digest()


def spare_cores() -> int:
    """How many processes may think without being in the way of the server's own: on two
    cores a second one made people's moves take 1.5 times as long."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return max(cores - 1, 1)


class BotExecutor:
    """Where all bots of a server think."""

    def __init__(self, settings: Settings) -> None:
        self.milliseconds = max(int(settings.bot_seconds * 1000), 1)
        """Time for one choice."""
        self.simulations = dict(settings.bot_budget)
        """By level, where it is not the level's own number."""
        self.key = bot_key(settings.bot_seed)
        """What the bots' own chance is made from."""
        self.workers = ProcessPool(settings.bot_workers or spare_cores(), settings.bot_questions)
        self._threads = Threads(settings.bot_threads, settings.bot_seconds)

    async def think(self, choose: Callable[[], Any]) -> Any:
        """What a quick bot chooses; raises Astray, and Unserved if it is not its fault.
        Cancelling this withdraws it."""
        chosen: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def hear(choice: Any, trouble: str | Unserved | None) -> None:
            if chosen.done():
                return
            if trouble is None:
                chosen.set_result(choice)
            else:
                chosen.set_exception(Astray(trouble) if isinstance(trouble, str) else trouble)

        job = self._threads.think(choose, hear)
        try:
            return await chosen
        finally:
            job.withdraw()

    async def stop(self) -> None:
        """Nothing is thought any more; the processes are gone."""
        self._threads.close()
        await self.workers.stop()
