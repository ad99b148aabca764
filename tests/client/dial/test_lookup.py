"""A name is looked up once at a time, and a resolver that hangs or fails holds nobody up."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from client.dial.address import Address
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.net.link import Link, Patience
from tests.client.dial.nowhere import Names, reach
from tests.process.serving import program
from tests.server.peer import server

SOON = 8.0
"""Seconds: far less than a dead address takes to be given up, and enough on a busy machine."""


async def test_a_name_that_nobody_has(names: Names) -> None:
    told = await reach(Address("nobody.test", 8765))
    assert told == "cannot connect to nobody.test:8765: there is no host called nobody.test"


async def test_a_resolver_that_hangs_is_asked_once_and_waited_for_no_longer(names: Names) -> None:
    names.known["ra.test"] = ["127.0.0.1"]
    async with server() as app:
        conversation = Conversation(Identity("test", "Anna"))
        link = Link(Address("ra.test", app.port), conversation, Patience(connect=0.1))
        names.answers.clear()
        for _ in range(3):
            told = await reach(link.address, Patience(connect=0.1))
            assert told.endswith("the name ra.test cannot be looked up: no answer")
        asked = names.asked
        for _ in range(3):
            with pytest.raises(Exception, match="no answer"):
                await link.knock()
        assert names.asked == asked + 1
        names.answers.set()
        link.patience = Patience()
        await link.knock()


def test_a_resolver_that_hangs_keeps_no_program_from_ending(tmp_path: Path) -> None:
    """A thread that asks it must not be waited for, least of all after Ctrl-C."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, socket, time\n"
        "def hang(host, *rest, **how):\n"
        "    if how.get('flags'): raise socket.gaierror(socket.EAI_NONAME, '')\n"
        "    os.write(2, b'asked\\n'); time.sleep(600)\n"
        "socket.getaddrinfo = hang\n"
    )
    command = (program("ra-client"), "ra.test", "--plain", "--data", str(tmp_path / "data"))
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as child:
        try:
            assert child.stderr is not None and child.stderr.readline() == "asked\n"
            child.send_signal(signal.SIGINT)
            assert child.wait(SOON) == 130
        finally:
            child.kill()
