"""The miniature as the client knows it: how it reads, speaks and looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from client.games import GameClient, Unreadable
from client.state.scene import Scene
from protocol.codec import ProtocolError
from protocol.wire import Wire
from tests.miniature.words.commands import COMMANDS, Choose, Hold
from tests.miniature.words.happenings import (
    HAPPENINGS,
    ChoicesShown,
    LotTurned,
    OwnChoice,
    PointsShown,
    SeatChose,
)
from tests.miniature.words.notation import COMMANDS as SHOWN
from tests.miniature.words.notation import HAPPENINGS as TOLD
from tests.miniature.words.prompts import PROMPTS
from tests.miniature.words.views import Hand, Market


class _Words:
    """The part of the vocabulary that travels."""

    commands = COMMANDS
    prompts = PROMPTS
    happenings = HAPPENINGS
    public = Market
    private = Hand


class MiniatureClient(GameClient):
    """The miniature for the client."""

    name: ClassVar[str] = "miniature"
    title: ClassVar[str] = "Miniature"
    wire = Wire(_Words)
    rulesets: ClassVar[Mapping[str, range]] = {"open": range(2, 5), "veiled": range(2, 5)}
    options: ClassVar[Mapping[str, str]] = {"long": "five rounds instead of three"}
    bots: ClassVar[tuple[str, ...]] = ("random", "easy")
    usual_bot: ClassVar[str] = "easy"

    def check(self, scene: Scene) -> None:
        if scene.board is not None and len(scene.board.people) != len(scene.table.places):
            raise ProtocolError("as many people as places")

    def asked(self, scene: Scene) -> tuple[int, ...]:
        """The seats that have not chosen. With hidden hands their prompts are private."""
        people = () if scene.board is None or scene.board.winners else scene.board.people
        return tuple(seat for seat, person in enumerate(people) if not person.chosen)

    def read(self, text: str, prompt: Any | None) -> Any:
        try:
            return SHOWN.parse(" ".join(text.casefold().split()))
        except ValueError as error:
            raise Unreadable(str(error)) from None

    def show(self, command: Any) -> str:
        return SHOWN.show(command)

    def notate(self, happening: Any) -> str:
        return TOLD.show(happening)

    def narrate(self, happening: Any, names: Callable[[int], str]) -> tuple[str, ...]:
        match happening:
            case LotTurned(lot):
                return (f"A lot of {lot} is turned over.",)
            case SeatChose(seat):
                return (f"{names(seat)} has chosen.",)
            case OwnChoice(card):
                return ("You hold back.",) if card is None else (f"You choose {card}.",)
            case ChoicesShown(cards, winner):
                shown = ", ".join(
                    f"{names(seat)} {'nothing' if card is None else card}"
                    for seat, card in enumerate(cards)
                )
                taker = "Nobody" if winner is None else names(winner)
                return (f"All show: {shown}. {taker} takes the lot.",)
            case PointsShown(points, winners):
                told = ", ".join(f"{names(seat)} {score}" for seat, score in enumerate(points))
                return (f"The match is over: {told}. Won by {' and '.join(map(names, winners))}.",)
        return ()

    def ask(self, prompt: Any) -> tuple[str, tuple[str, ...]]:
        return "choice", tuple(self.show(command) for command in self.choices(prompt))

    def choices(self, prompt: Any) -> Sequence[Any]:
        return [Hold(), *(Choose(card) for card in prompt.cards)]

    def table(self, scene: Scene) -> list[str]:
        board = scene.board
        if board is None:
            return []
        lines = [f"Round {board.round} of {board.rounds}, lot {board.lot or 'none'}"]
        for seat, person in enumerate(board.people):
            made = "has chosen" if person.chosen else "has not chosen"
            hand = "" if person.hand is None else f", hand {' '.join(map(str, person.hand))}"
            lines.append(f"{scene.name(seat)}: {person.cards} cards, {made}{hand}")
        return lines

    def scores(self, scene: Scene) -> list[str]:
        people = () if scene.board is None else scene.board.people
        return [
            f"{scene.name(seat)}: {person.points} points"
            for seat, person in enumerate(people)
            if person.points is not None
        ]

    def result(self, scene: Scene) -> str | None:
        winners = () if scene.board is None else scene.board.winners
        return f"Won by {' and '.join(map(scene.name, winners))}." if winners else None

    def refusal(self, code: str, facts: Mapping[str, str]) -> str | None:
        return "that card is not in your hand" if code == "not_in_hand" else None


MINIATURE = MiniatureClient()
