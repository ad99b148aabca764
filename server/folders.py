"""Where a user's files are: `~` in a path, and the folder for what the server stores.

A user may have no home (containers run under any user id), and the environment may name one that
makes no sense. `client.cli.folders` does the same for the client, which the server must not import.
Does not know any of our files.
"""

from __future__ import annotations

import os
import pwd
from contextlib import suppress
from pathlib import Path


class NoHome(Exception):
    """A home folder is needed and there is none; `str()` is one line."""


def expand(path: str) -> Path:
    """A path with its `~` or `~user` replaced; raises NoHome."""
    if not path.startswith("~"):
        return Path(path)
    user, _, rest = path[1:].partition("/")
    return (_home_of(user) if user else home()) / rest.lstrip("/")


def data_folder() -> Path:
    """The user's data folder for this program; raises NoHome."""
    share = os.environ.get("XDG_DATA_HOME", "")
    if Path(share).is_absolute():
        return Path(share) / "ra-online"
    folder = home()
    if share or not Path(os.environ.get("HOME", "")).is_absolute():
        # The library would use these values as they are, and make folders in the current one.
        return folder / ".local" / "share" / "ra-online"
    from platformdirs import user_data_path

    return user_data_path("ra-online", appauthor=False)


def home() -> Path:
    """The user's home folder, which exists; raises NoHome."""
    named = os.environ.get("HOME", "")
    if not Path(named).is_absolute():
        try:
            named = pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            raise NoHome("there is no home folder") from None
    return _checked(named)


def _home_of(user: str) -> Path:
    try:
        return _checked(pwd.getpwnam(user).pw_dir)
    except (KeyError, ValueError):
        raise NoHome(f"there is no user {user!a}, whose home ~ means") from None


def _checked(named: str) -> Path:
    # A missing home is not created: it is missing on purpose.
    with suppress(OSError, ValueError):
        if Path(named).is_absolute() and Path(named).is_dir():
            return Path(named)
    raise NoHome(f"the home folder {named!a} is not there")
