"""Who may connect, and how much may come from one address.

An address is an IPv4 address or the /64 network of an IPv6 one: what one household or
one machine has. Behind a proxy all clients have the proxy's. Knows no socket and no
session.
"""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import IPv6Address, ip_address, ip_network
from time import monotonic

from server.config import Settings

_RESTING = 10_000
"""Addresses without a connection whose rates are remembered."""
_SPARE = 100
"""Sockets beyond a limit that are still told why; more are cut off at once."""


class Bucket:
    """How much may come at once, and how fast it may go on."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float) -> None:
        """`burst` at once, then `rate` a second."""
        self._rate = rate
        self._burst = float(burst)
        self._left = self._burst
        self._at = monotonic()

    def take(self) -> bool:
        """Take one; False if there is none."""
        if self._left < 1.0:
            now = monotonic()
            self._left = min(self._burst, self._left + (now - self._at) * self._rate)
            self._at = now
            if self._left < 1.0:
                return False
        self._left -= 1.0
        return True


class Address:
    """What comes from one address."""

    __slots__ = ("arrivals", "codes", "messages", "sessions", "sockets")

    def __init__(self, settings: Settings) -> None:
        self.sockets = 0
        """Connected now, those in the middle of a handshake included."""
        self.arrivals = _per_minute(settings.connects_per_address)
        self.messages = Bucket(settings.address_rate, settings.address_rate * 5)
        self.sessions = _per_minute(settings.new_sessions_per_address)
        self.codes = _per_minute(settings.move_tries)


def _per_minute(count: int) -> Bucket:
    return Bucket(count / 60, count)


class Gate:
    """Counts the sockets of a server, in all and by address."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._addresses: dict[str, Address] = {}
        self._resting: OrderedDict[str, Address] = OrderedDict()
        self.sockets = 0
        """Connected now, those in the middle of a handshake included."""

    def arrive(self, host: str) -> Address:
        """A socket is there: its address."""
        key = network(host)
        address = self._addresses.get(key)
        if address is None:
            address = self._resting.pop(key, None) or Address(self._settings)
            self._addresses[key] = address
        self.sockets += 1
        address.sockets += 1
        return address

    def leave(self, host: str) -> None:
        """A socket that arrived is gone."""
        key = network(host)
        address = self._addresses[key]
        self.sockets -= 1
        address.sockets -= 1
        if not address.sockets:
            self._resting[key] = self._addresses.pop(key)
            if len(self._resting) > _RESTING:
                self._resting.popitem(last=False)

    def hopeless(self, address: Address) -> bool:
        """Whether a socket that has just arrived is so far beyond the limits that even
        telling it costs too much."""
        settings = self._settings
        return (
            self.sockets > settings.connections + _SPARE
            or address.sockets > settings.connections_per_address + _SPARE
        )

    def full(self) -> bool:
        """Whether the server has more sockets than it may."""
        return self.sockets > self._settings.connections

    def crowded(self, address: Address) -> bool:
        """Whether this address has more sockets than it may, or connects too often."""
        if address.sockets > self._settings.connections_per_address:
            return True
        return not address.arrivals.take()


def network(host: str) -> str:
    """The name under which the sockets of `host` are counted together."""
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((found, 64), strict=False))
    return str(found)
