"""The line that text is typed into, kept in step with the field that the state asks for.

Wraps the toolkit's buffer. Does not know what the text means, or what the other keys do.
"""

from __future__ import annotations

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.layout import BufferControl, Window
from prompt_toolkit.layout.processors import (
    BeforeInput,
    Processor,
    Transformation,
    TransformationInput,
)

from client.cli.glyphs import Glyphs
from client.screen.interface import Field
from client.text import clean

_MOST_TYPED = 1_000
"""Characters that a field takes."""


class _Marks(Processor):
    """Shows each letter that the terminal lacks as one that stands for it."""

    def __init__(self, glyphs: Glyphs) -> None:
        self._glyphs = glyphs

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        fragments = transformation_input.fragments
        shown = [(part[0], "".join(map(self._shown, part[1]))) for part in fragments]
        return Transformation([*shown])

    def _shown(self, char: str) -> str:
        return self._glyphs.in_cells(char)[:1] or char


class InputLine:
    """One line of text, and its window."""

    def __init__(self, glyphs: Glyphs) -> None:
        self._buffer = Buffer(multiline=False, on_cursor_position_changed=self._touched)
        self._field: Field | None = None
        self._untouched = True
        """Whether nothing has been typed into the field yet."""
        self.window = Window(
            BufferControl(self._buffer, input_processors=[_Marks(glyphs), BeforeInput("> ")]),
            height=1,
            style="class:typed",
        )

    @property
    def text(self) -> str:
        """The text typed so far."""
        return self._buffer.text[:_MOST_TYPED]

    def type(self, text: str) -> None:
        """Insert typed text, while there is room."""
        if len(self._buffer.text) < _MOST_TYPED:
            self._insert(text)

    def paste(self, text: str) -> None:
        """Insert as much of a pasted text as there is room for. Lines are joined into one, so that
        nothing pasted is sent before ENTER is pressed."""
        room = _MOST_TYPED - len(self._buffer.text)
        self._insert(clean(text)[: max(0, room)])

    def follow(self, field: Field | None) -> bool:
        """Switch to the field that the state asks for, or to none; whether that is a change."""
        if field is self._field:
            return False
        self._field = field
        self._buffer.text = field.text if field is not None else ""
        self._buffer.cursor_position = len(self._buffer.text)
        self._untouched = True
        return True

    def _insert(self, text: str) -> None:
        """Insert text; it replaces a text that was only offered."""
        if self._field is not None and self._field.offered and self._untouched:
            self._buffer.text = ""
        self._buffer.insert_text(text)

    def _touched(self, _: Buffer) -> None:
        self._untouched = False
