"""What one client receives for each action of a 4-player game of bots.

    python -m tests.bench.wire [--json] [--games N]

Every byte is counted that the server sends to the client because of the action: its
update frame, the `Accepted` of the one who acts, and the header of each WebSocket
message. A sample is one action as one of the four seats receives it. All games start
from fixed seeds, so that the figures repeat to the byte. No compression is used.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from statistics import median
from typing import Any

from engine.deal import Chance
from engine.game import find_game
from engine.seating import Open
from engine.stream import Draft, Stream, Wish, open_stream
from protocol.delta import diff
from protocol.frames import pack_part, update_frames
from protocol.messages import SERVER_CODEC, Accepted
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

    def __init__(self, seed: int, level: str) -> None:
        self.game = find_game("ra")
        entry = open_stream(
            Open("ra", "standard", (), SEATS, (level,) * SEATS, False, False, "", bytes(16)),
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
            draft = self.stream.draft(Wish(command, None, None, seat, asked.token), 0)
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
        own: dict[int, bytes] = {}
        for seat, before in self.private.items():
            now = projector.private(stream, seat)
            delta, happened = diff(before, now), projector.happened(entry, seat)
            if delta or happened:
                own[seat] = pack_part(happened, delta)
                self.private[seat] = now
        frame, frames = update_frames(entry.number, part, own)
        return {seat: [frames.get(seat, frame)] for seat in range(SEATS)}


def measure(games: int) -> tuple[list[int], dict[str, list[int]]]:
    """Bytes of every sample, and by the command that was carried out."""
    samples: list[int] = []
    by_command: dict[str, list[int]] = defaultdict(list)
    for seed in range(games):
        for command, frames in Table(seed, ("easy", "random")[seed % 2]).play():
            sizes = [received(frames[seat]) for seat in range(SEATS)]
            samples += sizes
            by_command[command] += sizes
    return samples, by_command


def main() -> None:
    parser = argparse.ArgumentParser(description="Bytes that a client receives for an action.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--games", type=int, default=20, help="games to play (20)")
    options = parser.parse_args()
    samples, by_command = measure(options.games)
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
