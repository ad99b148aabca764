"""Ra as the client knows it: how it reads, speaks and looks, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from client.games import GameClient, Unreadable
from client.ra import narration, phrases, typed
from client.ra.check import check
from client.ra.table import result_line, score_lines, table_lines
from client.state.scene import Scene
from engine.ra.words.choices import choices
from engine.ra.words.commands import COMMANDS
from engine.ra.words.happenings import HAPPENINGS
from engine.ra.words.notation import KIND_WORDS, show_command, show_happening
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import PROMPTS, BidPrompt, DiscardPrompt, TurnPrompt
from engine.ra.words.refusals import RaRefusal
from engine.ra.words.views import Board, Hidden
from protocol.wire import Wire


class _Words:
    """The part of Ra's vocabulary that is sent over the wire."""

    commands = COMMANDS
    prompts = PROMPTS
    happenings = HAPPENINGS
    public = Board
    private = Hidden


_REFUSALS: dict[RaRefusal, str] = {
    RaRefusal.TRACK_FULL: "the auction track is full: invoke Ra, or spend gods",
    RaRefusal.NO_TILE_NAMED: "name the tiles to take, one for each god",
    RaRefusal.TOO_FEW_GODS: "you can take {gods} now, and named {named}",
    RaRefusal.NOT_TAKEABLE: "of {tile} you named {named}; {takeable} can be taken",
    RaRefusal.NOT_YOUR_SUN: "the sun {sun} does not lie face up in front of you",
    RaRefusal.SUN_TOO_LOW: "the sun {sun} is not higher than the highest bid, {highest}",
    RaRefusal.MUST_BID: "you invoked Ra and nobody has bid: you must bid",
    RaRefusal.WRONG_COUNT: "{count} must go, and you named {given}",
    RaRefusal.NOT_HELD: "of {tile} you named {given}; you hold {held} to give",
    RaRefusal.NOT_A_TILE: "there is no such tile",
}


class RaClient(GameClient):
    """Ra for the client."""

    name: ClassVar[str] = "ra"
    title: ClassVar[str] = "Ra"
    wire = Wire(_Words)
    rulesets: ClassVar[Mapping[str, range]] = {
        "standard": range(2, 6),
        "alea-1999": range(3, 6),
        "wikipedia-ja-2012": range(2, 6),
    }
    options: ClassVar[Mapping[str, str]] = {
        "answer-passes": "who can only pass is not asked",
        "open-information": "everybody sees all points and all suns",
    }
    bots: ClassVar[tuple[str, ...]] = ("random", "easy", "normal", "hard")
    usual_bot: ClassVar[str] = "normal"

    def check(self, scene: Scene) -> None:
        check(scene)

    def read(self, text: str, prompt: Any | None) -> Any:
        return typed.read(text, prompt)

    def show(self, command: Any) -> str:
        return show_command(command)

    def notate(self, happening: Any) -> str:
        return show_happening(happening)

    def narrate(self, happening: Any, names: Callable[[int], str]) -> tuple[str, ...]:
        return narration.narrate(happening, names)

    def ask(self, prompt: Any) -> tuple[str, tuple[str, ...]]:
        match prompt:
            case TurnPrompt(draw, gods, takeable):
                ways: tuple[str, ...] = ("draw", "ra") if draw else ("ra",)
                if gods:
                    count = "1" if gods == 1 else f"1-{gods}"
                    ways = (*ways, f"gods <{count} of: {_words(takeable)}>")
                return "turn", ways
            case BidPrompt(suns, may_pass):
                ways = tuple(f"bid {sun}" for sun in suns)
                return "bid", (*ways, "pass") if may_pass else ways
            case DiscardPrompt(_, count, held):
                tiles = [kind for kind, there in held for _ in range(there)]
                return "loss", (f"discard <{count} of: {_words(tiles)}>",)
        raise Unreadable("this client does not know what is asked")

    def choices(self, prompt: Any) -> Sequence[Any]:
        return choices(prompt)

    def table(self, scene: Scene) -> list[str]:
        return table_lines(scene)

    def scores(self, scene: Scene) -> list[str]:
        return score_lines(scene)

    def result(self, scene: Scene) -> str | None:
        return result_line(scene)

    def refusal(self, code: str, facts: Mapping[str, str]) -> str | None:
        try:
            text = _REFUSALS[RaRefusal(code)]
        except ValueError:
            return None
        told = dict(facts)
        number = facts.get("tile", "")
        if number.isascii() and number.isdigit() and int(number[:3]) < len(Kind):
            told["tile"] = phrases.tile(Kind(int(number[:3])), 0).removeprefix("0 ")
        try:
            return text.format_map(told)
        except (KeyError, IndexError):
            return None

    def screen(self) -> Any:
        from client.ra.screen import RaScreen

        return RaScreen()


def _words(kinds: Sequence[Kind]) -> str:
    return " ".join(_KIND_WORDS[kind] for kind in kinds)


_KIND_WORDS = {kind: word for word, kind in KIND_WORDS.items()}

RA = RaClient()
