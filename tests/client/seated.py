"""A person at the screen, joined in memory to a table: no terminal, no socket."""

from __future__ import annotations

from client.join.invocation import command_line, way_to
from client.join.opener import Opening
from client.net.conversation import Conversation
from client.net.identity import Identity
from client.screen.game_api import Choice
from client.screen.interface import Ask, Leaving
from client.screen.lines import text_of, width
from client.screen.pages import draw
from client.screen.press import press
from client.screen.run import installed_games
from client.screen.state import ScreenState
from client.state.events import FileCame
from engine.deal import Chance
from engine.game import Setup
from engine.stream import Request
from engine.table.words import TakeBack
from protocol.messages import Accepted, Act
from tests.client.joined import Ids, Joined
from tests.games import Played, open_table, person

SEATS = 3


class Seated:
    """One screen joined in memory to a table, and the moves of the others by chance."""

    def __init__(self, seat: int | None = 0, game: str = "ra", number: int = 5) -> None:
        self.played: Played = open_table(game, Setup(RULES[game], SEATS), number=number)
        conversation = Conversation(Identity("test", "Player 1"), random=Ids())
        self.joined = Joined(self.played, seat, conversation)
        self.saved: list[FileCame] = []
        self.state = ScreenState(
            conversation,
            where="example.org:8765",
            games=installed_games,
            begin=lambda name: None,
            save=self._save,
            opening=Opening("TEST-1"),
            name="Player 1",
            back=lambda scene: command_line("example.org:8765", *way_to(scene)),
        )
        self.joined.connect()
        self.joined.snapshot()
        self.state.tick(0.0)
        self.now = 0.0

    def _save(self, came: FileCame) -> str:
        self.saved.append(came)
        return "Saved."

    def screen(self, columns: int = 80, rows: int = 24) -> str:
        lines = draw(self.state, columns, rows)
        assert len(lines) == rows
        assert {width(line) for line in lines} == {columns}
        return text_of(lines)

    def bar(self) -> list[str]:
        return self.screen().splitlines()[-2:]

    def others_move(self, chance: Chance) -> None:
        """The others move by chance until our seat has to act."""
        match = self.played.stream.match
        assert match is not None
        while match.asked and self.joined.seat not in match.asked:
            seat = min(match.asked)
            choices = self.played.game.choices(match.asked[seat].prompt)
            self.joined.step(self.played.act(seat, chance.choice(choices)))

    def choose(self, choice: Choice) -> None:
        """Press what the choice's key says: all digits of a number, ENTER where it could
        go on."""
        for sign in choice.key:
            self.press(sign)
        if self.state.answer.typed:
            self.press("enter")

    def asks(self) -> Ask | None:
        """What is being typed."""
        field = self.state.field
        return None if field is None else field.ask

    def left(self) -> Leaving | None:
        return self.state.left

    def present(self) -> None:
        """Wait until everything is shown, and turn the pages."""
        while self.state.behind or self.state.timeline.interlude is not None:
            self.press(" ")

    def play_out(self, chance: Chance) -> None:
        """Everybody moves by chance, our seat too, until the match is over and shown."""
        while not self.over():
            self.others_move(chance)
            self.present()
            scene = self.joined.conversation.model.scene
            if scene is not None and scene.mine is not None:
                self.state.answer.act(chance.choice(self.played.game.choices(scene.mine.prompt)))
                self.grant()
        self.present()

    def over(self) -> bool:
        match = self.played.stream.match
        return match is not None and match.result is not None

    def press(self, key: str) -> None:
        press(self.state, key)

    def grant(self) -> bool:
        """Carry out what was sent; whether anything was."""
        acts = [message for message in self.joined.up() if isinstance(message, Act)]
        for act in acts:
            command = self.joined.projector.wire.command.unpack(act.command)
            if isinstance(command, TakeBack):
                self._take_back(act, command)
            else:
                self.joined.grant(act)
        return bool(acts)

    def _take_back(self, act: Act, command: TakeBack) -> None:
        seat = self.joined.seat
        assert seat is not None
        entry = self.played.request(Request(command, act.id, person(seat), seat))
        self.joined.step(entry)
        self.joined.down(Accepted(act.id, entry.number))


RULES = {"ra": "standard", "raja": "standard", "miniature": "open"}
