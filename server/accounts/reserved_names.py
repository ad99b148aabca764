"""Names that nobody may have: what the server and its clients call seats, bots, people without
a name, and themselves, in any case and any script that looks alike.

The levels of bots are those of the installed games; it does not know any game itself.
"""

from __future__ import annotations

import re
from functools import cache

from server.accounts.lookalikes import keys, mixed
from server.games import levels

WORDS = (
    # the server and those who run it
    *("system", "server", "admin", "administrator", "moderator", "operator", "dealer"),
    *("raonline", "raserver", "raclient", "rareplay"),
    # what clients show where a name may stand
    *("you", "free", "empty", "auto", "bot", "bots", "seat", "seats"),
    *("nobody", "noone", "none", "somebody", "someone", "somebodyelse", "somebodyabsent"),
    *("anybody", "anyone", "everybody", "everyone", "all", "others", "theothers"),
    *("spectator", "spectators", "watching", "default", "thedefaultaction"),
)
"""Without spaces and punctuation."""
_WATCHING = "watching"
"""Clients put it in brackets after the name of a spectator who talks."""


def is_reserved(text: str) -> bool:
    """Whether nobody may have a name; this includes names that mix scripts whose letters look
    alike."""
    read = keys(text)
    if any(pattern.fullmatch(key) for pattern, key in zip(_patterns(), read, strict=True)):
        return True
    if "(" in text and any(key.endswith(_WATCHING) for key in read):
        return True
    return mixed(text)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """For each of the three keys of a name."""
    read = [keys(word) for word in WORDS]
    bots = [keys(level) for level in levels()]
    patterns = []
    for which in range(3):
        words = "|".join(re.escape(word[which]) for word in read)
        level = "|".join(re.escape(level[which]) for level in bots) or "bot"
        numbered = f"seat|bot|a?({level})bot|a?bot({level})"
        patterns.append(re.compile(f"{words}|({numbered})[\\dlo]*"))
    return tuple(patterns)
