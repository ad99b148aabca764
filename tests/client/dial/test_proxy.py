"""C01: a proxy in the environment never stands between us and this machine; one that is gone
through works, and one that fails is named, without its password."""

from __future__ import annotations

import asyncio
import base64
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from client.dial.address import Address, parse_address
from client.dial.proxy import BadProxy, Proxy, can_speak_socks, proxy_for
from client.net.link import Patience
from tests.client.dial.nowhere import Names, answering, black_hole, environment, reach, status
from tests.process.serving import program, run
from tests.server.peer import server

DEAD = "http://127.0.0.1:9"
KINDS = ["http_proxy", "https_proxy", "socks_proxy", "all_proxy", "ws_proxy", "HTTP_PROXY"]
KINDS += ["HTTPS_PROXY", "SOCKS_PROXY", "ALL_PROXY"]
FAR = Address("far.test", 8765)


@asynccontextmanager
async def tunnel(goal: int, user: str = "") -> AsyncIterator[int]:
    """A proxy that leads everybody to the port `goal`, if they say `user`: its port."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(4096):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).decode()
        assert asked.startswith("CONNECT far.test:8765 ")
        if user and base64.b64encode(user.encode()).decode() not in asked:
            writer.write(status(407))
            writer.close()
            return
        there, onward = await asyncio.open_connection("127.0.0.1", goal)
        writer.write(b"HTTP/1.1 200 Go on\r\n\r\n")
        await asyncio.gather(pump(reader, onward), pump(there, writer))

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as listening:
        yield listening.sockets[0].getsockname()[1]


@pytest.mark.parametrize("kind", KINDS)
async def test_nothing_on_this_machine_goes_through_a_proxy(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    own = socket.gethostname()
    Names(monkeypatch)
    with environment(monkeypatch, {kind: DEAD}):
        async with server() as app:
            assert await reach(Address("127.0.0.1", app.port)) == "greeted"
            assert await reach(Address("localhost", app.port)) == "greeted"
            assert await reach(Address("0.0.0.0", app.port)) == "greeted"
        here = ["[::1]", "[::]", "[::ffff:127.0.0.1]", "x.localhost", "LOCALHOST", "127.9.9.9"]
        for host in [*here, own, "[fe80::1%lo]", "169.254.1.1"]:
            assert proxy_for(parse_address(host)) is None
        assert proxy_for(FAR) is not None


def test_a_name_that_the_system_gives_this_machine_is_this_machine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hosts = tmp_path / "hosts"
    monkeypatch.setattr("client.dial.proxy.HOSTS", hosts)
    with environment(monkeypatch, {"all_proxy": DEAD}):
        assert proxy_for(FAR) is not None
        hosts.write_bytes(
            b"\xff\n127.0.0.1 # far.test\n192.0.2.1 far.test\n::1\n\n127.0.0.1\tx near.test"
        )
        assert proxy_for(FAR) is not None
        assert proxy_for(parse_address("NEAR.test")) is None
        hosts.write_text("127.0.1.1 x Far.Test # ours\n")
        assert proxy_for(FAR) is None


@pytest.mark.parametrize("kind", ["https_proxy", "SOCKS_PROXY", "all_proxy"])
async def test_a_game_alone_and_the_demo_need_no_proxy(kind: str) -> None:
    env = {name: value for name, value in os.environ.items() if "no_proxy" not in name.lower()}
    solo = [program("ra-client"), "--solo", "1", "--plain"]
    process = await asyncio.create_subprocess_exec(
        *solo,
        env={**env, kind: DEAD},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(b"state\nquit\n"), 60)
    assert b"link: connected as" in out, err


async def test_the_demo_needs_no_proxy() -> None:
    proxies = ("-u", "no_proxy", "-u", "NO_PROXY", f"https_proxy={DEAD}", f"http_proxy={DEAD}")
    code, out, err = await run("env", *proxies, program("python"), "-m", "client.demo")
    assert (code, err) == (0, "")
    assert "play Ra" in out


@pytest.mark.parametrize(
    ("exceptions", "excepted"),
    [
        ("*", True),
        ("a.test, *", True),
        ("far.test", True),
        ("FAR.test.", True),
        ("other.test far.test", True),
        (".test", True),
        ("*.test", True),
        ("test", True),
        ("far.test:8765", True),
        ("far.test:443", False),
        ("ar.test", False),
        ("10.0.0.0/8", False),
        ("", False),
        (",, ,:", False),
        ("[", False),
    ],
)
def test_no_proxy_is_honoured(
    monkeypatch: pytest.MonkeyPatch, exceptions: str, excepted: bool
) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        with environment(monkeypatch, {"http_proxy": DEAD, name: exceptions}):
            assert (proxy_for(FAR) is None) is excepted


def test_no_proxy_may_name_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    exceptions = "10.0.0.0/8,192.168.1.5,fd00::/8,[2001:db8::1]:8765,172.16.0.9:99"
    near = ["10.1.2.3", "192.168.1.5", "[fd00::7]:1", "[2001:db8::1]", "172.16.0.9:99"]
    far = ["11.1.2.3", "192.168.1.6", "[fe00::7]:1", "[2001:db8::1]:9", "172.16.0.9:98"]
    with environment(monkeypatch, {"all_proxy": DEAD, "no_proxy": exceptions}):
        assert [proxy_for(parse_address(host)) for host in near] == [None] * len(near)
        assert all(proxy_for(parse_address(host)) for host in far)


@pytest.mark.parametrize(
    ("given", "kind", "port"),
    [
        ({"http_proxy": "http://p.test"}, "http", 80),
        ({"http_proxy": "p.test:3128"}, "http", 3128),
        ({"HTTPS_PROXY": "https://p.test/"}, "https", 443),
        ({"all_proxy": "socks://p.test"}, "socks5h", 1080),
        ({"socks_proxy": "http://p.test:9050"}, "socks5h", 9050),
        ({"socks_proxy": "p.test:9050"}, "socks5h", 9050),
        ({"ALL_PROXY": "socks4a://p.test"}, "socks4a", 1080),
        ({"all_proxy": "http://a.test", "http_proxy": "http://p.test:1"}, "http", 1),
        ({"http_proxy": "http://a.test:2", "https_proxy": "http://p.test:1"}, "http", 1),
        ({"http_proxy": "http://[::1]:5"}, "http", 5),
    ],
)
def test_a_proxy_is_read_as_people_write_it(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], kind: str, port: int
) -> None:
    with environment(monkeypatch, given):
        found = proxy_for(FAR)
    assert found is not None
    assert (found.kind, found.port) == (kind, port)


@pytest.mark.skipif(can_speak_socks(), reason="socks can be spoken here")
def test_what_cannot_be_used_here_gives_way_to_what_can(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"socks_proxy": "socks5://p.test", "http_proxy": "http://p.test:1"}
    with environment(monkeypatch, given):
        found = proxy_for(FAR)
    assert found is not None
    assert found.kind == "http"


@pytest.mark.parametrize(
    "url",
    [
        "gopher://p.test",
        "http://",
        "http://u:secret@",
        "http://p.test:99999",
        "http://u:secret@p.test:secret",
        "http://[::1",
        "http://u:secret@p.test/path",
        "http://p.test?x=secret",
        "http://\x1b[2J",
        "secret@p.test:x",
    ],
)
async def test_a_proxy_that_cannot_be_one_is_named_by_its_variable(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    with environment(monkeypatch, {"https_proxy": url}):
        with pytest.raises(BadProxy):
            proxy_for(FAR)
        told = await reach(FAR)
    assert told.startswith("cannot connect to far.test:8765: https_proxy names a proxy")
    assert "secret" not in told


async def test_a_proxy_leads_to_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(monkeypatch)
    names.known["p.test"] = ["127.83.0.9", "127.0.0.1"]
    async with server() as app, tunnel(app.port) as port, tunnel(app.port, "me:s3cret!") as asking:
        with environment(monkeypatch, {"http_proxy": f"http://p.test:{port}"}):
            assert await reach(FAR) == "greeted"
        with environment(monkeypatch, {"all_proxy": f"http://me:s3cret%21@127.0.0.1:{asking}"}):
            assert await reach(FAR) == "greeted"


async def failing(monkeypatch: pytest.MonkeyPatch, answer: bytes, url: str, **how: Any) -> str:
    """What is told where a proxy gives this answer."""
    async with answering(answer, **how) as port:
        with environment(monkeypatch, {"https_proxy": url.format(port)}):
            told = await reach(FAR)
    place = url.format(port).rpartition("@")[2].rpartition("/")[2]
    scheme = url.partition("://")[0]
    assert f"the proxy {scheme}://{place} (https_proxy)" in told
    assert "secret" not in told
    return told


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (status(407), "does not take the name and the password given (HTTP 407)"),
        (status(403), "does not let us through to there (HTTP 403)"),
        (status(502), "cannot reach the server (HTTP 502)"),
        (status(418), "refuses (HTTP 418)"),
        (b"SSH-2.0-x\r\n\r\n", "does not answer as a proxy does"),
        (b"", "does not answer as a proxy does"),
    ],
    ids=lambda value: repr(value[:24]),
)
async def test_a_proxy_that_fails_is_named(
    monkeypatch: pytest.MonkeyPatch, answer: bytes, words: str
) -> None:
    told = await failing(monkeypatch, answer, "http://me:secret@127.0.0.1:{}")
    assert words in told


@pytest.mark.parametrize("scheme", ["ws", "wss"])
@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 Go", b"HTTP/1.1 200 Go on\r\nVia: x"])
async def test_a_proxy_that_hangs_up_is_told_in_one_line(answer: bytes, scheme: str) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as listening:
        proxy = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        names = (f"http_proxy={proxy}", f"https_proxy={proxy}", "no_proxy=", "NO_PROXY=")
        client = [program("ra-client"), f"{scheme}://192.0.2.1:8765", "--plain", "--name", "E"]
        code, out, err = await run("env", *names, *client)
    assert code == 1 and out == ""
    assert err.count("\n") == 1, err
    assert "does not answer as a proxy does" in err


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"SSH-2.0-x\r\n\r\n", "there is no Ra server at this address"),
        (status(404), "there is no Ra server at this address (HTTP 404)"),
        (b"", "it closes the connection without a word"),
    ],
)
async def test_what_goes_wrong_behind_a_proxy_names_it_too(
    monkeypatch: pytest.MonkeyPatch, answer: bytes, words: str
) -> None:
    async with answering(answer) as there, tunnel(there) as port:
        with environment(monkeypatch, {"http_proxy": f"http://127.0.0.1:{port}"}):
            told = await reach(FAR)
    assert words in told
    assert f"(through the proxy http://127.0.0.1:{port} (http_proxy))" in told


async def test_proxies_and_tls(monkeypatch: pytest.MonkeyPatch) -> None:
    told = await failing(monkeypatch, b"", "http://127.0.0.1:{}", certificate="signed.pem")
    assert "does not answer as a proxy does; is it one of https?" in told
    told = await failing(monkeypatch, status(400), "https://127.0.0.1:{}")
    assert "does not speak TLS as it should" in told
    told = await failing(monkeypatch, b"", "https://127.0.0.1:{}", certificate="alone.pem")
    assert "is not trusted: its certificate is signed by itself alone" in told


async def test_a_proxy_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch)
    for url, why in [
        ("http://u:secret@127.0.0.1:9", "cannot be reached: connection refused"),
        ("http://u:secret@none.test:9", "cannot be reached: there is no host called none.test"),
    ]:
        with environment(monkeypatch, {"HTTP_PROXY": url}):
            told = await reach(FAR)
        assert f"the proxy {url.replace('u:secret@', '')} (http_proxy) {why}" in told


async def test_a_proxy_that_says_nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    quick = Patience(connect=0.3)
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        with environment(monkeypatch, {"http_proxy": f"http://u:secret@127.0.0.1:{port}"}):
            told = await reach(FAR, quick)
    assert told.endswith(f"no answer (through the proxy http://127.0.0.1:{port} (http_proxy))")
    with black_hole("127.0.0.1") as port:
        with environment(monkeypatch, {"http_proxy": f"http://127.0.0.1:{port}"}):
            assert "no answer (through the proxy" in await reach(FAR, quick)


@pytest.mark.skipif(can_speak_socks(), reason="socks can be spoken here")
async def test_a_socks_proxy_without_its_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async with answering(b"") as port:
        with environment(monkeypatch, {"all_proxy": f"socks://u:secret@127.0.0.1:{port}"}):
            told = await reach(FAR)
    named = f"the proxy socks5h://127.0.0.1:{port} (all_proxy) needs the package python-socks"
    assert named in told
    assert "secret" not in told


async def test_no_redirect_is_followed_to_another_host_through_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    location = b"HTTP/1.1 301 Moved\r\nLocation: ws://other.test/\r\nContent-Length: 0\r\n\r\n"
    async with answering(location) as there, tunnel(there) as port:
        with environment(monkeypatch, {"http_proxy": f"127.0.0.1:{port}"}):
            told = await reach(FAR)
    assert "another host, other.test:80" in told


def test_a_password_is_never_shown() -> None:
    proxy = Proxy("http", "p.test", 1, "http_proxy", "me", "secret")
    assert "secret" not in str(proxy)
    assert "me:secret@" in proxy.url("127.0.0.1")
