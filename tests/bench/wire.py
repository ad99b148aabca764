"""What one client receives for each action of a 4-player game of bots.

    python -m tests.bench.wire [--game NAME] [--json] [--games N] [--parts]

Every byte is counted that the server sends to the client because of the action: its
update frame, the `Accepted` of the one who acts, and the header of each WebSocket
message. A sample is one action as one of the four seats receives it. All games start
from fixed seeds, so that the figures repeat to the byte. No compression is used.
`--parts` tells instead what the protocol's work for an action takes, in microseconds.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

from engine.deal import Chance
from engine.entry import Cause
from engine.game import find_game
from engine.stream import Draft, Request, Stream, open_stream
from engine.table.words import Open
from protocol.delta import diff
from protocol.frames import pack_part, update_frames
from protocol.messages import CLIENT_CODEC, SERVER_CODEC, Accepted, Act
from protocol.project import Projector

SEATS = 4
ID_BYTES = 8
"""Length of the ids that our client chooses for its commands."""


def header(length: int) -> int:
    """Bytes of the header of a WebSocket message from a server."""
    return 2 if length < 126 else 4 if length < 1 << 16 else 10


def received(frames: list[bytes]) -> int:
    return sum(header(len(frame)) + len(frame) for frame in frames)


class Table:
    """One table of bots, as the server plays it and its seats hear of it."""

    def __init__(self, game: str, seed: int, level: str) -> None:
        self.game = find_game(game)
        entry = open_stream(
            Open(game, "standard", (), SEATS, (level,) * SEATS, False, False, "", bytes(16)),
            id=None,
            person=b"bench",
            code="KIWI-42",
            secret=seed.to_bytes(32, "big"),
            bot_nonces=(bytes(16),) * SEATS,
            time=0,
        )
        self.stream = Stream(entry)
        self.projector = Projector(self.game)
        self.bot = self.game.bots[level]()
        self.chance = Chance(seed.to_bytes(32, "big"))
        self.public = self.projector.public(self.stream)
        self.private = {s: self.projector.private(self.stream, s) for s in range(SEATS)}

    def play(self) -> Iterator[tuple[str, dict[int, list[bytes]]]]:
        """The whole game: the command's name and the frames by seat, of each action."""
        match = self.stream.match
        assert match is not None
        while match.asked:
            seat, asked = next(iter(match.asked.items()))
            views = self.game.public(match.state), self.game.private(match.state, seat)
            command = self.bot.choose(*views, asked.prompt, self.chance)
            request = Request(command, None, None, seat, asked.token, Cause.BOT)
            draft = self.stream.draft(request, 0)
            assert isinstance(draft, Draft)
            self.stream.accept(draft)
            frames = self.frames(draft.entry)
            accepted = SERVER_CODEC.encode(Accepted(bytes(ID_BYTES), self.stream.number))
            frames[seat].append(accepted)
            yield type(command).__name__, frames

    def frames(self, entry: Any) -> dict[int, list[bytes]]:
        """The update frame of each seat."""
        projector, stream = self.projector, self.stream
        public = projector.public(stream)
        part = pack_part(projector.happened(entry, None), diff(self.public, public))
        self.public = public
        frame, frames = update_frames(entry.number, part, self._own(entry))
        self.private = {seat: projector.private(stream, seat) for seat in range(SEATS)}
        return {seat: [frames.get(seat, frame)] for seat in range(SEATS)}

    def _own(self, entry: Any) -> dict[int, bytes]:
        """The private part of each seat that has one."""
        own: dict[int, bytes] = {}
        for seat, before in self.private.items():
            now = self.projector.private(self.stream, seat)
            happened = self.projector.happened(entry, seat)
            if happened or now != before:
                own[seat] = pack_part(happened, diff(before, now))
        return own


