"""The codecs of one game's words and the kernel's: they read the trees of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from engine.entry import Command, Happening, Prompt, View
from engine.table.words import COMMANDS, HAPPENINGS
from protocol.codec import Codec


class WireVocabulary(Protocol):
    """The part of a game's vocabulary that travels (see `engine.game.Vocabulary`)."""

    @property
    def commands(self) -> Mapping[int, type[Command]]: ...
    @property
    def prompts(self) -> Mapping[int, type[Prompt]]: ...
    @property
    def happenings(self) -> Mapping[int, type[Happening]]: ...
    @property
    def public(self) -> type[View]: ...
    @property
    def private(self) -> type[View]: ...


class Wire:
    """Codecs between a game's classes and the trees in messages."""

    def __init__(self, words: WireVocabulary) -> None:
        self.command: Codec[Command] = Codec({6: COMMANDS[6], **words.commands})
        """Commands of a match: those of the game, and taking back."""
        self.prompt: Codec[Prompt] = Codec(words.prompts)
        happenings: dict[int, Any] = {**HAPPENINGS, **words.happenings}
        self.happening: Codec[Happening] = Codec(happenings)
        self.public: Codec[View] = Codec(words.public)
        self.private: Codec[View] = Codec(words.private)
