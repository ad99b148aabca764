"""Sessions are kept for one user, one server and one name."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from client.dial.address import Address
from client.join.session_store import Kept, SessionStore

HERE = Address("h", 1)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_session_is_for_the_users_eyes_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        storage = SessionStore(tmp_path / "data", HERE)
        storage.save("Anna", Kept("Anna", b"\x01\x02"))
    finally:
        os.umask(before)
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert mode(file) == 0o600
    folder = file.parent
    while folder != tmp_path:
        assert mode(folder) == 0o700
        folder = folder.parent


def test_each_server_and_name_has_its_own(tmp_path: Path) -> None:
    storage = SessionStore(tmp_path, HERE)
    storage.save("Anna", Kept("Anna", b"a"))
    storage.save("Boris", Kept("Boris (really)", b"b"))
    assert storage.load("anna") == Kept("Anna", b"a")
    assert storage.load("Boris") == Kept("Boris (really)", b"b")
    assert storage.load("Chen") is None
    assert SessionStore(tmp_path, Address("h", 2)).load("") is None


def test_without_a_name_it_is_the_one_used_last(tmp_path: Path) -> None:
    storage = SessionStore(tmp_path, HERE)
    assert storage.load("") is None
    for at, name in enumerate(("Anna", "Boris")):
        storage.save(name, Kept(name, name.encode()))
        for path in storage.folder.glob("*.json"):
            if path.stat().st_mtime > 1_000:
                os.utime(path, (at + 1, at + 1))
    assert storage.load("") == Kept("Boris", b"Boris")
    storage.save("Anna", Kept("Anna", b"anew"), b"Anna")
    assert storage.load("") == Kept("Anna", b"anew")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"name":1}', b'{"name":"x","token":"g"}'])
def test_what_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path, content: bytes) -> None:
    storage = SessionStore(tmp_path, HERE)
    storage.save("Anna", Kept("Anna", b"a"))
    for path in storage.folder.glob("*.json"):
        path.write_bytes(content)
    assert storage.load("Anna") is None
    assert storage.load("") is None


def test_a_folder_that_cannot_be_made_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        SessionStore(tmp_path / "file", HERE).save("Anna", Kept("Anna", b"a"))


def test_a_session_carried_here_does_not_push_out_another_of_that_name(tmp_path: Path) -> None:
    storage = SessionStore(tmp_path, HERE)
    storage.carried("Anna", Kept("Anna", b"here"))
    storage.carried("Anna", Kept("Anna", b"from there"))
    storage.carried("Anna", Kept("Anna", b"from there"))
    assert storage.load("Anna") == Kept("Anna", b"from there")
    assert storage.load("Anna (before)") == Kept("Anna", b"here")


def test_a_session_put_aside_does_not_become_the_one_used_last(tmp_path: Path) -> None:
    """Both files are written in the same moment, of which a file system may have but one."""
    storage = SessionStore(tmp_path, HERE)
    storage.save("Anna", Kept("Anna", b"a"))
    (file,) = storage.folder.glob("*.json")
    os.utime(file, (1, 1))
    storage.save("Anna", Kept("Anna", b"b"), b"a")
    os.utime(file, (2, 2))
    storage.carried("Anna", Kept("Anna", b"c"))
    aside = [path.stat().st_mtime for path in storage.folder.glob("*.json") if path != file]
    assert sorted(aside) == [1, 2]


def test_a_session_says_what_name_it_is_found_under(tmp_path: Path) -> None:
    """The server may clean or cut the name that was asked for."""
    storage = SessionStore(tmp_path, HERE)
    storage.save("Anna  of Thebes", Kept("Anna", b"a"))
    kept = storage.load("")
    assert kept is not None and kept.under == "Anna  of Thebes"
    (file,) = storage.folder.glob("*.json")
    file.write_text('{"name": "Anna", "token": "61"}')
    before = storage.load("")
    assert before == Kept("Anna", b"a") and before.under == "", "a file of an older client"
    assert storage.load("Anna") is None


def test_what_cannot_be_read_pushes_out_nothing_else_that_could_not(tmp_path: Path) -> None:
    SessionStore(tmp_path, HERE).save("Anna", Kept("Anna", b"a"))
    for content in (b"{", b"[", b"("):
        storage = SessionStore(tmp_path, HERE)
        (file,) = storage.folder.glob("*.json")
        file.write_bytes(content)
        assert storage.load("Anna") is None
        storage.save("Anna", Kept("Anna", b"b"))
    aside = {path.name.partition(".")[2]: path.read_bytes() for path in storage.folder.iterdir()}
    del aside["json"]
    assert aside == {"unread": b"{", "2.unread": b"[", "3.unread": b"("}


def test_what_shares_are_made_from_is_made_once_and_for_the_users_eyes(tmp_path: Path) -> None:
    secret = SessionStore(tmp_path / "data", HERE).secret()
    assert len(secret) == 32
    assert SessionStore(tmp_path / "data", Address("other", 2)).secret() == secret
    (file,) = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert mode(file) == 0o600
    file.write_bytes(b"cut")
    assert len(SessionStore(tmp_path / "data", HERE).secret()) == 32
    assert SessionStore(tmp_path / "elsewhere", HERE).secret() != secret