def measure(games: int, game: str = "ra") -> tuple[list[int], dict[str, list[int]]]:
    """Bytes of every sample, and by the command that was carried out."""
    samples: list[int] = []
    by_command: dict[str, list[int]] = defaultdict(list)
    levels = quick_levels(game)
    for seed in range(games):
        for command, frames in Table(game, seed, levels[seed % len(levels)]).play():
            sizes = [received(frames[seat]) for seat in range(SEATS)]
            samples += sizes
            by_command[command] += sizes
    return samples, by_command


def quick_levels(game: str) -> list[str]:
    """The two levels of bots that play in turn: `easy`, if there is one, and `random`."""
    return [level for level in ("easy", "random") if level in find_game(game).bots]


class TimedTable(Table):
    """A table that measures each part of the protocol's work for an action."""

    def __init__(self, game: str, seed: int, level: str) -> None:
        super().__init__(game, seed, level)
        self.spent: dict[str, float] = defaultdict(float)
        self.actions = 0

    def frames(self, entry: Any) -> dict[int, list[bytes]]:
        projector, stream, game = self.projector, self.stream, self.game
        assert stream.match is not None
        state = stream.match.state
        act = Act(bytes(ID_BYTES), entry.number, projector.wire.command.pack(entry.command))
        data = CLIENT_CODEC.encode(act)
        self._time("decode the action", lambda: _command(projector, data))
        self._time("(the game's public view)", lambda: game.public(state))
        public = self._time("public tree, view included", lambda: projector.public(stream))
        delta = self._time("public delta", lambda: diff(self.public, public))
        happened = self._time("what happened", lambda: projector.happened(entry, None))
        part = self._time("pack the public part", lambda: pack_part(happened, delta))
        own = self._time("private parts of four seats", lambda: self._own(entry))
        self._time("frames", lambda: update_frames(entry.number, part, own))
        self.actions += 1
        return super().frames(entry)

    def _time(self, part: str, work: Callable[[], Any]) -> Any:
        """Do `work` a few times; the quickest counts, so that a busy machine says little."""
        best = 1.0
        for _ in range(5):
            start = perf_counter()
            result = work()
            best = min(best, perf_counter() - start)
        self.spent[part] += best
        return result


def _command(projector: Projector, data: bytes) -> Any:
    act = CLIENT_CODEC.decode(data)
    assert isinstance(act, Act)
    return projector.wire.command.unpack(act.command)


def parts(games: int, game: str = "ra") -> dict[str, float]:
    """Microseconds for an action, by part; what is in brackets is part of the next."""
    spent: dict[str, float] = defaultdict(float)
    actions = 0
    for seed in range(games):
        table = TimedTable(game, seed, quick_levels(game)[0])
        for _ in table.play():
            pass
        actions += table.actions
        for part, seconds in table.spent.items():
            spent[part] += seconds
    found = {part: seconds / actions * 1e6 for part, seconds in spent.items()}
    return {**found, "all": sum(us for part, us in found.items() if part[0] != "(")}


def main() -> None:
    parser = argparse.ArgumentParser(description="Bytes that a client receives for an action.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--games", type=int, default=20, help="games to play (20)")
    parser.add_argument("--parts", action="store_true", help="where the time goes instead")
    parser.add_argument("--game", default="ra", help="an installed game (ra)")
    options = parser.parse_args()
    if options.parts:
        for part, us in parts(max(1, options.games // 4), options.game).items():
            print(f"{part:<30} {us:5.1f} us")
        return
    samples, by_command = measure(options.games, options.game)
    figures = {
        "median_bytes": median(samples),
        "max_bytes": max(samples),
        "frames": len(samples),
        "mean_bytes": round(sum(samples) / len(samples), 1),
    }
    if options.json:
        print(json.dumps(figures))
        return
    print("  ".join(f"{name} {value}" for name, value in figures.items()))
    for command, sizes in sorted(by_command.items()):
        print(f"  {command:<10} median {median(sizes):>5}  max {max(sizes):>5}  x {len(sizes)}")


if __name__ == "__main__":
    main()
