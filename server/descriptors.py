"""How many files the system lets the server open, and how many connections that allows: each takes
one. Does not know sockets or the store."""

from __future__ import annotations

from contextlib import suppress

from attrs import evolve

from server.net.admission import SPARE
from server.settings import Settings

PLENTY = 256
"""Files for everything except connections: as many as the server could ever use."""
_FEW = 40
"""As many as it usually uses: its database, its bots, its listening sockets."""


def make_room(settings: Settings) -> Settings:
    """Ask the system for as many files as the settings need. Returns the settings, with fewer
    connections if the system allows fewer files, so that too many sockets never keep the
    database or a bot from opening one."""
    files = _allowed(settings.connections + PLENTY)
    if files is None or files >= settings.connections + PLENTY:
        return settings
    room = max(2, files - _FEW)
    most = max(room // 2, room - 2 * SPARE)  # the rest is for sockets that are closed at once
    return evolve(settings, connections=min(settings.connections, most))


def _allowed(wanted: int) -> int | None:
    """Raise the limit to `wanted`, as far as the system allows; returns the limit then, or None if
    there is none."""
    try:
        import resource
    except ImportError:
        return None  # a system without such limits
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return None if soft == resource.RLIM_INFINITY else soft
