"""Entries of a game's streams as bytes: what the store keeps and records hold."""

from __future__ import annotations

from typing import Any

from engine.entry import Command, Entry, Event
from engine.game import Vocabulary
from engine.seating import COMMANDS, EVENTS
from protocol.codec import Codec


def entry_codec(vocabulary: Vocabulary) -> Codec[Entry]:
    """The codec of a game's entries, the kernel's commands and events included."""
    named: dict[Any, Any] = {
        Command: {**COMMANDS, **vocabulary.commands},
        Event: {**EVENTS, **vocabulary.events},
        object: vocabulary.deal,
    }
    return Codec(Entry, named)
