"""From what a seat may know to a position in thought.

What is hidden from the seat is filled in from memory, or else supposed; the bag holds
what is to be seen nowhere, in an order that is supposed as well.
"""

from __future__ import annotations

from attrs import frozen

from engine.entry import Prompt
from engine.ra.bots.chain import following, part
from engine.ra.bots.memory import Known
from engine.ra.bots.position import ASKED_FOR, Position
from engine.ra.rulesets import RULESETS
from engine.ra.state import Phase
from engine.ra.words.pieces import BOARD_SUN, COPIES, SUN_SETS, Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from engine.ra.words.views import Board, Hidden, Player


@frozen
class Sight:
    """One decision as a seat sees it."""

    at: Position
    """Without a bag; face-down suns of others stand only where they are sure."""
    seat: int
    """Who is asked."""
    unseen: tuple[int, ...]
    """The tiles of the bag, sorted."""
    loose: tuple[int, ...]
    """Suns that lie face down with others, nobody knows where; ascending."""
    lacking: tuple[tuple[int, int], ...]
    """Seats with how many of the loose suns they have."""

    def suppose(self, at: Position, word: int) -> None:
        """Deal the loose suns to those who have them, by a random word."""
        loose = list(self.loose)
        for seat, count in self.lacking:
            down = at.down[seat]
            for _ in range(count):
                word = following(word)
                down.append(loose.pop(part(word, len(loose))))
            down.sort()


def look(board: Board, hidden: Hidden, prompt: Prompt, known: Known | None) -> Sight:
    """The decision that `prompt` asks for; `known` is what the seat remembers, if it can
    be trusted. Raises TypeError for what is no prompt of Ra."""
    seat = _asked(board, hidden, prompt, known)
    at = Position(RULESETS[board.ruleset], len(board.players))
    at.epoch = board.epoch
    at.ra = board.ra
    at.track = [int(tile) for tile in board.track]
    at.sun = board.sun
    at.hands = [list(player.tiles) for player in board.players]
    at.up = [list(player.up) for player in board.players]
    at.asked = seat
    at.turn = board.turn if board.turn is not None else seat
    _set_phase(at, board, prompt)
    loose, lacking = _place_suns(at, board, hidden, known)
    for other, player in enumerate(board.players):
        at.points[other] = _points(other, player, hidden, known)
    at.points[seat] = hidden.points
    return Sight(at, seat, _unseen(board), loose, lacking)


def _asked(board: Board, hidden: Hidden, prompt: Prompt, known: Known | None) -> int:
    if isinstance(prompt, DiscardPrompt):
        # The board does not say who owes: it is one who holds just those tiles.
        held = dict(prompt.held)
        fits = [
            seat
            for seat, player in enumerate(board.players)
            if all(
                player.tiles[kind] == held.get(Kind(kind), 0) for kind in ASKED_FOR[prompt.disaster]
            )
            and player.down == len(hidden.down)
            and player.hidden in (None, hidden)
        ]
        if known is not None and known.receiver in fits:
            return known.receiver
        return fits[0]
    if board.auction is None or not isinstance(prompt, BidPrompt):
        if not isinstance(prompt, TurnPrompt) or board.turn is None:
            raise TypeError(f"no answer to {type(prompt).__name__}")
        return board.turn
    auction = board.auction
    count = len(board.players)
    order = [(auction.seat + step) % count for step in range(1, count + 1)]
    return next(s for s in order if auction.bids[s] is None and board.players[s].up)


def _set_phase(at: Position, board: Board, prompt: Prompt) -> None:
    if isinstance(prompt, DiscardPrompt):
        at.phase = Phase.DISASTERS
        at.owed[prompt.disaster - Kind.FUNERAL] = prompt.count // 2
    elif board.auction is not None:
        at.phase = Phase.AUCTION
        at.reason = board.auction.reason
        for seat, sun in enumerate(board.auction.bids):
            if sun is not None and sun > at.highest:
                at.highest, at.leader = sun, seat


def _place_suns(
    at: Position, board: Board, hidden: Hidden, known: Known | None
) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Lay the face-down suns that are sure; those that are not, and with whom they lie."""
    seats = len(board.players)
    loose = [BOARD_SUN, *[sun for suns in SUN_SETS[seats] for sun in suns]]
    loose.remove(board.sun)
    lacking = []
    for seat, player in enumerate(board.players):
        if seat == at.asked:
            at.down[seat] = list(hidden.down)
        elif player.hidden is not None:
            at.down[seat] = list(player.hidden.down)
        elif known is not None:
            at.down[seat] = list(known.down[seat])
        elif player.down:
            lacking.append((seat, player.down))
        for sun in (*player.up, *at.down[seat]):
            loose.remove(sun)
    return tuple(sorted(loose)), tuple(lacking)


def _points(seat: int, player: Player, hidden: Hidden, known: Known | None) -> int:
    """Who does not know another's points takes them for as many as one's own."""
    if player.hidden is not None:
        return player.hidden.points
    return known.points[seat] if known is not None else hidden.points


def _unseen(board: Board) -> tuple[int, ...]:
    left = [there - gone for there, gone in zip(COPIES, board.gone, strict=True)]
    left[Kind.RA] -= board.ra
    for tile in board.track:
        left[tile] -= 1
    for player in board.players:
        for kind, count in enumerate(player.tiles):
            left[kind] -= count
    return tuple([kind for kind, count in enumerate(left) for _ in range(count)])
