"""The sending half of a conversation: what may be sent now, as frames.

Serves one connection after another. A message goes to the connection that stands, if its session
allows it; nothing is kept for the next one (`client.net.pending` does that).
"""

from __future__ import annotations

from collections.abc import Callable

from protocol.messages import FromClient, Hello
from protocol.session import ClientSession, OutOfPlace, State


def _nobody() -> None:
    """Wake nobody."""


class Sender:
    """Packs messages for the connection that stands."""

    def __init__(self) -> None:
        self.wake: Callable[[], None] = _nobody
        """Called when `frames` has something new; the link sets it."""
        self.session = ClientSession()
        """Of the connection that stands, or of the last one."""
        self._connected = False
        self._frames: list[bytes] = []

    def opened(self, hello: Hello) -> None:
        """A connection stands: start a session on it with `hello`."""
        self.session = ClientSession()
        self._connected = True
        self._frames = [self.session.send(hello)]

    def closed(self) -> None:
        """The connection is gone, and what was not sent with it."""
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
        """Send a message if the session allows it now; whether it did."""
        if not self.online:
            return False
        try:
            self._frames.append(self.session.send(message))
        except OutOfPlace:
            return False
        self.wake()
        return True

    def greet(self, hello: Hello) -> None:
        """Say who we are again, after a name was refused."""
        self._frames.append(self.session.send(hello))
        self.wake()

    def frames(self) -> list[bytes]:
        """Frames to send, each given once; those of the session itself come last."""
        frames, self._frames = self._frames + self.session.outgoing(), []
        return frames
