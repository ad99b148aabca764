"""The session of one run: loads it, keeps it, and says how to find it again in the next run.

If several clients start at the same moment and no session is kept yet, one gets a session from the
server and the others use it too. Whatever cannot be read or kept is told in one line. Does not
know about servers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress

from client.join.invocation import option
from client.join.last_seen import LastSeen
from client.join.session_store import Kept, SessionStore

_CLAIM_SECONDS = 10.0
"""How long we wait for another client to get its first session: as long as one try to connect
may take."""
_LOOK_SECONDS = 0.02


class SessionKeeper:
    """Keeps the session of one server and name."""

    def __init__(
        self,
        session_store: SessionStore | None,
        name: str,
        tell: Callable[[str], None],
        *,
        carried: bool = False,
        nowhere: str = "",
    ) -> None:
        """`session_store`: None if nothing can be kept; `nowhere` then says why. `name`: the name
        asked for, empty for the one used last. `tell` prints one line. `carried`: the session
        comes from another device."""
        self._session_store = session_store
        self._asked = name
        self._tell = tell
        self._carried = carried
        self.kept = None if carried or session_store is None else session_store.load(name)
        """The session to go on with; None if there is none."""
        self._known_as = name if self.kept is None else self.kept.name
        self._under = name or ("" if self.kept is None else self.kept.under)
        """The name under which the session is kept; empty if not known."""
        self._token = None if self.kept is None else self.kept.token
        self._claim: int | None = None
        """Held while we get our first session."""
        self.told = ""
        """What could not be read, or why nothing is kept, in one line; empty if all is well."""
        if session_store is None:
            self.told = f"the session cannot be kept: {nowhere}"
            tell(self.told)
            return
        for path, why in session_store.unread.items():
            self.told = (
                f"the session kept in {path} cannot be read ({why}): "
                "seats that it had are not reached from here"
            )
            tell(self.told)

    def seen(self) -> dict[str, int]:
        """The last entry of each table seen in former runs."""
        return {} if self._session_store is None else LastSeen(self._session_store.folder).load()

    def keep_seen(self, seen: Mapping[str, int]) -> None:
        """Keep the last entry of each table seen in this run."""
        if self._session_store is not None:
            LastSeen(self._session_store.folder).save(seen)

    def secret(self) -> bytes:
        """The secret that our shares in deals are made from; empty if it cannot be kept."""
        with suppress(OSError):
            return b"" if self._session_store is None else self._session_store.secret()
        return b""

    async def claim(self, name: str = "") -> Kept | None:
        """Before a first hello (under `name`, if the command line gives none): wait while another
        client is saying its own. Returns the session that it got, if that is ours too."""
        if self._session_store is None or self._token is not None or self._carried:
            return None
        until = asyncio.get_running_loop().time() + _CLAIM_SECONDS
        with suppress(OSError):
            while (claim := self._session_store.claim()) is None:
                if asyncio.get_running_loop().time() > until:
                    return None
                await asyncio.sleep(_LOOK_SECONDS)
            self._claim = claim
        found = self._session_store.load(self._asked or name)
        if found is not None:
            self._token, self._known_as, self._under = found.token, found.name, found.under
            self.release()
        return found

    def release(self) -> None:
        """Let another client go ahead: our session has come, or does not come now."""
        claim, self._claim = self._claim, None
        if claim is not None:
            os.close(claim)

    def keep(self, token: bytes, known_as: str) -> None:
        """Keep a new token of this session."""
        if not self._asked and (known_as != self._known_as or not self._under):
            self._under = known_as
        former, self._token, self._known_as = self._token, token, known_as
        kept, under = Kept(known_as, token), self._under
        if self._session_store is None:
            return
        try:
            if self._carried:
                self._session_store.carried(under, kept)
            else:
                under = self._session_store.save(under, kept, former)
        except OSError as error:
            why = error.strerror or error
            self._tell(f"the session cannot be kept in {self._session_store.root}: {why}")
        if under != self._under:
            self._asked = self._under = under
            self._tell(f"another client keeps its session under this name; ours is {under!r}")
        self.release()

    def words(self) -> tuple[str, ...] | None:
        """What the command line needs, besides the folder, to find this session again: the name,
        if it was asked for or if another session was used since. None if the session is not
        kept."""
        if self._session_store is None:
            return None
        for name in (self._asked,) if self._asked else ("", self._under):
            kept = self._session_store.load(name)
            if kept is not None and kept.token == self._token:
                return option("--name", name) if name else ()
        return None
