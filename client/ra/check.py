"""Checks whether the views of Ra that a server sent fit together, so that the code that draws them
need not check again. Does not check the rules."""

from __future__ import annotations

from client.state.scene import Scene
from engine.ra.words.pieces import HELD, TRACK_SPACES, Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt
from engine.ra.words.views import Board, Hidden, Player
from protocol.codec import ProtocolError

MOST_SEATS = 5
MOST_POINTS = 9_999
_TILES = range(181)
_SUNS = range(17)


def check(scene: Scene) -> None:
    """Raises ProtocolError unless the views can be drawn as they are."""
    board, own = scene.board, scene.own
    assert isinstance(board, Board)
    _want(1 <= len(board.players) <= MOST_SEATS, "players")
    _want(len(board.players) == len(scene.table.places), "players")
    _check_board(board)
    for player in board.players:
        _check_player(player)
    if own is not None:
        assert isinstance(own, Hidden)
        _check_hidden(own)
    for asked in scene.prompts:
        _check_prompt(asked.prompt)


def _check_board(board: Board) -> None:
    seats = range(len(board.players))
    _want(1 <= board.epoch <= 3, "epoch")
    _want(0 < board.ra_spaces <= 20 and 0 <= board.ra <= board.ra_spaces, "Ra track")
    _want(len(board.track) <= TRACK_SPACES, "auction track")
    _want(board.sun in _SUNS and board.bag in _TILES, "sun or bag")
    _want(board.turn is None or board.turn in seats, "turn")
    auction = board.auction
    if auction is not None:
        _want(auction.seat in seats and len(auction.bids) == len(seats), "auction")
        _want(all(bid is None or bid in _SUNS for bid in auction.bids), "bids")
    _want(len(board.gone) == len(Kind) and all(count in _TILES for count in board.gone), "gone")
    _want(set(board.winners) <= set(seats), "winners")


def _check_player(player: Player) -> None:
    _want(len(player.tiles) == HELD.stop, "tiles")
    _want(all(count in _TILES for count in player.tiles), "tiles")
    _want(len(player.up) <= 16 and all(sun in _SUNS for sun in player.up), "suns")
    _want(player.down in _SUNS, "suns")
    if player.hidden is not None:
        _check_hidden(player.hidden)


def _check_hidden(hidden: Hidden) -> None:
    _want(abs(hidden.points) <= MOST_POINTS, "points")
    _want(len(hidden.down) <= 16 and all(sun in _SUNS for sun in hidden.down), "suns")
    _want(len(hidden.sheets) <= 3, "sheets")
    for sheet in hidden.sheets:
        _want(1 <= sheet.epoch <= 3 and abs(sheet.change) <= MOST_POINTS, "sheet")


def _check_prompt(prompt: object) -> None:
    match prompt:
        case TurnPrompt(_, gods, takeable):
            _want(0 <= gods <= len(takeable) <= TRACK_SPACES, "gods")
        case BidPrompt(suns, may_pass):
            _want(len(suns) <= 16 and all(sun in _SUNS for sun in suns), "suns to bid")
            _want(bool(suns) or may_pass, "suns to bid")
        case DiscardPrompt(disaster, count, held):
            _want(disaster in (Kind.UNREST, Kind.EARTHQUAKE), "disaster")
            _want(len(held) <= 8 and all(0 < there <= 5 for _, there in held), "tiles to choose")
            _want(0 < count <= sum(there for _, there in held), "tiles to choose")


def _want(fits: bool, what: str) -> None:
    if not fits:
        raise ProtocolError(f"a board that cannot be: {what}")
