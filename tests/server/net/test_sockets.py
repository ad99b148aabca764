"""What a server's socket makes of messages, against the library's own frames."""

from __future__ import annotations

import pytest
from websockets.frames import Frame, Opcode

from server.net.sockets import header


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65535, 65536, 1 << 20])
def test_a_message_is_framed_as_the_library_would(length: int) -> None:
    message = bytes(length)
    frame = Frame(Opcode.BINARY, message).serialize(mask=False, extensions=())
    assert header(length) + message == frame
