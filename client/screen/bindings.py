"""A key of the screen: what it is called, what it does, and when it works.

A place has one table of these, a `Keymap`. Pressing a key, the help page and the bottom lines all
read that table, so they cannot contradict each other. Generic over the state that keys act on: does
not know any screen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from attrs import field, frozen

from client.screen.key_hints import KeyHint, Weight

S = TypeVar("S")

ANY = "any key"
"""In a binding's keys: the binding takes every key that no earlier binding takes."""

_NAMES = {"enter": "ENTER", "escape": "ESC", "backspace": "⌫"}
"""What keys are called on the screen, where that is not what they type."""


def key_name(key: str) -> str:
    """What a key is called on the screen."""
    return _NAMES.get(key, key)


@frozen
class Offer:
    """How the bottom lines offer a key."""

    word: str
    short: str = ""
    """A shorter word for the same; empty: there is none."""
    weight: Weight = Weight.ALWAYS
    name: str = ""
    """What the key is called there; empty: what it is called on the help page."""


def _always(state: object) -> bool:
    return True


def _keys(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given


@frozen
class Binding(Generic[S]):
    """One key, or several that do the same."""

    keys: tuple[str, ...] = field(converter=_keys)
    """As they come from the keyboard: a letter as itself, others as "enter", "up", ..."""
    label: str | Callable[[S], str]
    """What it does, on the help page; empty: the help page does not list it."""
    do: Callable[[S], object]
    when: Callable[[S], bool] = field(default=_always, kw_only=True)
    """Whether it does something now."""
    refusal: str | Callable[[S], str] = field(default="", kw_only=True)
    """Why it does nothing while not `when`; empty: the key then means nothing here."""
    listed: Callable[[S], bool] | None = field(default=None, kw_only=True)
    """Whether the help page lists it: it works now or may later. None: while `when`."""
    offer: Offer | Callable[[S], Offer | None] | None = field(default=None, kw_only=True)
    """How the bottom lines offer it while `when`; None: they do not."""
    offline: bool = field(default=False, kw_only=True)
    """Whether it works without a connection."""
    called: str = field(default="", kw_only=True)
    """What it is called on the help page; empty: what its first key is called."""

    @property
    def name(self) -> str:
        """What it is called on the screen."""
        return self.called or key_name(self.keys[0])

    def why_not(self, state: S) -> str:
        """Why it does nothing now; empty: the key means nothing here."""
        return self.refusal if isinstance(self.refusal, str) else self.refusal(state)

    def row(self, state: S) -> tuple[str, str] | None:
        """Its name and label on the help page; None if it is not listed."""
        if not (self.listed or self.when)(state):
            return None
        label = self.label if isinstance(self.label, str) else self.label(state)
        return (self.name, label) if label else None

    def hint(self, state: S) -> KeyHint | None:
        """How the bottom lines offer it now; None if they do not."""
        if not self.when(state):
            return None
        offer = self.offer(state) if callable(self.offer) else self.offer
        if offer is None:
            return None
        return KeyHint(offer.name or self.name, offer.word, offer.short, offer.weight)


@frozen
class Keymap(Generic[S]):
    """The keys of one place."""

    bindings: Sequence[Binding[S]]
    """In the order of the help page. The first that has a key takes it."""
    bar: Sequence[Binding[S]] = ()
    """The bindings that the bottom lines offer, in their order there."""

    def find(self, key: str) -> Binding[S] | None:
        """The binding that takes a key."""
        for binding in self.bindings:
            if key in binding.keys or ANY in binding.keys:
                return binding
        return None

    def rows(self, state: S) -> list[tuple[str, str]]:
        """The help page: the keys that mean something here, each with what it does."""
        rows = (binding.row(state) for binding in self.bindings)
        return [row for row in rows if row is not None]

    def hints(self, state: S, *, online: bool = True) -> list[KeyHint]:
        """What the bottom lines offer now; not `online`: only what needs no connection."""
        hints = (binding.hint(state) for binding in self.bar if online or binding.offline)
        return [hint for hint in hints if hint is not None]
