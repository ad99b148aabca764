"""Being the owner of a database for a while, where root looks after somebody else's server: what
is made beside the database must be that user's, or the server could not use it.

Knows nothing of what is made.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from server.play import find_play, installed
from server.usage import version

_ROOT = 0


@contextmanager
def as_owner(database: Path) -> Iterator[None]:
    """Have the rights of the owner of `database` inside, if we are root; raises OSError."""
    if os.geteuid() != _ROOT:
        yield
        return
    owner = database.stat()
    _load()
    group = os.getegid()
    os.setegid(owner.st_gid)
    try:
        os.seteuid(owner.st_uid)
        try:
            yield
        finally:
            os.seteuid(_ROOT)
    finally:
        os.setegid(group)


def _load() -> None:
    """Load what is loaded when it is needed: the owner may not be able to read our program."""
    version()
    for game in installed():
        with suppress(Exception):  # code of others; said when its table is read
            find_play(game)
