"""Entries of a game's streams as bytes: what the store keeps and records hold.

Does not know games. Whatever a later version wrote is named, never guessed at or cut short.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from engine.entry import Command, Entry, Event
from engine.game import Vocabulary
from engine.table.words import COMMANDS, EVENTS
from protocol.codec import MAX_BYTES, Codec, ProtocolError, Tree, loads

_FIELDS = attrs.fields_dict(Entry)
_COMMAND_AT = list(_FIELDS).index("command")
_EVENTS_AT = list(_FIELDS).index("events")


class UnknownEvent(ProtocolError):
    """An event or command of a kind that is not known here."""


class UnknownField(ProtocolError):
    """An entry, event or command that has more fields than are known here."""


class EntryCodec(Codec[Entry]):
    """Packs and unpacks a game's entries, the kernel's commands and events included."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._commands = {**COMMANDS, **vocabulary.commands}
        self._events: dict[int, type[Event]] = {**EVENTS, **vocabulary.events}
        named: dict[Any, Any] = {
            Command: self._commands,
            Event: self._events,
            object: vocabulary.deal,
        }
        super().__init__(Entry, named, trim=True)

    def decode(self, data: bytes, max_bytes: int = MAX_BYTES) -> Entry:
        """The entry in `data`; raises ProtocolError, including UnknownEvent and UnknownField."""
        tree = loads(data, max_bytes)
        if type(tree) is tuple and len(tree) > _EVENTS_AT:
            if len(tree) > len(_FIELDS):
                raise UnknownField(f"an entry with {len(tree)} fields")
            _known(tree[_COMMAND_AT], self._commands)
            if type(tree[_EVENTS_AT]) is tuple:
                for event in tree[_EVENTS_AT]:
                    _known(event, self._events)
        entry: Entry = self.unpack(tree)
        return entry


def entry_codec(vocabulary: Vocabulary) -> EntryCodec:
    """The codec of a game's entries."""
    return EntryCodec(vocabulary)


def _known(tree: Tree, union: Mapping[int, type]) -> None:
    """Raise for a member of `union` that only a later version can have written."""
    if type(tree) is not tuple or not tree or type(tree[0]) is not int:
        return
    member = union.get(tree[0])
    if member is None:
        raise UnknownEvent(f"number {tree[0]} is not known")
    if len(tree) - 1 > len(attrs.fields(member)):
        raise UnknownField(f"{member.__name__} with {len(tree) - 1} fields")
