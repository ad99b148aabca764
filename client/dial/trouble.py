"""Why a server could not be reached, in our own words: made from what the system, the TLS library
or the socket library raised, and from what the server answered. Opens no connection."""

from __future__ import annotations

import os
import socket
import ssl
from http import HTTPStatus

from websockets.exceptions import (
    InvalidHandshake,
    InvalidMessage,
    InvalidProxyMessage,
    InvalidProxyStatus,
    ProxyError,
)
from websockets.http11 import Response

from client.dial.address import Address
from client.dial.proxy import Proxy

NO_SERVER = "there is no Ra server at this address"
NO_ANSWER = "no answer"

_TLS_ALERT = b"\x15\x03"
"""The first bytes of an answer that asks for TLS."""
_NOT_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "PACKET_LENGTH")
_OLD_TLS = ("UNSUPPORTED_PROTOCOL", "PROTOCOL_VERSION", "NO_PROTOCOLS_AVAILABLE")
_WANTS_OURS = ("CERTIFICATE_REQUIRED", "PEER_DID_NOT_RETURN_A_CERTIFICATE")

_EXPIRED, _NOT_YET, _SELF_SIGNED = 10, 9, 18
_WRONG_NAMES = (62, 63, 64)
_UNKNOWN_SIGNERS = (2, 19, 20, 21)
"""OpenSSL's numbers (X509_V_ERR_...)."""

_STATUSES: dict[int, str] = {
    HTTPStatus.UNAUTHORIZED: "the server asks for a password, which this program has none of",
    HTTPStatus.FORBIDDEN: "the server does not let us in",
    HTTPStatus.TOO_MANY_REQUESTS: "the server takes no more connections from here for now",
    HTTPStatus.INTERNAL_SERVER_ERROR: "the server reports a fault of its own",
    HTTPStatus.BAD_GATEWAY: "something answers in its place and cannot reach the server",
    HTTPStatus.SERVICE_UNAVAILABLE: "the server is full, or not ready: try again later",
    HTTPStatus.GATEWAY_TIMEOUT: "something answers in its place and cannot reach the server",
}
_PROXY_STATUSES: dict[int, str] = {
    HTTPStatus.FORBIDDEN: "does not let us through to there",
    HTTPStatus.BAD_GATEWAY: "cannot reach the server",
    HTTPStatus.SERVICE_UNAVAILABLE: "cannot reach the server",
    HTTPStatus.GATEWAY_TIMEOUT: "gets no answer from the server",
}


