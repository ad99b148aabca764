"""Makes the plain client's lines of what happens.

Changes in, lines out. docs/plain.md lists the forms of the lines, which do not change. Does not
know any rule.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress

from client.games import GameClient
from client.narration import narrate
from client.state.absence import AbsenceTimes
from client.state.clocks import Countdown, rules_in_words, show_left
from client.state.events import (
    Attended,
    Change,
    Chatted,
    CommandAccepted,
    ConnectionChanged,
    ConnectionStatus,
    Departed,
    FairnessJudged,
    Forgotten,
    Greeted,
    Hinted,
    InvitationCame,
    Listed,
    MoveCodeCame,
    PresenceChanged,
    Prompted,
    RequestRefused,
    Rewound,
    Stepped,
)
from client.state.model import Model
from client.state.restored import forgotten_text, rewound_text
from client.state.scene import Scene, SeatPrompt
from client.text import cut
from protocol.messages import Peer, TableRow
from protocol.table import Phase

LONGEST = 500
"""The most cells of a line."""

_PEERS = {Peer.AWAY: " (away)", Peer.HERE: "", Peer.BOT: " (bot)"}
_PHASES = {
    Phase.WAITING: "waiting",
    Phase.PLAYING: "playing",
    Phase.OVER: "over",
    Phase.CLOSED: "closed",
}


class Printer:
    """Makes lines of one model's changes."""

    def __init__(self, model: Model, *, notation: bool = False) -> None:
        """`notation`: print a game's happenings in its notation instead of sentences."""
        self._model = model
        self._notation = notation
        self._present = ""
        self._table = ""
        self._countdown = Countdown()
        self._absence_times = AbsenceTimes(model)
        self._over: str | None = None
        """The table whose end has been told."""

    def tell(self, change: Change) -> Iterator[str]:
        """The lines about a change."""
        self._countdown(change)
        self._absence_times(change)
        match change:
            case ConnectionChanged(ConnectionStatus.WAITING, detail, wait):
                yield f"link: {detail}; next try in {wait:.1f} s"
            case Greeted(name, _):
                self._table = ""
                yield f"link: connected as {name}"
            case Listed(tables):
                yield from map(_row, tables)
                yield f"tables: {len(tables)}"
            case Attended(scene=scene, missed=missed):
                yield from self._attended(scene)
                for number, happenings in missed:
                    yield from self._happened(number, happenings, scene)
                yield from self._ending(scene)
            case Stepped(number, happenings, scene):
                yield from self._happened(number, happenings, scene)
                yield from self._ending(scene)
            case Prompted(asked):
                if self._model.game is not None:
                    yield self._prompt(asked, self._model.game)
            case CommandAccepted(_, number):
                yield f"ok {number}"
            case RequestRefused(_, code, _, text):
                yield f"refused: {text} ({code})"
            case Chatted(who, text):
                yield f"chat {who}: {text}"
            case PresenceChanged():
                line = self.present_line()
                if line is not None and line != self._present:
                    self._present = line
                    yield line
            case Departed(code):
                self._table = ""
                yield f"left: {code}"
            case _:
                yield from self._news(change)

    def _news(self, change: Change) -> Iterator[str]:
        """The lines about what was asked for, what the end reveals, and what is gone."""
        match change:
            case Rewound():
                yield f"restored: {rewound_text(change)}"
            case Forgotten():
                yield f"restored: {forgotten_text(change)}"
            case InvitationCame(seat, code):
                yield f"invite: {code} is for the seat of {self._name(seat)}"
            case Hinted(command=command, reason=reason) if self._model.game is not None:
                yield cut(f"hint: {self._model.game.show(command)}: {reason}", LONGEST)
            case MoveCodeCame(code, seconds):
                yield f"move: {code} is good for {seconds} s"
            case FairnessJudged(fair, text):
                yield f"{'fair' if fair else 'unfair'}: {text}"

    def _name(self, seat: int) -> str:
        scene = self._model.scene
        return scene.name(seat) if scene is not None else f"seat {seat + 1}"

    def _prompt(self, asked: SeatPrompt, game: GameClient) -> str:
        left = self._countdown.left(asked.seat)
        return prompt_line(asked, game) + ("" if left is None else f" ({show_left(left)} left)")

    def _attended(self, scene: Scene) -> Iterator[str]:
        """The line of a table. Told once, if a table shows the seat we took and comes again as
        the answer."""
        line = f"table: {table_line(scene)}"
        if line != self._table:
            yield line
        self._table = line

    def _happened(self, number: int, happenings: tuple[object, ...], scene: Scene) -> Iterator[str]:
        game = self._model.game
        if game is None:
            return
        for happening in happenings:
            if self._notation:
                with suppress(KeyError):
                    yield f"#{number} {game.notate(happening)}"
                    continue
            for sentence in narrate(happening, scene, game):
                yield f"#{number} {sentence}"

    def _ending(self, scene: Scene) -> Iterator[str]:
        if scene.over and self._over != scene.table.code:
            self._over = scene.table.code
            game = self._model.game
            result = game.result(scene) if game is not None else None
            yield f"over: {result or 'the table is closed'}"

    def present_line(self) -> str | None:
        """Who is there; None if not known."""
        scene, presence = self._model.scene, self._model.presence
        if scene is None or presence is None:
            return None
        people = [
            f"{scene.table_name(seat)}{_PEERS[peer]}"
            for seat, peer in enumerate(presence.seats)
            if peer is not None
        ]
        return f"present: {', '.join(people) or 'nobody'}; {presence.watchers} watching"

    def state_lines(self, scene: Scene) -> list[str]:
        """The table as text, with the viewer's prompt."""
        game = self._model.game
        lines = [table_line(scene)]
        if scene.board is not None and game is not None:
            lines += game.table(scene)
            lines += self._time_lines(scene)
            if scene.mine is not None:
                lines.append(self._prompt(scene.mine, game))
        return lines

    def _time_lines(self, scene: Scene) -> list[str]:
        """The clocks, the absent players, and who may be called absent."""
        lines = []
        seats = range(len(scene.table.places))
        if self._countdown.shown:
            told = [
                f"{scene.name(seat)} {show_left(self._countdown.left(seat) or 0)}"
                f"{' (running)' if self._countdown.runs(seat) else ''}"
                for seat in seats
                if not scene.bot(seat)
            ]
            lines.append(f"time left: {', '.join(told)}")
        for seat in seats:
            bot = scene.stand_in(seat)
            if bot is not None and scene.running:
                who = f"a bot ({bot}) plays" if bot else "the default action is played"
                lines.append(f"{scene.name(seat)} is absent: {who}")
        return lines + [self._vote_line(scene, seat) for seat in scene.may_vote]

    def _vote_line(self, scene: Scene, seat: int) -> str:
        """When a player that the table waits for may be called absent."""
        left = self._absence_times.left(seat)
        when = f"is open in {math.ceil(left)} s" if left else "is open"
        when = "may be open" if left is None else when
        return f"{scene.name(seat)} is waited for: `vote` {when}"


