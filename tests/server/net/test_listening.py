"""C02, C19: where a server listens. All addresses have one port; `::` is both kinds, whatever
the system is set to and whichever it has; what is printed leads there."""

from __future__ import annotations

import errno
import re
import shlex
import socket
import subprocess
import urllib.request
from pathlib import Path

import pytest

from client.dial.address import parse_address
from server.net.listening import address_of, listen
from server.startup_errors import NotStarted
from tests.client.dial.nowhere import has_ipv6, reach
from tests.process.serving import program as path_of
from tests.server.peer import peer, server
from tests.server.test_app import program

LINE = re.compile(r"listening on (\S+:\d+)(, \S+:\d+)*\n")

needs_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


def namespaces() -> bool:
    """Whether this test may have a network of its own."""
    try:
        done = subprocess.run(["unshare", "-rn", "ip", "link", "set", "lo", "up"], timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


needs_namespaces = pytest.mark.skipif(not namespaces(), reason="no network of its own here")


def inside(script: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script in a network of its own, where only loopback is, with SERVE and
    CONNECT: a server that prints where it listens, and a client that connects and leaves."""
    server, client = shlex.quote(path_of("ra-server")), shlex.quote(path_of("ra-client"))
    begin = f"""
        set -e; d=$(mktemp -d); trap 'kill $P; rm -r $d' EXIT; ip link set lo up
        serve() {{ rm -f $d/out $d/err; {server} --memory --log off "$@" >$d/out 2>$d/err & P=$!
            until [ -s $d/out ] || [ -s $d/err ]; do sleep 0.05; done; cat $d/out $d/err; }}
        connect() {{ echo quit | {client} "$1" --plain --name A --data $d 2>&1 | head -1; }}
    """
    return subprocess.run(
        ["unshare", "-rn", "sh", "-c", begin + script], capture_output=True, text=True, timeout=60
    )


async def test_what_is_small_is_sent_at_once() -> None:
    """Messages of a few bytes do not wait for the peer to say that it has the last one."""
    async with server() as app, peer(app, "Ann"):
        (one,) = app.endpoint.sockets
        at_once = one.transport.get_extra_info("socket").getsockopt(
            socket.IPPROTO_TCP, socket.TCP_NODELAY
        )
        assert at_once


@needs_ipv6
async def test_all_addresses_are_reached_and_named_in_one_line() -> None:
    for flags, hosts in (
        (("--host", "::"), ("[::1]", "127.0.0.1", "localhost")),
        (("--host", "localhost"), ("127.0.0.1", "[::1]")),
        (("--host", "127.0.0.1", "--host", "127.83.0.2,::1"), ("127.0.0.1", "127.83.0.2", "[::1]")),
    ):
        with program("--memory", "--port", "0", *flags) as child:
            assert child.stdout is not None
            line = child.stdout.readline()
            assert LINE.fullmatch(line), line
            ports = {part.rsplit(":", 1)[1] for part in line.strip().split(", ")}
            assert len(ports) == 1
            for host in hosts:
                assert await reach(parse_address(f"{host}:{ports.copy().pop()}")) == "greeted"


async def test_the_environment_names_several_addresses_too() -> None:
    with program("--memory", RA_HOST="127.0.0.1,127.83.0.3", RA_PORT="0") as child:
        assert child.stdout is not None
        line = child.stdout.readline()
        assert re.fullmatch(r"listening on 127\.0\.0\.1:(\d+), 127\.83\.0\.3:\1\n", line)
        port = line.strip().rsplit(":", 1)[1]
        assert await reach(parse_address(f"127.83.0.3:{port}")) == "greeted"


@needs_ipv6
@pytest.mark.parametrize(
    ("hosts", "places"),
    [
        (("::",), ["[::]", "0.0.0.0"]),
        (("0.0.0.0",), ["0.0.0.0"]),
        (("0.0.0.0", "::"), ["0.0.0.0", "[::]"]),
        (("127.0.0.1", "::", "::1"), ["[::]", "0.0.0.0"]),
        (("0.0.0.0", "127.0.0.1", "::1"), ["0.0.0.0", "[::1]"]),
        (("127.0.0.1", "127.0.0.1"), ["127.0.0.1"]),
        (("localhost", "127.0.0.1"), ["127.0.0.1", "[::1]"]),
        (("LOCALHOST.",), ["127.0.0.1", "[::1]"]),
        (("::0",), ["[::]", "0.0.0.0"]),
        (("*",), ["[::]", "0.0.0.0"]),
        (("0:0:0:0:0:0:0:0", "0.0.0.0"), ["[::]", "0.0.0.0"]),
    ],
)
def test_each_address_once_and_none_beside_one_that_means_all(
    hosts: tuple[str, ...], places: list[str]
) -> None:
    sockets = listen(hosts, 0)
    shown = [str(address_of(one)) for one in sockets]
    for one in sockets:
        one.close()
    port = shown[0].rsplit(":", 1)[1]
    assert shown == [f"{place}:{port}" for place in places]


def test_a_free_port_is_free_at_all_addresses() -> None:
    """The system's choice for the first address may be taken at the second."""
    held = [socket.create_server(("127.83.0.2", 0)) for _ in range(50)]
    try:
        for _ in range(50):
            sockets = listen(("127.0.0.1", "127.83.0.2"), 0)
            assert len({address_of(one).port for one in sockets}) == 1
            for one in sockets:
                one.close()
    finally:
        for one in held:
            one.close()


def test_one_address_that_cannot_be_had_frees_the_others() -> None:
    with socket.create_server(("127.83.0.2", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(NotStarted, match=f"cannot listen on 127.83.0.2:{port}: Address"):
            listen(("127.0.0.1", "127.83.0.2"), port)
        socket.create_server(("127.0.0.1", port)).close()
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(NotStarted, match=rf"cannot listen on 0\.0\.0\.0:{port}: Address"):
            listen(("::",), port)
    with pytest.raises(NotStarted, match=r"cannot listen on 198\.51\.100\.7:0: Cannot assign"):
        listen(("127.0.0.1", "198.51.100.7"), 0)


def test_a_system_that_knows_nothing_of_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.socket

    def without(family: int, *rest: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return real(family, *rest)

    monkeypatch.setattr(socket, "socket", without)
    for host, place in (("::", "0.0.0.0"), ("localhost", "127.0.0.1")):
        (one,) = listen((host,), 0)
        assert address_of(one).host == place
        one.close()
    with pytest.raises(NotStarted, match=r"cannot listen on \[::1\]:7: Address family"):
        listen(("::1",), 7)


def test_figures_stay_on_this_machine() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with program("--memory", "--port=0", "--host=::", f"--metrics-port={port}") as child:
        assert child.stdout is not None and LINE.fullmatch(child.stdout.readline())
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as figures:
            assert b"ra_" in figures.read()


@needs_namespaces
@pytest.mark.parametrize("bindv6only", [0, 1])
def test_both_kinds_whatever_the_system_is_set_to(bindv6only: int) -> None:
    done = inside(f"""
        echo {bindv6only} >/proc/sys/net/ipv6/bindv6only
        serve --host :: --port 7000; connect 127.0.0.1:7000; connect '[::1]:7000'
    """)
    assert (
        done.stdout.splitlines()
        == ["listening on [::]:7000, 0.0.0.0:7000"] + ["link: connected as A"] * 2
    ), done


@needs_namespaces
def test_a_machine_without_ipv6() -> None:
    done = inside("""
        echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6
        serve --host localhost --port 7000; connect localhost:7000; kill $P; wait $P || :
        serve --host :: --port 7000; connect 127.0.0.1:7000; kill $P; wait $P || :
        serve --host ::1 --port 7000
    """)
    first, second, third, fourth, last = done.stdout.splitlines()
    assert (first, second) == ("listening on 127.0.0.1:7000", "link: connected as A"), done
    # Some systems let a socket of a kind be opened that they have no address of.
    assert third.endswith("0.0.0.0:7000")
    assert fourth == "link: connected as A"
    assert last.startswith("ra-server: cannot listen on [::1]:7000: Cannot assign")


@needs_namespaces
def test_a_machine_without_ipv4() -> None:
    """So is a game alone played there: its private server is where this machine is."""
    client = shlex.quote(path_of("ra-client"))
    done = inside(f"""
        ip addr del 127.0.0.1/8 dev lo
        serve --host localhost --port 7000; connect '[::1]:7000'; kill $P; wait $P || :
        serve --host :: --port 7000; connect '[::1]:7000'
        echo quit | {client} --solo 1 --plain | head -1
    """)
    lines = done.stdout.splitlines()
    assert lines[0] == "listening on [::1]:7000", done
    assert lines[1] == lines[3] == "link: connected as A"
    assert lines[4].startswith("link: connected as ")


@needs_namespaces
def test_a_link_local_address_keeps_its_zone() -> None:
    done = inside("""
        ip -6 addr add fe80::1/64 dev lo nodad
        serve --host fe80::1%lo --port 7000; connect '[fe80::1%lo]:7000'
        connect 'ws://[fe80::1%25lo]:7000'; connect '[fe80::1%nosuch]:7000'
        connect '[fe80::1]:7000'; kill $P; wait $P || :
        serve --host fe80::1 --port 7000
    """)
    first, *met, nosuch, none, unbound = done.stdout.splitlines()
    assert unbound.endswith("a link-local address needs the network interface: fe80::1%eth0")
    assert first == "listening on [fe80::1%lo]:7000", done
    assert met == ["link: connected as A"] * 2
    assert nosuch.endswith("there is no network interface nosuch here")
    assert none.endswith("needs the network interface: [fe80::1%eth0]")


def test_a_zone_that_is_none_is_one_line(tmp_path: Path) -> None:
    with program("--memory", "--host", "fe80::1%nosuch") as child:
        out, err = child.communicate(timeout=20)
    assert child.returncode == 1 and out == ""
    assert err.startswith("ra-server: cannot listen on [fe80::1%nosuch]:0: ")
    assert err.count("\n") == 1
