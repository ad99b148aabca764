"""A client session and a server session, joined in memory."""

from __future__ import annotations

from typing import Any

from engine.table.words import Phase
from protocol.codec import Tree
from protocol.messages import VERSION, FromClient, FromServer, Hello, Snapshot, Welcome
from protocol.project import PUBLIC
from protocol.session import ClientSession, ServerSession
from protocol.views import PublicView, TableView

HELLO = Hello(VERSION, "test 1", (), "en", "Ada", None)
WELCOME = Welcome(VERSION, "test 1", b"person", b"token", "Ada", 15000)


class Joined:
    """Both ends of one connection; what the sessions send by themselves travels too."""

    def __init__(self) -> None:
        self.client = ClientSession()
        self.server = ServerSession()

    def up(self, message: FromClient) -> Any:
        """Send a message to the server; what the server's caller gets."""
        return self.server.receive(self.client.send(message))

    def down(self, message: FromServer) -> Any:
        """Send a message to the client; what the client's caller gets."""
        return self.client.receive(self.server.send(message))

    def greet(self) -> None:
        self.up(HELLO)
        self.down(WELCOME)

    def attend(self, number: int = 1) -> None:
        self.greet()
        self.down(snapshot(number))


def public_tree(code: str = "KIWI-42") -> Tree:
    table = TableView(
        code, "ra", 1, "standard", (), Phase.WAITING, (None,), None, (), b"", None, ()
    )
    return PUBLIC.pack(PublicView(table, None, (), None))


def snapshot(number: int, code: str = "KIWI-42") -> Snapshot:
    return Snapshot(number, None, public_tree(code), None, ())
