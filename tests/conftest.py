"""What every test can count on: the miniature game is registered beside the real ones, no
property fails because a machine was busy, no proxy stands between the tests and this machine,
and programs that a test starts hear an interrupt, even where the tests themselves run in the
background of a shell that ignores it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from engine.game import Setup
from tests.client.joined import Joined
from tests.games import open_table
from tests.miniature import register

register()
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
here = ("127.0.0.1", "localhost", "::1", os.environ.get("no_proxy") or os.environ.get("NO_PROXY"))
os.environ["no_proxy"] = ",".join(filter(None, here))
settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")


TRACED = ("engine", "protocol", "rules")
"""Folders whose tests are run with coverage measured, but for those that play many games."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that are traced."""
    tests = Path(__file__).parent
    for item in items:
        inside = item.path.is_relative_to(tests) and item.path.relative_to(tests).parts[0]
        if inside in TRACED and item.get_closest_marker("many_games") is None:
            item.add_marker("traced")


@pytest.fixture
def joined() -> Joined:
    """A client at a running table, on seat 0, which is asked."""
    for number in range(20):
        joined = Joined(open_table("ra", Setup("standard", 2), number=number))
        joined.attend()
        scene = joined.conversation.model.scene
        assert scene is not None
        if scene.mine is not None:
            return joined
    raise AssertionError("seat 0 never begins")
