"""Reads the address of a server, as people type it.

The documented rule: `host`, `host:port`, `[IPv6]`, `[IPv6]:port`, or a whole `ws://` or `wss://`
address. A bare address with several colons is refused, because `::1:8765` could mean two things.
The default port is 8765, in `ws://` addresses too; for `wss://` it is 443, as everywhere. A
link-local IPv6 address names its zone, the network interface: `[fe80::1%eth0]:8765`, or
`%25eth0` as URLs write it. Opens no connection.
"""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv6Address, ip_address

from attrs import frozen

DEFAULT_PORT = 8765
SECURE_PORT = 443

_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?")
_PATH = re.compile(r"/[!-~]*")
_ZONE = re.compile(r"[A-Za-z0-9._~-]{1,32}")


class BadAddress(ValueError):
    """The typed text is no address of a server; the text says why, in one line."""


@frozen
class Address:
    """A server's address."""

    host: str
    """A name or an IP address, IPv6 without brackets; with its zone, if it has one."""
    port: int
    path: str = "/"
    secure: bool = False

    @property
    def uri(self) -> str:
        """The address as it is sent to the server, where a zone means nothing."""
        return self._with_scheme(self.host.partition("%")[0])

    def __str__(self) -> str:
        """As a person would type it; also the key of the files kept for this server."""
        if self.secure or self.path != "/":
            return self._with_scheme(self.host.replace("%", "%25"))
        return _place(self.host, self.port)

    def _with_scheme(self, host: str) -> str:
        return f"{'wss' if self.secure else 'ws'}://{_place(host, self.port)}{self.path}"


def _place(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def parse_address(typed: str) -> Address:
    """The address that `typed` names; raises BadAddress."""
    text = typed.strip()
    if not text:
        raise BadAddress("the address is empty")
    if not text.isascii() and text.isprintable() and " " not in text:
        raise BadAddress(f"{typed!a}: {_in_ascii(text)}")
    if not text.isascii() or not text.isprintable() or " " in text:
        raise BadAddress(f"{typed!a} is no address: spaces or strange characters in it")
    scheme, found, rest = text.partition("://")
    if not found:
        host, port = _host_and_port(text, typed)
        return Address(host, DEFAULT_PORT if port is None else port)
    scheme = scheme.lower()
    if scheme not in ("ws", "wss"):
        raise BadAddress(f"{typed!a}: only ws:// and wss:// are known")
    secure = scheme == "wss"
    place, slash, path = rest.partition("/")
    path = slash + path or "/"
    if "@" in place or "?" in place or "#" in rest or not _PATH.fullmatch(path):
        raise BadAddress(f"{typed!a}: only a host, a port and a path can be given")
    host, port = _host_and_port(place, typed, url=True)
    if port is None:
        port = SECURE_PORT if secure else DEFAULT_PORT
    return Address(host, port, path, secure)


def is_local(where: str) -> bool:
    """Whether an address always leads to the machine on which it is used."""
    try:
        return leads_here(parse_address(where).host)
    except BadAddress:
        return False


def leads_here(host: str) -> bool:
    """Whether a host name always leads to the machine on which it is used."""
    name = host.lower().rstrip(".")
    try:
        found = ip_address(host)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return found.is_loopback or found.is_unspecified


def _in_ascii(text: str) -> str:
    """How to write an address whose host is in another alphabet."""
    scheme, found, rest = text.rpartition("://")
    place, slash, path = rest.partition("/")
    host, colon, port = place.partition(":")
    try:
        host = host.encode("idna").decode("ascii")
    except UnicodeError:
        return "there is no such host name"
    return f"write it as {scheme}{found}{host}{colon}{port}{slash}{path}"


def _host_and_port(place: str, typed: str, *, url: bool = False) -> tuple[str, int | None]:
    if "@" in place:
        raise BadAddress(f"{typed!a}: only a host and a port can be given, no user before @")
    if place.startswith("["):
        inside, bracket, after = place[1:].partition("]")
        if not bracket:
            raise BadAddress(f"{typed!a}: the bracket is not closed")
        if after and not after.startswith(":"):
            raise BadAddress(f"{typed!a}: only :port can follow the bracket")
        return _in_brackets(inside, typed, url=url), _port(after[1:], typed) if after else None
    if place.count(":") > 1:
        raise BadAddress(f"{typed!a} is ambiguous: write an IPv6 address as [address]:port")
    host, colon, port = place.partition(":")
    if not host:
        raise BadAddress(f"{typed!a}: the host is missing")
    if not _HOST.fullmatch(host) or not all(0 < len(part) < 64 for part in host.split(".")):
        raise BadAddress(f"{typed!a}: {host!a} is no host name")
    return host, _port(port, typed) if colon else None


def _in_brackets(inside: str, typed: str, *, url: bool) -> str:
    """An IPv6 address, with its zone if it has one; in a `url` its % is written %25."""
    number, percent, zone = inside.partition("%")
    if zone.startswith("25") and len(zone) > 2 and (url or not zone.isdigit()):
        zone = zone[2:]
    try:
        found = IPv6Address(number)
    except AddressValueError:
        raise BadAddress(f"{typed!a}: there is no IPv6 address in the brackets") from None
    if not percent:
        return number
    if not found.is_link_local:
        raise BadAddress(f"{typed!a}: only an address that begins with fe80 has a zone (%)")
    if not _ZONE.fullmatch(zone):
        raise BadAddress(f"{typed!a}: after % belongs the name of a network interface")
    return f"{number}%{zone}"


def _port(text: str, typed: str) -> int:
    if not text:
        raise BadAddress(f"{typed!a}: the port is missing after the colon")
    if not (text.isascii() and text.isdigit()) or len(text) > 5 or not 1 <= int(text) <= 65535:
        raise BadAddress(f"{typed!a}: a port is a number from 1 to 65535")
    return int(text)
