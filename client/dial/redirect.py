"""Where a redirect may lead: to another port or path of the same host, to TLS but never away
from it, and not in circles.

We send a server the secret of our session, and no redirect may hand that to another host: the
person is told which host it is, and may go there. Opens no connection.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import quote, urljoin, urlsplit

from client.dial.address import Address

MOST_REDIRECTS = 5

_SCHEMES = {"ws": (False, 80), "http": (False, 80), "wss": (True, 443), "https": (True, 443)}
"""By scheme: whether it is secure, and its port."""
_IN_A_PATH = "/%:=&?~+!$,;'@()*-._"


class NotFollowed(Exception):
    """A redirect that is not followed; the text says why, in one line."""


def follow(visited: Sequence[Address], location: str) -> Address:
    """The address that a server redirects us to, after the addresses `visited` so far; raises
    NotFollowed."""
    here = visited[-1]
    try:
        parts = urlsplit(urljoin(here.uri, location.strip()))
        host, port = parts.hostname or "", parts.port
        host = host if host.isascii() else host.encode("idna").decode()
        path = quote(parts.path + (f"?{parts.query}" if parts.query else ""), safe=_IN_A_PATH)
    except (ValueError, RecursionError):
        raise NotFollowed("it redirects us to an address that makes no sense") from None
    if parts.scheme.lower() not in _SCHEMES:
        raise NotFollowed("it redirects us to what is no Ra server")
    secure, usual = _SCHEMES[parts.scheme.lower()]
    if not host or (port is not None and not port):
        raise NotFollowed("it redirects us to an address that makes no sense")
    same = _name(host) == _name(here.host.partition("%")[0])
    path = path if path.startswith("/") else f"/{path}"
    target = Address(here.host if same else host, port or usual, path, secure)
    if not same:
        raise NotFollowed(
            f"it redirects us to another host, {target}: go there yourself if you trust it"
        )
    if here.secure and not secure:
        raise NotFollowed(f"it redirects us to {target}, away from TLS: that is not followed")
    if target in visited or len(visited) > MOST_REDIRECTS:
        raise NotFollowed("its redirects go round in circles")
    return target


def _name(host: str) -> str:
    try:
        return str(ip_address(host))
    except ValueError:
        return host.casefold().rstrip(".")