class HttpAnswer(Exception):
    """A server answered by HTTP and opened no WebSocket."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status_code)
        self.response = response

    @property
    def location(self) -> str:
        """Where the answer redirects us; empty if it does not."""
        places = self.response.headers.get_all("Location")
        return places[0] if places and 300 <= self.response.status_code < 400 else ""


def why(error: BaseException, address: Address, first: bytes) -> str:
    """Why a conversation with the server itself was not possible; `first`: the first bytes of
    its answer."""
    if isinstance(error, HttpAnswer):
        return _by_status(error.response, address)
    if isinstance(error, InvalidMessage) and not first:
        hint = "" if address.secure else f"; if it speaks TLS, try {_as(address, 'wss')}"
        return f"it closes the connection without a word{hint}"
    if isinstance(error, InvalidHandshake) and first.startswith(_TLS_ALERT):
        return _wants_tls(address)
    if isinstance(error, InvalidHandshake):
        return NO_SERVER
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"no secure connection: {_certificate(error, address.host)}"
    if isinstance(error, ssl.SSLError) and _means(error, _NOT_TLS):
        return f"the server there does not speak TLS: try {_as(address, 'ws')}"
    if address.secure and isinstance(error, ConnectionError | EOFError | ssl.SSLEOFError):
        other = _as(address, "ws")
        return f"the server breaks off the TLS handshake: if it speaks no TLS there, try {other}"
    if isinstance(error, ssl.SSLError):
        return f"no secure connection: {_tls_words(error)}"
    return not_there(error, address.host)


def why_proxy(error: BaseException, proxy: Proxy, address: Address) -> str:
    """Why a proxy did not lead to the server, and how to do without it."""
    return f"{_of_proxy(error, proxy)}; no_proxy={address.host} would go without it"


def _of_proxy(error: BaseException, proxy: Proxy) -> str:
    if isinstance(error, InvalidProxyStatus):
        status = error.response.status_code
        if status == HTTPStatus.PROXY_AUTHENTICATION_REQUIRED:
            how = "asks for a name and a password"
            how = how if proxy.user is None else "does not take the name and the password given"
        else:
            how = _PROXY_STATUSES.get(status, "refuses")
        return f"{proxy} {how} (HTTP {status})"
    if isinstance(error, InvalidProxyMessage):
        other = "https" if proxy.kind == "http" else "another kind"
        hint = f"; is it one of {other}?" if proxy.kind == "http" else ""
        return f"{proxy} does not answer as a proxy does{hint}"
    if isinstance(error, ImportError):
        return f"{proxy} needs the package python-socks[asyncio], which is not installed"
    if isinstance(error, ProxyError):
        told = " ".join(str(error.__cause__ or "").split())
        return f"{proxy} does not lead there" + (f": {told}" if told else "")
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"{proxy} is not trusted: {_certificate(error, proxy.host)}"
    if isinstance(error, ssl.SSLError):
        return f"{proxy} does not speak TLS as it should: {_tls_words(error)}"
    return f"{proxy} cannot be reached: {not_there(error, proxy.host)}"


def not_there(error: BaseException, host: str) -> str:
    """Why nothing answers there, from what the system says."""
    if isinstance(error, socket.gaierror):
        return no_name(error, host)
    if isinstance(error, TimeoutError):
        return NO_ANSWER
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        if host.lower().startswith("fe80:") and "%" not in host:
            return f"a link-local address needs the network interface: [{host}%eth0]"
        return os.strerror(error.errno).lower()
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    if isinstance(error, ConnectionError | EOFError):
        return "the connection broke off"
    return f"it cannot be said why ({type(error).__name__})"


def no_name(error: OSError, host: str) -> str:
    """Why a host name leads nowhere."""
    if "%" in host:
        return f"there is no network interface {host.partition('%')[2]} here"
    if error.errno in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)):
        return f"there is no host called {host}"
    if error.errno == socket.EAI_AGAIN:
        return f"the name {host} cannot be looked up now: is there a network?"
    return f"the name {host} cannot be looked up: {(error.strerror or str(error)).lower()}"


def summed_up(reasons: list[tuple[str, str]], *, over: bool = False) -> str:
    """What went wrong at several addresses, given as (address, reason), in one line; `over`:
    time has run out, and the addresses that are not named gave no answer."""
    if over and not reasons:
        return NO_ANSWER
    if over:
        reasons = [*reasons, ("elsewhere", NO_ANSWER)]
    different = list(dict.fromkeys(reason for _, reason in reasons))
    if len(different) == 1:
        return different[0]
    return "; ".join(f"{address}: {reason}" for address, reason in reasons[:4])


def _by_status(answer: Response, address: Address) -> str:
    status = answer.status_code
    if 300 <= status < 400:
        return f"it redirects us and does not say where to (HTTP {status})"
    body = (answer.body or b"")[:4096].lower()
    if status == HTTPStatus.BAD_REQUEST and (b"https" in body or b"ssl-enabled" in body):
        return _wants_tls(address)
    return f"{_STATUSES.get(status, NO_SERVER)} (HTTP {status})"


def _wants_tls(address: Address) -> str:
    return f"the server there speaks TLS: try {_as(address, 'wss')}"


def _as(address: Address, scheme: str) -> str:
    return f"{scheme}://{str(address).rpartition('://')[2]}"


def _means(error: ssl.SSLError, reasons: tuple[str, ...]) -> bool:
    return any(reason in (error.reason or "") for reason in reasons)


def _tls_words(error: ssl.SSLError) -> str:
    if _means(error, _OLD_TLS):
        return "it speaks only a version of TLS that is not safe any more"
    if _means(error, _WANTS_OURS):
        return "the server wants a certificate from us"
    if _means(error, _NOT_TLS):
        return "what answers is no TLS"
    if isinstance(error, ssl.SSLEOFError):
        return "the handshake was broken off"
    return (error.reason or "it cannot be said why").replace("_", " ").lower()


def _certificate(error: ssl.SSLCertVerificationError, host: str) -> str:
    number = error.verify_code
    if number == _EXPIRED:
        return "its certificate has expired, or the clock of this computer is wrong"
    if number == _NOT_YET:
        return "its certificate is not valid yet, or the clock of this computer is wrong"
    if number in _WRONG_NAMES:
        return f"its certificate is for another name than {host}"
    if number == _SELF_SIGNED:
        return "its certificate is signed by itself alone" + (_nonsense() or _how_to_trust())
    if number in _UNKNOWN_SIGNERS:
        return "nobody whom this computer trusts has signed its certificate" + _nonsense()
    return f"its certificate is not good: {error.verify_message}"


def _how_to_trust() -> str:
    return "; if you trust it, name a copy of it in SSL_CERT_FILE"


def _nonsense() -> str:
    """What is wrong with the trusted certificates that the environment names; empty: nothing."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file is not None:
        try:
            ssl.create_default_context(cafile=file)
        except (OSError, ValueError):
            return "; SSL_CERT_FILE names no file with certificates"
    elif folder is not None and not any(map(os.path.isdir, folder.split(os.pathsep))):
        return "; SSL_CERT_DIR names no folder"
    return ""
