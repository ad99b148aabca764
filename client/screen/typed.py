"""What text that was typed, or pasted, does: by what the field asked for."""

from __future__ import annotations

from client.screen.desk import Ask
from client.screen.sitting import Sitting
from client.text import clean


def enter(sitting: Sitting, text: str) -> None:
    """The field was sent off."""
    field, sitting.field = sitting.field, None
    text = clean(text)
    sitting.notice = ""
    match field.ask if field is not None else None:
        case Ask.NAME if not text:
            sitting.notice = "A name needs at least one letter."
            sitting.field = field
        case Ask.NAME:
            sitting.naming = False
            if sitting.talk.greeting:
                sitting.talk.rename(text)
            else:
                sitting.begin(text)
        case Ask.CODE if text:
            sitting.go_to(text.upper())
        case Ask.CHAT if text:
            if not sitting.talk.say(text):
                sitting.notice = "There is no connection: nothing was said."
        case _:
            pass


def cancel(sitting: Sitting) -> None:
    """The field was given up."""
    if sitting.field is not None and sitting.field.ask is Ask.NAME:
        sitting.leave()
    sitting.field = None


def paste(sitting: Sitting) -> None:
    """Text was pasted where none is asked for: it must not act as keys."""
    sitting.notice = "Pasted text is taken in a field only: c opens the chat."
