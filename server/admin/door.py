"""The local socket by which `ra-server admin` reaches a running server: where it is, how it is
made, and how it is found.

It lies beside the database, and only its owner may open it. Nothing is ever removed but a
socket of that name, of that owner, at which nobody listens. Blocking; knows nothing of what
is said there.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
from contextlib import suppress
from errno import ENAMETOOLONG
from hashlib import sha256
from pathlib import Path

_SUFFIX = ".admin"
_LONGEST_NAME = 64
"""Bytes of a database's name that are in its socket's; a longer one is hashed."""
_LONGEST_ADDRESS = 100
"""Bytes of an address: the least that any system takes is 104, with a zero at the end."""
_OWNER = 0o600
_BACKLOG = 8
_PEER = struct.Struct("3i")
"""Process, user and group at the other end."""


class NoDoor(Exception):
    """The socket cannot be had; `str()` says why, in plain words."""


def socket_of(database: Path) -> Path:
    """Where the socket of a database's server is, by whatever name it is called."""
    where = Path(os.path.realpath(database))
    name = os.fsencode(where.name)
    if len(name) <= _LONGEST_NAME:
        return where.with_name(where.name + _SUFFIX)
    return where.with_name(f".{sha256(name).hexdigest()[:32]}{_SUFFIX}")


class Door:
    """The socket of one server, from construction to `close`; raises NoDoor.

    The caller holds the database's lock: no other server has this socket.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._folder = _open_folder(path)
        try:
            self._clear()
            self.socket = self._made()
        except OSError as error:
            os.close(self._folder)
            raise NoDoor(error.strerror or "it cannot be made") from None
        except BaseException:
            os.close(self._folder)
            raise

    def _clear(self) -> None:
        """Remove what a server that was killed has left."""
        found = self._found()
        if found is None:
            return
        if not stat.S_ISSOCK(found.st_mode):
            raise NoDoor("something that is no socket has its name")
        if found.st_uid != os.geteuid():
            raise NoDoor("a socket of another user has its name")
        with socket.socket(socket.AF_UNIX) as probe:
            probe.setblocking(False)  # one that is overrun is in use, too
            try:
                probe.connect(_address(self.path, self._folder))
            except ConnectionRefusedError:
                os.unlink(self.path.name, dir_fd=self._folder)
                return
            except BlockingIOError:
                pass
        raise NoDoor("another program listens there")

    def _made(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        try:
            with suppress(OSError):
                os.fchmod(made.fileno(), _OWNER)  # so that it never has another mode (Linux)
            made.bind(_address(self.path, self._folder))
            os.chmod(self.path.name, _OWNER, dir_fd=self._folder)
            self._ours = self._found()
            made.listen(_BACKLOG)
            made.setblocking(False)
        except BaseException:
            made.close()
            raise
        return made

    def _found(self) -> os.stat_result | None:
        try:
            return os.lstat(self.path.name, dir_fd=self._folder)
        except FileNotFoundError:
            return None

    def close(self) -> None:
        """Take the socket away, unless another has its name by now."""
        self.socket.close()
        with suppress(OSError):
            found = self._found()
            if found and self._ours and os.path.samestat(found, self._ours):
                os.unlink(self.path.name, dir_fd=self._folder)
        os.close(self._folder)


def knock(database: Path, seconds: float) -> socket.socket:
    """A connection to the server of a database, each of whose steps takes at most so long.
    Raises FileNotFoundError or ConnectionRefusedError if no server is there, and NoDoor if it
    may not be spoken to: who listens there has to be us, root or the owner of the database."""
    path = socket_of(database)
    try:
        folder = _open_folder(path)
    except NoDoor:
        raise FileNotFoundError from None
    made = socket.socket(socket.AF_UNIX)
    try:
        made.settimeout(seconds)
        made.connect(_address(path, folder))
        user = user_of(made)
        if user not in (None, *_allowed(), database.stat().st_uid):
            raise NoDoor("another user's program listens there")
    except (FileNotFoundError, ConnectionRefusedError):
        made.close()
        raise
    except OSError as error:
        made.close()
        raise NoDoor(error.strerror or "it does not answer") from None
    except BaseException:
        made.close()
        raise
    finally:
        os.close(folder)
    return made


def may_enter(peer: socket.socket) -> bool:
    """Whether the user at the other end may tell this server anything: its own, and root. Where
    the system does not say who it is, the socket's mode alone keeps others out."""
    user = user_of(peer)
    return user is None or user in _allowed()


def user_of(peer: socket.socket) -> int | None:
    """The user at the other end; None where the system does not say."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    _, user, _ = _PEER.unpack(peer.getsockopt(socket.SOL_SOCKET, option, _PEER.size))
    return int(user)


def _allowed() -> tuple[int, ...]:
    return (os.geteuid(), 0)


def _open_folder(path: Path) -> int:
    try:
        return os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise NoDoor(error.strerror or "its folder cannot be opened") from None


def _address(path: Path, folder: int) -> bytes:
    """An address of the socket at `path` that is short enough, by its open folder where its
    own is not; raises OSError."""
    whole = os.fsencode(path)
    if len(whole) <= _LONGEST_ADDRESS:
        return whole
    by_folder = f"/proc/self/fd/{folder}"
    if not os.path.isdir(by_folder):  # noqa: PTH112
        raise OSError(ENAMETOOLONG, "its path is too long for a socket of this system")
    return os.fsencode(f"{by_folder}/{path.name}")
