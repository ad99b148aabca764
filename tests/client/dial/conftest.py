"""Names that lead where a test says, for tests of the way to a server."""

from __future__ import annotations

import pytest

from tests.client.dial.nowhere import Names


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    return Names(monkeypatch)
