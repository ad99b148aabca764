"""The local socket between `ra-server admin` and a running server, and its two ends.

The socket lies beside the database, and only its owner may open it. Nothing is ever removed except
a socket of that name and that owner at which no program listens. The server's end (`AdminListener`)
runs on the event loop, and no peer can block it, whether it is silent or never reads; everything
else blocks. Does not know what the messages mean.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from errno import ENAMETOOLONG
from hashlib import sha256
from pathlib import Path
from typing import Any

from server.admin.messages import MOST_BYTES, BadRequest, Unanswered, failure, pack, unpack
from server.log import Log
from server.startup_errors import reason_of

_SUFFIX = ".admin"
_LONGEST_NAME = 64
"""Bytes of a database's name that its socket's name can hold; a longer name is hashed."""
_LONGEST_ADDRESS = 100
"""Bytes of an address: every system allows at least 104, including a zero at the end."""
_OWNER = 0o600
_BACKLOG = 8
_PEER = struct.Struct("3i")
"""The process, user and group at the other end."""

_LINE_SECONDS = 5.0
"""Time for a peer to send its next line, and to read an answer."""
_REMOVE_SECONDS = 1.0
"""Time for the disk to remove the socket."""
_MOST_AT_ONCE = 8
"""Connections at a time; any more are closed at once."""
_ANSWER_SECONDS = 15.0
"""How long the command waits for an answer: longer than a server takes for any answer."""

_NOT_YOURS = failure("not_yours", "this server is another user's")

Answerer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Answers a request; raises BadRequest."""


class SocketUnavailable(Exception):
    """The socket cannot be used; `str()` says why, in plain words."""


def socket_path(database: Path) -> Path:
    """Where the socket of a database's server is, whatever name is used for the database."""
    where = Path(os.path.realpath(database))
    name = os.fsencode(where.name)
    if len(name) <= _LONGEST_NAME:
        return where.with_name(where.name + _SUFFIX)
    return where.with_name(f".{sha256(name).hexdigest()[:32]}{_SUFFIX}")


# the server's end


class BoundSocket:
    """A listening socket, from construction to `close`; raises SocketUnavailable.

    The caller holds the database's lock, so no other server can have this socket.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder = _open_folder(path)
        try:
            self._remove_stale()
            self.socket = self._bound()
        except OSError as error:
            os.close(self._folder)
            raise SocketUnavailable(error.strerror or "it cannot be made") from None
        except BaseException:
            os.close(self._folder)
            raise

    def _remove_stale(self) -> None:
        """Remove the socket that a killed server has left."""
        found = self._found()
        if found is None:
            return
        if not stat.S_ISSOCK(found.st_mode):
            raise SocketUnavailable("something that is not a socket has its name")
        if found.st_uid != os.geteuid():
            raise SocketUnavailable("a socket of another user has its name")
        with socket.socket(socket.AF_UNIX) as probe:
            probe.setblocking(False)  # a socket whose backlog is full is in use, too
            try:
                probe.connect(_address(self.path, self._folder))
            except ConnectionRefusedError:
                os.unlink(self.path.name, dir_fd=self._folder)
                return
            except BlockingIOError:
                pass
        raise SocketUnavailable("another program listens there")

    def _bound(self) -> socket.socket:
        bound = socket.socket(socket.AF_UNIX)
        try:
            with suppress(OSError):
                os.fchmod(
                    bound.fileno(), _OWNER
                )  # so that it has no other mode at any moment (Linux)
            bound.bind(_address(self.path, self._folder))
            os.chmod(self.path.name, _OWNER, dir_fd=self._folder)
            self._ours = self._found()
            bound.listen(_BACKLOG)
            bound.setblocking(False)
        except BaseException:
            bound.close()
            raise
        return bound

    def _found(self) -> os.stat_result | None:
        try:
            return os.lstat(self.path.name, dir_fd=self._folder)
        except FileNotFoundError:
            return None

    def close(self) -> None:
        """Close and remove the socket, unless another file has its name by now."""
        self.socket.close()
        with suppress(OSError):
            found = self._found()
            if found and self._ours and os.path.samestat(found, self._ours):
                os.unlink(self.path.name, dir_fd=self._folder)
        os.close(self._folder)


class AdminListener:
    """Receives requests and answers them, from `open` to `close`."""

    def __init__(self, path: Path, answer: Answerer, log: Log) -> None:
        self._path = path
        self._answer = answer
        self._log = log
        self._bound: BoundSocket | None = None
        self._server: asyncio.Server | None = None
        self._peers: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Listen, if possible: a server that cannot listen logs why, and runs all the same."""
        try:
            self._bound = await asyncio.to_thread(BoundSocket, self._path)
            self._server = await asyncio.start_server(
                self._serve, sock=self._bound.socket, limit=MOST_BYTES
            )
        except (SocketUnavailable, OSError, RuntimeError) as error:  # no descriptor or thread left
            why = reason_of(error) if isinstance(error, OSError) else str(error)
            self._log.warning("admin_unavailable", path=str(self._path), why=why)

    async def close(self) -> None:
        """Hang up, and remove the socket."""
        if self._server is not None:
            self._server.close()
        for writer in tuple(self._peers):
            writer.transport.abort()
        if self._bound is not None:
            closing = asyncio.ensure_future(asyncio.to_thread(self._bound.close))
            await asyncio.wait([closing], timeout=_REMOVE_SECONDS)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._peers.add(writer)
        try:
            if len(self._peers) > _MOST_AT_ONCE:
                return
            allowed = is_allowed(writer.get_extra_info("socket"))
            if not allowed:
                self._log.warning("admin_refused")
            while line := await self._read_line(reader):
                await self._send(writer, await self._answered(line) if allowed else _NOT_YOURS)
        except (TimeoutError, ValueError, OSError):
            pass  # the peer sends nothing, sends too much, or is gone
        finally:
            self._peers.discard(writer)
            writer.transport.abort()

    async def _read_line(self, reader: asyncio.StreamReader) -> bytes:
        async with asyncio.timeout(_LINE_SECONDS):
            return await reader.readline()

    async def _send(self, writer: asyncio.StreamWriter, message: dict[str, Any]) -> None:
        writer.transport.set_write_buffer_limits(
            0
        )  # so that `drain` waits until everything is read
        writer.write(pack(message))
        async with asyncio.timeout(_LINE_SECONDS):
            await writer.drain()

    async def _answered(self, line: bytes) -> dict[str, Any]:
        try:
            return await self._answer(unpack(line))
        except BadRequest:
            return failure("unknown_request", "this server does not understand that")
        except Exception as error:
            self._log.error("admin_fault", error=error)
            return failure("fault", "a fault of the server's own; it may or may not be done")


