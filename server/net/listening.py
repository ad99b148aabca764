"""Where the server listens: several addresses and one port, IPv4 and IPv6.

Each address has a socket of its own, and an IPv6 socket never takes IPv4 too: whether it
would by itself is a setting of the system. Knows nothing of what is said over them.
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
"""All addresses of the machine, of whatever kind it has."""

_TOGETHER = {EVERYWHERE: ("::", "0.0.0.0"), "localhost": ("127.0.0.1", "::1")}
"""Hosts that stand for one address of each kind; one of them has to be there."""
BACKLOG = 100
_TRIES = 20
"""Free ports that are looked at, until one is free at all addresses."""
_NOT_HERE = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}

_Bound: TypeAlias = tuple[int, tuple[Any, ...]]
"""Family and address, without the port."""


class _Refused(Exception):
    """The system does not let us listen at an address."""

    def __init__(self, host: str, error: OSError) -> None:
        super().__init__(host)
        self.host = host
        self.error = error


@frozen
class Place:
    """An address that is listened on."""

    host: str
    """A number; of a link-local IPv6 address with its zone."""
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def listen(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Sockets that listen on all of `hosts`, in their order, on the same port (0: a free one).
    Raises NotStarted. Looks names up, and so may take long."""
    wanted = [(host, _resolved(host, port)) for host in dict.fromkeys(map(_usual, hosts))]
    for tries_left in reversed(range(_TRIES)):
        sockets: list[socket.socket] = []
        try:
            for host, places in _without_covered(wanted):
                sockets += _listen(places, _port(sockets, port), some=_stands_for_several(host))
        except _Refused as refused:
            for one in sockets:
                one.close()
            if port == 0 and refused.error.errno == errno.EADDRINUSE and tries_left:
                continue  # free at one address, and taken at another
            raise _cannot(refused.host, port, _reason(refused)) from None
        return sockets
    raise AssertionError("the last try returns or raises")


def _reason(refused: _Refused) -> str:
    if refused.error.errno == errno.EINVAL and refused.host.lower().startswith("fe80:"):
        return f"a link-local address needs the network interface: {refused.host}%eth0"
    return reason_of(refused.error)


def _cannot(host: str, port: int, reason: str) -> NotStarted:
    return NotStarted(f"cannot listen on {Place(host, port)}: {reason}")


def place_of(bound: socket.socket) -> Place:
    """Where a socket listens."""
    address = bound.getsockname()
    return Place(_with_zone(*address), address[1])


def _with_zone(host: str, port: int, flow: int = 0, scope: int = 0) -> str:
    """The host of a socket's address, with the network interface it means."""
    if not scope:
        return host
    try:
        return f"{host}%{socket.if_indextoname(scope)}"
    except OSError:
        return f"{host}%{scope}"


def _usual(host: str) -> str:
    """A host as it is usually written: `::` for `::0`, `0:0:0:0:0:0:0:0` and `*`."""
    try:
        return str(ip_address(host))
    except ValueError:
        return EVERYWHERE if host == "*" else host.lower().rstrip(".")


def _port(sockets: Sequence[socket.socket], asked: int) -> int:
    """The port for the next socket: that of the others, if it may be any."""
    return asked or (place_of(sockets[0]).port if sockets else 0)


def _stands_for_several(host: str) -> bool:
    """Whether not all that a host stands for has to be there: names say what could be."""
    if host in _TOGETHER:
        return True
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return True
    return False


def _resolved(host: str, port: int) -> list[_Bound]:
    """The addresses that a host stands for."""
    found: list[_Bound] = []
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
    wanted: Iterable[tuple[str, list[_Bound]]],
) -> list[tuple[str, list[_Bound]]]:
    """What is wanted, each address once, and none beside the one that means all of its kind."""
    whole = {
        family
        for _, places in wanted
        for family, address in places
        if address[0] in ("::", "0.0.0.0")
    }
    seen: set[_Bound] = set()
    kept = []
    for host, places in wanted:
        here = []
        for family, address in places:
            covered = family in whole and address[0] not in ("::", "0.0.0.0")
            if not covered and (family, address) not in seen:
                seen.add((family, address))
                here.append((family, address))
        if here:
            kept.append((host, here))
    return kept


def _listen(places: Sequence[_Bound], port: int, *, some: bool) -> list[socket.socket]:
    """Listen on these, or on `some` of them, where the machine has not all; raises _Refused."""
    sockets: list[socket.socket] = []
    missing: _Refused | None = None
    for family, address in places:
        try:
            sockets.append(_open(family, (address[0], _port(sockets, port), *address[2:])))
        except OSError as error:
            missing = _Refused(_with_zone(*address), error)
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
    # the protocol is named: asyncio lets only such sockets send small messages at once
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
