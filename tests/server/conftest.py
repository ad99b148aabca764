"""What several of the server's tests stand on."""

from __future__ import annotations

import pytest

from tests.server.book import Book


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> Book:
    """The log of every server that the test starts."""
    made = Book()
    monkeypatch.setattr("server.app.open_log", lambda _: made)
    return made
