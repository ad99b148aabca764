"""What a seat knows at a decision, and positions that agree with it.

What is hidden from the seat comes from memory where memory is sure, and is sampled where it
is not (determinization). The bag holds every tile that cannot be seen, in sampled order.
"""

from __future__ import annotations

from attrs import frozen

from engine.entry import Prompt
from engine.ra.bots.memory import Belief
from engine.ra.bots.position import ASKED_FOR, Position
from engine.ra.bots.random_words import below, next_word
from engine.ra.rulesets import RULESETS
from engine.ra.state import RaPhase
from engine.ra.words.pieces import BOARD_SUN, COPIES, SUN_SETS, Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from engine.ra.words.views import Board, Hidden, Player


@frozen
class InformationSet:
    """One decision as a seat sees it."""

    position: Position
    """Has no bag, and only those face-down suns of others that are certain."""
    seat: int
    """The seat that is asked."""
    unseen: tuple[int, ...]
    """The tiles of the bag, sorted."""
    loose: tuple[int, ...]
    """Suns that lie face down with other players, it is unknown with whom; ascending."""
    lacking: tuple[tuple[int, int], ...]
    """Pairs of a seat and the number of loose suns that it has."""

    def determinize(self, position: Position, word: int) -> None:
        """Deal the loose suns into `position` among the seats that have them, by a random word."""
        loose = list(self.loose)
        for seat, count in self.lacking:
            down = position.down[seat]
            for _ in range(count):
                word = next_word(word)
                down.append(loose.pop(below(word, len(loose))))
            down.sort()


def observe(board: Board, hidden: Hidden, prompt: Prompt, belief: Belief | None) -> InformationSet:
    """The decision that `prompt` asks for; `belief` is what the seat remembers, if it can
    be trusted. Raises TypeError for a prompt that is not Ra's."""
    seat = _asked(board, hidden, prompt, belief)
    position = Position(RULESETS[board.ruleset], len(board.players))
    position.epoch = board.epoch
    position.ra = board.ra
    position.track = [int(tile) for tile in board.track]
    position.sun = board.sun
    position.hands = [list(player.tiles) for player in board.players]
    position.up = [list(player.up) for player in board.players]
    position.asked = seat
    position.turn = board.turn if board.turn is not None else seat
    _set_phase(position, board, prompt)
    loose, lacking = _place_suns(position, board, hidden, belief)
    for other, player in enumerate(board.players):
        position.points[other] = _points(other, player, hidden, belief)
    position.points[seat] = hidden.points
    return InformationSet(position, seat, _unseen(board), loose, lacking)


def _asked(board: Board, hidden: Hidden, prompt: Prompt, belief: Belief | None) -> int:
    if isinstance(prompt, DiscardPrompt):
        # The board does not say who owes tiles: it is a player who holds exactly those.
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
        if belief is not None and belief.receiver in fits:
            return belief.receiver
        return fits[0]
    if board.auction is None or not isinstance(prompt, BidPrompt):
        if not isinstance(prompt, TurnPrompt) or board.turn is None:
            raise TypeError(f"no answer to {type(prompt).__name__}")
        return board.turn
    auction = board.auction
    count = len(board.players)
    order = [(auction.seat + step) % count for step in range(1, count + 1)]
    return next(s for s in order if auction.bids[s] is None and board.players[s].up)


def _set_phase(position: Position, board: Board, prompt: Prompt) -> None:
    if isinstance(prompt, DiscardPrompt):
        position.phase = RaPhase.DISASTERS
        position.owed[prompt.disaster - Kind.FUNERAL] = prompt.count // 2
    elif board.auction is not None:
        position.phase = RaPhase.AUCTION
        position.reason = board.auction.reason
        for seat, sun in enumerate(board.auction.bids):
            if sun is not None and sun > position.highest:
                position.highest, position.leader = sun, seat


def _place_suns(
    position: Position, board: Board, hidden: Hidden, belief: Belief | None
) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Place the face-down suns that are certain; return those that are not, and which seats
    have them."""
    seats = len(board.players)
    loose = [BOARD_SUN, *[sun for suns in SUN_SETS[seats] for sun in suns]]
    loose.remove(board.sun)
    lacking = []
    for seat, player in enumerate(board.players):
        if seat == position.asked:
            position.down[seat] = list(hidden.down)
        elif player.hidden is not None:
            position.down[seat] = list(player.hidden.down)
        elif belief is not None:
            position.down[seat] = list(belief.down[seat])
        elif player.down:
            lacking.append((seat, player.down))
        for sun in (*player.up, *position.down[seat]):
            loose.remove(sun)
    return tuple(sorted(loose)), tuple(lacking)


def _points(seat: int, player: Player, hidden: Hidden, belief: Belief | None) -> int:
    """Points that are not known are taken to be as many as our own."""
    if player.hidden is not None:
        return player.hidden.points
    return belief.points[seat] if belief is not None else hidden.points


def _unseen(board: Board) -> tuple[int, ...]:
    left = [there - gone for there, gone in zip(COPIES, board.gone, strict=True)]
    left[Kind.RA] -= board.ra
    for tile in board.track:
        left[tile] -= 1
    for player in board.players:
        for kind, count in enumerate(player.tiles):
            left[kind] -= count
    return tuple([kind for kind, count in enumerate(left) for _ in range(count)])
