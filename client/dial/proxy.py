"""Which proxy the environment names for a server, if any: `https_proxy`, `http_proxy`,
`socks_proxy`, `ws_proxy`, `wss_proxy`, `all_proxy` and `no_proxy`, in lower or upper case, or
what the system's own settings say.

Connections that stay on this machine, or on this cable, use no proxy. Opens no connection.
"""

from __future__ import annotations

import socket
from importlib.util import find_spec
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from attrs import frozen

from client.dial.address import Address, leads_here

_PORTS = {"http": 80, "https": 443, "socks4": 1080, "socks4a": 1080, "socks5": 1080}
_PORTS["socks5h"] = 1080
HOSTS = Path("/etc/hosts")
_MOST_OF_HOSTS = 1 << 20
_UNQUOTED = "!$&'()*+,;="
_SECURE_ORDER = ("wss", "socks", "https", "all")
_PLAIN_ORDER = ("ws", "socks", "https", "http", "all")
"""The order of preference: a proxy for all kinds of connections before one for web pages."""


class BadProxy(ValueError):
    """The environment names a proxy that makes no sense; the text says why, without the
    password."""


@frozen
class Proxy:
    """A proxy to connect through."""

    kind: str
    """`http`, `https`, `socks5h`, ..."""
    host: str
    port: int
    source: str
    """The variable that names it, or `the system's settings`."""
    user: str | None = None
    password: str = ""

    def url(self, host: str) -> str:
        """The proxy's address for the socket library, with the password: never show it. `host`
        is one of the proxy's network addresses."""
        user = ""
        if self.user is not None:
            # Before websockets 17 the proxy gets it still quoted, so quote as little as possible.
            user = f"{quote(self.user, _UNQUOTED)}:{quote(self.password, _UNQUOTED)}@"
        return f"{self.kind}://{user}{_bracketed(host)}:{self.port}"

    @property
    def socks(self) -> bool:
        return self.kind.startswith("socks")

    def __str__(self) -> str:
        """Without user and password, so that it may be shown."""
        return f"the proxy {self.kind}://{_bracketed(self.host)}:{self.port} ({self.source})"


def proxy_for(address: Address) -> Proxy | None:
    """The proxy for a server; None if none is needed or named. Raises BadProxy."""
    from urllib.request import getproxies, getproxies_environment, proxy_bypass

    if _stays_here(address):
        return None
    named = getproxies_environment()
    if not named:
        named = getproxies()
        if not named or proxy_bypass(f"{address.host}:{address.port}"):
            return None
        source = "the system's settings"
    else:
        source = ""
    if _excepted(address, named.get("no", "")):
        return None
    order = _SECURE_ORDER if address.secure else _PLAIN_ORDER
    found = [_read(named[name], name, source) for name in order if named.get(name)]
    # A proxy that can be used here comes before one that cannot.
    usable = [proxy for proxy in found if not proxy.socks or can_speak_socks()]
    return next(iter(usable or found), None)


def can_speak_socks() -> bool:
    """Whether the package that the socket library needs for SOCKS is installed."""
    return find_spec("python_socks") is not None


def _stays_here(address: Address) -> bool:
    """Whether a server is this machine, under any name, or link-local."""
    if leads_here(address.host) or _link_local(address.host):
        return True
    host = address.host.casefold().rstrip(".")
    own = socket.gethostname().casefold().rstrip(".")
    short = own.partition(".")[0]
    return host in filter(None, (own, short, f"{short}.local")) or _listed_here(host)


def _listed_here(host: str) -> bool:
    """Whether the system's list of hosts gives a name a loopback address. No name server is
    asked: it would learn which server we visit, and a proxy may be there to hide that."""
    try:
        with HOSTS.open("rb") as file:
            lines = file.read(_MOST_OF_HOSTS).decode("utf-8", "replace").splitlines()
    except OSError:
        return False
    for line in lines:
        address, *names = line.partition("#")[0].split() or ("",)
        if host in map(str.casefold, names) and leads_here(address):
            return True
    return False


def _link_local(host: str) -> bool:
    try:
        return ip_address(host).is_link_local
    except ValueError:
        return False


def _excepted(address: Address, exceptions: str) -> bool:
    """Whether `no_proxy` names a server: `*`, `host`, `.suffix` or `*.suffix`, each also with
    `:port`, an address, or a network (`10.0.0.0/8`)."""
    host = address.host.casefold().rstrip(".")
    for exception in exceptions.replace(",", " ").split():
        exception = exception.casefold()
        if exception == "*" or _in_network(host, exception):
            return True
        name, port = _host_and_port(exception)
        if port not in ("", str(address.port)):
            continue
        if _in_network(host, name):
            return True
        suffix = name.removeprefix("*").strip(".")
        if suffix and (host == suffix or host.endswith(f".{suffix}")):
            return True
    return False


def _host_and_port(exception: str) -> tuple[str, str]:
    if exception.startswith("["):
        host, _, rest = exception[1:].partition("]")
        return host, rest.removeprefix(":")
    if exception.count(":") > 1:
        return exception, ""
    host, _, port = exception.partition(":")
    return host, port


def _in_network(host: str, network: str) -> bool:
    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False


def _read(url: str, name: str, source: str) -> Proxy:
    source = source or f"{name}_proxy"
    usual = "socks5h" if name == "socks" else "http"
    scheme, found, rest = url.strip().partition("://")
    if not found:
        scheme, rest = usual, scheme
    scheme = scheme.lower()
    if scheme == "socks" or (name == "socks" and scheme == "http"):
        scheme = "socks5h"  # as desktops write it
    if scheme not in _PORTS:
        raise BadProxy(f"{source} names a proxy of an unknown kind; known are {_known()}")
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        host, port = parts.hostname, parts.port
        user = None if parts.username is None else unquote(parts.username, errors="strict")
        password = unquote(parts.password or "", errors="strict")
        host = (host or "").encode("idna").decode() if not (host or "").isascii() else host
    except ValueError:
        # The library's own message could show the password.
        raise BadProxy(f"{source} names a proxy whose address makes no sense") from None
    if not host or not host.isprintable() or " " in host:
        raise BadProxy(f"{source} names a proxy without a host")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise BadProxy(f"{source} names a proxy with more than a host and a port")
    return Proxy(scheme, host, port or _PORTS[scheme], source, user, password)


def _known() -> str:
    return ", ".join(f"{kind}://" for kind in _PORTS)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
