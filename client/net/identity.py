"""Who we say we are to a server: the name, the secret of our session, the Hello made of them.

Knows no connection; that the secret outlives this program is the affair of whoever is told
(`client.join.session_store`).
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen

from protocol.messages import VERSION, Hello, Welcome


@frozen
class Identity:
    """Who we say we are."""

    client: str
    """Name and version of this program."""
    name: str
    """The name to be known by; empty keeps the session's."""
    token: bytes | None = None
    """The secret of a session to resume, or the code that carries one here."""
    carried: bool = False
    """Whether `token` is such a code."""
    locale: str = "en"


class Introduction:
    """How we introduce ourselves: as before, or as a server has named us since."""

    def __init__(self, identity: Identity, keep_token: Callable[[bytes, str], None]) -> None:
        """`keep_token` is given each new token with the name it is for."""
        self._identity = identity
        self._keep_token = keep_token
        self._fresh: tuple[bytes, str] | None = None
        """A secret that is not kept yet, with the name it is for."""

    @property
    def known(self) -> bool:
        """Whether we have a secret to be known by."""
        return self._identity.token is not None

    @property
    def has_session(self) -> bool:
        """Whether that secret is a session's, which only its server can forget."""
        return self.known and not self._identity.carried

    def resume(self, token: bytes, name: str) -> None:
        """As the session of this secret from now on, by its name where no other is wished."""
        self._identity = evolve(self._identity, token=token, name=name)

    def rename(self, name: str) -> None:
        """By another name from now on."""
        self._identity = evolve(self._identity, name=name)

    def hello(self, name: str) -> Hello:
        """What we say first; `name`: the one that we are known by, for want of a wish."""
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
        """Take the secret that a server gives us, if it gives one."""
        if welcome.token is not None:
            self._identity = evolve(self._identity, token=welcome.token, carried=False)
            self._fresh = (welcome.token, welcome.name)

    def keep(self) -> None:
        """Have a new secret kept, if there is one."""
        fresh, self._fresh = self._fresh, None
        if fresh is not None:
            self._keep_token(*fresh)
