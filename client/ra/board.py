"""The board of Ra as lines of styled fragments, for a given width and height.

From top to bottom, at every size: Ra track, offer and sun, players, the auction. Only reads
views and words, and does not know any rule.
"""

from __future__ import annotations

from client.ra.offer import ORDINALS, Marks, offer, ra_track
from client.ra.players import headings, highest, rows
from client.ra.sight import board_of
from client.ra.tiles import name
from client.screen.game_api import Moment
from client.screen.lines import Line, cells, fit, width
from client.sentences import number_of
from client.state.scene import Scene, clockwise
from engine.ra.words.happenings import Reason
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import DiscardPrompt
from engine.ra.words.views import Auction, Board

LEAST = (60, 20)
"""Columns and rows of the smallest screen that holds a table of five."""


def headline(scene: Scene, columns: int) -> str:
    """How far the game is."""
    if scene.board is None:
        return ""
    board = board_of(scene)
    epoch = f"epoch {ORDINALS[board.epoch]}"
    if columns < 80:
        return f"{epoch} · {board.bag} left"
    return f"{epoch} of III   {number_of(board.bag, 'tile', 'tiles')} left"


def board_lines(moment: Moment, columns: int, room: int) -> list[Line]:
    """The board in at most `room` lines; more room gives empty lines, not more content."""
    board = board_of(moment.scene)
    heads = headings(board, columns)
    players = rows(moment, columns)
    spare = room - (2 + len(heads) + len(players) + 1)
    cards = 4 if spare >= 3 else 3 if spare >= 2 else 1
    spare -= cards - 1
    air: list[Line] = [[]] if spare >= 1 else []
    calm: list[Line] = [[]] if spare >= 4 else []
    more: list[Line] = [[]] if room >= 26 else []
    lines = [
        *more,
        ra_track(board, columns, closed=moment.scene.over),
        *air,
        *offer(board, _marks(moment), columns, cards),
        *more,
        *heads,
        *players,
        *calm,
        stage(moment.scene, columns),
    ]
    return [fit(line, columns) for line in lines[:room]]


def _marks(moment: Moment) -> Marks:
    """What to mark on the auction track."""
    board = board_of(moment.scene)
    new = len(board.track)
    if moment.base is not None:
        old: tuple[Kind, ...] = moment.base.track
        kept = len(old) if board.track[: len(old)] == old else 0
        new -= kept
    else:
        new = 0
    pick = moment.pick
    if pick is None or board.auction is not None or len(pick.items) > len(board.track):
        return Marks(new)
    spaces = [space for space, kind in enumerate(board.track) if kind is not Kind.GOD]
    if len(spaces) != len(pick.items):
        spaces = list(range(len(pick.items)))
    keys = tuple((space, number) for number, space in enumerate(spaces, 1))
    return Marks(new, keys, tuple(spaces[item] for item in moment.picked))


# The line between the players and the log says what is going on.


def stage(scene: Scene, columns: int) -> Line:
    """A line that says what is going on: whose turn, the state of the auction, or the end."""
    board = board_of(scene)
    owed = next((a for a in scene.prompts if isinstance(a.prompt, DiscardPrompt)), None)
    if board.winners:
        variants = [[("class:title", "THE END")]]
    elif scene.over:
        variants = [[("class:title", "CLOSED"), ("", " before the end")]]
    elif owed is not None:
        variants = _owed(scene, owed.seat, owed.prompt)
    elif board.auction is not None:
        variants = _auction(scene, board, board.auction)
    elif board.turn is not None:
        variants = [[("class:heading", _turn(scene, board.turn))]]
    else:
        variants = [[]]
    inner = columns - 6
    line = next((line for line in variants if width(line) <= inner), variants[-1])
    title = fit(line, inner) if width(line) > inner else line
    if not title:
        return [("class:rule", "─" * columns)]
    rest = columns - 4 - width(title) - 1
    return [("class:rule", "── "), *title, ("class:rule", " " + "─" * max(0, rest) + "─")]


def _owed(scene: Scene, seat: int, prompt: DiscardPrompt) -> list[Line]:
    """Who must give up what to a disaster."""
    who = "you give up" if seat == scene.seat else f"{scene.name(seat)} gives up"
    what = "civilization" if prompt.disaster is Kind.UNREST else "monument"
    text = f" · {who} {prompt.count} {what}{'s' if prompt.count > 1 else ''}"
    return [[("class:bad", name(prompt.disaster).upper()), ("", text)]]


def _turn(scene: Scene, seat: int) -> str:
    return "your turn" if seat == scene.seat else f"{scene.name(seat)}'s turn"


def _auction(scene: Scene, board: Board, auction: Auction) -> list[Line]:
    """The state of the auction, in fewer and fewer words."""
    why = {
        Reason.DRAWN: "drew Ra",
        Reason.INVOKED: "invoked Ra",
        Reason.FORCED: "invoked Ra, full track",
    }[auction.reason]
    caller = "you" if auction.seat == scene.seat else scene.name(auction.seat)
    top = highest(auction)
    holder = "no bid yet"
    if top:
        seat = auction.bids.index(top)
        holder = f"highest: {'you' if seat == scene.seat else scene.name(seat)} {top}"
    title = ("class:title", "AUCTION")
    long, short, dot = _rivals(scene, board, auction, top), _rivals_short(scene, auction), " · "
    call = ("", f" {caller} {why}")
    hold = ("class:strong", holder)
    return [
        [title, call, ("", dot), hold, ("", dot), *long],
        [title, ("", " "), hold, ("", dot), *long],
        [title, ("", " "), hold, ("", dot), *short],
        [title, ("", " "), hold],
    ]


def _to_come(scene: Scene, auction: Auction) -> list[int]:
    """Seats that the auction may still ask, in order: first the one to the left of the Ra
    player, the Ra player last."""
    board = board_of(scene)
    after = clockwise(auction.seat, len(auction.bids))
    return [
        seat
        for seat in [*after[1:], after[0]]
        if auction.bids[seat] is None and board.players[seat].up
    ]


def _rivals(scene: Scene, board: Board, auction: Auction, top: int) -> Line:
    """Who can still outbid, and with what."""
    parts = []
    for seat in _to_come(scene, auction):
        suns = [str(sun) for sun in board.players[seat].up if sun > top]
        if suns:
            name = "you" if seat == scene.seat else scene.name(seat)
            parts.append(f"{name} {'/'.join(suns)}")
    if not parts:
        return [("class:dim", "nobody can outbid" if top else "nobody left to bid")]
    word = "can outbid" if top else "can bid"
    return [("", f"{word}: " + ", ".join(parts))]


def _rivals_short(scene: Scene, auction: Auction) -> Line:
    names = ["you" if s == scene.seat else scene.name(s) for s in _to_come(scene, auction)]
    return [("", "to bid: " + ", ".join(names))] if names else []


__all__ = ["LEAST", "board_lines", "cells", "headline", "stage"]
