"""A proxy that hangs up on the screen's connections, and comes back."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.process.serving import program
from tests.terminal.terminal import Terminal


class Tunnel:
    """A proxy in threads that leads everybody to one server, unless it hangs up."""

    def __init__(self, goal: str) -> None:
        host, _, port = goal.rpartition(":")
        self._goal = (host, int(port))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.hangs_up = threading.Event()
        self.hung_up = threading.Semaphore(0)
        """Released for each connection that it hung up on."""
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                near.recv(4096)
                if self.hangs_up.is_set():
                    near.close()
                    self.hung_up.release()
                    continue
                near.sendall(b"HTTP/1.1 200 Go on\r\n\r\n")
                far = socket.create_connection(self._goal)
                self._open += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_pump, args=(one, other), daemon=True).start()

    def hang_up(self) -> None:
        """Cut all connections, and those to come."""
        self.hangs_up.set()
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.hang_up()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for one in self._open:
            one.close()


def _pump(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)
        other.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def tunnel(server: str) -> Iterator[Tunnel]:
    made = Tunnel(server)
    yield made
    made.close()


def test_the_screen_outlives_a_proxy_that_hangs_up(tunnel: Tunnel, tmp_path: Path) -> None:
    there = ["192.0.2.1", "--create", "--seats", "2", "--bots", "1", "--name", "Anna"]
    command = [program("ra-client"), *there, "--data", str(tmp_path)]
    with Terminal(command, environment={"http_proxy": tunnel.url}, folder=tmp_path) as terminal:
        terminal.until("Ra track")
        tunnel.hang_up()
        for _ in range(2):
            assert tunnel.hung_up.acquire(timeout=30)
        terminal.until("econnecting")
        tunnel.hangs_up.clear()
        terminal.until("Ra track", lambda t: "econnecting" not in t.text)
        terminal.press("ctrl-d")
        assert terminal.ended() == 0
        assert terminal.errors == ""
