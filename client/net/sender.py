"""The sending half of a conversation: turns messages into frames, if they may be sent now.

Serves one connection after another. A message goes to the open connection, if its session allows
it; nothing is kept for the next one (`client.net.pending` does that).
"""

from __future__ import annotations

from collections.abc import Callable

from protocol.messages import FromClient, Hello
from protocol.session import ClientSession, OutOfPlace, State


def _nobody() -> None:
    """Wake nobody."""


class Sender:
    """Packs messages for the open connection."""

    def __init__(self) -> None:
        self.wake: Callable[[], None] = _nobody
        """Called when `frames` has something new; the link sets it."""
        self.session = ClientSession()
        """The session of the open connection, or of the last one."""
        self._connected = False
        self._frames: list[bytes] = []

    def opened(self, hello: Hello) -> None:
        """A connection is open: start a session on it with `hello`."""
        self.session = ClientSession()
        self._connected = True
        self._frames = [self.session.send(hello)]

    def closed(self) -> None:
        """The connection is gone: drop the frames that were not sent."""
        self._connected = False
        self._frames.clear()

    @property
    def online(self) -> bool:
        """Whether the server knows us and hears what we send."""
        return self._connected and self.session.state in (
            State.LOBBY,
            State.TABLE,
        )

    @property
    def greeting(self) -> bool:
        """Whether the server waits for a Hello."""
        return self._connected and self.session.state is State.HELLO

    def send(self, message: FromClient) -> bool:
        """Send a message if the session allows it now. Returns whether it did."""
        if not self.online:
            return False
        try:
            self._frames.append(self.session.send(message))
        except OutOfPlace:
            return False
        self.wake()
        return True

    def greet(self, hello: Hello) -> None:
        """Say hello again, after a name was refused."""
        self._frames.append(self.session.send(hello))
        self.wake()

    def frames(self) -> list[bytes]:
        """The frames to send; each is returned once. Those of the session itself come last."""
        frames, self._frames = self._frames + self.session.outgoing(), []
        return frames
