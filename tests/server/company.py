"""A game whose bots are bad company: the miniature with other bots.

It is registered for those tests alone that ask for it (`moody`), in this process and in
those in which bots think, by the metadata in `registration/`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from attrs import frozen

from engine.deal import Chance
from engine.entry import Command, Happening
from engine.game import Bot
from server.play import installed
from tests.miniature.bots.easy import EasyBot
from tests.miniature.bots.random import RandomBot
from tests.miniature.game import Miniature
from tests.miniature.legal import choices

REGISTRATION = str(Path(__file__).parent / "registration")


@frozen
class Cheat(Command):
    """A command of no game."""


class Raises:
    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        raise RuntimeError("I do not want to")


class Cheats:
    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        return Cheat()


class Babbles:
    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        return "a card"  # type: ignore[return-value]


class Hangs:
    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        while True:
            time.sleep(0.01)  # it lets go of the interpreter, and that is all


class Spins:
    """Hangs without ever letting go of the interpreter."""

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        return sum(range(10**18))  # type: ignore[return-value]


class Dies:
    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        os._exit(1)


class Prints:
    """Says things where answers go."""

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        print("thinking " * 1000, flush=True)
        os.write(1, b"\0\0\0\1x")
        sys.stdin.read()
        return chance.choice(choices(prompt))


class Toils:
    """Thinks long, but within its time."""

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        time.sleep(0.1)
        return chance.choice(choices(prompt))


class Remembers:
    """Chooses by all that its seat ever saw."""

    def __init__(self) -> None:
        self._seen = sha256()

    def watch(self, happened: Sequence[Happening]) -> None:
        self._seen.update(repr(tuple(happened)).encode())

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        options = choices(prompt)
        memory = int.from_bytes(self._seen.digest()[:4], "big")
        return options[(memory + chance.below(1000)) % len(options)]


class Searches(Remembers):
    """Says how it was told to think: by the card that it chooses."""

    def __init__(self) -> None:
        super().__init__()
        self.simulations = 1
        self.expired: Callable[[], bool] = lambda: False

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        while not self.expired():
            time.sleep(0.01)  # a bot is asked to stop by being asked about
        options = choices(prompt)
        return options[self.simulations % len(options)]


class Moody(Miniature):
    name: ClassVar[str] = "moody"
    bots: ClassVar[Mapping[str, type[Bot]]] = {
        "random": RandomBot,
        "easy": EasyBot,
        "raises": Raises,
        "cheats": Cheats,
        "babbles": Babbles,
        "hangs": Hangs,
        "spins": Spins,
        "dies": Dies,
        "prints": Prints,
        "toils": Toils,
        "remembers": Remembers,
        "searches": Searches,
    }


MOODY = Moody()


@contextmanager
def registered() -> Iterator[None]:
    """The game can be found, here and in processes started from here."""
    sys.path.append(REGISTRATION)
    installed.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(REGISTRATION)
        installed.cache_clear()
