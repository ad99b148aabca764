"""What a prompt of Ra allows, as keys; and why a key does nothing now.

Everything here is read from the open prompt: what it does not offer has no key.
"""

from __future__ import annotations

from collections.abc import Sequence

from client.ra.offer import summary
from client.ra.sight import board_of
from client.ra.tiles import card_name, name
from client.screen.game_api import Choice, Item, Menu, Pick
from client.state.scene import Scene
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.pieces import TRACK_SPACES, Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from engine.ra.words.views import Board


def menu(scene: Scene) -> Menu | None:
    """The viewer's open prompt as a menu."""
    asked = scene.mine
    match asked.prompt if asked is not None else None:
        case TurnPrompt() as prompt:
            return _turn(prompt, board_of(scene))
        case BidPrompt() as prompt:
            return _bid(prompt, board_of(scene))
        case DiscardPrompt() as prompt:
            return _discard(prompt)
        case _:
            return None


def _turn(prompt: TurnPrompt, board: Board) -> Menu:
    choices = []
    if prompt.draw:
        choices.append(Choice("d", "draw a tile", "draw", Draw()))
    choices.append(Choice("r", "invoke Ra", "Ra", InvokeRa()))
    if prompt.gods:
        many = f"spend gods (up to {prompt.gods})" if prompt.gods > 1 else "spend a god"
        choices.append(Choice("g", many, "gods", pick=_gods(prompt)))
    return Menu("Your turn", tuple(choices), f"At stake: {summary(board)}")


def _gods(prompt: TurnPrompt) -> Pick:
    def take(items: tuple[int, ...]) -> SpendGods:
        # Sorted, because the same tiles must be the same command in whatever order they are picked.
        return SpendGods(tuple(sorted(prompt.takeable[item] for item in items)))

    items = tuple(Item(name(kind), card_name(kind, 5)) for kind in prompt.takeable)
    title = "Take a tile for a god" if prompt.gods == 1 else f"Take 1-{prompt.gods} tiles for gods"
    return Pick(title, items, 1, prompt.gods, take)


def _bid(prompt: BidPrompt, board: Board) -> Menu:
    # A sun's key is its own number; suns are in the same order as on the board.
    choices = [Choice(str(sun), "bid", "bid", Bid(sun)) for sun in reversed(prompt.suns)]
    if prompt.may_pass:
        choices.append(Choice("p", "pass", "pass", Pass()))
    note = f"At stake: {summary(board)}"
    if not prompt.may_pass:
        note = f"You must bid. At stake: {summary(board)}"
    elif not prompt.suns:
        note = "No sun of yours is high enough."
    return Menu("Your bid", tuple(choices), note)


def _discard(prompt: DiscardPrompt) -> Menu:
    def give(items: tuple[int, ...]) -> Discard:
        # In the order of the prompt, because the same tiles must be the same command.
        return Discard(tuple(prompt.held[item][0] for item in sorted(items)))

    items = tuple(
        Item(_several(name(kind), count), _several(card_name(kind, 5), count), count)
        for kind, count in prompt.held
    )
    what = "civilization" if prompt.disaster is Kind.UNREST else "monument"
    plural = "s" if prompt.count > 1 else ""
    title = f"{name(prompt.disaster)}: give up {prompt.count} {what}{plural}"
    return Menu(title, (), pick=Pick(title, items, prompt.count, prompt.count, give))


def _several(label: str, count: int) -> str:
    return label if count == 1 else f"{label} x{count}"


KEYS = "drgp"
"""Letters that mean something in Ra, now or at another time; digits start a sun's number."""


def refuse(scene: Scene, key: str) -> str | None:
    """Why a key of Ra does nothing now."""
    if key not in KEYS and not (key.isascii() and key.isdigit()):
        return None
    if scene.over:
        return scene.end
    asked = scene.mine
    if asked is None:
        return waiting(scene) if scene.seat is not None else "You are watching."
    match asked.prompt:
        case TurnPrompt() as prompt:
            return _not_in_turn(prompt, scene, key)
        case BidPrompt() as prompt:
            own = board_of(scene).players[scene.seat or 0].up
            return _not_in_auction(prompt, own, key)
        case _:
            return "First choose the tiles to give up."


def _not_in_turn(prompt: TurnPrompt, scene: Scene, key: str) -> str:
    board = board_of(scene)
    if key == "d" and not prompt.draw:
        return "The auction track is full: no tile can be drawn."
    if key == "g":
        gods = board.players[scene.seat or 0].tiles[Kind.GOD]
        return "You have no god." if not gods else "There is no tile that a god could take."
    return "There is no auction: bids and passes come later."


def _not_in_auction(prompt: BidPrompt, own: Sequence[int], key: str) -> str:
    if key == "p":
        return "You must bid: you invoked Ra, and nobody else has bid."
    if key in "drg":
        return "An auction is on: bid or pass."
    if not prompt.suns:
        return "No sun of yours is higher than the highest bid."
    low = [sun for sun in own if str(sun).startswith(key)]
    if low:
        return f"Your {low[-1]} is not higher than the highest bid."
    return f"You have no sun {key} face up."


def waiting(scene: Scene) -> str:
    """Who the table waits for, and for what."""
    asked: Sequence[tuple[int, object]] = [(a.seat, a.prompt) for a in scene.prompts]
    if scene.over or not asked:
        return scene.end if scene.over else "The table waits."
    seat, prompt = asked[0]
    who = scene.name(seat)
    match prompt:
        case BidPrompt():
            return f"Waiting for {who} to bid or pass."
        case DiscardPrompt():
            return f"Waiting for {who} to choose tiles to give up."
        case _:
            full = len(board_of(scene).track) == TRACK_SPACES
            return f"It is {who}'s turn{' (the track is full)' if full else ''}."
