"""How `ra-server admin` ends, and how it says what did not happen. Knows no order."""

from __future__ import annotations

from enum import IntEnum

from server.admin.report import clean
from server.standard import complain
from server.usage import EXIT_USAGE


class Exit(IntEnum):
    """How the command ends."""

    DONE = 0
    REFUSED = 1
    """Nothing happened: there is no such table, or it may not be done."""
    UNUSABLE = EXIT_USAGE
    """Wrong usage, or the database cannot be used."""
    UNSURE = 3
    """The server was told, and did not answer."""


def refuse(code: str, why: str, end: Exit = Exit.REFUSED) -> Exit:
    """Say why nothing was done about table `code`, or may not have been: `end`."""
    complain(f"ra-server admin: {clean(code)}: {why}")
    return end


def unreadable(error: Exception) -> str:
    """Why a log cannot be read by this program."""
    return f"its log cannot be read here ({type(error).__name__}); see ra-server check"
