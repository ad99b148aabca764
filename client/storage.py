"""What the client keeps between runs: the secrets that resume its sessions, and that from
which its shares in deals are made.

One small file for each server and name, for the user's eyes alone (mode 0600 in folders
of mode 0700). Knows no socket.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from errno import ENOTDIR
from hashlib import sha256
from os import strerror
from pathlib import Path
from typing import Any

from attrs import field, frozen

from client.address import Address
from client.fairness import SECRET_BYTES

_MOST_BYTES = 16_384


@frozen
class Kept:
    """A session kept."""

    name: str
    """The one that the server knows it by."""
    token: bytes
    under: str = field(default="", eq=False)
    """The name that it is found under, which may be another; empty: not known."""


class Storage:
    """The sessions of one server in a data folder."""

    def __init__(self, folder: Path, address: Address) -> None:
        place = sha256(str(address).encode()).hexdigest()[:16]
        self.root = folder
        self.folder = folder / "sessions" / place
        self.unread: dict[Path, str] = {}
        """Sessions that were looked at and cannot be read, and why; they are not lost when
        others are kept in their place."""

    def load(self, name: str) -> Kept | None:
        """The session kept under `name` (empty: the one used last); None if there is none
        that can be read."""
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
            # Files written before do not hold it: most are kept under the name itself.
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

    def save(self, asked: str, kept: Kept) -> None:
        """Keep a session for the name that was asked for; raises OSError."""
        told = json.dumps({"name": kept.name, "token": kept.token.hex(), "under": asked})
        path = self._path(asked)
        if path in self.unread:
            # Somebody may be able to mend it.
            with suppress(FileNotFoundError):
                path.rename(_free(path))
            del self.unread[path]
        self._write(path, told.encode())

    def _write(self, path: Path, data: bytes) -> None:
        """Put `data` in the place of the file, whole or not at all."""
        for folder in (self.folder.parent.parent, self.folder.parent, self.folder):
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            except FileExistsError:
                raise NotADirectoryError(ENOTDIR, strerror(ENOTDIR), str(folder)) from None
        fresh = path.with_suffix(f".{os.getpid()}")
        with suppress(FileNotFoundError):
            fresh.unlink()
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            fresh.replace(path)
        except BaseException:
            with suppress(OSError):
                fresh.unlink()
            raise

    def carried(self, asked: str, kept: Kept) -> None:
        """Keep a session that came from another device. One that was here under the same
        name is not lost: it is kept under `NAME (before)`. Raises OSError."""
        former = self.load(asked)
        if former is not None and former.token != kept.token:
            self.save(f"{asked} (before)", former)
        self.save(asked, kept)

    def secret(self) -> bytes:
        """32 bytes that stay on this machine, the same in every run: what our shares in
        deals are made from (`client.fairness`). Raises OSError."""
        path = self.folder.parent.parent / "shares.key"
        for _ in range(2):
            with suppress(FileNotFoundError):
                with path.open("rb") as file:
                    kept = file.read(SECRET_BYTES + 1)
                if len(kept) == SECRET_BYTES:
                    return kept
            self._write(path, os.urandom(SECRET_BYTES))
        raise OSError(f"{path} cannot be kept")

    def _path(self, name: str) -> Path:
        return self.folder / f"{sha256(name.casefold().encode()).hexdigest()[:16]}.json"


def _free(path: Path) -> Path:
    """A name beside `path` for what cannot be read: `*.unread`, `*.2.unread`, ..."""
    aside, number = path.with_suffix(".unread"), 1
    while aside.exists():
        number += 1
        aside = path.with_suffix(f".{number}.unread")
    return aside
