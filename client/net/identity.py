"""Who a client wants to be for a server: its name, and the secret of a session or the code of one.

A value: `client.net.conversation` introduces us by it, and `client.join.session_keeper` keeps the
secret between runs.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Identity:
    """Who we want to be."""

    client: str
    """Name and version of this program."""
    name: str
    """The name to use; empty keeps the session's name."""
    token: bytes | None = None
    """The secret of a session to resume, or the code that carries a session here."""
    carried: bool = False
    """Whether `token` is such a code."""
    locale: str = "en"
