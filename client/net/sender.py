"""What can be said to the server just now, and the frames that say it.

One connection after another: a message is said on the one that stands, if its session
allows it, and is nobody's affair here after that. Keeps nothing for the next one.
"""

from __future__ import annotations

from collections.abc import Callable

from protocol.messages import FromClient, Hello
from protocol.session import ClientSession, OutOfPlace, State


class Sender:
    """The sending half of a conversation."""

    def __init__(self, wake: Callable[[], None]) -> None:
        """`wake` is called when there is something new in `frames`."""
        self.session = ClientSession()
        """Of the connection that stands, or of the last one."""
        self._wake = wake
        self._connected = False
        self._frames: list[bytes] = []

    def opened(self) -> None:
        """A connection stands; nothing is said on it yet."""
        self.session = ClientSession()
        self._connected = True
        self._frames.clear()

    def closed(self) -> None:
        """The connection is gone, and with it what was not sent."""
        self._connected = False
        self._frames.clear()

    @property
    def online(self) -> bool:
        """Whether the server knows us and hears what we say."""
        return self._connected and self.session.state in (State.LOBBY, State.TABLE)

    @property
    def greeting(self) -> bool:
        """Whether a Hello is what the server waits for."""
        return self._connected and self.session.state is State.HELLO

    def say(self, message: FromClient) -> bool:
        """Send now if the conversation allows it; whether it did."""
        if not self.online:
            return False
        try:
            self._frames.append(self.session.send(message))
        except OutOfPlace:
            return False
        self._wake()
        return True

    def greet(self, hello: Hello) -> None:
        """Say who we are: first of all, or again after a name was refused."""
        self._frames.append(self.session.send(hello))
        self._wake()

    def frames(self) -> list[bytes]:
        """Frames to send, each given once; those of the session itself last."""
        frames, self._frames = self._frames + self.session.outgoing(), []
        return frames
