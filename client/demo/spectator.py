"""The spectator of a demo game: opens the table, tells what happens there, and keeps the record.
Does not know about the server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from client.net.conversation import Conversation
from client.net.link import Link, LinkLost
from client.state.events import Attended, Change, FileCame, Greeted, RequestRefused, Stepped

SEATS = 4
LEVEL = "easy"

Print = Callable[[str], None]


class NotKept(Exception):
    """The record cannot be kept; one line says why."""


class Spectator:
    """Opens a table full of bots, once, over as many connections as it takes."""

    def __init__(self, conversation: Conversation, link: Link, path: Path, tell: Print) -> None:
        """The record is written to `path`; `tell` prints one line."""
        self._conversation = conversation
        self._link = link
        self._path = path
        self._print = tell
        self._opened = False
        """Whether we asked for the table; the conversation repeats the request if it has to."""
        self._seen = False
        """Whether the table came; it comes again after a broken connection."""

    def hear(self, change: Change) -> None:
        """Take in one change. Raises LinkLost, NotKept, and what `tell` raises."""
        match change:
            case Greeted() if not self._opened:
                self._opened = True
                ruleset = "standard"
                self._conversation.requests.create(
                    "ra", ruleset, SEATS, bots=(LEVEL,) * SEATS, sit=False
                )
            case Attended(scene, missed):
                if not self._seen:
                    self._seen = True
                    names = ", ".join(name for name in scene.names if name is not None)
                    about = f"{names} play Ra ({scene.table.ruleset})"
                    self._print(f"Table {scene.table.code}: {about}.")
                for _, happenings in missed:
                    self._tell(happenings)
                self._ask_for_record()
            case Stepped(_, happenings):
                self._tell(happenings)
                self._ask_for_record()
            case FileCame("record", _, data):
                self._keep(data)
                self._link.stop()
            case RequestRefused(text=text):
                raise LinkLost(text)

    def _keep(self, data: bytes) -> None:
        try:
            self._path.write_bytes(data)
        except OSError as error:
            raise NotKept(f"{self._path} cannot be written: {error.strerror or error}") from None

    def _tell(self, happenings: tuple[object, ...]) -> None:
        model = self._conversation.model
        assert model.game is not None
        assert model.scene is not None
        for happening in happenings:
            for line in model.game.narrate(happening, model.scene.name):
                self._print(line)

    def _ask_for_record(self) -> None:
        scene = self._conversation.model.scene
        if scene is not None and scene.over:
            self._conversation.requests.get_record(scene.table.code)
