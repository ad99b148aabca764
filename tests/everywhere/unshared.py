"""Runs a command in a world of its own: with another network, or with a disk that is full.

    python unshared.py ipv4|ipv6 COMMAND ...
    python unshared.py full FOLDER COMMAND ...

`ipv4` and `ipv6` have a loopback of that kind alone, and nothing else. `full` puts a disk
without a byte of room in the place of FOLDER. Whatever is done ends with the command. Exit code
77: the system lets nobody have such a world.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys
from pathlib import Path

FORBIDDEN = 77
_NEW_MOUNTS, _NEW_USERS, _NEW_NETWORK = 0x20000, 0x10000000, 0x40000000
_SET_ADDRESS, _GET_FLAGS, _SET_FLAGS, _UP = 0x8916, 0x8913, 0x8914, 1
_PRIVATE = 1 << 18 | 1 << 14
"""MS_PRIVATE and MS_REC: what is mounted here is mounted nowhere else."""


def command(kind: str, *words: str) -> tuple[str, ...]:
    """The command that a cell runs its programs through."""
    return (sys.executable, __file__, kind, *words)


def _unshare(what: int) -> None:
    system = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if system.unshare(what | _NEW_USERS) == 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    elif system.unshare(what) != 0:
        raise OSError(ctypes.get_errno(), "no world of our own")


def _network(kind: str) -> None:
    _unshare(_NEW_NETWORK)
    if kind == "ipv4":
        Path("/proc/sys/net/ipv6/conf/all/disable_ipv6").write_text("1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        name = b"lo".ljust(16, b"\0")
        flags = fcntl.ioctl(any_socket, _GET_FLAGS, name + bytes(24))
        (now,) = struct.unpack_from("H", flags, 16)
        fcntl.ioctl(any_socket, _SET_FLAGS, name + struct.pack("H", now | _UP) + bytes(22))
        if kind == "ipv6":
            nothing = struct.pack("HH4s", socket.AF_INET, 0, bytes(4))
            fcntl.ioctl(any_socket, _SET_ADDRESS, name + nothing + bytes(16))


def _full(folder: str) -> None:
    _unshare(_NEW_MOUNTS)
    system = ctypes.CDLL(None, use_errno=True)
    if system.mount(None, b"/", None, _PRIVATE, None) != 0:
        raise OSError(ctypes.get_errno(), "mounts are shared")
    if system.mount(b"none", os.fsencode(folder), b"tmpfs", 0, b"size=64k") != 0:
        raise OSError(ctypes.get_errno(), "no disk of our own")
    with (Path(folder) / "everything").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1024))
        except OSError:
            pass  # not a byte more


def main(kind: str, *words: str) -> None:
    try:
        if kind == "full":
            folder, *words_left = words
            _full(folder)
            words = tuple(words_left)
        else:
            _network(kind)
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(FORBIDDEN)
    os.execvp(words[0], words)


if __name__ == "__main__":
    main(*sys.argv[1:])
