"""Reads what a person types in a game of Ra, leniently.

Case does not matter, the beginning of a word is enough where no other word begins so, and the
prompt says which words there are. A command of the notation that no prompt allows is read all the
same: the server says why it is refused. Does not know any rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from client.games import Ambiguous, Unreadable
from client.sentences import listed
from engine.ra.words.commands import Bid, Discard, Draw, InvokeRa, Pass, SpendGods
from engine.ra.words.notation import KIND_WORDS
from engine.ra.words.pieces import Kind
from engine.ra.words.prompts import BidPrompt, DiscardPrompt, TurnPrompt

_WORDS = {kind: word for word, kind in KIND_WORDS.items()}
_VERBS = ("draw", "ra", "gods", "bid", "pass", "discard")
_OF_TILES = ("gods", "discard")
"""The verbs that tiles follow."""


def grammar(prompt: Any | None) -> dict[str, tuple[Kind, ...]]:
    """The verbs that may be typed now, each with the kinds of tile that may follow it."""
    match prompt:
        case TurnPrompt(draw, gods, takeable):
            verbs: dict[str, tuple[Kind, ...]] = {"draw": (), "ra": ()} if draw else {"ra": ()}
            if gods:
                verbs["gods"] = tuple(sorted(set(takeable)))
            return verbs
        case BidPrompt(suns, may_pass):
            verbs = {"bid": ()} if suns else {}
            return {**verbs, "pass": ()} if may_pass else verbs
        case DiscardPrompt(_, _, held):
            return {"discard": tuple(kind for kind, _ in held)}
        case _:
            every = tuple(Kind)
            return {verb: every if verb in _OF_TILES else () for verb in _VERBS}


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
    offered = [_WORDS[kind] for kind in verbs.get(verb, ())]
    # The same tiles are the same command in whatever order they are typed.
    kinds = tuple(sorted(KIND_WORDS[_find(typed, offered, KIND_WORDS)] for typed in rest))
    return SpendGods(kinds) if verb == "gods" else Discard(kinds)


def _read_bid(rest: Sequence[str]) -> Bid:
    if len(rest) != 1 or not (rest[0].isascii() and rest[0].isdigit() and len(rest[0]) < 4):
        raise Unreadable("one sun is bid, for example: bid 7")
    return Bid(int(rest[0]))


def _split(text: str) -> list[str]:
    text = text.casefold().replace(",", " ").replace("step pyramid", "step-pyramid")
    return text.replace("_", "-").split()


def _find(typed: str, offered: Iterable[str], known: Iterable[str]) -> str:
    """The word that `typed` is or begins: of those offered, otherwise of those known."""
    for words in (tuple(offered), tuple(known)):
        if typed in words:
            return typed
        found = [word for word in words if word.startswith(typed)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Ambiguous(f"{typed!r} could be {listed(found, 'or')}")
    raise Unreadable(f"there is no {typed[:40]!r} here")
