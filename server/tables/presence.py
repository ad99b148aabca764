"""Who is there at a table, and what they say to each other: told to all who attend, in no
stream and kept nowhere. Knows no socket and no game.
"""

from __future__ import annotations

import asyncio

from engine.stream import Stream
from protocol.messages import Presence, Said
from server.tables.audience import Audience, Link

_SECONDS = 0.05
"""Comings and goings within this time are told as one."""


class Attendance:
    """Tells one table's audience of itself."""

    __slots__ = ("_audience", "_stream", "_timer", "_told")

    def __init__(self, audience: Audience, stream: Stream) -> None:
        self._audience = audience
        self._stream = stream
        self._told: Presence | None = None
        self._timer: asyncio.TimerHandle | None = None

    def changed(self, *, anew: bool = False) -> None:
        """Somebody came or went; `anew`: somebody who was told nothing yet."""
        if anew:
            self._told = None
        if self._timer is None and self._audience.links:
            self._timer = asyncio.get_running_loop().call_later(_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        presence = self._audience.presence()
        if presence != self._told:
            self._told = presence
            for link in tuple(self._audience.links):
                link.tell(presence)

    def say(self, link: Link, text: str) -> None:
        """A line of chat, cleaned before, to everybody."""
        seating = self._stream.seating
        place = seating.seat_of(link.person)
        occupant = None if place is None else seating.seats[place]
        said = Said(place, occupant.name if occupant else link.name, text)
        for other in tuple(self._audience.links):
            other.tell(said)

    def stop(self) -> None:
        """Tell nothing any more."""
        if self._timer is not None:
            self._timer.cancel()
