"""A game whose bots are bad company: the miniature with other bots.

It is registered for those tests alone that ask for it (`moody`), in this process and in
those in which bots think, by the metadata in `registration/`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from attrs import frozen

from engine.deal import Chance
from engine.entry import Command, Happening
from engine.game import Advice, Bot, Option
from server.bots.questions import MOST_BYTES
from server.games import installed
from tests.miniature.bots.easy import EasyBot
from tests.miniature.bots.random import RandomBot
from tests.miniature.game import Miniature
from tests.miniature.legal import choices
from tests.miniature.words.commands import Choose

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


class Quits:
    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        raise SystemExit


class Garbles:
    """Chooses what cannot be packed, and cannot say why either."""

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        return Choose(object())  # type: ignore[arg-type]

    def advise(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Advice:
        return Advice((Option(Choose(frozenset()), 1 << 70),), 7)  # type: ignore[arg-type]


class Overflows:
    """Says more than any answer holds."""

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        return Choose("x" * (MOST_BYTES + 1))  # type: ignore[arg-type]


class Interrupts:
    """Says where answers go what is no answer, and as if it were a very long one."""

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        for descriptor in range(3, 10):
            with suppress(OSError):
                os.write(descriptor, b"\xff\xff\xff\xff" * 2)
        return chance.choice(choices(prompt))


class Mutes:
    """Closes what its answer would go through, and hangs."""

    def choose(self, public: Any, private: Any, prompt: Any, chance: Chance) -> Command:
        os.closerange(3, 10)
        time.sleep(3600)
        raise TimeoutError


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
        "quits": Quits,
        "garbles": Garbles,
        "overflows": Overflows,
        "interrupts": Interrupts,
        "mutes": Mutes,
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
