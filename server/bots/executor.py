"""Where the bots of a server think, and for how long: quick ones in threads, all others in
low-priority processes, never on the event loop. Does not know tables or games.
"""

from __future__ import annotations

import os
import secrets
from hashlib import sha256

from server.bots.pool import ProcessPool
from server.bots.threads import ThreadPool
from server.settings import Settings


def bot_key(seed: str | None) -> bytes:
    """32 bytes made from a seed; random bytes without one."""
    return secrets.token_bytes(32) if seed is None else sha256(seed.encode()).digest()


def spare_cores() -> int:
    """How many processes may think without slowing down the server's own: on two cores a second
    one made people's moves take 1.5 times as long."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        cores = os.cpu_count() or 1
    return max(cores - 1, 1)


class BotExecutor:
    """The threads and processes of one server's bots, and what every choice is given."""

    def __init__(self, settings: Settings) -> None:
        self.milliseconds = max(int(settings.bot_seconds * 1000), 1)
        """Time for one choice."""
        self.simulations = dict(settings.bot_budget)
        """By level, for levels that do not use their own number."""
        self.key = bot_key(settings.bot_seed)
        """What the seeds of the bots' decisions are made from."""
        self.processes = ProcessPool(settings.bot_workers or spare_cores(), settings.bot_questions)
        self.threads = ThreadPool(settings.bot_threads, settings.bot_seconds)

    @property
    def seconds(self) -> float:
        """Time for one choice."""
        return self.milliseconds / 1000

    async def stop(self) -> None:
        """Answer nothing any more, and end the processes."""
        self.threads.close()
        await self.processes.stop()
