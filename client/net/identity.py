"""Who we tell the server we are: the name, the secret of our session, the Hello made of them.

Does not know about connections. `client.join.session_keeper` keeps the secret between runs.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen

from protocol.messages import VERSION, Hello, Welcome


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


class Introduction:
    """How we introduce ourselves: as the identity says, or as the server has named us since."""

    def __init__(self, identity: Identity, keep_token: Callable[[bytes, str], None]) -> None:
        """`keep_token` is given each new token with the name it is for."""
        self._identity = identity
        self._keep_token = keep_token
        self._fresh: tuple[bytes, str] | None = None
        """A new secret that is not kept yet, with the name it is for."""

    @property
    def known(self) -> bool:
        """Whether we have a secret that the server knows us by."""
        return self._identity.token is not None

    @property
    def has_session(self) -> bool:
        """Whether that secret belongs to a session, which only the server can forget."""
        return self.known and not self._identity.carried

    def resume(self, token: bytes, name: str) -> None:
        """Resume the session of this secret, under this name, from now on."""
        self._identity = evolve(self._identity, token=token, name=name)

    def rename(self, name: str) -> None:
        """Use another name from now on."""
        self._identity = evolve(self._identity, name=name)

    def hello(self, name: str) -> Hello:
        """The first message; `name` is the one we are known by, used if no other is wanted."""
        identity = self._identity
        return Hello(
            version=VERSION,
            client=identity.client,
            capabilities=(),
            locale=identity.locale,
            name=identity.name or name,
            token=identity.token,
        )

    def welcomed(self, welcome: Welcome) -> None:
        """Take the secret that the server gives us, if it gives one."""
        if welcome.token is not None:
            self._identity = evolve(self._identity, token=welcome.token, carried=False)
            self._fresh = (welcome.token, welcome.name)

    def keep(self) -> None:
        """Hand a new secret to `keep_token`, if there is one."""
        fresh, self._fresh = self._fresh, None
        if fresh is not None:
            self._keep_token(*fresh)
