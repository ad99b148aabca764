"""Our share in a deal, and whether the server kept its word about it.

A table's commitment is there before our nonce is: the nonce is made from it and from a
secret that never leaves this machine, so it is known again after a restart and can be
foreseen by nobody. Made from docs/fairness.md alone, not from the server's own code.
Knows no game: that the tiles follow from the seed is checked by `ra-replay --verify`.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from client.state.events import FairnessJudged
from client.state.scene import Scene
from protocol.table import Phase

SECRET_BYTES = 32
_NONCE_BYTES = 16
_COMMIT = b"ra-online/commit/1\x00"
_SHARE = b"ra-online/client-nonce/1\x00"


class Fairness:
    """What one client gave to the deals of its tables, and what it was promised."""

    def __init__(self, secret: bytes, random: Callable[[int], bytes]) -> None:
        """`secret` (32 bytes) is kept between runs and told to nobody."""
        self._secret = secret
        self._random = random
        self._promised: dict[str, bytes] = {}
        """By table: the commitment that was seen first, while nothing was revealed."""
        self._given: dict[str, bytes] = {}
        """By table: the nonce given in this run."""
        self._judged: set[str] = set()

    def share(self, code: str, scene: Scene | None) -> bytes:
        """Our nonce for a seat at a table, made after its commitment where that is seen
        (16 bytes)."""
        if scene is not None and scene.table.code == code and scene.table.commitment:
            nonce = self._make(code, scene.table.commitment)
        else:
            nonce = self._random(_NONCE_BYTES)
        self._given[code] = nonce
        return nonce

    def _make(self, code: str, commitment: bytes) -> bytes:
        text = code.encode()
        whole = _SHARE + self._secret + commitment + len(text).to_bytes(2, "big") + text
        return sha256(whole).digest()[:_NONCE_BYTES]

    def look(self, scene: Scene) -> FairnessJudged | None:
        """Remember what a table promises; once it is over, whether that was kept. None:
        it is not over, nothing was promised to us, or it is told already."""
        table = scene.table
        if not scene.over:
            if table.secret is None:
                self._promised.setdefault(table.code, table.commitment)
            return None
        if table.code in self._judged:
            return None
        self._judged.add(table.code)
        return self._judge(scene)

    def _judge(self, scene: Scene) -> FairnessJudged | None:
        table = scene.table
        promised = self._promised.get(table.code)
        given = self._given.get(table.code)
        if not table.places or (not table.commitment and not promised):
            # No match, or a deal that was supplied, as everybody could see.
            return None
        if table.secret is None:
            never = "the server does not show the secret behind it"
            return FairnessJudged(False, never) if table.phase is Phase.OVER else None
        if promised is not None and table.commitment != promised:
            return FairnessJudged(False, "the server changed its commitment during the match")
        if sha256(_COMMIT + table.secret).digest() != table.commitment:
            return FairnessJudged(False, "the secret shown is not the one committed to")
        # Of a seat taken over, or carried here from another device, the share is not ours.
        ours = given or self._make(table.code, table.commitment)
        if scene.seat is not None and ours in table.nonces:
            return FairnessJudged(
                True, "the secret is the one committed to, and your share is in it"
            )
        if scene.seat is not None and given is not None:
            return FairnessJudged(False, "the share that you gave is not in it")
        if promised is None:
            return None
        return FairnessJudged(True, "the secret is the one committed to from the start")
