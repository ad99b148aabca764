"""The files that the client keeps between runs: the secrets that resume its sessions, and the
secret that its shares in deals are made from.

One small file for each server and name, readable only by the user (mode 0600 in folders of mode
0700). Files are written whole, and a session that another client keeps is never overwritten, even
where files cannot be locked. Does not know about connections.
"""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN, ENOTDIR
from hashlib import sha256
from os import strerror
from pathlib import Path
from typing import Any

from attrs import field, frozen

from client.dial.address import Address
from client.state.fairness import SECRET_BYTES

_MOST_BYTES = 16_384
_LOCK_SECONDS = 1.0
"""How long one client waits for another that is writing a file."""


@frozen
class Kept:
    """A session as it is kept."""

    name: str
    """The name that the server knows it by."""
    token: bytes
    under: str = field(default="", eq=False)
    """The name under which it is kept, which may differ; empty if not known."""


class SessionStore:
    """The sessions of one server in a data folder."""

    def __init__(self, folder: Path, address: Address) -> None:
        place = sha256(str(address).encode()).hexdigest()[:16]
        self.root = folder
        self.folder = folder / "sessions" / place
        self.unread: dict[Path, str] = {}
        """Sessions that were found and cannot be read, and why. They are put aside when others
        take their place."""

    def load(self, name: str) -> Kept | None:
        """The session kept under `name` (empty: the one used last); None if there is no
        readable one."""
        with suppress(OSError):
            if name:
                return self._read(self._path(name))
            paths = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
            for path in reversed(paths):
                kept = self._read(path)
                if kept is not None:
                    return kept
        return None

    def _read(self, path: Path) -> Kept | None:
        try:
            with path.open("rb") as file:
                data: Any = json.loads(file.read(_MOST_BYTES))
            name = str(data["name"])
            # Older files do not have it: most are kept under the name itself.
            under = str(data.get("under", name))
            under = under if self._path(under) == path else ""
            kept = Kept(name, bytes.fromhex(data["token"]), under)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self.unread[path] = error.strerror or str(error)
        except (ValueError, KeyError, TypeError, RecursionError):
            self.unread[path] = "it is damaged"
        else:
            return kept
        return None

    def save(self, asked: str, kept: Kept, former: bytes | None = None) -> str:
        """Keep a session in place of the one with the token `former`, which is then kept under
        `NAME (before)`. Returns the name under which ours is kept: not `asked` if another
        client keeps its session there by now. Raises OSError."""
        with self._locked():
            there = self._read(self._path(asked))
            if there is not None and kept.token != there.token == former:
                self._put_aside(asked, there)
            return self._place(asked, kept, former)

    def carried(self, asked: str, kept: Kept) -> None:
        """Keep a session that came from another device. A session that was here under the same
        name is not lost: it is kept under `NAME (before)`. Raises OSError."""
        with self._locked():
            there = self._read(self._path(asked))
            if there is not None and there.token != kept.token:
                self._put_aside(asked, there)
            self._place(asked, kept, None if there is None else there.token)

    def _put_aside(self, asked: str, there: Kept) -> None:
        """Keep the session found under a name as `NAME (before)`, with its time of last use."""
        used = self._path(asked).stat().st_mtime_ns
        under = self._place(f"{asked} (before)", there, None)
        # Written at the same moment as ours, it could look like the one used last.
        os.utime(self._path(under), ns=(used, used))

    def _place(self, asked: str, kept: Kept, former: bytes | None) -> str:
        """Keep a session under the first of `NAME`, `NAME (2)`, ... that is free or ours."""
        under, number = asked, 1
        while not self._put(under, kept, former):
            number += 1
            under = f"{asked} ({number})"
        return under

    def _put(self, under: str, kept: Kept, former: bytes | None) -> bool:
        """Keep a session under this name if it is free or ours; whether it was."""
        told = json.dumps({"name": kept.name, "token": kept.token.hex(), "under": under}).encode()
        path = self._path(under)
        there = self._read(path)
        if path in self.unread:
            # Its owner may be able to repair it.
            with suppress(FileNotFoundError):
                path.rename(_free(path))
            del self.unread[path]
        if there is None:
            return self._write(path, told, create=True)
        return there.token in (former, kept.token) and self._write(path, told)

    def _write(self, path: Path, data: bytes, *, create: bool = False) -> bool:
        """Write `data` to the file, whole or not at all; whether it was written. With `create`
        an existing file is left alone."""
        self._make_folders()
        handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
        fresh = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(handle)
            return _hard_link(fresh, path) if create else bool(fresh.replace(path))
        finally:
            with suppress(OSError):
                fresh.unlink()

    def _make_folders(self) -> None:
        for folder in reversed((self.folder, *self.folder.parents)):
            try:
                if not folder.is_dir():
                    folder.mkdir(mode=0o700, exist_ok=True)
            except FileExistsError:
                raise NotADirectoryError(ENOTDIR, strerror(ENOTDIR), str(folder)) from None

    # one client after the other

    def claim(self) -> int | None:
        """The right to be the one client that gets a first session from this server, as a
        descriptor to close once the session is kept; None while another client has it. Raises
        OSError where there are no locks."""
        self._make_folders()
        return _lock(self.folder)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other clients from writing here. Where there are no locks, or a client that hangs
        holds this one, only `_put` keeps them apart."""
        held = None
        until = time.monotonic() + _LOCK_SECONDS
        with suppress(OSError):
            self._make_folders()
            while (held := _lock(self.folder.parent)) is None and time.monotonic() < until:
                time.sleep(0.005)
        try:
            yield
        finally:
            if held is not None:
                os.close(held)

    def secret(self) -> bytes:
        """32 bytes that stay on this machine and are the same in every run: our shares in deals
        are made from them (`client.state.fairness`). Raises OSError."""
        path = self.root / "shares.key"
        for create in (True, False, False):
            with suppress(FileNotFoundError):
                with path.open("rb") as file:
                    kept = file.read(SECRET_BYTES + 1)
                if len(kept) == SECRET_BYTES:
                    return kept
            # If two clients make one at the same moment, the first one counts.
            self._write(path, os.urandom(SECRET_BYTES), create=create)
        raise OSError(f"{path} cannot be kept")

    def _path(self, name: str) -> Path:
        return self.folder / f"{sha256(name.casefold().encode()).hexdigest()[:16]}.json"


def _lock(folder: Path) -> int | None:
    """A descriptor that holds the lock of a folder until it is closed; None while another
    client holds the lock. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno in (EACCES, EAGAIN):
            return None
        raise
    return handle


def _hard_link(fresh: Path, path: Path) -> bool:
    """Give a written file its name; False if the name is taken."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        return False
    except OSError:
        # A file system without hard links.
        if path.exists():
            return False
        fresh.replace(path)
    return True


def _free(path: Path) -> Path:
    """A free name beside `path` for a file that cannot be read: `*.unread`, `*.2.unread`, ..."""
    aside, number = path.with_suffix(".unread"), 1
    while aside.exists():
        number += 1
        aside = path.with_suffix(f".{number}.unread")
    return aside