def prompt_line(asked: SeatPrompt, game: GameClient) -> str:
    """`your turn: draw | ra | gods <1-2 of: nile flood>`."""
    what, ways = game.ask(asked.prompt)
    return f"your {what}: {' | '.join(ways)}"


def table_line(scene: Scene) -> str:
    """`KIWI-42 ra standard waiting; seats: 1 Anna (host), 2 free; you have seat 1`."""
    table = scene.table
    seats = ", ".join(
        f"{at + 1} {'free' if name is None else name}{' (host)' if table.host == at else ''}"
        for at, name in enumerate(scene.names)
    )
    seat = scene.table_seat
    you = "you look on" if seat is None else f"you have seat {seat + 1}"
    you = f"{you} (host)" if scene.host and seat is None else you
    options = f" {' '.join(table.options)}" if table.options else ""
    rules = rules_in_words(table.clock, table.absence)
    rules = f" ({rules})" if rules else ""
    about = f"{table.code} {table.game} {table.ruleset}{options} {_PHASES[table.phase]}{rules}"
    return cut(f"{about}; seats: {seats}; {you}", LONGEST)


def _row(row: TableRow) -> str:
    """`listed: KIWI-42 ra standard waiting 2/3; Anna, Boris`."""
    about = f"{row.code} {row.game} {row.ruleset} {_PHASES[row.phase]}"
    names = ", ".join(row.names) or "nobody"
    return cut(f"listed: {about} {row.taken}/{row.seats}; {names}", LONGEST)
