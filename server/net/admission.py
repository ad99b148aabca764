"""Which sockets are admitted, and how much may come from one address.

An address is an IPv4 address or the /64 network of an IPv6 one: what one household or one machine
has. Behind a proxy all clients have the proxy's address. Does not know about sockets or sessions.
"""

from __future__ import annotations

from asyncio import Semaphore
from collections import OrderedDict
from ipaddress import IPv6Address, ip_address, ip_network

from server.net.code_guesses import CodeGuesses
from server.rate_limit import TokenBucket, per_minute
from server.settings import Settings

_MAX_IDLE = 10_000
"""How many addresses without a connection have their rates remembered."""
SPARE = 100
"""How many sockets beyond a limit are still told why; more are cut off at once."""
_READS_AT_ONCE = 2
"""How many logs are read for one address at the same time."""
_RESERVED_SHARE = 10
"""One connection in so many is reserved for addresses that have few."""


class RemoteAddress:
    """The sockets and budgets of one address.

    Settings give the size of each budget; its docstring names the place that takes from it. If the
    session has the same budget, a request takes from the session first, then from the address.
    """

    __slots__ = (
        "arrivals",
        "chat",
        "code_guesses",
        "costly_requests",
        "creates",
        "messages",
        "move_tries",
        "network",
        "new_sessions",
        "reading",
        "sockets",
        "wakes",
    )

    def __init__(self, settings: Settings, network: str) -> None:
        self.network = network
        """Its name, which is kept in memory only: it is neither stored nor logged."""
        self.sockets = 0
        """How many are connected now, including those in the middle of a handshake."""
        self.arrivals = per_minute(settings.connects_per_address)
        """New connections: `Admission.crowded`."""
        self.messages = TokenBucket(settings.address_rate, settings.address_rate * 5)
        """Messages of any kind: `server.net.connection`."""
        self.new_sessions = per_minute(settings.new_sessions_per_address)
        """New sessions: `server.accounts.sessions`."""
        self.move_tries = per_minute(settings.move_tries)
        """Wrong codes for moving a session to another device: `server.accounts.sessions`."""
        self.code_guesses = CodeGuesses(settings.wrong_code_rate, settings.wrong_codes)
        """Wrong codes of tables, records and invitations: `server.net.table_lookup`."""
        # those below: `people_per_address` times what one session has
        times = settings.people_per_address
        self.chat = TokenBucket(settings.chat_rate * times, settings.chat_burst * times)
        """Lines of chat: `server.net.table_handlers`."""
        self.costly_requests = TokenBucket(settings.file_rate * times, settings.file_burst * times)
        """Requests that cost much: `ConnectedClient.take_costly_request`."""
        self.creates = TokenBucket(settings.create_rate * times, settings.create_burst * times)
        """Tables opened (`server.tables.lobby`) or joined, and invitations made
        (`server.net.table_handlers`)."""
        self.wakes = TokenBucket(settings.wake_rate * times, settings.wake_burst * times)
        """Tables read from their logs: `server.net.table_lookup`."""
        self.reading = Semaphore(_READS_AT_ONCE)
        """Held while a log is read for it, so that other addresses do not wait behind all the
        logs that it asks for."""


class Admission:
    """Counts the sockets of a server, in total and by address."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._addresses: dict[str, RemoteAddress] = {}
        self._idle: OrderedDict[str, RemoteAddress] = OrderedDict()
        self.sockets = 0
        """How many are connected now, including those in the middle of a handshake."""

    def arrive(self, host: str) -> RemoteAddress:
        """Count a new socket from `host`; returns its address."""
        key = network(host)
        address = self._addresses.get(key)
        if address is None:
            address = self._idle.pop(key, None) or RemoteAddress(self._settings, key)
            self._addresses[key] = address
        self.sockets += 1
        address.sockets += 1
        return address

    def leave(self, host: str) -> None:
        """Count a socket from `host` as gone."""
        key = network(host)
        address = self._addresses[key]
        self.sockets -= 1
        address.sockets -= 1
        if not address.sockets:
            self._idle[key] = self._addresses.pop(key)
            if len(self._idle) > _MAX_IDLE:
                self._idle.popitem(last=False)

    def hopeless(self, address: RemoteAddress) -> bool:
        """Whether a socket that has just arrived is so far beyond the limits that even
        telling it so costs too much."""
        settings = self._settings
        return (
            self.sockets > settings.connections + spare(settings)
            or address.sockets > settings.connections_per_address + SPARE
        )

    def full(self, address: RemoteAddress) -> bool:
        """Whether the server has more sockets than it may, or so many that the rest is
        reserved for addresses with fewer than this one."""
        limit, per_address = self._settings.connections, self._settings.connections_per_address
        if self.sockets > limit:
            return True
        few = max(1, per_address // _RESERVED_SHARE)
        return self.sockets > limit - limit // _RESERVED_SHARE and address.sockets > few

    def crowded(self, address: RemoteAddress) -> bool:
        """Whether this address has more sockets than it may, or connects too often. Takes one
        connection from its budget."""
        if address.sockets > self._settings.connections_per_address:
            return True
        return not address.arrivals.take()


def spare(settings: Settings) -> int:
    """How many sockets beyond a server's limit may exist for a moment, to be told why or to be
    cut off. A server with few connections has few of them."""
    return min(SPARE, max(1, settings.connections // 2))


def network(host: str) -> str:
    """The name under which sockets of `host` are counted together."""
    try:
        found = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ip_network((found, 64), strict=False))
    return str(found)
