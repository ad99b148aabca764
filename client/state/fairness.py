"""Our share in a deal, and whether the server kept its word about the deal.

A table's commitment exists before our nonce: the nonce is made from it and from a secret that
never leaves this machine, so that we can make it again after a restart and nobody can foresee it.
Written from docs/fairness.md alone, not from the server's code. Does not know any game:
`ra-replay --verify` checks that the tiles follow from the seed.
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
    """The nonces that one client gave to its tables, and the commitments it was given."""

    def __init__(self, secret: bytes, random: Callable[[int], bytes]) -> None:
        """`secret` (32 bytes) is kept between runs and never sent."""
        self._secret = secret
        self._random = random
        self._promised: dict[str, bytes] = {}
        """By table: the first commitment we saw while nothing was revealed."""
        self._given: dict[str, bytes] = {}
        """By table: the nonce we gave in this run."""
        self._judged: set[str] = set()

    def share(self, code: str, scene: Scene | None) -> bytes:
        """Our nonce (16 bytes) for a seat at a table, made from its commitment if we see it, and
        a random one otherwise."""
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
        """Remember a table's commitment; once the table is over, judge whether it was kept. None
        if it is not over, if we saw no commitment, or if it is judged already."""
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
            # No match, or a deal given by hand, which everybody could see.
            return None
        if table.secret is None:
            never = "the server does not show the secret behind it"
            return FairnessJudged(False, never) if table.phase is Phase.OVER else None
        if promised is not None and table.commitment != promised:
            return FairnessJudged(False, "the server changed its commitment during the match")
        if sha256(_COMMIT + table.secret).digest() != table.commitment:
            return FairnessJudged(False, "the secret shown is not the one committed to")
        # On a seat taken over, or carried here from another device, the share is not ours.
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
