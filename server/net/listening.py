"""Where the server listens: several addresses and one port, IPv4 and IPv6.

Each address has a socket of its own, and an IPv6 socket never accepts IPv4 too: whether it
would by default depends on the system's settings. Does not know what is said over them.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from typing import Any, TypeAlias

from attrs import frozen

from server.startup_errors import NotStarted, reason_of

EVERYWHERE = "::"
"""All addresses of the machine, IPv4 and IPv6, as far as it has them."""

_TOGETHER = {EVERYWHERE: ("::", "0.0.0.0"), "localhost": ("127.0.0.1", "::1")}
"""Hosts that stand for one address of each family; the machine must have at least one."""
BACKLOG = 100
"""Connections that the system keeps until the server accepts them."""
_TRIES = 20
"""How many free ports are tried until one is free at all addresses."""
_NOT_HERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}

_SocketAddress: TypeAlias = tuple[int, tuple[Any, ...]]
"""Family, and address as the socket module has it, with port 0."""


class _CannotListen(Exception):
    """The system does not let the server listen at an address."""

    def __init__(self, host: str, error: OSError) -> None:
        super().__init__(host)
        self.host = host
        self.error = error


@frozen
class ListenAddress:
    """An address that the server listens on."""

    host: str
    """A numeric address; a link-local IPv6 one has its zone."""
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def listen(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Sockets that listen on all of `hosts`, in their order, on the same port (0: a free one).
    Raises NotStarted. Looks names up, which may take long."""
    wanted = [(host, _resolved(host, port)) for host in dict.fromkeys(map(_usual, hosts))]
    for tries_left in reversed(range(_TRIES)):
        sockets: list[socket.socket] = []
        try:
            for host, addresses in _without_covered(wanted):
                sockets += _listen(addresses, _port(sockets, port), some=_stands_for_several(host))
        except _CannotListen as why:
            for one in sockets:
                one.close()
            if port == 0 and why.error.errno == errno.EADDRINUSE and tries_left:
                continue  # free at one address but taken at another
            raise _cannot(why.host, port, _reason(why)) from None
        return sockets
    raise AssertionError("the last try returns or raises")


def _reason(why: _CannotListen) -> str:
    if why.error.errno == errno.EINVAL and why.host.lower().startswith("fe80:"):
        return f"a link-local address needs the network interface: {why.host}%eth0"
    return reason_of(why.error)


def _cannot(host: str, port: int, reason: str) -> NotStarted:
    return NotStarted(f"cannot listen on {ListenAddress(host, port)}: {reason}")


def address_of(bound: socket.socket) -> ListenAddress:
    """Where a socket listens."""
    address = bound.getsockname()
    return ListenAddress(_with_zone(*address), address[1])


def _with_zone(host: str, port: int, flow: int = 0, scope: int = 0) -> str:
    """The host of a socket's address, with its network interface if it names one."""
    if not scope:
        return host
    try:
        return f"{host}%{socket.if_indextoname(scope)}"
    except OSError:
        return f"{host}%{scope}"


def _usual(host: str) -> str:
    """The usual spelling of a host: `::` for `::0`, `0:0:0:0:0:0:0:0` and `*`."""
    try:
        return str(ip_address(host))
    except ValueError:
        return EVERYWHERE if host == "*" else host.lower().rstrip(".")


def _port(sockets: Sequence[socket.socket], asked: int) -> int:
    """The port for the next socket: the one asked for, or the one that the others have."""
    return asked or (address_of(sockets[0]).port if sockets else 0)


def _stands_for_several(host: str) -> bool:
    """Whether a host stands for several addresses of which the machine may lack some: a name
    lists what could be there."""
    if host in _TOGETHER:
        return True
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return True
    return False


def _resolved(host: str, port: int) -> list[_SocketAddress]:
    """The addresses that a host stands for; raises NotStarted."""
    found: list[_SocketAddress] = []
    for one in _TOGETHER.get(host, (host,)):
        try:
            known = socket.getaddrinfo(one, 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except (OSError, UnicodeError) as error:
            reason = reason_of(error) if isinstance(error, OSError) else "no host name"
            raise _cannot(host, port, reason) from None
        for family, _, _, _, address in known:
            if family in (socket.AF_INET, socket.AF_INET6) and (family, address) not in found:
                found.append((int(family), address))
    return found


def _without_covered(
    wanted: Iterable[tuple[str, list[_SocketAddress]]],
) -> list[tuple[str, list[_SocketAddress]]]:
    """What is wanted, each address once, and none whose family has a wildcard address, which
    covers it."""
    whole = {
        family
        for _, addresses in wanted
        for family, address in addresses
        if address[0] in ("::", "0.0.0.0")
    }
    seen: set[_SocketAddress] = set()
    kept = []
    for host, addresses in wanted:
        here = []
        for family, address in addresses:
            covered = family in whole and address[0] not in ("::", "0.0.0.0")
            if not covered and (family, address) not in seen:
                seen.add((family, address))
                here.append((family, address))
        if here:
            kept.append((host, here))
    return kept


def _listen(addresses: Sequence[_SocketAddress], port: int, *, some: bool) -> list[socket.socket]:
    """Listen on these addresses; with `some`, the machine may lack all but one of them.
    Raises _CannotListen."""
    sockets: list[socket.socket] = []
    missing: _CannotListen | None = None
    for family, address in addresses:
        try:
            sockets.append(_open(family, (address[0], _port(sockets, port), *address[2:])))
        except OSError as error:
            missing = _CannotListen(_with_zone(*address), error)
            if not some or error.errno not in _NOT_HERE:
                break
    else:
        if sockets or missing is None:
            return sockets
    for one in sockets:
        one.close()
    assert missing is not None
    raise missing


def _open(family: int, address: tuple[Any, ...]) -> socket.socket:
    # asyncio turns off Nagle's delay only for sockets that name their protocol
    one = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.setblocking(False)
        one.bind(address)
        one.listen(BACKLOG)
    except OSError:
        one.close()
        raise
    return one
