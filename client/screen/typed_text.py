"""What text that was typed, or pasted, does: by what the field asked for."""

from __future__ import annotations

from client.screen.interface import Ask
from client.screen.state import ScreenState
from client.text import clean


def enter(state: ScreenState, text: str) -> None:
    """The field was sent off."""
    field, state.field = state.field, None
    text = clean(text)
    state.notice = ""
    match field.ask if field is not None else None:
        case Ask.NAME if not text:
            state.notice = "A name needs at least one letter."
            state.field = field
        case Ask.NAME:
            state.naming = False
            if state.conversation.greeting:
                state.conversation.rename(text)
            else:
                state.begin(text)
        case Ask.CODE if text:
            state.go_to(text.upper())
        case Ask.CHAT if text:
            if not state.conversation.requests.say(text):
                state.notice = "There is no connection: nothing was said."
        case _:
            pass


def cancel(state: ScreenState) -> None:
    """The field was given up."""
    if state.field is not None and state.field.ask is Ask.NAME:
        state.leave()
    state.field = None


def paste(state: ScreenState) -> None:
    """Text was pasted where none is asked for: it must not act as keys."""
    state.notice = "Pasted text is taken in a field only: c opens the chat."