def is_allowed(peer: socket.socket) -> bool:
    """Whether the user at the other end may give this server orders: the server's own user and
    root may. Where the system does not say who it is, only the socket's mode keeps others out."""
    user = _user_of(peer)
    return user is None or user in _allowed_users()


# the command's end


class AdminClient:
    """A connection to one running server."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._lines = connected.makefile("rb")

    @classmethod
    def connect(cls, database: Path) -> AdminClient | None:
        """A connection to the server that uses a database; None if none listens. Raises
        SocketUnavailable if that server cannot be trusted or does not accept the connection."""
        try:
            return cls(_connect(database, _ANSWER_SECONDS))
        except (FileNotFoundError, ConnectionRefusedError):
            return None

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request; raises Unanswered."""
        try:
            self._socket.sendall(pack(request))
            line = self._lines.readline(MOST_BYTES + 1)
            if not line.endswith(b"\n"):
                raise Unanswered
            return unpack(line)
        except (OSError, BadRequest):
            raise Unanswered from None

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


def _connect(database: Path, seconds: float) -> socket.socket:
    """A socket connected to the server of a database; each step on it may take `seconds`.

    Raises FileNotFoundError or ConnectionRefusedError if there is no server, and SocketUnavailable
    if it cannot be trusted: it must run as our user, as root or as the owner of the database.
    """
    path = socket_path(database)
    try:
        folder = _open_folder(path)
    except SocketUnavailable:
        raise FileNotFoundError from None
    made = socket.socket(socket.AF_UNIX)
    try:
        made.settimeout(seconds)
        made.connect(_address(path, folder))
        user = _user_of(made)
        if user not in (None, *_allowed_users(), database.stat().st_uid):
            raise SocketUnavailable("another user's program listens there")
    except (FileNotFoundError, ConnectionRefusedError):
        made.close()
        raise
    except OSError as error:
        made.close()
        raise SocketUnavailable(error.strerror or "it does not answer") from None
    except BaseException:
        made.close()
        raise
    finally:
        os.close(folder)
    return made


# both ends


def _user_of(peer: socket.socket) -> int | None:
    """The user at the other end; None where the system does not say."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    _, user, _ = _PEER.unpack(peer.getsockopt(socket.SOL_SOCKET, option, _PEER.size))
    return int(user)


def _allowed_users() -> tuple[int, ...]:
    return (os.geteuid(), 0)


def _open_folder(path: Path) -> int:
    try:
        return os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise SocketUnavailable(error.strerror or "its folder cannot be opened") from None


def _address(path: Path, folder: int) -> bytes:
    """An address of the socket at `path` that is short enough: if the path is too long, through
    the open folder. Raises OSError."""
    whole = os.fsencode(path)
    if len(whole) <= _LONGEST_ADDRESS:
        return whole
    by_folder = f"/proc/self/fd/{folder}"
    if not os.path.isdir(by_folder):  # noqa: PTH112
        raise OSError(ENAMETOOLONG, "its path is too long for a socket of this system")
    return os.fsencode(f"{by_folder}/{path.name}")
