"""How many files the system lets the server have open, and how many connections that leaves
room for: each takes one. Knows no socket and no store."""

from __future__ import annotations

from contextlib import suppress

from attrs import evolve

from server.net.admission import SPARE
from server.settings import Settings

PLENTY = 256
"""Files for all but connections: as many as it could ever use."""
_FEW = 40
"""As many as it uses: its database, its bots, where it listens."""


def make_room(settings: Settings) -> Settings:
    """Ask the system for as many files as the settings need; with fewer connections where it
    gives fewer, so that a database or a bot never lacks one because of too many sockets."""
    files = _allowed(settings.connections + PLENTY)
    if files is None or files >= settings.connections + PLENTY:
        return settings
    room = max(2, files - _FEW)
    most = max(room // 2, room - 2 * SPARE)  # the rest for sockets that are cut off again
    return evolve(settings, connections=min(settings.connections, most))


def _allowed(wanted: int) -> int | None:
    """Raise the limit to what is wanted, as far as the system lets us; what it is then, None
    where there is none."""
    try:
        import resource
    except ImportError:
        return None  # not a system with such limits
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return None if soft == resource.RLIM_INFINITY else soft
