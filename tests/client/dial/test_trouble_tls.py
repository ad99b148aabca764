"""C24: what is wrong with a certificate, or with the scheme, is said in words that fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.dial.address import Address
from tests.client.dial.nowhere import CERTIFICATES, Names, answering, reach, status
from tests.server.peer import server

AUTHORITY = str(CERTIFICATES / "authority.pem")


@pytest.mark.parametrize(
    ("certificate", "host", "words"),
    [
        ("signed.pem", "127.0.0.1", "there is no Ra server at this address (HTTP 404)"),
        ("expired.pem", "127.0.0.1", "its certificate has expired, or the clock"),
        ("early.pem", "127.0.0.1", "its certificate is not valid yet, or the clock"),
        ("alone.pem", "127.0.0.1", "signed by itself alone; if you trust it"),
        ("signed.pem", "other.test", "its certificate is for another name than other.test"),
        ("signed.pem", "127.83.0.2", "its certificate is for another name than 127.83.0.2"),
    ],
)
async def test_what_is_wrong_with_a_certificate(
    monkeypatch: pytest.MonkeyPatch, certificate: str, host: str, words: str
) -> None:
    Names(monkeypatch).known["other.test"] = ["127.0.0.1"]
    monkeypatch.setenv("SSL_CERT_FILE", AUTHORITY)
    async with answering(status(404), "0.0.0.0", certificate=certificate) as port:
        told = await reach(Address(host, port, secure=True))
    assert words in told
    assert "wss://?" not in told


async def test_an_authority_that_is_not_known(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("no certificate")
    async with answering(b"", certificate="signed.pem") as port:
        address = Address("127.0.0.1", port, secure=True)
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        told = await reach(address)
        assert told.endswith("nobody whom this computer trusts has signed its certificate")
        monkeypatch.setenv("SSL_CERT_DIR", f"{tmp_path}/none:{tmp_path}/nor")
        assert (await reach(address)).endswith("; SSL_CERT_DIR names no folder")
        for named in (nonsense, tmp_path, tmp_path / "none"):
            monkeypatch.setenv("SSL_CERT_FILE", str(named))
            told = await reach(address)
            assert told.endswith("; SSL_CERT_FILE names no file with certificates")


async def test_a_file_for_tls_keys_that_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "none" / "keys"))
    told = await reach(Address("127.0.0.1", 9, secure=True))
    assert "TLS cannot be set up here" in told
    assert "No such file or directory" in told


async def test_wss_where_no_tls_is_spoken_and_the_other_way_round() -> None:
    async with server() as app:
        told = await reach(Address("127.0.0.1", app.port, secure=True))
        assert told.endswith(f"speaks no TLS there, try ws://127.0.0.1:{app.port}/")
    async with answering(status(400)) as port:
        told = await reach(Address("127.0.0.1", port, secure=True))
        assert told.endswith(f"does not speak TLS: try ws://127.0.0.1:{port}/")
    async with answering(status(404), certificate="signed.pem") as port:
        told = await reach(Address("127.0.0.1", port))
        assert told.startswith(f"cannot connect to 127.0.0.1:{port}: ")
        assert told.endswith(f"if it speaks TLS, try wss://127.0.0.1:{port}")
