"""What a person types in a game of Ra, read leniently: one grammar for reading and for
completing.

Case does not matter, a beginning that only one word has is enough, a prompt says which
words there are. What no prompt allows is read all the same if it is a command of the
notation: the server says why it cannot be. Knows no rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from client.games import Ambiguous, Unreadable
from client.ra.phrases import listed
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.notation import KIND_WORDS
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt

_WORDS = {kind: word for word, kind in KIND_WORDS.items()}
_VERBS = ("draw", "ra", "gods", "bid", "pass", "discard")


@frozen
class _Tiles:
    """A verb wants tiles of a pool."""

    pool: tuple[tuple[Kind, int], ...]
    most: int


@frozen
class _Sun:
    """A verb wants a sun."""

    suns: tuple[int, ...]


_Wanted = _Tiles | _Sun | None
_EVERYTHING = _Tiles(tuple((kind, 8) for kind in Kind), 8)


def grammar(prompt: Any | None) -> dict[str, _Wanted]:
    """The verbs that may be typed now, each with what must follow it."""
    match prompt:
        case TurnPrompt(draw, gods, takeable):
            verbs: dict[str, _Wanted] = {"draw": None} if draw else {}
            verbs["ra"] = None
            if gods:
                verbs["gods"] = _Tiles(tuple(sorted(Counter(takeable).items())), gods)
            return verbs
        case BidPrompt(suns, may_pass):
            verbs = {"bid": _Sun(suns)} if suns else {}
            return {**verbs, "pass": None} if may_pass else verbs
        case DiscardPrompt(_, count, held):
            return {"discard": _Tiles(held, count)}
        case _:
            return {
                "draw": None,
                "ra": None,
                "gods": _EVERYTHING,
                "bid": _Sun(()),
                "pass": None,
                "discard": _EVERYTHING,
            }


def read(text: str, prompt: Any | None) -> Any:
    """The command that `text` means; raises Unreadable or Ambiguous."""
    words = _split(text)
    if not words:
        raise Unreadable("nothing is typed")
    verbs = grammar(prompt)
    if words[0].isascii() and words[0].isdigit() and "bid" in verbs and prompt is not None:
        words = ["bid", *words]
    verb = _find(words[0], verbs, _VERBS)
    rest = words[1:]
    if verb in ("draw", "ra", "pass"):
        if rest:
            raise Unreadable(f"nothing follows {verb!r}")
        return {"draw": Draw, "ra": InvokeRa, "pass": Pass}[verb]()
    if verb == "bid":
        return _read_bid(rest)
    if not rest:
        raise Unreadable(f"which tiles? for example: {verb} nile flood")
    pool = verbs.get(verb)
    offered = [_WORDS[kind] for kind, _ in pool.pool] if isinstance(pool, _Tiles) else []
    # the same tiles are the same command, in whatever order they are typed
    kinds = tuple(sorted(KIND_WORDS[_find(typed, offered, KIND_WORDS)] for typed in rest))
    return SpendGods(kinds) if verb == "gods" else Discard(kinds)


def _read_bid(rest: Sequence[str]) -> Bid:
    if len(rest) != 1 or not (rest[0].isascii() and rest[0].isdigit() and len(rest[0]) < 4):
        raise Unreadable("one sun is bid, for example: bid 7")
    return Bid(int(rest[0]))


def complete(text: str, prompt: Any | None) -> tuple[str, ...]:
    """What could stand in the place of the last word of `text`."""
    words = _split(text)
    last = "" if not words or text[-1:] in (" ", ",") else words.pop()
    verbs = grammar(prompt)
    if not words:
        return _starting(last, verbs)
    try:
        wanted = verbs.get(_find(words[0], verbs, ()))
    except Unreadable:
        return ()
    match wanted:
        case _Sun(suns) if len(words) == 1:
            return _starting(last, map(str, suns))
        case _Tiles(pool, most) if len(words) <= most:
            left = Counter({_WORDS[kind]: count for kind, count in pool})
            try:
                left.subtract(_find(word, list(left), ()) for word in words[1:])
            except Unreadable:
                return ()
            return _starting(last, [word for word, count in left.items() if count > 0])
        case _:
            return ()


def _split(text: str) -> list[str]:
    text = text.casefold().replace(",", " ").replace("step pyramid", "step-pyramid")
    return text.replace("_", "-").split()


def _starting(beginning: str, words: Iterable[str]) -> tuple[str, ...]:
    return tuple([word for word in words if word.startswith(beginning)])


def _find(typed: str, offered: Iterable[str], known: Iterable[str]) -> str:
    """The word that `typed` is or begins: of those offered, else of those known."""
    for words in (tuple(offered), tuple(known)):
        if typed in words:
            return typed
        found = _starting(typed, words)
        if len(found) == 1:
            return found[0]
        if found:
            raise Ambiguous(f"{typed!r} could be {listed(list(found), 'or')}")
    raise Unreadable(f"there is no {typed[:40]!r} here")
