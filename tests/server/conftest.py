"""What several of the server's tests stand on."""

from __future__ import annotations

import pytest

from tests.server.book import Book


@pytest.fixture
def book() -> Book:
    """A log to be given to a server, and read."""
    return Book()
